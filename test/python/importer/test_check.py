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
    "from_float": "(x.float() * 3).half().softmax(1).to(torch.bfloat16)",
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


# Whatever accumulates, by itself or as part of something else.
SUMS = ("x.sum()", "x.sum(1)", "x.mean()", "x.mean((0, 1))", "x.prod(1)",
        "x.prod()", "x.cumsum(1)", "x.cumprod(0)", "x.logcumsumexp(1)",
        "x.norm(dim=1)", "x.softmax(1)", "x.log_softmax(0)", "x.logsumexp(1)",
        "x.var(1)", "x.nansum()", "torch.trace(x)", "x @ x.T", "x @ x[0]",
        "F.avg_pool1d(x[None], 3)", "F.avg_pool2d(x[None, None], 3)",
        "F.adaptive_avg_pool2d(x[None, None], 1)", "F.layer_norm(x, (30,))",
        "x.float().sum(1, dtype=x.dtype)", "x.sum(1, dtype=torch.float32)",
        "F.nll_loss(x, torch.arange(5))", "F.cross_entropy(x, torch.arange(5))",
        "F.conv1d(x[None], x[None, :, :3])")


@pytest.mark.parametrize("dtype", ["half", "bfloat16"])
def test_halves_are_summed_in_float(model_file, dtype):
    path = model_file("return (" + ",\n".join(SUMS) + ")",
                      f"torch.rand(5, 30).{dtype}()")
    imported = import_file(path, verify=True)
    assert imported.checked.startswith("on the CPU")
    narrow = "bf16" if dtype == "bfloat16" else "f16"
    sums = [line for line in imported.text.splitlines() if re.search(
        r'"reduction"|egg\.scan|linalg\.\w*(matmul|matvec|conv|pool)', line)]
    # Equal ones are merged.
    assert len(sums) >= 20
    for line in sums:
        assert not re.search(rf"(outs\(|-> ?).*x?{narrow}>", line), line


def test_long_sums_of_halves_do_not_stop(model_file):
    path = model_file("return x.sum(1), x.mean(1), x.cumsum(1)",
                      "torch.ones(2, 5000).half()")
    imported = import_file(path, verify=True)
    assert imported.checked.startswith("on the CPU")
    # As it would be without the decomposition.
    wrong = imported.text.replace("f32", "f16")
    wrong = re.sub(r"arith\.(?:extf|truncf) (%\w+) : f16 to f16",
                   r"arith.bitcast \1 : f16 to f16", wrong)
    with pytest.raises(EggError, match="right in double precision"):
        check.check_file(dataclasses.replace(imported, text=wrong), path,
                         "Model", "get_inputs")


def test_formulas_that_lose_digits_are_refused(model_file):
    """Right in double precision is not enough."""
    path = model_file("return x * 1.5", "torch.rand(5, 30)")
    right = import_file(path)
    product = re.search(r"(%\w+) = arith.mulf .*", right.text)
    text = right.text.replace(
        product[0], f"%exact = {product[0].split(' = ')[1]}\n"
        "%far = arith.constant 1.0e+04 : f32\n"
        "%sum = arith.addf %exact, %far : f32\n"
        f"{product[1]} = arith.subf %sum, %far : f32")
    with pytest.raises(EggError, match="it loses digits"):
        check.check_file(dataclasses.replace(right, text=text), path, "Model",
                         "get_inputs")


def test_module_that_pytorch_cannot_run_is_not_checked(model_file):
    path = model_file("return F.avg_pool3d(x, 2)",
                      "torch.rand(1, 1, 4, 4, 4).half()")
    assert import_file(path, verify=True).checked.startswith(
        "not checked: PyTorch on the CPU: ")
