# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A verdict as lines for people: the grade with what it means, the evidence
step by step, what was not done and why, and with which versions."""

import math
import textwrap

GRADES = ("unverified", "tested", "bounded", "exact", "proved")
COLUMN, WIDTH = 13, 100
INDENT = " " * COLUMN


def describe_verdict(verdict):
    """The lines for the "verdict" section of a report."""
    lines = paragraph("verdict", verdict["grade"] + (
        f": {verdict['meaning']}" if verdict.get("meaning") else ""))
    for evidence in verdict.get("evidence", []):
        lines += paragraph(f"  {evidence['step']}", evidence["statement"])
        lines += [INDENT + line for line in error_table(evidence)]
        if bound := evidence.get("bound"):
            lines += [INDENT + line for line in describe_bound(bound)]
    for text in verdict.get("skipped", []):
        lines += paragraph("  skipped", text)
    if versions := verdict.get("versions"):
        lines += paragraph("  versions", ", ".join(
            f"{name} {version}" for name, version in versions.items()))
    return lines


def paragraph(title, text):
    """The title, and the text beside it in lines of WIDTH."""
    # A word that is too long, such as a hash, stays whole.
    lines = textwrap.wrap(text, WIDTH - COLUMN, break_long_words=False,
                          break_on_hyphens=False) or [""]
    return [f"{title:<{COLUMN - 1}} {lines[0]}".rstrip(),
            *(INDENT + line for line in lines[1:])]


def error_table(evidence):
    """A line for each result and distribution, the worst of all extents."""
    worst = {}
    for error in evidence.get("errors", []):
        key = (error["result"], error["name"], error["inputs"])
        worst.setdefault(key, []).append(error)
    if not worst:
        return []
    rows = [("result", "inputs", "largest error", "the payload's",
             "allowed", "at extents")]
    for (result, name, inputs), errors in worst.items():
        error = max(errors, key=closeness)
        rows.append((f"{result} {name}".strip(), inputs,
                     *(figure(error[key]) for key in ("maxAbsolute", "own",
                                                      "allowed")),
                     error["variant"]))
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  ".join(f"{cell:<{width}}" for cell, width in
                      zip(row, widths)).rstrip() for row in rows]


def closeness(error):
    """How close to what is allowed; for errors of nothing, nothing."""
    largest, allowed = number(error["maxAbsolute"]), number(error["allowed"])
    return largest / allowed if largest and allowed else largest


def number(value):
    """Of a figure, which may be the name of one that JSON lacks."""
    return float(value) if value in ("nan", "inf", "-inf") or not isinstance(
        value, str) else math.nan


def figure(value):
    return f"{value:.2e}" if isinstance(value, (int, float)) else value


def describe_bound(bound):
    fields = " and ".join(map(str, bound["primes"]))
    text = f"fields modulo {fields}, degree {bound['degree']:g}"
    if {"inBoth", "inOneField"} <= bound.keys():
        return [f"{text}: a wrong element passes one run with probability "
                f"at most {bound['inBoth']:.1e}",
                f"({bound['inOneField']:.1e} where one field is known)"]
    return [f"{text}: no bound is claimed"]
