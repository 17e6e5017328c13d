#!/usr/bin/env python3
# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adds up JUnit XML reports and prints one line 'N passed, N failed, N skipped'.

usage: summarize_tests.py REPORT.xml...

Failed tests are named before that line. A report that is absent or unreadable
counts as one failure: its runner died before writing it. The exit code is 0
only if at least one test passed and none failed.
"""

import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field


@dataclass
class Summary:
    """What the reports say, in the order they say it."""

    passed: int = 0
    failed: list = field(default_factory=list)
    skipped: int = 0

    def add_report(self, path):
        try:
            root = ElementTree.parse(path).getroot()
        except (OSError, ElementTree.ParseError) as error:
            self.failed.append(f"{path}: no report from this runner ({error})")
            return
        for case in root.iter("testcase"):
            if case.find("failure") is not None or case.find("error") is not None:
                name = f"{case.get('classname')} :: {case.get('name')}"
                # pytest reports a failure in tear-down as a second case.
                if name not in self.failed:
                    self.failed.append(name)
            elif case.find("skipped") is not None:
                self.skipped += 1
            else:
                self.passed += 1

    @property
    def exit_code(self):
        return 0 if self.passed and not self.failed else 1

    def __str__(self):
        return (
            f"{self.passed} passed, {len(self.failed)} failed, {self.skipped} skipped"
        )


def main(paths):
    summary = Summary()
    for path in paths:
        summary.add_report(path)
    for name in summary.failed:
        print(f"failed: {name}")
    print(summary)
    return summary.exit_code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
