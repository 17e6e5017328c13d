# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nsight Compute on one launch of an artifact, where it is installed and may
read the counters."""

import csv
import re
import subprocess

from egg.children import python_environment
from egg.measure import one_launch

DURATION = "gpu__time_duration.sum"
NOT_FOUND = ("ncu was not found on the PATH, in $CUDA_HOME or in "
             "/usr/local/cuda; it is part of the CUDA toolkit")


def count_events(kernels, metrics, arguments, timeout):
    """({kernel: {"seconds", "counters": {metric: number}}}, None) of the first
    launch of each kernel, or ({}, why there is nothing)."""
    program = one_launch.find_tool("ncu", ("bin", "nsight-compute"))
    if program is None:
        return {}, NOT_FOUND
    names = "|".join(re.escape(name) for name in sorted(set(kernels)))
    command = [program, "--csv", "--page", "raw", "--print-units", "base",
               # The clocks of a shared machine are left alone.
               "--clock-control", "none",
               "--kernel-name", f"regex:^({names})$",
               "--metrics", ",".join([DURATION, *metrics]),
               *one_launch.command(arguments)]
    from egg.egg_opt import how_it_ended, run_limited
    try:
        result = run_limited(command, "", timeout, python_environment())
    except subprocess.TimeoutExpired:
        return {}, f"ncu took more than {timeout:g} s and was ended"
    except OSError as error:
        return {}, f"ncu cannot be run: {error.strerror}"
    measured = read_table(result.stdout, metrics)
    if measured:
        return measured, None
    lines = (result.stdout + result.stderr).strip().splitlines()
    errors = [line for line in lines if line.startswith("==ERROR==")]
    last = (errors or lines or ["without a message"])[-1]
    return {}, (f"ncu gave no counters "
                f"({how_it_ended(result.returncode)}): {last[:300]}")


def read_table(text, metrics):
    """The rows of ncu's raw page, which begin at a line with its columns; a
    line of units follows."""
    lines = text.splitlines()
    start = next((number for number, line in enumerate(lines)
                  if line.startswith('"ID"')), None)
    if start is None:
        return {}
    measured = {}
    for row in list(csv.DictReader(lines[start:]))[1:]:
        name = (row.get("Kernel Name") or "").partition("(")[0]
        if not name or name in measured:
            continue
        numbers = {metric: number for metric in (DURATION, *metrics)
                   if (number := read_number(row.get(metric))) is not None}
        nanoseconds = numbers.pop(DURATION, None)
        measured[name] = {"counters": numbers}
        if nanoseconds:
            measured[name]["seconds"] = nanoseconds / 1e9
    return measured


def read_number(text):
    """A number with or without commas between its thousands, or None."""
    try:
        return float((text or "").replace(",", ""))
    except ValueError:
        return None
