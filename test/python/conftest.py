# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fixtures and skips for the Python tests: the same features as lit's."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# Tests use the package of this checkout, whatever is installed.
sys.path.insert(0, str(ROOT / "python-bindings"))
sys.path.insert(0, str(ROOT / "test"))
import lit_features  # noqa: E402


def pytest_collection_modifyitems(items):
    missing = {}
    if not lit_features.has_cuda_device():
        missing["cuda"] = "no CUDA device"
    if not lit_features.find_ptxas(str(ROOT)):
        missing["ptxas"] = "no ptxas"
    if not all(
        lit_features.can_import(sys.executable, module)
        for module in ("torch", "torch_mlir")
    ):
        missing["torch_mlir"] = "no torch or torch-mlir"
    for item in items:
        for marker, reason in missing.items():
            if item.get_closest_marker(marker):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def root():
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def egg_opt():
    """Path of the egg-opt under test; EGG_BUILD_DIR overrides build/dev."""
    build = Path(os.environ.get("EGG_BUILD_DIR", ROOT / "build" / "dev"))
    path = build / "bin" / "egg-opt"
    assert path.exists(), f"no {path}: run scripts/build.sh first"
    return path


@pytest.fixture(scope="session")
def ptxas():
    """Path of ptxas; tests that use it carry the marker of that name."""
    return lit_features.find_ptxas(str(ROOT))
