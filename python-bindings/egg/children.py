# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Child processes: Python's, started so that files of the caller's folder do
not get into them; and threads that wait for any, and end with them: what
interrupts the main thread (Ctrl-C, a signal) does not reach the others."""

import concurrent.futures
import contextlib
import os
import pathlib
import sys

# What ends each child that a thread waits for, and whether all have to end.
_endings = {}
_all_end = False


class Ended(BaseException):
    """The child was ended because the command is."""


@contextlib.contextmanager
def ending_with_command(end):
    """Where the command is interrupted within, end() is called, and Ended
    raised in place of what came of it."""
    key = object()
    _endings[key] = end
    try:
        if _all_end:
            raise Ended
        yield
    except Exception:
        if _all_end:
            raise Ended from None
        raise
    finally:
        del _endings[key]
    if _all_end:
        raise Ended


def each(work, items, jobs):
    """The results of work(item), in order, from so many threads. After an error
    none is begun any more; an interruption ends those that run."""
    global _all_end
    try:
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            try:
                return list(pool.map(work, items))
            except (KeyboardInterrupt, SystemExit):
                _all_end = True
                for end in list(_endings.values()):
                    end()
                raise
    finally:
        _all_end = False


# For a Python that has no -P.
_START = ("import sys; sys.path.remove(''); del sys.argv[0]; import runpy; "
          "runpy.run_module(sys.argv[0], run_name='__main__', alter_sys=True)")


def python_command(module, *arguments):
    """The command that runs a module of ours. It does not look for modules in
    the working directory, where a random.py would be taken for Python's."""
    start = ["-P", "-m"] if sys.version_info >= (3, 11) else ["-c", _START]
    return [sys.executable, *start, module, *arguments]


def python_environment(environment=os.environ):
    """One in which that command finds this package. An empty part of PYTHONPATH
    would stand for the working directory."""
    package_parent = str(pathlib.Path(__file__).resolve().parents[1])
    parts = environment.get("PYTHONPATH", "").split(os.pathsep)
    return dict(environment, PYTHONPATH=os.pathsep.join(
        [package_parent, *filter(None, parts)]))
