# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How a result of the GPU may differ from the emulator's."""

import math
import struct

# The largest difference, relative to the largest element of the result, by what
# a case expects. bits: none at all. sums: tensor cores add the products of one
# instruction in an order and with a truncation that NVIDIA does not publish,
# and atomics in any order; the emulator keeps them in double and truncates
# once an instruction. math: libdevice's functions, with an error of up to 2
# units in the last place (2^-22 relative) where the emulator rounds libm's
# double once (DeviceMath.h), a few of them in a row.
LIMITS = {"bits": 0.0, "sums": 2.0 ** -20, "math": 2.0 ** -20}
# Results in narrower floats differ by a rounding of theirs as well.
ROUNDING = {"f16": 2.0 ** -10, "bf16": 2.0 ** -7}

FORMATS = {"f64": "d", "f32": "f", "f16": "e", "i64": "q", "i32": "i",
           "i16": "h", "i8": "b"}


def values_of(dtype, data):
    """The elements as Python numbers."""
    if dtype == "bf16":
        return [struct.unpack("<f", b"\0\0" + data[i:i + 2])[0]
                for i in range(0, len(data), 2)]
    kind = FORMATS.get(dtype, "b")
    return struct.unpack(f"<{len(data) // struct.calcsize(kind)}{kind}", data)


def compare_buffer(dtype, expected, got):
    """Elements that differ in a bit, and the largest difference relative to
    the largest element; NaN where only one of them is NaN."""
    result = {"dtype": dtype, "elements": 0, "different": 0, "error": 0.0}
    left, right = values_of(dtype, expected), values_of(dtype, got)
    result["elements"] = len(left)
    if expected == got:
        return result
    size = len(expected) // len(left)
    largest = max((abs(x) for x in left if math.isfinite(x)), default=0) or 1
    for number, (x, y) in enumerate(zip(left, right)):
        place = slice(number * size, number * size + size)
        if expected[place] == got[place]:
            continue
        result["different"] += 1
        result.setdefault("first", [number, repr(x), repr(y)])
        if math.isnan(x) and math.isnan(y):
            continue
        error = abs(x - y) / largest if x != y else 0.0
        if not error <= result["error"]:
            result["error"] = error
    return result


def limit_for(expect, dtype):
    return LIMITS[expect] + (ROUNDING.get(dtype, 0) if expect != "bits" else 0)


def outcome(case, outputs):
    """The case's row: whether it agrees, bit for bit or within the limit."""
    equal = not any(output["different"] for output in outputs)
    # Written so that NaN fails too.
    agrees = equal or case["expect"] != "bits" and all(
        output["error"] <= limit_for(case["expect"], output["dtype"])
        for output in outputs)
    return {"name": case["name"], "structure": case["structure"],
            "inputs": case["inputs"], "expect": case["expect"],
            "bits_equal": equal, "agrees": bool(agrees), "outputs": [
                {**output, "error": output["error"]
                 if math.isfinite(output["error"]) else "not finite"}
                for output in outputs]}


def table(rows):
    """A line for each structure and expectation."""
    groups = {}
    for row in rows:
        groups.setdefault((row["structure"], row["inputs"], row["expect"]),
                          []).append(row)
    lines = [f"{'structure':12}{'inputs':10}{'expected':10}{'cases':>6}"
             f"{'equal bits':>12}{'agree':>7}  largest error"]
    for (structure, inputs, expect), members in sorted(groups.items()):
        errors = [output["error"] for row in members
                  for output in row.get("outputs", [])]
        numbers = [error for error in errors if isinstance(error, float)]
        worst = "not finite" if len(numbers) < len(errors) else \
            f"{max(numbers, default=0):.1e}"
        lines.append(
            f"{structure:12}{inputs:10}{expect:10}{len(members):6}"
            f"{sum(row['bits_equal'] for row in members):12}"
            f"{sum(row['agrees'] for row in members):7}  {worst}")
    return "\n".join(lines)
