# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The process between a parent and its worker. Whatever the worker starts, also
in sessions of its own, becomes the keeper's child at the latest when the
worker ends, and ends with it. The keeper is told nothing: it ends everything
when the worker ends, when nobody holds the other end of standard input any more
(a parent that was killed ends nobody itself), or when a limit is passed.
"""

import contextlib
import ctypes
import json
import os
import pathlib
import resource
import select
import signal
import time

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
LOOK_SECONDS = 0.2
# A process in an uninterruptible wait ends when that is over.
ENDING_SECONDS = 10


def prctl(option, value):
    ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0)


def keep_child(limits, answers):
    """Returns in a child process; this process becomes its keeper and does not
    return. answers is the descriptor on which a passed limit is told."""
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    keeper, child = os.getpid(), os.fork()
    if child:
        keep(child, limits, answers)
    # The worker's group is not the keeper's.
    os.setpgid(0, 0)
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != keeper:
        os._exit(1)


def keep(child, limits, answers):
    # What the worker prints can be waited for without the keeper.
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    parent = select.poll()
    # No event is asked for, which leaves those that are always told.
    parent.register(0, 0)
    status = lost = None
    while status is None and lost is None:
        if parent.poll(LOOK_SECONDS * 1000):
            break
        status = reap(child)
        lost = passed_limit(limits)
    last = end_all(child)
    if lost:
        os.write(answers, f"\n{json.dumps({'lost': lost})}\n".encode())
    end_like(status if status is not None else last)


def reap(child):
    """Takes note of ended children; the status of the worker if it is one."""
    with contextlib.suppress(ChildProcessError):
        while True:
            process, status = os.waitpid(-1, os.WNOHANG)
            if process == 0:
                return None
            if process == child:
                return status
    return None


def end_like(status):
    """Ends this process as the worker ended."""
    if status is not None and os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.WEXITSTATUS(status) if status is not None else 1)


def descendants():
    """{process: bytes of private memory} of all below this process."""
    children = {}
    for entry in os.scandir("/proc"):
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError, IndexError, ValueError):
            text = pathlib.Path(entry.path, "stat").read_text(errors="replace")
            fields = text.rpartition(")")[2].split()
            children.setdefault(int(fields[1]), []).append(int(entry.name))
    found, waiting = {}, [os.getpid()]
    while waiting:
        for process in children.get(waiting.pop(), ()):
            found[process] = private_memory(process)
            waiting.append(process)
    return found


def private_memory(process):
    with contextlib.suppress(OSError, IndexError, ValueError):
        fields = pathlib.Path(f"/proc/{process}/statm").read_text().split()
        return (int(fields[1]) - int(fields[2])) * resource.getpagesize()
    return 0


def own_share(process, otherwise):
    """Bytes, what forked processes share being split among them; slow."""
    with contextlib.suppress(OSError, IndexError, ValueError):
        text = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text()
        return int(text.split("\nPss_Anon:")[1].split()[0]) << 10
    return otherwise


def passed_limit(limits):
    """The limit that the worker and its processes have passed, as a message
    with its kind; None while there is none."""
    found = descendants()
    if len(found) > limits.processes:
        return {"kind": "processes",
                "message": f"started {len(found)} processes; the limit is "
                           f"{limits.processes}"}
    limit = limits.memory_mib << 20
    if sum(found.values()) <= limit:
        return None
    used = sum(own_share(*process) for process in found.items())
    if used <= limit:
        return None
    return {"kind": "memory",
            "message": f"used {used >> 20} MiB of memory; the limit is "
                       f"{limits.memory_mib}"}


def end_all(child):
    """Ends all processes below this one; the worker's status if it is among
    them."""
    deadline, last = time.monotonic() + ENDING_SECONDS, None
    while time.monotonic() < deadline:
        for process in descendants():
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGKILL)
        try:
            process, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            break
        if process == child:
            last = status
        elif process == 0:
            time.sleep(0.005)
    return last
