# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NVIDIA's compute-sanitizer on one launch of an artifact, where it is
installed: it sees what happens on the real machine, out of bounds, between
threads, and at barriers."""

import re
import subprocess

from egg.children import python_environment
from egg.measure import one_launch

TOOLS = ("memcheck", "racecheck", "synccheck")
ERROR_EXIT_CODE = 99
NOT_FOUND = ("compute-sanitizer was not found on the PATH, in $CUDA_HOME or in "
             "/usr/local/cuda; it is part of the CUDA toolkit")


def find_sanitizer():
    """Its path, or None."""
    return one_launch.find_tool("compute-sanitizer",
                                ("bin", "compute-sanitizer"))


def sanitize(tools, arguments, timeout):
    """Runs the task of a launch under each tool. {tool: {"ok", "errors",
    "report"}}, or {"not_run": why} for all."""
    program = find_sanitizer()
    if program is None:
        return {"not_run": NOT_FOUND}
    return {tool: run_tool(program, tool, arguments, timeout)
            for tool in tools}


def run_tool(program, tool, arguments, timeout):
    command = [program, "--tool", tool, "--error-exitcode",
               str(ERROR_EXIT_CODE), "--print-limit", "20",
               *one_launch.command(arguments)]
    from egg.egg_opt import how_it_ended, run_limited
    try:
        result = run_limited(command, "", timeout, python_environment())
    except subprocess.TimeoutExpired:
        return {"not_run": f"took more than {timeout:g} s and was ended"}
    except OSError as error:
        return {"not_run": f"cannot be run: {error.strerror}"}
    return read_report(result.stdout + result.stderr, result.returncode,
                       how_it_ended(result.returncode))


def read_report(text, code, ended):
    """What the tool's output and exit code say."""
    lines = [line.removeprefix("=========").strip()
             for line in text.splitlines() if line.startswith("=========")]
    found = re.search(r"(?:ERROR|RACECHECK) SUMMARY: (\d+)", text)
    if found is None:
        last = (text.strip().splitlines() or ["without a message"])[-1]
        return {"not_run": f"it gave no summary ({ended}): {last[:300]}"}
    errors = int(found[1])
    ok = errors == 0 and code == 0
    if ok:
        return {"ok": True, "errors": 0, "report": []}
    if errors == 0 and code != ERROR_EXIT_CODE:
        last = (text.strip().splitlines() or [""])[-1]
        return {"not_run": f"the launch under it failed ({ended}): "
                           f"{last[:300]}"}
    report = [line for line in lines if line and not line.startswith(
        ("COMPUTE-SANITIZER", "ERROR SUMMARY", "RACECHECK SUMMARY"))]
    return {"ok": False, "errors": max(errors, 1), "report": report[:20]}
