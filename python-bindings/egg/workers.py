# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Child processes that do tasks for their parent and may be lost.

What can crash, hang or poison a process (a kernel that faults loses the CUDA
context for good) runs in a worker. A worker keeps what is slow to start, such
as an imported torch, over many tasks, and is replaced after a failure.

The protocol: a task is one JSON line {"task": "package.module:function",
"arguments": {...}} on the worker's standard input; the answer is one JSON line
on a pipe of its own, so that nothing a task prints can garble it.
"""

import contextlib
import faulthandler
import importlib
import json
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback

from egg.egg_opt import how_it_ended
from egg.errors import EggError


class WorkerFailure(EggError):
    """A task ended without an answer. kind: "timeout" or "crash"; printed is
    what the process printed, stack the (file, line) pairs of its Python code
    at a crash, innermost first, where known."""

    def __init__(self, kind, message, printed="", stack=(), **keywords):
        self.kind, self.printed, self.stack = kind, printed, list(stack)
        super().__init__(message, **keywords)


class TaskFailure(EggError):
    """A task raised. kind: "refused" (EggError), "memory", "fault" (the worker
    was lost to a kernel fault) or "exception" (details has the traceback)."""

    def __init__(self, kind, message, details=""):
        self.kind, self.details = kind, details
        super().__init__(message, exit_code=4 if kind == "fault" else 1)


class Worker:
    """One child process, started at the first task."""

    def __init__(self, environment=None):
        self.environment = dict(os.environ, **(environment or {}))
        self.process = self.answers = self.errors = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def start(self):
        package_parent = os.path.dirname(os.path.dirname(__file__))
        path = [package_parent, self.environment.get("PYTHONPATH", "")]
        environment = dict(self.environment, PYTHONPATH=os.pathsep.join(
            part for part in path if part))
        self.answers, write_end = os.pipe()
        self.errors = tempfile.TemporaryFile()
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "egg.workers", str(write_end)],
                stdin=subprocess.PIPE, stdout=self.errors, stderr=self.errors,
                pass_fds=[write_end], env=environment, start_new_session=True)
        finally:
            os.close(write_end)

    def call(self, task, arguments, timeout):
        """Does a task and returns its result. Raises WorkerFailure or
        TaskFailure; after either of a kind that loses the process, the next
        call starts a new one."""
        if self.process is None:
            self.start()
        request = json.dumps({"task": task, "arguments": arguments}) + "\n"
        try:
            self.process.stdin.write(request.encode())
            self.process.stdin.flush()
            answer = self.read_answer(timeout)
        except BrokenPipeError:
            answer = None
        except TimeoutError:
            printed = self.printed()
            self.close()
            raise WorkerFailure(
                "timeout", f"took more than {timeout:g} s and was ended",
                printed) from None
        except BaseException:
            self.close()
            raise
        if answer is None:
            raise self.crashed()
        answer = json.loads(answer)
        if answer.get("retire"):
            self.close()
        if "failure" in answer:
            raise TaskFailure(**answer["failure"])
        return answer["result"]

    def read_answer(self, timeout):
        """The answer's line; None where the worker ended without one."""
        deadline, data = time.monotonic() + timeout, b""
        while not data.endswith(b"\n"):
            remaining = deadline - time.monotonic()
            if remaining <= 0 or not select.select(
                    [self.answers], [], [], remaining)[0]:
                raise TimeoutError
            piece = os.read(self.answers, 1 << 16)
            if not piece:
                return None
            data += piece
        return data

    def printed(self):
        """What the process has printed so far; tasks' own prints included."""
        if self.process is None:
            return ""
        # Reading by position leaves the offset, which the child shares.
        size = os.fstat(self.errors.fileno()).st_size
        return os.pread(self.errors.fileno(), size, 0).decode(errors="replace")

    def crashed(self):
        code = self.process.wait()
        how = how_it_ended(code)
        # faulthandler adds an account of a crash.
        printed, _, account = self.printed().partition("Fatal Python error: ")
        self.close()
        stack = [(name, int(line)) for name, line in
                 re.findall(r'File "([^"]+)", line (\d+)', account)]
        lines = printed.strip().splitlines()
        return WorkerFailure("crash", f"the process died ({how})"
                             + (f": {lines[-1]}" if lines else ""),
                             printed, stack)

    def close(self):
        """Ends the process and everything it started."""
        if self.process is None:
            return
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.process.stdin.close()
        os.close(self.answers)
        self.errors.close()
        self.process = self.answers = self.errors = None


def failure_of(error):
    """What a worker answers about an exception, and whether it must retire."""
    from egg.runtime.library import RuntimeFailure, Status
    try:
        text = str(error)
    except BaseException:  # The task's code wrote the exception's class.
        text = "an exception that cannot be printed"
    kind, retire, details = "exception", False, ""
    if isinstance(error, RuntimeFailure) and error.status in (
            Status.KERNEL_FAULT, Status.DRIVER_ERROR):
        kind, retire = "fault", True
    elif "CUDA error" in text or "CUDNN_STATUS" in text:
        # torch's own message for the same: the context may be lost.
        kind, retire = "fault", True
    elif isinstance(error, MemoryError) or \
            type(error).__name__ == "OutOfMemoryError":
        kind = "memory"
    elif isinstance(error, EggError):
        kind = "refused"
    if kind != "refused":
        with contextlib.suppress(BaseException):
            details = "".join(traceback.format_exception(error))[-4000:]
        lines = text.strip().splitlines()
        text = f"{type(error).__name__}: {lines[0] if lines else ''}"
    return {"kind": kind, "message": text, "details": details}, retire


def serve(answers):
    """The worker's loop: until standard input ends."""
    for line in sys.stdin:
        request = json.loads(line)
        retire = False
        try:
            module, function = request["task"].split(":")
            task = getattr(importlib.import_module(module), function)
            answer = {"result": task(**request["arguments"])}
        except BaseException as error:  # The parent decides what it means.
            failure, retire = failure_of(error)
            answer = {"failure": failure, "retire": retire}
        with contextlib.suppress(Exception):
            # Unless the task has closed it.
            sys.stdout.flush()
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
        if retire:
            return


def end_with_parent():
    """Ends this process and all of its group when nobody holds the other end
    of standard input any more: a parent that was killed ends nobody itself."""
    watch = select.poll()
    # No event is asked for, which leaves those that are always told.
    watch.register(sys.stdin.fileno(), 0)

    def wait():
        if watch.poll()[0][1] & select.POLLHUP:
            os.killpg(os.getpgid(0), signal.SIGKILL)

    threading.Thread(target=wait, daemon=True).start()


if __name__ == "__main__":
    # "egg.workers" and "__main__" would be two modules with two EggErrors of
    # their own were this file to define any.
    faulthandler.enable()
    # Only the parent is interrupted; it ends the worker.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    with os.fdopen(int(sys.argv[1]), "w") as pipe:
        serve(pipe)
