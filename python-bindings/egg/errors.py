# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The error every command reports to its user."""


class EggError(Exception):
    """Something the user can act on: what, where, and what to do next.

    `egg.__main__` prints the message and exits with `exit_code`; a traceback is
    for bugs only.
    """

    def __init__(self, message, *, where=None, hint=None, exit_code=1):
        self.message, self.where, self.hint = message, where, hint
        self.exit_code = exit_code
        text = f"{where}: {message}" if where else message
        super().__init__(text + (f"\n  next: {hint}" if hint else ""))
