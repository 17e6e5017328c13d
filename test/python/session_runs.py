# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sessions of a language model over a small payload, as the tests run them."""

import os
import pathlib
import subprocess

from egg.egg_opt import find_egg_opt

PAYLOAD = pathlib.Path(__file__).resolve().parents[1] / "Verify/Inputs/row-sums.mlir"


def session_command(session, *options):
    """The session's directory gets the records, the file beside it, best.mlir or
    what an option says, the script that won."""
    given = ["agent=llm", f"session={session}", *options]
    if not any(option.startswith("output=") for option in options):
        given.append(f"output={session.with_name('best.mlir')}")
    return [str(find_egg_opt()), str(PAYLOAD), f"--egg-propose={' '.join(given)}",
            "-o", os.devnull]


def run_session(session, *options, **more):
    return subprocess.run(session_command(session, *options), capture_output=True,
                          text=True, errors="replace", timeout=300, **more)
