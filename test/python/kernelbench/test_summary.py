# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the summary says beyond counts."""

from egg.kernelbench.summary import prediction


def row(predicted, measured):
    return {"predicted_milliseconds": predicted,
            "milliseconds": {"egg": measured}}


def test_predictions_are_held_against_measured_times():
    assert prediction([row(1.0, 1.0), row(4.0, 1.0), row(1.0, 0.8),
                       row(2.0, "out of memory"), {"milliseconds": None}]) == [
        "predicted over measured time, of 3: median 1.25, within a factor of "
        "1.5 2, of 2 2, typical factor 1.71"]


def test_without_times_nothing_is_said():
    assert prediction([row(1.0, None), row(None, 1.0), {}]) == []
