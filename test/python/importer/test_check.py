# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The check of an import refuses payloads that compute something else."""

import dataclasses
import multiprocessing
import os
import re
import signal
import time

import pytest

pytest.importorskip("torch_mlir")

from egg.errors import EggError  # noqa: E402
from egg.importer import check, import_file  # noqa: E402


@pytest.fixture
def imported(model_file):
    path = model_file("return self.norm(torch.tanh(x) + self.shift)",
                      "torch.randn(6, 4)",
                      "self.norm = nn.BatchNorm1d(4)\n"
                      "self.shift = nn.Parameter(torch.randn(4))")
    return path, import_file(path)


def check_text(imported, text):
    path, right = imported
    return check.check_file(dataclasses.replace(right, text=text), path,
                            "Model", "get_inputs")


def test_right_payload_passes(imported):
    assert "largest relative error" in check_text(imported, imported[1].text)


@pytest.mark.parametrize("old, new", [
    ("math.tanh", "math.sin"),
    ("arith.addf", "arith.subf"),
    ("arith.constant 9.99999974E-6", "arith.constant 9.99999974E-3"),
    # The running mean's momentum: an update, not an output.
    ("arith.constant 0.899999976", "arith.constant 0.8"),
])
def test_wrong_payloads_are_refused(imported, old, new):
    text = imported[1].text
    assert old in text
    with pytest.raises(EggError, match="does not compute"):
        check_text(imported, text.replace(old, new))


def test_crash_of_the_payload_is_an_error(imported):
    # Reads far beyond its argument.
    text = re.sub(r"(%\w+) = math.tanh %\w+",
                  "%huge = arith.constant 1000000000000 : index\n"
                  r"%far = tensor.extract %arg0[%huge] : tensor<4xf32>"
                  r"\n\1 = math.tanh %far", imported[1].text)
    assert text != imported[1].text
    with pytest.raises(EggError, match="crashed"):
        check_text(imported, text)


def test_large_modules_are_not_run(imported):
    path, right = imported
    huge = dataclasses.replace(right.arguments[0], shape=(1 << 30,))
    assert check.check_file(
        dataclasses.replace(right, arguments=[huge]), path, "Model",
        "get_inputs").startswith("not checked: ")


def test_threads_of_the_caller_do_not_matter(model_file):
    """The check runs in a forked process, without the caller's threads."""
    import torch
    path = model_file("return torch.tanh(x)", "torch.randn(400, 1000)")
    right = import_file(path)
    before = torch.get_num_threads()
    torch.set_num_threads(4)
    try:
        # Starts the pool.
        torch.randn(400, 1000).tanh()
        assert check.check_file(right, path, "Model",
                                "get_inputs").startswith("on the CPU")
    finally:
        torch.set_num_threads(before)


@pytest.mark.parametrize("signal_name, refused", [
    ("SIGKILL", False), ("SIGSEGV", True), ("SIGTERM", True)])
def test_check_that_is_killed_is_no_wrong_import(imported, monkeypatch,
                                                 signal_name, refused):
    def end(*_):
        os.kill(os.getpid(), getattr(signal, signal_name))

    monkeypatch.setattr(check, "compare", end)
    if refused:
        with pytest.raises(EggError, match=rf"crashed \(signal {signal_name}"):
            check_text(imported, imported[1].text)
    else:
        assert check_text(imported, imported[1].text) == (
            "not checked: the check was killed (signal SIGKILL), perhaps out "
            "of memory")


def test_check_that_takes_too_long_leaves_no_process(imported, monkeypatch):
    monkeypatch.setattr(check, "compare", lambda *_: time.sleep(600))
    monkeypatch.setattr(check, "MAX_SECONDS", 0.5)
    assert "takes more than 0.5 s" in check_text(imported, imported[1].text)
    assert not multiprocessing.process._children


HALVES = {
    "scale": "x * 0.1 + 0.3",
    "constants": "torch.where(x > 0, x, float('-inf')).amax(1) + float('inf')",
    "layer_norm": "torch.nn.functional.layer_norm(x, (30,))",
    "softmax": "torch.softmax(x, 1)",
    "gelu": "torch.nn.functional.gelu(x)",
    "mean": "x.mean(1)",
    "long_sum": "torch.ones(2, 5000, dtype=x.dtype).sum(1) + x.sum()",
    "product": "x @ x.T",
    "to_float": "x.float() * 3",
}


@pytest.mark.parametrize("dtype", ["half", "bfloat16"])
@pytest.mark.parametrize("name", HALVES)
def test_halves_are_compared_in_double(model_file, name, dtype):
    path = model_file(f"return {HALVES[name]}", f"torch.randn(5, 30).{dtype}()")
    assert check.check_file(import_file(path), path, "Model",
                            "get_inputs").startswith("on the CPU")


def test_wrong_halves_are_refused(model_file):
    path = model_file("return x * 0.5 + x", "torch.randn(5, 30).half()")
    right = import_file(path)
    assert "arith.addf" in right.text
    with pytest.raises(EggError, match="does not compute"):
        check.check_file(dataclasses.replace(
            right, text=right.text.replace("arith.addf", "arith.subf")),
            path, "Model", "get_inputs")
