#!/usr/bin/env python3
# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes text files as C++ initialisers: {"path below ROOT", "content"},

usage: embed_files.py --root DIR -o OUT.inc FILE...
"""

import argparse
from pathlib import Path


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("-o", dest="out", type=Path, required=True)
    parser.add_argument("files", nargs="+", type=Path)
    args = parser.parse_args()
    lines = ["// Made by scripts/embed_files.py.\n"]
    for file in sorted(args.files):
        text = file.read_text()
        assert ")egg_data" not in text, file
        path = file.resolve().relative_to(args.root.resolve()).as_posix()
        lines.append(f'{{"{path}",\nR"egg_data({text})egg_data"}},\n')
    args.out.write_text("".join(lines))


if __name__ == "__main__":
    main()
