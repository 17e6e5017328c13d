# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What cannot be imported gets one message with the line of the module."""

import pytest

pytest.importorskip("torch_mlir")

from egg.errors import EggError  # noqa: E402
from egg.importer import import_file  # noqa: E402

REFUSED = {
    "random": ("y = x * 2\nreturn F.dropout(y, 0.5)", "torch.rand(4)",
               "draws random numbers", 1),
    "shape_from_data": ("y = x[x > 0]\nreturn y * 2", "torch.rand(4)",
                        "depend on the values of tensors", 0),
    "branch_on_data": ("if x.sum() > 0:\n    return x\nreturn -x",
                       "torch.rand(4)", "depend on the values of tensors", 0),
    "scatter": ("y = x + 1\nreturn y.index_add(0, more[0], y)",
                "torch.rand(4), torch.tensor([0, 1, 1, 2])",
                "not supported", 1),
    "complex": ("return torch.fft.rfft(x).real", "torch.rand(8)",
                "unsupported type", 0),
    "state_in_a_list": (
        "self.states[0] = self.states[0] + x\nreturn self.states[0]",
        "torch.rand(4)", "export cannot follow", None),
    "input_in_place": ("x.add_(1)\nreturn x * 2", "torch.rand(4)",
                       "writes to its input", 0),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusal_names_reason_and_line(name, model_file):
    body, inputs, reason, line = REFUSED[name]
    path = model_file(body, inputs, "self.states = [torch.zeros(4)]")
    with pytest.raises(EggError) as raised:
        import_file(path)
    assert reason in str(raised.value)
    if line is None:
        return
    lines = path.read_text().splitlines()
    wanted = lines.index(" " * 8 + body.splitlines()[line]) + 1
    assert raised.value.where == f"{path}:{wanted}"


@pytest.mark.parametrize("text, reason", [
    (None, "no such file"),
    ("def f(:\n", "SyntaxError"),
    ("import torch\n", "does not define 'Model'"),
])
def test_bad_files(text, reason, tmp_path):
    path = tmp_path / "model.py"
    if text is not None:
        path.write_text(text)
    with pytest.raises(EggError, match=reason) as raised:
        import_file(path)
    assert raised.value.where in (str(path), f"{path}:1")


# By the expression on the tensor y: what its message must name.
UNSUPPORTED = {
    "torch.linalg.inv(y)": "'aten.linalg_inv'",
    "torch.linalg.solve(y, y)": "'aten.linalg_solve'",
    "torch.linalg.svd(y)[1]": "'aten.linalg_svd'",
    "torch.linalg.det(y)": "'aten.linalg_det'",
    "torch.sort(y)[0]": "'aten.sort'",
    "torch.topk(y, 2)[0]": "'aten.topk'",
    "torch.nonzero(y)": "'aten.nonzero'",
    "torch.unique(y)": "'aten._unique2'",
    "torch.bincount(y.long().flatten())": "'aten.bincount'",
    "torch.fft.fft(y).real": "'aten.fft_fft'",
    "torch.fft.rfft2(y).abs()": "'aten.fft_rfft2'",
    "torch.linalg.norm(y, 'nuc')": "'aten.linalg_norm'",
    "torch.linalg.norm(y, 2)": "'aten.linalg_norm'",
    "torch.special.i0(y)": "'aten.special_i0'",
    "torch.multinomial(y, 2)": "'aten.multinomial",
    "y.to(torch.complex64).abs()": "aten.abs",
}


@pytest.mark.parametrize("expression", UNSUPPORTED)
def test_unsupported_operator_is_named_with_its_line(expression, model_file):
    path = model_file(f"y = x * 2\nz = {expression}\nreturn z + 1",
                      "torch.rand(8, 8)")
    with pytest.raises(EggError) as raised:
        import_file(path)
    assert UNSUPPORTED[expression] in raised.value.message
    line = path.read_text().splitlines().index(f"        z = {expression}") + 1
    assert raised.value.where == f"{path}:{line}"
    assert raised.value.hint


def test_operator_is_named_from_the_cache_too(model_file, tmp_path):
    path = model_file("return torch.linalg.det(x)", "torch.rand(8, 8)")
    for _ in range(2):
        with pytest.raises(EggError, match="'aten.linalg_det'"):
            import_file(path, cache=tmp_path / "cache")
