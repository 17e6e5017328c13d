# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every pass and op of egg-opt is documented by the target egg-doc."""

import os
import re
import subprocess
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def pages(root):
    """The rendered pages, joined."""
    build = Path(os.environ.get("EGG_BUILD_DIR", root / "build" / "dev"))
    rendered = sorted((build / "docs").glob("*.md"))
    assert rendered, f"no {build}/docs: build the target egg-doc"
    return "\n".join(page.read_text() for page in rendered)


def test_every_pass_is_documented(egg_opt, pages):
    done = subprocess.run(
        [egg_opt, "--help"], capture_output=True, text=True, check=True
    )
    passes = re.findall(r"^ +--(egg-[\w-]+)", done.stdout, re.MULTILINE)
    assert passes
    for name in passes:
        section = re.search(rf"^### `-{name}`\n\n(.*?)(?=^### |\Z)", pages, re.M | re.S)
        assert section, f"{name}: define it in a Passes.td"
        assert len(section.group(1).split()) > 20, f"{name}: describe it in its .td"


def test_every_transform_op_is_documented(pages):
    sections = re.split(r"^### `(transform\.egg\.\w+)`", pages, flags=re.M)
    ops = dict(zip(sections[1::2], sections[2::2]))
    assert len(ops) >= 10
    for name, text in ops.items():
        assert "Fails" in text or "fails" in text, f"{name}: say when it fails"
