# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rows as one Markdown table, a line a problem: what docs/results holds."""

COLUMNS = ("eager", "compile", "reduce-overhead", "egg", "egg_graph")


def markdown_table(rows):
    """Times are medians in milliseconds; speedup is against the fastest of the
    three baselines. What did not run says why, in the place of the speedup."""
    lines = ["Medians in milliseconds; the speedup is against the fastest of "
             "eager, torch.compile and reduce-overhead.", "",
             "| level | problem | eager | compile | reduce-overhead | EGG "
             "| EGG, graph | speedup | correct | max abs error |",
             "|---|---|---|---|---|---|---|---|---|---|"]
    for row in sorted(rows, key=lambda r: (r["level"], r["problem"])):
        times = row.get("milliseconds") or {}
        cells = [str(row["level"]), row["name"]]
        cells += [milliseconds(times.get(column)) for column in COLUMNS]
        cells += [result(row), verdict(row), error(row.get("max_abs"))]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def milliseconds(value):
    if value is None:
        return "–"
    return f"{value:.3f}" if isinstance(value, (int, float)) else str(value)


def result(row):
    if row.get("speedup"):
        return f"{row['speedup']:.3f}"
    if row["failure"]:
        # A table cell holds one line without bars.
        message = row["failure"]["message"].split("/ next:")[0]
        text = f"{row['failure']['stage']}: {message}".replace("|", "/")
        return " ".join(text.split())[:160]
    return "not timed"


def verdict(row):
    return "–" if row.get("correct") is None else \
        "yes" if row["correct"] else "no"


def error(value):
    return "–" if value is None else f"{value:.1e}"
