# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The simulated CUDA driver, fresh for each test, and programs in the place of
NVIDIA's tools."""

import os
import sys

import pytest

from simulated import build_dir, driver, fake  # noqa: F401 (fixtures)


@pytest.fixture
def fake_tool(tmp_path, monkeypatch):
    """A program of that name, first on the PATH, that does what the lines of
    Python say."""
    def fake(name, does):
        path = tmp_path / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!{sys.executable}\nimport sys, time, os\n{does}\n")
        path.chmod(0o755)
        monkeypatch.setenv("PATH", f"{path.parent}:{os.environ['PATH']}")
    return fake
