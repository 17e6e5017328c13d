# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Threads that wait for child processes, and end with them: what interrupts the
main thread (Ctrl-C, a signal) does not reach the others."""

import concurrent.futures
import contextlib

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
