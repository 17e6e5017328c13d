# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keeps PyTorch's own log away from users: for a module that cannot be imported
it logs tracebacks and graphs before the exception from which our message is
made. With EGG_TORCH_LOG=1 in the environment it is printed."""

import contextlib
import logging
import os


@contextlib.contextmanager
def quiet_torch():
    """Within it, what torch's loggers print is dropped; other loggers, and
    handlers that they share with torch's, keep printing."""
    if os.environ.get("EGG_TORCH_LOG", "") not in ("", "0"):
        yield
        return
    with contextlib.suppress(ImportError):
        # Sets up its handlers; who needs it says that it is missing.
        import torch  # noqa: F401
    handlers = {
        handler for name, logger in list(logging.root.manager.loggerDict.items())
        if is_torchs(name) for handler in getattr(logger, "handlers", [])}
    handlers |= {*logging.root.handlers, logging.lastResort} - {None}
    for handler in handlers:
        handler.addFilter(is_not_torchs)
    try:
        yield
    finally:
        for handler in handlers:
            handler.removeFilter(is_not_torchs)


def is_torchs(name):
    return name == "torch" or name.startswith("torch.")


def is_not_torchs(record):
    return not is_torchs(record.name)
