# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The documents name files that exist and options that there are."""

import argparse
import re

from egg import __main__ as command_line


def documents(root):
    return [root / "README.md", *sorted((root / "docs").glob("*.md"))]


def test_files_of_the_repository_exist(root):
    pattern = r"\b(?:test|lib|docs|scripts|prompts|examples)/[\w./-]+\.\w+"
    for path in documents(root):
        for name in re.findall(pattern, path.read_text()):
            places = (root, path.parent, root / "python-bindings")
            assert any((place / name).exists() for place in places), (path, name)


def test_options_of_egg_optimize(root):
    """Those that the documents give in a command line of it."""
    parser = command_line.build_parser()
    commands = next(action for action in parser._actions
                    if isinstance(action, argparse._SubParsersAction)).choices
    for path in documents(root):
        for name, rest in re.findall(r"^    egg ([a-z-]+)([^#\n]*)",
                                     path.read_text(), re.M):
            known = commands[name]._option_string_actions
            for flag in re.findall(r"(?<!\S)--[a-z-]+", rest):
                assert flag in known, (path, name, flag)
