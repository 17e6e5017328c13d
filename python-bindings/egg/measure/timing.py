# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times callables side by side: cold L2, CUDA events, interleaved rounds.

Cards drift with heat and power, so only figures of one process, taken in turns,
are compared.
"""

import dataclasses
import statistics

from egg.measure.comparison import finite


@dataclasses.dataclass
class TimingOptions:
    """rounds take turns through the callables; a callable gets about
    budget_ms of device time, between min_runs and max_runs runs in all."""

    rounds: int = 5
    budget_ms: float = 400.0
    min_runs: int = 15
    max_runs: int = 200
    warm_up: int = 3


class ColdCache:
    """Memory larger than the L2 cache, written before each timed run."""

    def __init__(self, device):
        import torch
        l2 = getattr(torch.cuda.get_device_properties(device), "L2_cache_size",
                     0)
        size = max(2 * l2, 128 << 20)
        self.memory = torch.empty(size, dtype=torch.uint8, device=device)

    def flush(self):
        self.memory.zero_()


def timed_runs(function, count, cache):
    """Milliseconds of each of count runs, and the last run's outputs."""
    import torch
    events, outputs = [], None
    for _ in range(count):
        # Dropped before the run: its memory may be needed.
        outputs = None
        start = torch.cuda.Event(enable_timing=True)
        end = torch.cuda.Event(enable_timing=True)
        cache.flush()
        start.record()
        outputs = function()
        end.record()
        events.append((start, end))
    torch.cuda.synchronize()
    return [start.elapsed_time(end) for start, end in events], outputs


def statistics_of(samples):
    """Milliseconds: median, the middle half, the extremes."""
    samples = sorted(samples)
    quarter = len(samples) // 4
    return {"median_ms": finite(statistics.median(samples)),
            "quartiles_ms": [samples[quarter], samples[-1 - quarter]],
            "min_ms": samples[0], "max_ms": samples[-1],
            "runs": len(samples)}


def time_interleaved(functions, device, options=None, check=None):
    """Times the named callables; returns {name: statistics or {"failure"}}.

    check(name, outputs) sees the outputs of each callable's last timed run and
    returns a complaint or None; a complaint replaces the figures.
    """
    import torch
    options = options or TimingOptions()
    cache = ColdCache(device)
    runs, samples, failures = {}, {}, {}
    for name, function in functions.items():
        try:
            for _ in range(options.warm_up):
                function()
            torch.cuda.synchronize()
            # The first of these may still be tuning itself.
            estimate = min(timed_runs(function, 2, cache)[0])
            wanted = options.budget_ms / max(estimate, 1e-3)
            least = options.min_runs if estimate < options.budget_ms else 0
            wanted = min(max(wanted, least), options.max_runs)
            runs[name] = max(1, round(wanted / options.rounds))
            samples[name] = []
        except Exception as error:
            failures[name] = failure_text(error)
    for number in range(options.rounds):
        names = [name for name in runs if name not in failures]
        # Each round starts with another, so that none always follows the same.
        names = names[number % max(len(names), 1):] \
            + names[:number % max(len(names), 1)]
        for name in names:
            try:
                times, outputs = timed_runs(functions[name], runs[name], cache)
            except Exception as error:
                failures[name] = failure_text(error)
                continue
            samples[name] += times
            if number == options.rounds - 1 and check:
                if complaint := check(name, outputs):
                    failures[name] = complaint
            outputs = None
    return {name: {"failure": failures[name]} if name in failures
            else statistics_of(samples[name]) for name in functions}


def failure_text(error):
    """One line; re-raises what loses the CUDA context."""
    text = str(error).strip().splitlines() or [""]
    from egg.runtime.library import RuntimeFailure
    if "CUDA error" in text[0] or isinstance(error, RuntimeFailure):
        raise error
    return f"{type(error).__name__}: {text[0]}"
