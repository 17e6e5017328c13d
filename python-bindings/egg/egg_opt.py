# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds and runs egg-opt, EGG's compiler driver."""

import functools
import os
import pathlib
import shutil
import signal
import subprocess

from egg.errors import EggError

HINT = ("build it with 'cmake --preset dev && ninja -C build/dev', and name it "
        "with --egg-opt or $EGG_OPT")


def find_egg_opt(path=None):
    """The egg-opt to run: the given path, $EGG_OPT, the repository's build,
    one beside the package, or one on the PATH. EggError where it is none."""
    chosen = path or os.environ.get("EGG_OPT")
    if chosen:
        if not pathlib.Path(chosen).is_file() or not os.access(chosen, os.X_OK):
            raise EggError("no such program", where=str(chosen),
                           hint="build it, or correct --egg-opt or $EGG_OPT")
        return identified(pathlib.Path(chosen))
    package = pathlib.Path(__file__).resolve().parent
    for candidate in (package.parents[1] / "build/dev/bin/egg-opt",
                      package / "bin/egg-opt", package.parent / "egg-opt",
                      package.parents[1] / "bin/egg-opt"):
        if os.access(candidate, os.X_OK):
            return identified(candidate)
    if found := shutil.which("egg-opt"):
        return identified(pathlib.Path(found))
    raise EggError("egg-opt was not found", hint=HINT)


@functools.cache
def identified(path):
    """The path, if what is there is EGG's compiler: another program would
    only give puzzling answers."""
    try:
        result = subprocess.run([str(path), "--help"], text=True,
                                stdin=subprocess.DEVNULL, capture_output=True,
                                errors="replace", timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        reason = getattr(error, "strerror", None) or "it does not answer"
        raise EggError(f"cannot be run: {reason}", where=str(path),
                       hint=HINT) from None
    if result.returncode == 0 and "--egg-optimize" in result.stdout:
        return path
    text = (result.stderr or result.stdout).strip().splitlines()
    if text and (result.returncode in (126, 127) or result.returncode < 0):
        # It may be ours and lack a library.
        raise EggError(f"does not start ({how_it_ended(result.returncode)}): "
                       f"{text[-1]}", where=str(path), hint=HINT)
    raise EggError("is not EGG's compiler: --help names no --egg-optimize",
                   where=str(path), hint=HINT)


def run_egg_opt(arguments, text, *, path=None, timeout=600):
    """Runs egg-opt on text and returns what it prints; EggError with its
    diagnostics if it fails or takes more than timeout seconds."""
    program, title = find_egg_opt(path), f"egg-opt {' '.join(arguments)}"
    try:
        result = subprocess.run([str(program), *arguments], input=text,
                                text=True, errors="replace",
                                capture_output=True, timeout=timeout)
    except OSError as error:
        raise EggError(f"cannot be run: {error.strerror}", where=str(program),
                       hint=HINT) from None
    except subprocess.TimeoutExpired:
        raise EggError(f"{title} took more than {timeout:g} s",
                       hint="allow more time", exit_code=5) from None
    if result.returncode == 0:
        return result.stdout
    ended = how_it_ended(result.returncode)
    if not result.stderr.strip():
        raise EggError(f"{title} failed ({ended}) without a message",
                       where=str(program),
                       hint="it may have run out of memory: run it by itself "
                       "to see" if result.returncode < 0 else HINT)
    raise EggError(f"{title} failed ({ended}):\n"
                   + first_errors(result.stderr))


def how_it_ended(code):
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"


def first_errors(text, limit=5):
    """The error lines of MLIR diagnostics with the notes of a refusal below
    them, without the IR excerpts."""
    lines, inside = [], False
    for line in text.splitlines():
        inside = (" error: " in line or line.startswith("error: ")
                  or (inside and line.startswith("  note: ")))
        if inside:
            lines.append(line)
    return "\n".join(lines[:limit] or text.splitlines()[-limit:])
