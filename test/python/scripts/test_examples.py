# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each example follows the convention and runs in PyTorch (shapes only)."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_there_are_at_least_six():
    assert len(EXAMPLES) >= 6


@pytest.mark.torch_mlir
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs_on_meta_tensors(path):
    import torch

    example = load(path)
    assert example.__doc__, "an example says what it shows"
    # The meta device runs shapes only: full size, no memory, no time.
    with torch.device("meta"):
        model = example.Model(*example.get_init_inputs())
        outputs = model(*example.get_inputs())
    assert outputs.device.type == "meta"
    assert outputs.dtype == torch.float32
