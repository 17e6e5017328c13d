#!/usr/bin/env python3
# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that dependencies between EGG's libraries point one way.

usage: check_layering.py [--root CHECKOUT]

The order of lib/CMakeLists.txt is the law: a library includes and links only
libraries above it there. Beyond that, FORBIDDEN and NO_MLIR hold. One line a
violation, and exit code 1 if there is any.
"""

import argparse
import re
import sys
from pathlib import Path

# An agent's text is untrusted: it cannot reach what accepts or judges it.
FORBIDDEN = {
    "Agent": {"Schedule", "Lowering", "Runtime", "Verify"},
    "Verify": {"Agent"},
}
# Libraries that stay free of MLIR, so that what links them stays small.
NO_MLIR = {"Support", "Core", "LLM", "Target", "Runtime"}
# Headers that are not in a folder named after their library.
ODD_HEADERS = {"egg/InitAll.h": "InitAll", "egg-c/Runtime.h": "Runtime"}

SOURCE_SUFFIXES = {".h", ".cpp", ".td", ".inc"}
INCLUDE = re.compile(r'^\s*#?\s*include\s+["<]([^">]+)[">]', re.MULTILINE)
LIBRARY = re.compile(r"egg_add_library\(\s*(\w+)(.*?)^\)", re.DOTALL | re.MULTILINE)


def library_order(root):
    text = (root / "lib" / "CMakeLists.txt").read_text()
    return re.findall(r"^\s*add_subdirectory\((\w+)\)", text, re.MULTILINE)


def library_of_header(header):
    """The library that a header belongs to; None if it is not EGG's."""
    if header in ODD_HEADERS:
        return ODD_HEADERS[header]
    parts = header.split("/")
    return parts[1] if parts[0] == "egg" and len(parts) > 2 else None


def sources_of(root, library):
    for folder in (root / "include" / "egg" / library, root / "lib" / library):
        if folder.is_dir():
            for path in sorted(folder.rglob("*")):
                if path.suffix in SOURCE_SUFFIXES:
                    yield path
    for header, owner in sorted(ODD_HEADERS.items()):
        path = root / "include" / header
        if owner == library and path.exists():
            yield path


def why_not(order, user, used):
    """Why `user` may not depend on `used`, or None if it may."""
    if user == used:
        return None
    if used not in order:
        return f"'{used}' is not a library of lib/CMakeLists.txt"
    if used in FORBIDDEN.get(user, ()):
        return f"{user} must never depend on {used}"
    if order.index(used) > order.index(user):
        return f"{used} comes after {user} in lib/CMakeLists.txt"
    return None


def check_includes(root, order):
    for library in order:
        for path in sources_of(root, library):
            text = path.read_text()
            for match in INCLUDE.finditer(text):
                header = match.group(1)
                used = library_of_header(header)
                reason = why_not(order, library, used) if used else None
                if header.startswith("mlir/") and library in NO_MLIR:
                    reason = f"{library} stays free of MLIR"
                if reason:
                    line = text.count("\n", 0, match.start(1)) + 1
                    yield f"{path.relative_to(root)}:{line}: includes {header}: {reason}"


def check_links(root, order):
    for library in order:
        path = root / "lib" / library / "CMakeLists.txt"
        if not path.exists():
            continue
        text = re.sub(r"#.*", "", path.read_text())
        for declared in LIBRARY.finditer(text):
            for used in re.findall(r"\bEGG(\w+)", declared.group(2)):
                # Tablegen targets and companion libraries are named after
                # their library, as EGGDialectIncGen is.
                owner = next((l for l in order if used.startswith(l)), used)
                if used != owner and used not in order:
                    continue
                reason = why_not(order, library, owner)
                if reason:
                    yield f"{path.relative_to(root)}: {declared.group(1)} links EGG{used}: {reason}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--root", type=Path, default=Path(__file__).resolve().parents[1]
    )
    root = parser.parse_args().root
    order = library_order(root)
    violations = [*check_includes(root, order), *check_links(root, order)]
    for violation in violations:
        print(violation)
    if not order:
        print(f"{root}/lib/CMakeLists.txt: no add_subdirectory in it")
    return 1 if violations or not order else 0


if __name__ == "__main__":
    sys.exit(main())
