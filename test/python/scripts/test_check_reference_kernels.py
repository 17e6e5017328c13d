# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/check_reference_kernels.py without the generators, which are not in
the repository: its payloads, its answers, and what it says when they lack."""

import importlib.util
import re
import subprocess
import sys

import pytest

from egg.emulator_check.kernels import products


@pytest.fixture(scope="module")
def script(root):
    path = root / "scripts/check_reference_kernels.py"
    spec = importlib.util.spec_from_file_location("check_reference", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def sizes(dtype="bf16", k=32):
    return {"M": 16, "N": 8, "K": k, "planes": 1, "ty": dtype, "outty": "f32",
            "btrans": False}


def test_names_the_folder_it_needs(root, tmp_path):
    result = subprocess.run(
        [sys.executable, root / "scripts/check_reference_kernels.py",
         tmp_path], capture_output=True, text=True, timeout=60)
    assert result.returncode == 2
    assert "there is no gen_ws.py; name the folder of the generators" \
        in result.stderr


@pytest.mark.parametrize("dtype, k", [("bf16", 16), ("tf32", 8)])
def test_accepts_a_right_kernel(script, tmp_path, dtype, k):
    kernel = products.plain(dtype, k)
    answer = script.verify(kernel.module("random"),
                           script.product_payload(sizes(dtype, 2 * k)), 1,
                           dtype == "tf32", tmp_path)
    assert answer == "accepted: exact"


def test_names_the_step_that_refuses(script, tmp_path):
    kernel = products.plain("bf16", 16)
    # The first factor twice: its second half is never read.
    wrong = products.Kernel(**{**vars(kernel), "text": re.sub(
        r"llvm.mlir.constant\(16 : i32\)", "llvm.mlir.constant(0 : i32)",
        kernel.text)})
    assert wrong.text != kernel.text
    answer = script.verify(wrong.module("random"),
                           script.product_payload(sizes()), 1, False, tmp_path)
    assert answer.startswith("numeric: ") and "differ from the payload" in answer


def test_rounds_results_and_takes_convolutions(script):
    text = script.product_payload({**sizes(), "outty": "bf16"})
    assert "arith.truncf %x : f32 to bf16" in text
    text = script.conv_payload({**sizes(), "outty": "bf16", "conv": {
        "B": 1, "H": 2, "W": 2, "C": 8}})
    assert "tensor.pad" in text and "affine_map<(n, h, w, f, r, s, c)" in text


def test_a_stage_is_loaded_again_after_a_barrier(script, tmp_path):
    payload = script.product_payload(
        {"M": 256, "N": 256, "K": 192, "planes": 1, "ty": "bf16",
         "outty": "f32", "btrans": True})
    for text, expected in script.single_stage_kernels().values():
        answer = script.verify(text, payload, 1, False, tmp_path,
                               script.NVGPU + script.LOWER)
        assert answer.startswith(expected)
