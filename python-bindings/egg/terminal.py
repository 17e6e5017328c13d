# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Text of others on a terminal: names, comments and messages come from files
and from foreign code, and a control sequence among them would act."""

import contextlib
import sys


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

    def __init__(self, stream):
        self.stream = stream

    def write(self, text):
        return self.stream.write(printable(text))

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def __getattr__(self, name):
        return getattr(self.stream, name)


@contextlib.contextmanager
def printable_streams():
    """Within it, standard output and standard error are such streams."""
    with contextlib.ExitStack() as stack:
        for redirect, stream in (
                (contextlib.redirect_stdout, sys.stdout),
                (contextlib.redirect_stderr, sys.stderr)):
            # A name in a file can hold what the terminal cannot show.
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
            stack.enter_context(redirect(PrintableStream(stream)))
        yield
