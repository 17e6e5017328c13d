# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exact arithmetic on matrix instructions: right kernels are `exact`, and a
missing step, exchanged factors or a wrong place in memory are refused, by the
exact step alone and by the numeric step before it."""

import os
import re
import subprocess

import pytest

from egg.egg_opt import find_egg_opt
from egg.emulator_check.kernels import products, warpgroups
from egg.emulator_check.prepare import LOWER
from egg.pipeline import option


def payload(kernel, orders):
    """D = A B in f32; `orders` says how A and B lie in memory."""
    (a, b), d = kernel.buffers[:2], kernel.buffers[2]

    def tensor(buffer):
        return f"tensor<{'x'.join(map(str, buffer.shape))}x{buffer.dtype}>"

    types = f"{tensor(a)}, {tensor(b)}"
    maps = ", ".join(f"affine_map<(m, n, k) -> ({order})>"
                     for order in (*orders, "m, n"))
    widened = "".join(
        f"    %{to} = arith.extf %{name} : {a.dtype} to f32\n"
        for name, to in (("x", "xf"), ("y", "yf"))) if a.dtype != "f32" else ""
    x, y = ("xf", "yf") if widened else ("x", "y")
    return f"""
func.func @main(%a: {tensor(a)}, %b: {tensor(b)}) -> {tensor(d)} {{
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : {tensor(d)}
  %first = linalg.fill ins(%zero : f32) outs(%empty : {tensor(d)}) -> {tensor(d)}
  %d = linalg.generic {{indexing_maps = [{maps}],
      iterator_types = ["parallel", "parallel", "reduction"]}}
      ins(%a, %b : {types}) outs(%first : {tensor(d)}) {{
  ^bb0(%x: {a.dtype}, %y: {a.dtype}, %sum: f32):
{widened}    %p = arith.mulf %{x}, %{y} : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  }} -> {tensor(d)}
  return %d : {tensor(d)}
}}
"""


def verify(folder, kernel, orders, change=lambda text: text, options=""):
    """(exit code, messages) of egg-verify-kernel."""
    text = kernel.module("random")
    if kernel.buffers[0].dtype == "f32":
        text = text.replace('fill = "random"', 'values = "tf32"')
    reference = folder / "payload.mlir"
    reference.write_text(payload(kernel, orders))
    passes = (f"builtin.module(gpu.module({LOWER}),egg-verify-kernel{{"
              f"{option('payload', reference)} {options}}})")
    result = subprocess.run([find_egg_opt(), f"--pass-pipeline={passes}", "-o",
                             os.devnull], input=change(text), text=True,
                            capture_output=True, timeout=120)
    return result.returncode, result.stderr


RIGHT = {
    "bf16": (warpgroups.product("bf16", 64), ("m, k", "n, k")),
    "f16": (warpgroups.product("f16", 64), ("m, k", "n, k")),
    "tf32": (warpgroups.product("tf32", 64), ("m, k", "n, k")),
    "across": (warpgroups.product("bf16", 40, ("m", 64), ("m", 128)),
               ("k, m", "k, n")),
    "registers": (warpgroups.product("f16", 16, ("k", 0), ("m", 0),
                                     registers=True), ("m, k", "k, n")),
    "mma-bf16": (products.plain("bf16", 16), ("m, k", "n, k")),
    "mma-tf32": (products.plain("tf32", 8), ("m, k", "n, k")),
    "ldmatrix": (products.by_matrices("f16", True), ("m, k", "k, n")),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_kernels_are_exact(tmp_path, name):
    code, text = verify(tmp_path, *RIGHT[name])
    assert code == 0, text
    assert "verdict: exact" in text
    elements = RIGHT[name][0].buffers[2].elements
    assert f"elements compared fully {elements}, in one of two fields 0" in text


def drop_steps(text):
    """The sum starts again at the last step."""
    return re.sub(r"(.*)D\[<f32>, <one>\]", r"\1D[<f32>, <zero>]", text,
                  flags=re.S)


def swap_factors(text):
    return re.sub(r"wgmma\.mma_async (%\w+), (%\w+),",
                  r"wgmma.mma_async \2, \1,", text)


def repeat_step(text):
    """The offset of step 2 is that of step 1: a term twice, one never."""
    return text.replace("constant(4 : i64) : i64", "constant(2 : i64) : i64")


@pytest.mark.parametrize("dtype", ["bf16", "f16", "tf32"])
@pytest.mark.parametrize("change", [drop_steps, swap_factors, repeat_step])
@pytest.mark.parametrize("step, options", [
    ("exact", "distributions=none"), ("numeric", "")])
def test_wrong_kernels_are_refused(tmp_path, dtype, change, step, options):
    kernel, orders = RIGHT[dtype]
    assert change(kernel.module("random")) != kernel.module("random")
    code, text = verify(tmp_path, kernel, orders, change, options)
    assert code == 1
    assert f"error: {step} refused at result 0: " in text
    if step == "exact":
        assert "differ from the payload in exact arithmetic" in text
        assert "at [" in text and "should be (" in text


def test_promotion_decides_about_precision(tmp_path):
    """Tensor cores truncate: over a long K their sum is within the tolerance,
    and not as precise as one in f32 unless it is promoted on the way."""
    options = "exact=false distributions=uniform"
    orders = ("m, k", "n, k")
    plain = products.plain("bf16", 16, steps=64)
    code, text = verify(tmp_path, plain, orders, options=options)
    assert code == 0 and "verdict: bounded" in text, text
    match = f"{options} precision=match"
    code, text = verify(tmp_path, plain, orders, options=match)
    assert code == 1
    assert re.search(r"error: precision refused at result 0: the error against "
                     r"fp64 is \S+ \(root mean square over all elements\), that "
                     r"of the payload in its own precision \S+; allowed is twice "
                     r"that, \S+; add the products of fewer steps", text), text
    promoted = products.plain("bf16", 16, steps=64, promote=4)
    code, text = verify(tmp_path, promoted, orders, options=match)
    assert code == 0 and "precision: no result's error" in text, text
