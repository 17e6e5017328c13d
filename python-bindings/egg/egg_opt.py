# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds and runs egg-opt, EGG's compiler driver."""

import contextlib
import functools
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import time

from egg import children, files
from egg.errors import EggError
from egg.memory import default_memory

HINT = ("build it with scripts/build.sh, or name one with --egg-opt or "
        "$EGG_OPT")


def find_egg_opt(path=None):
    """The egg-opt to run: the given path, $EGG_OPT, the repository's build,
    one beside the package, or one on the PATH. EggError where it is none."""
    chosen = path or os.environ.get("EGG_OPT")
    if chosen:
        if not pathlib.Path(chosen).is_file() or not os.access(chosen, os.X_OK):
            raise EggError("no such program", where=str(chosen),
                           hint="build it with scripts/build.sh, or correct --egg-opt or $EGG_OPT")
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


def run_egg_opt(arguments, text, *, name=None, path=None, timeout=600):
    """Runs egg-opt on text, a file called name to whoever reads messages, and
    returns what it prints; EggError with its diagnostics if it fails or takes
    more than timeout seconds, or more than four fifths of the machine's memory.
    Its temporary files and processes end with it."""
    if name:
        arguments = [f"--stdin-name={name}", *arguments]
    program, title = find_egg_opt(path), f"egg-opt {' '.join(arguments)}"
    with files.temporary_directory("egg-opt-") as folder:
        try:
            result = run_limited([str(program), *arguments], text, timeout,
                                 dict(os.environ, TMPDIR=str(folder)))
        except OSError as error:
            raise EggError(f"cannot be run: {error.strerror}",
                           where=str(program), hint=HINT) from None
        except subprocess.TimeoutExpired:
            raise EggError(f"{title} took more than {timeout:g} s",
                           hint="allow more time", exit_code=5) from None
    if result.returncode == 0:
        return result.stdout
    ended = how_it_ended(result.returncode)
    if "LLVM ERROR: out of memory" in result.stderr:
        raise EggError(f"{title} needs more than {default_memory()} MiB of "
                       "memory", hint="use a machine with more, or smaller "
                       "tensors and tiles")
    if not result.stderr.strip():
        raise EggError(f"{title} failed ({ended}) without a message",
                       where=str(program),
                       hint="it may have run out of memory: run it by itself "
                       "to see" if result.returncode < 0 else HINT)
    raise EggError(f"{title} failed ({ended}):\n"
                   + first_errors(result.stderr))


# For what a process that ended in time has started, in a session of its own, to
# let go of the pipes.
_GRACE_S = 5
# For a process to end what it has started in groups of their own.
_ENDING_S = 2


def run_limited(command, text, timeout, environment):
    """subprocess.run() in a session of its own, all of which ends with it."""
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, errors="replace", env=environment,
        start_new_session=True)
    try:
        with children.ending_with_command(lambda: end_session(process)):
            output, errors = communicate(process, text, timeout)
    finally:
        end_session(process)
        process.wait()
    return subprocess.CompletedProcess(command, process.returncode, output,
                                       errors)


def communicate(process, text, timeout):
    """What it writes until it ends; TimeoutExpired after so many seconds."""
    memory = default_memory() << 20
    with contextlib.suppress(OSError):
        # It may have ended already.
        resource.prlimit(process.pid, resource.RLIMIT_DATA, (memory, memory))
    deadline = time.monotonic() + timeout
    while True:
        ended = process.poll() is not None
        left = deadline - time.monotonic()
        try:
            # Without a moment for it, nothing would be read.
            return process.communicate(
                text, 0.5 if ended else max(0, min(left, 0.5)))
        except subprocess.TimeoutExpired:
            text = None
            if process.poll() is not None:
                # Something it started holds the pipes.
                end_session(process)
            elif left <= 0:
                raise
            if ended and left < -_GRACE_S:
                raise


def end_session(process):
    """Ends the process and its group; what is in other groups it ends itself
    where it is asked."""
    with contextlib.suppress(ProcessLookupError):
        if process.poll() is None:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_ENDING_S)
        os.killpg(process.pid, signal.SIGKILL)


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
