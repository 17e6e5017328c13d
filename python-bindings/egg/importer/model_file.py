# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads a Python file that names a module and its inputs.

KernelBench's convention is the default: a class `Model`, `get_init_inputs()`
and `get_inputs()`. Module and inputs are built from fake tensors, so that no
weight and no input is ever allocated; only where the file computes with values
(for instance `.item()` in a constructor) real tensors are used.
"""

import dataclasses
import importlib.util
import pathlib
import sys

from egg.errors import EggError


@dataclasses.dataclass
class LoadedModel:
    """module and inputs; fake_mode is None where their tensors are real."""

    module: object
    inputs: tuple
    fake_mode: object
    notes: list


def load_python_file(path):
    """Executes a Python file as a fresh module; EggError if it fails."""
    path = pathlib.Path(path)
    if not path.is_file():
        raise EggError("no such file", where=str(path))
    name = f"egg_model_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # The file is the user's: anything can happen.
        raise EggError(f"the file does not run: {describe(error)}",
                       where=str(path)) from error
    return module


def load_model(path, module_name="Model", inputs_name="get_inputs",
               real=False):
    """Builds the module and example inputs that a file names.

    module_name names a class (called with get_init_inputs(), if the file has
    it) or an instance; inputs_name a function or a sequence. With real=True
    tensors hold values.
    """
    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode

    file = load_python_file(path)
    for name in (module_name, inputs_name):
        if not hasattr(file, name):
            raise EggError(
                f"the file does not define '{name}'", where=str(path),
                hint="define it, or name another with --module and --inputs")

    def build():
        module = getattr(file, module_name)
        if not isinstance(module, torch.nn.Module):
            arguments = getattr(file, "get_init_inputs", list)()
            # Some files return keyword arguments as a dictionary.
            if isinstance(arguments, dict):
                module = module(**arguments)
            else:
                module = module(*arguments)
        inputs = getattr(file, inputs_name)
        return module, tuple(inputs() if callable(inputs) else inputs)

    if not real:
        fake_mode = FakeTensorMode()
        try:
            with fake_mode:
                module, inputs = build()
            if all_fake(module, inputs):
                return LoadedModel(module, inputs, fake_mode, [])
            reason = "it holds real tensors"
        except Exception as error:  # See below: real tensors decide.
            reason = describe(error)
        notes = [f"built with real tensors, because without values: {reason}"]
    else:
        notes = []
    try:
        torch.manual_seed(0)
        module, inputs = build()
    except Exception as error:
        raise EggError(f"cannot build the module: {describe(error)}",
                       where=str(path)) from error
    return LoadedModel(module, inputs, None, notes)


def all_fake(module, inputs):
    import torch
    from torch._subclasses.fake_tensor import FakeTensor
    tensors = list(module.parameters()) + list(module.buffers()) + [
        value for value in torch.utils._pytree.tree_leaves(inputs)
        if isinstance(value, torch.Tensor)]
    return all(isinstance(getattr(tensor, "data", tensor), FakeTensor)
               or isinstance(tensor, FakeTensor) for tensor in tensors)


def describe(error):
    """One line about an exception."""
    lines = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {lines[0]}"
