#!/usr/bin/env python3
# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks each source's licence header and include guard; warns of big files.

usage: check_sources.py [--root CHECKOUT]

Errors (exit code 1): no SPDX line, a header guard that is not the path's.
Warnings: a file of over 400 lines, a folder of over 15 sources.
"""

import argparse
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

SUFFIXES = {".h", ".cpp", ".td", ".py", ".sh"}
MAX_LINES = 400
MAX_FILES = 15
SPDX = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
# Programs that users copy, and one line for the build.
WITHOUT_LICENCE = {"examples", "cmake"}


def tracked_files(root):
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-co", "--exclude-standard"],
        capture_output=True,
        text=True,
        check=True,
    )
    paths = (Path(line) for line in listed.stdout.splitlines())
    return [p for p in paths if p.suffix in SUFFIXES and (root / p).exists()]


def guard_of(path):
    """EGG_KERNEL_KERNELCONFIG_H for KernelConfig.h of the Kernel library."""
    parts = path.with_suffix("").parts[1:]
    if path.parts[0] == "lib":
        parts = ("egg", *parts)
    return re.sub(r"\W", "_", "_".join(parts)).upper() + "_H"


def has_guard(path, text):
    """A public header's guard is its path; a private one's may be shorter."""
    guard = guard_of(path)
    if path.parts[0] == "lib":
        guard = rf"EGG_(?:\w+_)?{path.stem.upper()}_H"
    return re.search(rf"^#ifndef ({guard})\n#define \1\n", text, re.MULTILINE)


def errors_of(path, text):
    if path.parts[0] not in WITHOUT_LICENCE and SPDX not in "\n".join(
        text.splitlines()[:6]
    ):
        yield f"{path}:1: no licence header: copy the one of scripts/common.sh or include/egg/InitAll.h"
    if path.suffix == ".h" and path.parts[0] in ("include", "lib"):
        if not has_guard(path, text):
            yield f"{path}:1: the include guard should be {guard_of(path)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--root", type=Path, default=Path(__file__).resolve().parents[1]
    )
    root = parser.parse_args().root
    files = tracked_files(root)
    errors = 0
    for path in files:
        text = (root / path).read_text()
        for error in errors_of(path, text):
            print(f"error: {error}")
            errors += 1
        lines = text.count("\n")
        if lines > MAX_LINES:
            print(f"warning: {path}: {lines} lines; over {MAX_LINES}, split by concept")
    for folder, count in sorted(Counter(p.parent for p in files).items()):
        if count > MAX_FILES:
            print(f"warning: {folder}: {count} sources; over {MAX_FILES}, group them")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
