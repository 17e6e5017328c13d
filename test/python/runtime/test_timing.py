# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How runs are timed and failures kept, with a clock in place of the GPU's."""

import pytest

torch = pytest.importorskip("torch")
from egg.measure import timing  # noqa: E402


class Clock:
    """Advances by what a callable takes, in ms."""

    def __init__(self):
        self.now, self.order = 0.0, []

    def callable(self, name, milliseconds, outputs=None):
        def run():
            self.order.append(name)
            self.now += milliseconds
            return outputs
        return run


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()

    class Event:
        def __init__(self, enable_timing):
            assert enable_timing

        def record(self):
            self.time = clock.now

        def elapsed_time(self, end):
            return end.time - self.time

    class Cache:
        def __init__(self, device):
            pass

        def flush(self):
            clock.order.append("flush")
            clock.now += 100

    monkeypatch.setattr(torch.cuda, "Event", Event)
    monkeypatch.setattr(torch.cuda, "synchronize", lambda: None)
    monkeypatch.setattr(timing, "ColdCache", Cache)
    return clock


def options(**changes):
    return timing.TimingOptions(**{"rounds": 4, "budget_ms": 40.0,
                                   "min_runs": 8, "max_runs": 20, **changes})


def test_medians_without_the_flush(clock):
    result = timing.time_interleaved(
        {"a": clock.callable("a", 2.0), "b": clock.callable("b", 5.0)},
        None, options())
    assert result["a"] == {"median_ms": 2.0, "quartiles_ms": [2.0, 2.0],
                           "min_ms": 2.0, "max_ms": 2.0, "runs": 20}
    assert result["b"]["median_ms"] == 5.0 and result["b"]["runs"] == 8


def test_rounds_take_turns_and_each_run_is_cold(clock):
    timing.time_interleaved(
        {"a": clock.callable("a", 5.0), "b": clock.callable("b", 5.0)},
        None, options())
    timed = clock.order[clock.order.index("flush"):]
    assert timed.count("flush") == 2 * 2 + 16
    runs = [name for name in timed if name != "flush"][-16:]
    assert "".join(runs) == "aabb" "bbaa" "aabb" "bbaa"


def test_long_runs_are_few(clock):
    result = timing.time_interleaved({"a": clock.callable("a", 1000.0)}, None,
                                     options())
    assert result["a"]["runs"] == 4


def test_one_that_cannot_run_leaves_the_others(clock):
    def too_large():
        raise torch.OutOfMemoryError("CUDA out of memory.\nmore")

    result = timing.time_interleaved(
        {"a": too_large, "b": clock.callable("b", 5.0)}, None, options())
    assert result["a"] == {
        "failure": "OutOfMemoryError: CUDA out of memory."}
    assert result["b"]["median_ms"] == 5.0


def test_wrong_outputs_of_timed_runs_replace_the_figures(clock):
    result = timing.time_interleaved(
        {"a": clock.callable("a", 1.0, outputs="wrong"),
         "b": clock.callable("b", 1.0, outputs="right")}, None, options(),
        check=lambda name, outputs: f"{outputs}!" if outputs == "wrong"
        else None)
    assert result["a"] == {"failure": "wrong!"}
    assert result["b"]["median_ms"] == 1.0


def test_lost_context_is_not_a_figure(clock):
    def fault():
        raise RuntimeError("CUDA error: an illegal memory access")

    with pytest.raises(RuntimeError, match="CUDA error"):
        timing.time_interleaved({"a": fault}, None, options())
