# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The parent's side of a worker.

The protocol: a task is one JSON line {"task": "package.module:function",
"arguments": {...}} on the worker's standard input; the answer is one JSON line
on a pipe of its own, so that nothing a task prints can garble it.
"""

import contextlib
import json
import os
import re
import select
import signal
import subprocess
import time

from egg import children
from egg.egg_opt import how_it_ended
from egg.errors import EggError
from egg.workers.keeper import ENDING_SECONDS
from egg.workers.limits import Limits
from egg.workers.output import Output


class WorkerFailure(EggError):
    """A task ended without an answer. kind: "timeout", "crash", "memory" or
    "processes" (a limit that was passed); printed is what the process printed,
    stack the (file, line) pairs of its Python code at a crash, innermost first,
    where known."""

    def __init__(self, kind, message, printed="", stack=(), **keywords):
        self.kind, self.printed, self.stack = kind, printed, list(stack)
        super().__init__(message, **keywords)


class TaskFailure(EggError):
    """A task raised. kind: "refused" (EggError), "memory", "disk" (no space
    left), "fault" (the worker was lost to a kernel fault) or "exception"
    (details has the traceback); place is where, if the message does not say."""

    def __init__(self, kind, message, details="", place=None):
        self.kind, self.details, self.place = kind, details, place
        super().__init__(message, exit_code=4 if kind == "fault" else 1)


class Worker:
    """One child process, started at the first task. What it leaves running
    ends with it."""

    def __init__(self, environment=None, limits=None):
        self.environment = dict(os.environ, **(environment or {}))
        self.limits = limits or Limits()
        self.process = self.answers = self.output = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def start(self):
        self.answers, write_end = os.pipe()
        self.output = Output()
        try:
            self.process = subprocess.Popen(
                children.python_command(
                    "egg.workers", str(write_end),
                    json.dumps(self.limits.as_dictionary())),
                stdin=subprocess.PIPE, stdout=self.output.write_end,
                stderr=self.output.write_end, pass_fds=[write_end],
                env=children.python_environment(self.environment),
                start_new_session=True)
        finally:
            os.close(write_end)
            self.output.close_write_end()

    def call(self, task, arguments, timeout):
        """Does a task and returns its result. Raises WorkerFailure or
        TaskFailure; after either of a kind that loses the process, the next
        call starts a new one."""
        with children.ending_with_command(self.ask_to_end):
            return self.call_to_end(task, arguments, timeout)

    def call_to_end(self, task, arguments, timeout):
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
            raise self.lost(
                "timeout", f"took more than {timeout:g} s and was ended")                 from None
        except BaseException:
            self.close()
            raise
        if answer is None:
            raise self.crashed()
        if "lost" in answer:
            raise self.lost(**answer["lost"])
        if answer.get("retire"):
            self.close()
        if "failure" in answer:
            raise TaskFailure(**answer["failure"])
        return answer["result"]

    def read_answer(self, timeout):
        """The answer; None where the worker ended without one."""
        deadline, data = time.monotonic() + timeout, b""
        while not data.strip() or not data.endswith(b"\n"):
            remaining = deadline - time.monotonic()
            if remaining <= 0 or not select.select(
                    [self.answers], [], [], remaining)[0]:
                raise TimeoutError
            piece = os.read(self.answers, 1 << 16)
            if not piece:
                return None
            data += piece
        # The keeper's line may follow half of one of the worker's.
        return json.loads(data.strip().rpartition(b"\n")[2])

    def printed(self):
        """What the process has printed so far, tasks' own prints included:
        start and end where it is long."""
        return self.output.text() if self.output else ""

    def lost(self, kind, message):
        """Ends the process; the failure to raise."""
        output = self.output
        self.close()
        return WorkerFailure(kind, message, output.text())

    def crashed(self):
        output, process = self.output, self.process
        self.close()
        how = how_it_ended(process.returncode)
        # faulthandler adds an account of a crash.
        printed, _, account = output.text().partition("Fatal Python error: ")
        stack = [(name, int(line)) for name, line in
                 re.findall(r'File "([^"]+)", line (\d+)', account)]
        lines = printed.strip().splitlines()
        return WorkerFailure("crash", f"the process died ({how})"
                             + (f": {lines[-1][:500]}" if lines else ""),
                             printed, stack)

    def ask_to_end(self):
        """The keeper ends everything when this end is closed."""
        if process := self.process:
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()

    def close(self):
        """Ends the process and everything it started."""
        if self.process is None:
            return
        self.ask_to_end()
        try:
            self.process.wait(ENDING_SECONDS + 5)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self.answers)
        self.output.wait(5)
        self.process = self.answers = self.output = None
