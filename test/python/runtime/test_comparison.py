# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""KernelBench's check and the figures beside it."""

import math

import pytest

torch = pytest.importorskip("torch")
from egg.measure import comparison  # noqa: E402


def test_equals_allclose_at_the_edge(monkeypatch):
    monkeypatch.setattr(comparison, "PIECE", 3)
    torch.manual_seed(0)
    for _ in range(50):
        a = torch.randn(7, 5)
        b = a + (torch.rand(7, 5) - 0.5) * 4.1e-4
        figures = comparison.compare(a, b)
        assert figures["ok"] == torch.allclose(a, b, atol=1e-4, rtol=1e-4)
        assert figures["max_abs"] == pytest.approx(
            (a - b).abs().max().item())


def test_nan_is_never_close():
    a = torch.tensor([1.0, math.nan])
    figures = comparison.compare(a, a.clone())
    assert not figures["ok"] and figures["violations"] == 1
    assert figures["max_abs"] == "nan"


def test_equal_infinities_are_close():
    a = torch.tensor([math.inf, 1.0])
    assert comparison.compare(a, a.clone()) == {
        "ok": True, "violations": 0, "max_abs": 0.0, "max_rel": 0.0}


@pytest.mark.parametrize("result, reason", [
    (torch.zeros(3, 2), "shape [3, 2] instead of [2, 3]"),
    (torch.zeros(2, 3, dtype=torch.float64), "dtype torch.float64"),
])
def test_other_shape_or_dtype(result, reason):
    figures = comparison.compare(torch.zeros(2, 3), result)
    assert not figures["ok"] and reason in figures["reason"]


def test_integers_have_no_tolerance():
    a = torch.tensor([1_000_000, 2])
    assert not comparison.compare(a, a + torch.tensor([1, 0]))["ok"]
    assert comparison.compare(a, a.clone())["ok"]


def test_empty_tensors_agree():
    assert comparison.compare(torch.zeros(0), torch.zeros(0))["ok"]


def test_errors_against_fp64():
    exact = torch.tensor([3.0, 4.0], dtype=torch.float64)
    errors = comparison.errors_against(exact, torch.tensor([3.0, 4.5]))
    assert errors["max_abs"] == 0.5
    assert errors["relative_rms"] == pytest.approx(0.1)


def test_summary_is_over_the_fastest_baseline():
    from egg.measure.task import summarize
    runs = {"eager": {"median_ms": 4.0}, "compile": {"median_ms": 2.0},
            "reduce-overhead": {"failure": "out of memory"},
            "egg": {"median_ms": 5.0}, "egg_graph": {"median_ms": 1.0}}
    summary = summarize(runs, ("eager", "compile", "reduce-overhead"))
    assert summary["speedup"] == 2.0
    assert (summary["fastest_baseline"], summary["headline"]) == (
        "compile", "egg_graph")
    runs["egg"] = runs["egg_graph"] = {"failure": "wrong"}
    assert summarize(runs, ("eager",))["speedup"] == 0.0
