# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds and runs egg-opt, EGG's compiler driver."""

import os
import pathlib
import shutil
import subprocess

from egg.errors import EggError


def find_egg_opt(path=None):
    """The egg-opt to run: the given path, $EGG_OPT, the repository's build,
    one beside the package, or one on the PATH."""
    if path or os.environ.get("EGG_OPT"):
        chosen = pathlib.Path(path or os.environ["EGG_OPT"])
        if not os.access(chosen, os.X_OK):
            raise EggError("no such program", where=str(chosen),
                           hint="build it, or correct $EGG_OPT")
        return chosen
    package = pathlib.Path(__file__).resolve().parent
    for candidate in (package.parents[1] / "build/dev/bin/egg-opt",
                      package / "bin/egg-opt", package.parent / "egg-opt",
                      package.parents[1] / "bin/egg-opt"):
        if os.access(candidate, os.X_OK):
            return candidate
    if found := shutil.which("egg-opt"):
        return pathlib.Path(found)
    raise EggError("egg-opt was not found",
                   hint="build it with 'cmake --preset dev && ninja -C "
                   "build/dev', or set EGG_OPT")


def run_egg_opt(arguments, text, *, path=None, timeout=600):
    """Runs egg-opt on text and returns what it prints; EggError with its
    diagnostics if it fails or takes more than timeout seconds."""
    command = [str(find_egg_opt(path)), *arguments]
    try:
        result = subprocess.run(command, input=text, text=True,
                                capture_output=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        raise EggError(f"egg-opt {' '.join(arguments)} took more than "
                       f"{timeout} s") from None
    if result.returncode != 0:
        raise EggError(f"egg-opt {' '.join(arguments)} failed "
                       f"(exit code {result.returncode}):\n"
                       + first_errors(result.stderr))
    return result.stdout


def first_errors(text, limit=5):
    """The error and note lines of MLIR diagnostics, without the IR excerpts."""
    lines = [line for line in text.splitlines()
             if " error: " in line or line.startswith("error: ")]
    return "\n".join(lines[:limit] or text.splitlines()[-limit:])
