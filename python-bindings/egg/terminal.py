# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Text of others on a terminal: names, comments and messages come from files
and from foreign code, and a control sequence among them would act."""

import contextlib
import os
import sys

from egg.errors import EggError


def printable(text):
    """The text with all but what prints, new lines and tabs escaped: "\\x1b"
    for the character that starts control sequences."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or c in "\n\t"
        else c.encode("unicode_escape").decode() for c in text)


class PrintableStream:
    """A stream in place of another, to which it writes what is printable."""

    def __init__(self, stream, failed):
        self.stream, self.failed = stream, failed

    def write(self, text):
        with self.failed():
            self.stream.write(printable(text))
        return len(text)

    def flush(self):
        with self.failed():
            self.stream.flush()

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def __getattr__(self, name):
        return getattr(self.stream, name)


class OutputLost(EggError):
    """What a command printed has not arrived."""


@contextlib.contextmanager
def explained_output():
    """Results that are lost are an error; a reader that has seen enough is
    none, and is left to the caller."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputLost(f"cannot write standard output: {error.strerror}",
                         hint="free space there, or send the output elsewhere"
                         ) from None


@contextlib.contextmanager
def printable_streams():
    """Within it, standard output and standard error are such streams. What
    cannot be written to standard error is dropped: there is nowhere to say
    so."""
    with contextlib.ExitStack() as stack:
        for redirect, stream, number, failed in (
                (contextlib.redirect_stdout, sys.stdout, 1, explained_output),
                (contextlib.redirect_stderr, sys.stderr, 2,
                 lambda: contextlib.suppress(OSError))):
            # A name in a file can hold what the terminal cannot show.
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
            stack.enter_context(redirect(PrintableStream(
                stream or closed_stream(number), failed)))
        yield


def closed_stream(number):
    """In place of one that was closed before Python began. The descriptor is
    taken, or the next file that is opened would get it and what is printed."""
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, number)
    if null != number:
        os.close(null)
    return open(number, "w", encoding="utf-8", errors="backslashreplace",
                closefd=False)


def give_up(stream):
    """Whatever else is written to it goes nowhere, at the process's end too."""
    null = os.open(os.devnull, os.O_WRONLY)
    with contextlib.suppress(OSError):
        os.dup2(null, stream.fileno())
    os.close(null)
