# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The whole product on one function: import, expert, verification, kernels run
thread by thread on the CPU on given inputs."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("torch_mlir")

from egg.egg_opt import run_egg_opt  # noqa: E402
from egg.importer import import_module  # noqa: E402


class Function(torch.nn.Module):
    """A module whose forward is the function."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


def raw(tensor):
    return tensor.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()


def run_kernels(folder, egg_opt, function, inputs, require="tested"):
    """The results of the kernels that the expert's schedule makes, as tensors
    of the types that the function returns. EggError where a step refuses."""
    imported = import_module(Function(function).eval(), inputs, egg_opt=str(egg_opt))
    script, given, made = (folder / name for name in ("script", "in", "out"))
    run_egg_opt([f"--egg-propose=output={script}"], imported.text, path=str(egg_opt))
    given.write_bytes(b"".join(raw(tensor) for tensor in inputs))
    run_egg_opt(
        [
            f"--egg-verify-schedule=schedule={script} require={require}",
            f"--egg-apply-schedule=schedule={script} materialize",
            f"--egg-run-on-cpu=inputs={given} outputs={made}",
        ],
        imported.text,
        path=str(egg_opt),
    )
    bytes_left = made.read_bytes()
    results = []
    for like in as_tuple(function(*inputs)):
        size = like.numel() * like.element_size()
        flat = torch.zeros(size, dtype=torch.uint8)
        flat.numpy()[:] = memoryview(bytes_left[:size])
        results.append(flat.view(like.dtype).reshape(like.shape))
        bytes_left = bytes_left[size:]
    assert not bytes_left
    return results


def as_tuple(value):
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


@pytest.fixture
def check(tmp_path, egg_opt):
    """Runs the kernels and compares them with the function in double, and with
    what is expected, where that is given."""

    def compare(function, *inputs, expected=None, rtol=None, require="tested"):
        results = run_kernels(tmp_path, egg_opt, function, list(inputs), require)
        exact = [t.double() if t.is_floating_point() else t for t in inputs]
        wanted = as_tuple(function(*exact) if expected is None else expected)
        assert len(results) == len(wanted)
        for got, want in zip(results, wanted):
            want = torch.as_tensor(want).to(got.dtype)
            assert got.shape == want.shape
            allowed = rtol
            if not got.is_floating_point():
                allowed = 0
            elif rtol is None:
                allowed = 16 * torch.finfo(got.dtype).eps
            torch.testing.assert_close(
                got, want, rtol=allowed, atol=allowed, equal_nan=True
            )
        return results

    return compare
