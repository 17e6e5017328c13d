# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LoadedModule and BoundModule over the simulated driver: what runs, what is
copied, and the message for each wrong input."""

import pytest

from egg.errors import EggError
from simulated import write_artifact

torch = pytest.importorskip("torch")


@pytest.fixture
def load(tmp_path, driver):
    def load(**options):
        from egg.runtime import LoadedModule
        return LoadedModule(write_artifact(tmp_path / "artifact", **options),
                            device="cpu", driver=driver)
    return load


class Stateful(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.ones(4))
        self.register_buffer("count", torch.tensor(3))


def test_runs_on_torch_tensors(load):
    x = torch.rand(64)
    (y,) = load()(x)
    assert torch.equal(y, x + 1)


def test_describes_arguments_and_results(load):
    module = load(state=True)
    assert [(s.name, s.kind) for s in module.arguments] == [
        ("scale", "parameter"), ("count", "buffer"), ("x", "input")]
    assert module.results[1].dtype == torch.int64
    assert module.num_launches == 1 and not module.uses_cubin


def test_dense_inputs_are_not_copied(load):
    module = load()
    x = torch.rand(64)
    assert module.accept(module.arguments[0], x).data_ptr() == x.data_ptr()


def test_misaligned_and_strided_inputs_are_copied(load):
    module = load()
    storage = torch.rand(200)
    for x in (storage[1:65], storage[:128:2]):
        (y,) = module(x)
        assert torch.equal(y, x + 1)


def test_takes_parameters_by_name_and_writes_buffers_back(load):
    torch_module = Stateful()
    bound = load(state=True).bind(torch_module)
    x = torch.rand(64)
    assert torch.equal(bound(x), x + 1)
    torch_module.count.fill_(8)
    bound(x)
    assert torch_module.count.item() == 8


def test_values_that_are_no_tensors_are_passed_over(load):
    bound = load().bind(torch.nn.Module())
    x = torch.rand(64)
    assert torch.equal(bound(x, 3), x + 1)


def test_arena_comes_from_torch(load, fake):
    module = load(arena_bytes=1024)
    module(torch.rand(64))
    assert module.arena.numel() == 1024
    assert b"allocate" not in fake.fakeLog()


@pytest.mark.parametrize("x, message", [
    (torch.rand(8, 8), r"input 'x' has shape \[8, 8\].*compiled for \[64\]"),
    (torch.rand(64).double(), r"input 'x' has dtype torch.float64"),
    (torch.rand(64, device="meta"), r"input 'x' is on meta, .* on cpu"),
    ([1.0] * 64, r"input 'x' is a list, not a tensor"),
])
def test_wrong_inputs_are_named(load, x, message):
    with pytest.raises(EggError, match=message):
        load()(x)


def test_wrong_number_of_inputs(load):
    with pytest.raises(EggError, match="takes 1 argument, got 2"):
        load()(torch.rand(64), torch.rand(64))
    with pytest.raises(EggError, match="takes 1 input tensor, got 0"):
        load().bind(torch.nn.Module())()


def test_module_without_the_parameter(load):
    with pytest.raises(EggError, match="has no parameter 'scale'"):
        load(state=True).bind(torch.nn.Module())


def test_parameter_of_another_shape(load):
    module = Stateful()
    module.scale = torch.nn.Parameter(torch.ones(5))
    with pytest.raises(EggError, match="parameter 'scale' has shape"):
        load(state=True).bind(module)


def test_wrong_architecture(load, fake):
    fake.fakeSetCapability(8, 0)
    with pytest.raises(EggError, match="for sm_90a.*is sm_80"):
        load()


def test_missing_artifact(driver, tmp_path):
    from egg.runtime import LoadedModule
    with pytest.raises(EggError, match="is not a directory"):
        LoadedModule(tmp_path / "nothing", device="cpu", driver=driver)


def test_fault_names_the_kernel_step_by_step(load):
    from egg.runtime import RuntimeFailure
    module = load(kernel="fault_x")
    x, y = torch.rand(64), module.empty_results()
    with pytest.raises(RuntimeFailure, match="kernel 'fault_x'") as info:
        module.launch([x], y, step_by_step=True)
    assert info.value.exit_code == 4


def test_no_driver(fake):
    from egg.runtime import Driver
    with pytest.raises(EggError, match="no CUDA driver") as info:
        Driver("/nonexistent/libcuda.so.1")
    assert info.value.exit_code == 3


def test_library_named_by_the_environment_must_exist(monkeypatch):
    from egg.runtime.library import find_library
    monkeypatch.setenv("EGG_RUNTIME", "/nonexistent/lib.so")
    with pytest.raises(EggError, match="no such library"):
        find_library()
