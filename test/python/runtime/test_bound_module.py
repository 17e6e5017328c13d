# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where a bound module's state lives: parameters, buffers, tensors in plain
attributes; on the kernels' device or not; replaced and updated.

The simulated device is the CPU's memory, so "elsewhere" is a device of another
name there: a tensor subclass that says so."""

import json

import pytest

from egg.errors import EggError
from simulated import tensor, write_artifact

torch = pytest.importorskip("torch")


class Elsewhere(torch.Tensor):
    """A tensor of another device, as far as anyone can see; to(device) gives
    an ordinary one. Counts how often it is fetched."""

    fetched = 0

    @property
    def device(self):
        return torch.device("cuda", 7)

    def detach(self):
        return self

    def to(self, device):
        assert device == torch.device("cpu")
        Elsewhere.fetched += 1
        return torch.Tensor(self.as_subclass(torch.Tensor)).clone()


@pytest.fixture
def load(tmp_path, driver):
    """y = x + 1 for the *state* x named "inner.state", which is the output and
    the state's update as well: a counter."""
    def load(kind="buffer", name="inner.state", updated=True):
        from egg.runtime import LoadedModule
        artifact = write_artifact(tmp_path / "artifact")
        plan = json.loads((artifact / "plan.json").read_text())
        plan["arguments"] = [tensor(name, kind, [64])]
        if updated:
            plan["results"].append(tensor(name, "buffer_update", [64]))
            plan["buffers"].append({"kind": "result", "index": 1, "bytes": 256})
            plan["steps"].append(dict(plan["steps"][0], arguments=[0, 2]))
        (artifact / "plan.json").write_text(json.dumps(plan))
        return LoadedModule(artifact, device="cpu", driver=driver)
    return load


def module_with(**attributes):
    module = torch.nn.Module()
    module.inner = torch.nn.Module()
    for name, value in attributes.items():
        setattr(module.inner, name, value)
    return module


def test_plain_attribute_is_found_and_updated_in_place(load):
    module = module_with(state=torch.zeros(64))
    before = module.inner.state
    bound = load().bind(module)
    assert torch.equal(bound(), torch.ones(64))
    assert torch.equal(bound(), torch.full((64,), 2.0))
    assert module.inner.state is before
    assert torch.equal(before, torch.full((64,), 2.0))
    assert "state" in vars(module.inner)


def test_top_level_attribute(load):
    module = torch.nn.Module()
    module.state = torch.zeros(64)
    bound = load(name="state").bind(module)
    bound()
    assert torch.equal(module.state, torch.ones(64))


def test_attribute_replaced_by_the_module_is_seen(load):
    """As an eager run of self.state = f(self.state) does in between."""
    module = module_with(state=torch.zeros(64))
    bound = load().bind(module)
    bound()
    module.inner.state = torch.full((64,), 10.0)
    assert torch.equal(bound(), torch.full((64,), 11.0))
    assert torch.equal(module.inner.state, torch.full((64,), 11.0))


def test_replaced_parameters_and_buffers_are_seen(load):
    module = module_with(state=torch.nn.Parameter(torch.zeros(64)))
    bound = load("parameter", updated=False).bind(module)
    module.inner.state = torch.nn.Parameter(torch.full((64,), 5.0))
    assert torch.equal(bound(), torch.full((64,), 6.0))
    module = module_with()
    module.inner.register_buffer("state", torch.zeros(64))
    bound = load().bind(module)
    module.inner.state = torch.full((64,), 5.0)
    assert torch.equal(bound(), torch.full((64,), 6.0))
    assert torch.equal(module.inner.state, torch.full((64,), 6.0))


def test_attribute_elsewhere_is_copied_once_a_version(load):
    state = torch.zeros(64).as_subclass(Elsewhere)
    module = module_with(state=state)
    Elsewhere.fetched = 0
    bound = load(updated=False).bind(module)
    for _ in range(3):
        assert torch.equal(bound(), torch.ones(64))
    assert Elsewhere.fetched == 1
    with torch.no_grad():
        state.add_(4)
    assert torch.equal(bound(), torch.full((64,), 5.0))
    assert Elsewhere.fetched == 2 and module.inner.state is state


def test_update_of_an_attribute_elsewhere_replaces_it(load):
    """self.state = f(self.state.to(x.device)) leaves a tensor of x's device."""
    state = torch.zeros(64).as_subclass(Elsewhere)
    module = module_with(state=state)
    bound = load().bind(module)
    assert torch.equal(bound(), torch.ones(64))
    assert type(module.inner.state) is torch.Tensor
    assert torch.equal(state.as_subclass(torch.Tensor), torch.zeros(64))
    y = bound()
    assert torch.equal(y, torch.full((64,), 2.0))
    # The output the user holds is not the state.
    bound()
    assert torch.equal(y, torch.full((64,), 2.0))


def test_buffers_elsewhere_are_refused(load):
    """PyTorch moves them with the module; forward() does not."""
    module = module_with()
    module.inner.register_buffer("state", torch.empty(64, device="meta"))
    with pytest.raises(EggError, match="buffer 'inner.state' is on meta"):
        load().bind(module)


@pytest.mark.parametrize("state, message", [
    (torch.zeros(65), r"'inner.state' has shape \[65\]"),
    (torch.zeros(64).double(), "'inner.state' has dtype torch.float64"),
    (torch.empty(64, device="meta"), "'inner.state' is on meta"),
    ([0.0] * 64, "the torch module has no buffer 'inner.state'"),
    (None, "the torch module has no buffer 'inner.state'"),
])
def test_wrong_attributes_are_named(load, state, message):
    loaded = load()
    with pytest.raises(EggError, match=message):
        loaded.bind(module_with(state=state))
    # The same for one that becomes wrong later.
    module = module_with(state=torch.zeros(64))
    bound = loaded.bind(module)
    module.inner.state = state
    with pytest.raises(EggError, match="'inner.state'"):
        bound()


def test_attribute_that_is_gone(load):
    module = module_with(state=torch.zeros(64))
    bound = load().bind(module)
    del module.inner.state
    with pytest.raises(EggError, match="'inner.state' is a NoneType"):
        bound()
    with pytest.raises(EggError, match="has no buffer 'inner.state'"):
        load().bind(torch.nn.Module())


def test_misaligned_attribute_is_copied_at_each_launch(load):
    storage = torch.zeros(65)
    module = module_with(state=storage[1:])
    bound = load(updated=False).bind(module)
    assert torch.equal(bound(), torch.ones(64))
    storage.fill_(3)
    assert torch.equal(bound(), torch.full((64,), 4.0))


def test_parameter_moved_after_binding_is_refused(load):
    module = module_with(state=torch.nn.Parameter(torch.zeros(64)))
    bound = load("parameter", updated=False).bind(module)
    module.to("meta")
    with pytest.raises(EggError, match="is on meta"):
        bound()
