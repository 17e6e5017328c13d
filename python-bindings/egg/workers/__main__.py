# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The worker's loop: python -m egg.workers DESCRIPTOR LIMITS."""

import contextlib
import errno
import faulthandler
import importlib
import json
import os
import signal
import sys
import traceback

from egg.errors import EggError
from egg.workers.keeper import keep_child
from egg.workers.limits import Limits


def failure_of(error):
    """What a worker answers about an exception, and whether it must retire."""
    from egg.runtime.library import RuntimeFailure, Status
    text = text_of(error)
    kind, retire, details, place = "exception", False, "", None
    chain = chain_of(error)
    if isinstance(error, RuntimeFailure) and error.status in (
            Status.KERNEL_FAULT, Status.DRIVER_ERROR):
        kind, retire = "fault", True
    elif "CUDA error" in text or "CUDNN_STATUS" in text:
        # torch's own message for the same: the context may be lost.
        kind, retire = "fault", True
    elif any(is_out_of_memory(cause) for cause in chain):
        kind, place = "memory", getattr(error, "where", None)
    elif any(isinstance(cause, OSError)
             and cause.errno in (errno.ENOSPC, errno.EDQUOT)
             for cause in chain):
        kind = "disk"
    elif isinstance(error, EggError):
        kind = "refused"
    if kind == "exception":
        with contextlib.suppress(BaseException):
            details = "".join(traceback.format_exception(error))[-4000:]
    if kind != "refused":
        # The first cause says most; of a refusal, its message.
        cause = chain[-1] if kind in ("memory", "disk") else error
        lines = text_of(cause).strip().splitlines()
        text = type(cause).__name__ + (f": {lines[0]}" if lines else "")
    return {"kind": kind, "message": text, "details": details,
            "place": place}, retire


def text_of(error):
    try:
        return str(error)
    except BaseException:  # The task's code wrote the exception's class.
        return "an exception that cannot be printed"


def chain_of(error):
    """The exception and what it was raised from, in order."""
    chain = []
    while error is not None and error not in chain and len(chain) < 20:
        chain.append(error)
        error = error.__cause__
    return chain


def is_out_of_memory(error):
    return isinstance(error, MemoryError)         or type(error).__name__ == "OutOfMemoryError"         or (isinstance(error, OSError) and error.errno == errno.ENOMEM)         or (isinstance(error, RuntimeError)
            and "t allocate memory" in text_of(error))


def serve(answers):
    """Until standard input ends."""
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


def main(descriptor, limits):
    # Only the parent is interrupted; it ends the worker.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limits = Limits(**json.loads(limits))
    keep_child(limits, int(descriptor))
    limits.apply()
    faulthandler.enable()
    with os.fdopen(int(descriptor), "w") as pipe:
        serve(pipe)


if __name__ == "__main__":
    main(*sys.argv[1:])
