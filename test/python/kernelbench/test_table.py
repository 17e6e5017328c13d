# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Markdown table of results."""

from egg.kernelbench.table import markdown_table

TIMED = {"level": 1, "problem": 19, "name": "19_ReLU", "failure": None,
         "milliseconds": {"eager": 2.0, "compile": 1.5,
                          "reduce-overhead": "out of memory", "egg": 1.25},
         "speedup": 1.2, "correct": True, "max_abs": 1.5e-7}
FAILED = {"level": 1, "problem": 2, "name": "2_Matmul",
          "failure": {"stage": "time", "kind": "wrong",
                      "message": "a | b\nsecond line / next: do this"},
          "correct": False, "max_abs": 3.0}


def test_rows_are_in_order_of_level_and_problem():
    lines = markdown_table([TIMED, FAILED]).splitlines()
    assert [line.split(" | ")[1] for line in lines[4:]] == ["2_Matmul",
                                                            "19_ReLU"]


def test_a_timed_row_has_every_figure():
    line = markdown_table([TIMED]).splitlines()[4]
    assert line == ("| 1 | 19_ReLU | 2.000 | 1.500 | out of memory | 1.250 | – "
                    "| 1.200 | yes | 1.5e-07 |")


def test_a_failure_is_one_cell_with_its_reason():
    line = markdown_table([FAILED]).splitlines()[4]
    assert "time: a / b second line" in line
    assert line.count("|") == 11
    assert "do this" not in line
    assert line.endswith("| no | 3.0e+00 |")
