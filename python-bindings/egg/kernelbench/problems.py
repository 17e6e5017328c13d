# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""KernelBench's problems: files level<L>/<N>_<name>.py below a root."""

import dataclasses
import pathlib
import re

from egg.errors import EggError


@dataclasses.dataclass(frozen=True, order=True)
class Problem:
    level: int
    number: int
    # The file's name without ".py", such as "23_Softmax".
    name: str
    path: pathlib.Path

    @property
    def key(self):
        return (self.level, self.number)

    def below(self, folder):
        """Where something of this problem's belongs below a folder."""
        return pathlib.Path(folder) / f"level{self.level}" / self.name

    def __str__(self):
        return f"level {self.level} problem {self.name}"


def parse_numbers(text):
    """"1,5-9" as a set of integers."""
    numbers = set()
    for part in text.split(","):
        found = re.fullmatch(r"\s*(\d+)(?:-(\d+))?\s*", part)
        if not found or int(found[2] or found[1]) < int(found[1]):
            raise EggError(f"'{part}' is neither a number nor a range",
                           exit_code=2, hint="write for instance 1,5-9")
        numbers.update(range(int(found[1]), int(found[2] or found[1]) + 1))
    return numbers


def find_problems(root, levels, numbers=None):
    """The wanted problems in order; EggError where a level has none."""
    root = pathlib.Path(root)
    if not root.is_dir():
        raise EggError("is not a folder" if root.exists()
                       else "no such folder", where=str(root),
                       hint="--root is the folder that holds level1, level2, "
                       "level3")
    if (root / "KernelBench").is_dir():
        root = root / "KernelBench"
    problems = []
    for level in sorted(levels):
        found = []
        for path in (root / f"level{level}").glob("*.py"):
            if match := re.match(r"(\d+)_", path.name):
                found.append(Problem(level, int(match[1]), path.stem, path))
        if not found:
            raise EggError(f"has no problems of level {level}",
                           where=str(root),
                           hint="--root is the folder that holds level1, "
                           "level2, level3")
        problems += sorted(found)
    if numbers is not None:
        problems = [p for p in problems if p.number in numbers]
        if not problems:
            raise EggError("no problem has one of these numbers",
                           where="--problems", exit_code=2)
    return problems
