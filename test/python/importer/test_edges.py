# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules at the edges of what PyTorch defines, against PyTorch: tensors
without elements, constants as results, NaN and ties among extremes."""

import subprocess

import pytest

pytest.importorskip("torch_mlir")

from egg.egg_opt import find_egg_opt  # noqa: E402
from egg.errors import EggError  # noqa: E402
from egg.importer import import_file  # noqa: E402

NAN = 'float("nan")'

MODULES = {
    "reductions_over_nothing": (
        "return (x.sum(1), x.prod(1), x.mean(1), x.sum(), (x > 0).any(1),\n"
        "        (x > 0).all(1), torch.norm(x), x.var(1), x.sum((0, 1), True))",
        "torch.randn(3, 0, 5)"),
    "results_without_elements": (
        "return (x + 1, x.softmax(0), x.softmax(1), x.cumsum(1), x.T, x,\n"
        "        torch.cat([x, x]), torch.stack([x, x]), x.sum(1), x[:0],\n"
        "        F.pad(x, (2, 1)), x.reshape(0), more[0][:, :0], x.tril())",
        "torch.randn(0, 4), torch.randn(3, 4)"),
    "products_of_depth_zero": (
        "w, b, u = more\n"
        "return x @ w, F.relu(x @ w + b), F.linear(x, w.T, b), u @ w.sum(0)",
        "torch.randn(3, 0), torch.randn(0, 5), torch.randn(5), "
        "torch.randn(2, 5)"),
    "parts_without_elements": (
        "none, y = more\n"
        "return (torch.cat([x, y]), torch.cat([none, y]),\n"
        "        torch.cat([y, x, y * 2]), F.pad(x, (0, 0, 2, 1), value=3.0))",
        "torch.randn(0, 4), torch.randn(0), torch.randn(3, 4)"),
    "layers_on_nothing": (
        "image, index, table = more\n"
        "return (self.norm(x), self.linear(x), self.conv(image),\n"
        "        F.max_pool2d(image, 2), F.embedding(index, table))",
        "torch.randn(0, 4), torch.randn(0, 3, 8, 8), "
        "torch.zeros(0, dtype=torch.long), torch.randn(5, 4)",
        "self.norm = nn.LayerNorm(4)\nself.linear = nn.Linear(4, 5)\n"
        "self.conv = nn.Conv2d(3, 4, 3)"),
    "fills_and_constants": (
        "zeros = torch.zeros(3)\n"
        "return (zeros, zeros, zeros.view(1, 3), torch.ones_like(x),\n"
        "        torch.arange(5), torch.linspace(0, 1, 9), torch.eye(4),\n"
        "        torch.tensor([3, 1, 2]), torch.tensor([True, False]),\n"
        "        torch.tensor(3.5), torch.full((7,), 2, dtype=torch.int8),\n"
        "        torch.zeros(5, dtype=torch.float16), torch.empty(0))",
        "torch.randn(2, 5)"),
    "inputs_and_views_of_them": (
        "y = x + 1\n"
        "return (x, x, x.T, x.view(-1), x[:, 1:3], x[::2], x[1], x[1, 2],\n"
        "        y, y, y.view(-1), more[0], more[0] + 1, x[None])",
        "torch.randn(4, 5), torch.randn(())"),
    "gathers_at_constant_indices": (
        "return (x[:, torch.tensor([3, 0, 7, 120])], x[torch.tensor([-1, 2])],\n"
        "        torch.index_select(x, 1, torch.tensor([99, 5])),\n"
        "        x[torch.tensor([1, 50]), torch.tensor([100, 2])],\n"
        "        x.flatten()[torch.tensor([5000, 3])])",
        "torch.randn(64, 128)"),
    "integer_division": (
        "y, = more\n"
        "return (x // y, x % y, torch.fmod(x, y),\n"
        "        torch.div(x, y, rounding_mode='trunc'), x // (x - x - 3))",
        "torch.randint(-9, 9, (50,)), torch.randint(1, 9, (50,))"),
    "extremes_with_nan": (
        "return (x.argmax(), x.argmin(), x.argmax(1), x.max(1), x.min(0),\n"
        "        x.argmin(1, keepdim=True), more[0].argmax(), x.half().max(1))",
        f"torch.tensor([[1, {NAN}, 2], [3, 4, {NAN}], [{NAN}, {NAN}, 5]]), "
        f"torch.tensor([{NAN}, 4.6])"),
    "extremes_with_ties": (
        "return x.argmax(1), x.argmin(0), x.max(1), (x.T + more[0]).max(dim=1)",
        "torch.randint(0, 3, (8, 8)).float(), torch.randn(8, 8)"),
    "comparisons_with_itself": (
        "return (torch.where(x == x, x, 0.5), x == x.clone(), x != x,\n"
        "        x >= x, torch.isnan(x), more[0] == more[0])",
        f"torch.tensor([1, {NAN}, float('inf')]), torch.tensor([1, 2])"),
    "clamps_with_nan": (
        "y, = more\n"
        "return (x.clamp(max=y), x.clamp(min=y), x.clamp(x, y), x.clamp(0, 2),\n"
        "        torch.maximum(x, y), torch.minimum(x, y))",
        f"torch.tensor([1, {NAN}, 2, 3, {NAN}]), "
        f"torch.tensor([{NAN}, 4.6, 3, 2, {NAN}])"),
    "remainders": (
        "y, = more\n"
        "return (torch.fmod(x, y), torch.fmod(x, 3.), torch.fmod(-x, 0.7),\n"
        "        torch.remainder(x, y), x % -2.5)",
        "torch.cat([torch.rand(64) * 1e8 - 5e7, torch.tensor([3., -3.])]), "
        "torch.cat([torch.rand(64) + 1, torch.tensor([float('inf')] * 2)])"),
    "gelu_by_tanh": (
        "return (torch.nn.functional.gelu(x, approximate='tanh'),\n"
        "        torch.nn.functional.gelu(x * 1e-3, approximate='tanh'),\n"
        "        torch.nn.functional.gelu(x))",
        "torch.randn(20, 30)"),
    "diagonals": (
        "return (x.diagonal(), x.diagonal(1), x.diagonal(-2), x.diagonal(9),\n"
        "        x[None].expand(3, 5, 6).diagonal(0, 0, 1), torch.trace(x),\n"
        "        x[None].expand(3, 5, 6).diagonal(-1, 2, -2),\n"
        "        torch.diag(x), (x > 0).diagonal(), x.long().diagonal(2))",
        "torch.randn(5, 6)"),
    "paddings": (
        "y = x[None]\n"
        "return (F.pad(x, (-1, 2)), F.pad(x, (-1, -2), value=3.0),\n"
        "        F.pad(x, (1, -2, -3, 1), value=2.0), F.pad(x, (1, 2, 3, 4)),\n"
        "        *(F.pad(y, p, mode=m) for p in ((1, 2), (2, 1, 0, 3), (-1, 2))\n"
        "          for m in ('reflect', 'replicate', 'circular')))",
        "torch.randn(5, 6)"),
    "norms": (
        "norm = torch.linalg.norm\n"
        "return (norm(x), norm(x, 1), norm(x, float('inf')), norm(x, 'fro'),\n"
        "        norm(x, -1), norm(x[0], 3), norm(x[0], 0), norm(x, 1, 0, True),\n"
        "        norm(x, dim=(0, 1), keepdim=True), norm(x.half(), dim=1),\n"
        "        norm(x[None], 1, (1, 2)), torch.linalg.vector_norm(x, 3))",
        "torch.randn(5, 6)"),
    "statistics_of_all": (
        "return (x.std(), x.var(dim=(0, 1)), x.prod(), x.count_nonzero(),\n"
        "        x.diff(dim=0), x.logsumexp((0, 1)), x.mean((0, 1), True))",
        "torch.randn(5, 6)"),
    "integer_magnitudes": (
        "return (x.abs(), x.int().abs(), x.to(torch.int8).abs(),\n"
        "        x.to(torch.uint8).abs().long())",
        "torch.tensor([-3, 0, 7, -128, 200])"),
    "extremes_of_infinities": (
        "return x.argmax(1), x.argmin(1)",
        "torch.tensor([[-float('inf')] * 3, [float('inf')] * 3])"),
}


@pytest.mark.parametrize("name", MODULES)
def test_the_payload_and_its_kernels_compute_what_the_module_does(
        name, model_file, tmp_path):
    body, inputs, *init = MODULES[name]
    imported = import_file(model_file(body, inputs, *(init or ["pass"])),
                           verify=True)
    assert imported.checked.startswith("on the CPU against the module")
    # The kernels, against the payload.
    result = subprocess.run(
        [find_egg_opt(), "-", f"--egg-optimize=out={tmp_path / 'out'}", "-o",
         "/dev/null"], input=imported.text, text=True, capture_output=True)
    assert result.returncode == 0, result.stderr


REFUSED = {
    "greatest": ("return x.max()", "the greatest element of a tensor without"),
    "least": ("return x.min()", "the least element of a tensor without"),
    "amax": ("return x.amax(1)", "reduction operation without identity"),
    "argmax": ("return x.argmax(1)", "to have non-zero size"),
    "gather": ("return x.T[more[0]]", "reads an element of a tensor that has "
               "none"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_pytorch_refuses_is_refused(name, model_file):
    body, message = REFUSED[name]
    with pytest.raises(EggError, match=message):
        import_file(model_file(
            body, "torch.randn(3, 0), torch.zeros(2, dtype=torch.long)"))
