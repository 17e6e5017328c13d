# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The simulated CUDA driver, fresh for each test."""

import ctypes
import os
import pathlib

import pytest


@pytest.fixture(scope="session")
def build_dir(root):
    return pathlib.Path(os.environ.get("EGG_BUILD_DIR", root / "build/dev"))


@pytest.fixture
def fake(build_dir, monkeypatch):
    """The simulated driver's controls; EGG_RUNTIME names this build's."""
    pytest.importorskip("torch")
    library = build_dir / "lib/libEGGFakeCuda.so"
    runtime = build_dir / "lib/libEGGRuntimeC.so"
    assert library.exists() and runtime.exists(), "run scripts/build.sh first"
    monkeypatch.setenv("EGG_RUNTIME", str(runtime))
    controls = ctypes.CDLL(str(library))
    controls.path = library
    controls.fakeLog.restype = ctypes.c_char_p
    controls.fakeReset()
    return controls


@pytest.fixture
def driver(fake):
    from egg.runtime import Driver
    return Driver(fake.path)
