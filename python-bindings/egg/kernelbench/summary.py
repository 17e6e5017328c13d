# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rows as tables: what was reached, how fast, and every failure."""

import math
import statistics

from egg.kernelbench.rows import STAGES
from egg.words import count as counted


def summarize(rows):
    """The text for a list of rows."""
    if not rows:
        return "no rows yet"
    lines = [f"{'level':8}{'problems':>9}{'imported':>9}{'compiled':>9}"
             f"{'ptxas':>7}{'spills':>7}{'compared':>9}{'correct':>8}"
             f"{'timed':>6}"]
    for level in sorted({row["level"] for row in rows}):
        lines.append(counts(str(level), [r for r in rows
                                         if r["level"] == level]))
    lines.append(counts("all", rows))
    lines += durations(rows)
    for level in sorted({row["level"] for row in rows}):
        lines += speed(f"level {level}",
                       [r for r in rows if r["level"] == level])
    lines += speed("all", rows)
    lines += prediction(rows)
    failures = sorted((r for r in rows if r["failure"]),
                      key=lambda r: (r["level"], r["problem"]))
    lines += ["", f"failures: {len(failures)}"]
    lines += [f"  level {r['level']} {r['name']}: {r['failure']['stage']}: "
              f"{r['failure']['kind']}: {r['failure']['message'][:300]}"
              for r in failures]
    return "\n".join(lines)


def got_to(row, stage):
    """Whether the stage succeeded; results that are wrong were still compared
    with those of the module."""
    return row["reached"] is not None and \
        STAGES.index(row["reached"]) >= STAGES.index(stage)


def counts(title, rows):
    return (f"{title:8}{len(rows):9}"
            f"{sum(got_to(r, 'import') for r in rows):9}"
            f"{sum(got_to(r, 'compile') for r in rows):9}"
            f"{sum(r.get('ptxas') == 'accepted' for r in rows):7}"
            f"{sum(bool(r.get('spilling_kernels')) for r in rows):7}"
            f"{sum('correct' in r for r in rows):9}"
            f"{sum(bool(r.get('correct')) for r in rows):8}"
            f"{sum(bool(r.get('speedup')) for r in rows):6}")


def durations(rows):
    """Median and worst seconds of each stage."""
    lines = []
    for stage in STAGES:
        seconds = [r["seconds"][stage] for r in rows if stage in r["seconds"]]
        if seconds:
            lines.append(f"{stage} took {statistics.median(seconds):.1f} s "
                         f"(median), {max(seconds):.1f} s (worst)")
    return lines


def speed(title, rows):
    """Speedups over the fastest baseline. A problem that failed counts as 0 in
    the median and in the share; the geometric mean is of those that ran,
    because one 0 would make it 0."""
    asked = [row for row in rows if row["stage"] == "time"
             and (row.get("speedup") is not None or row["failure"])]
    ran = [row["speedup"] for row in asked if row.get("speedup")]
    if not ran:
        return []
    everything = ran + [0.0] * (len(asked) - len(ran))
    return [f"speedup, {title}: geometric mean "
            f"{statistics.geometric_mean(ran):.3f} of {len(ran)} that ran "
            f"({counted(len(asked) - len(ran), 'failure')}), median "
            f"{statistics.median(everything):.3f}, above 1 "
            f"{sum(s > 1 for s in everything)}/{len(everything)} "
            "(failures as 0)"]


def prediction(rows):
    """How far predicted times are off the measured ones."""
    pairs = [(row.get("predicted_milliseconds"),
              (row.get("milliseconds") or {}).get("egg")) for row in rows]
    # What failed has a text in place of its time.
    ratios = [predicted / measured for predicted, measured in pairs
              if predicted and isinstance(measured, (int, float))]
    if not ratios:
        return []
    logarithms = [abs(math.log(ratio)) for ratio in ratios]
    within = {factor: sum(logarithm <= math.log(factor)
                          for logarithm in logarithms)
              for factor in (1.5, 2)}
    return [f"predicted over measured time, of {len(ratios)}: median "
            f"{statistics.median(ratios):.2f}, within a factor of 1.5 "
            f"{within[1.5]}, of 2 {within[2]}, typical factor "
            f"{math.exp(statistics.mean(logarithms)):.2f}"]
