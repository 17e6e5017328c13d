# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The module and its inputs, built as KernelBench builds them.

The module stays in the mode its constructor leaves it in (train), weights come
from seed 42, and each trial seeds anew before it asks for inputs.
"""

import contextlib
import random

BASE_SEED = 42


def set_seed(seed):
    """Seeds every generator a module file may draw from."""
    import torch
    random.seed(seed)
    torch.manual_seed(seed)
    with contextlib.suppress(ImportError):
        import numpy
        numpy.random.seed(seed % 2**32)


def trial_seeds(count):
    """KernelBench's: drawn from the base seed."""
    import torch
    torch.manual_seed(BASE_SEED)
    return [int(torch.randint(0, 2**32 - 1, (1,)).item())
            for _ in range(count)]


class Workload:
    """A file's module on a device. generate_on is "gpu" (fast: tensors are
    born on the device) or "cpu" (the very values KernelBench gets)."""

    def __init__(self, path, device, generate_on="gpu", module_name="Model",
                 inputs_name="get_inputs"):
        from egg.importer import model_file
        import torch
        self.device = torch.device(device)
        self.generate_on = generate_on
        self.path, self.inputs_name = path, inputs_name
        self.file = model_file.load_python_file(path)
        model_file.check_names(self.file, path, module_name, inputs_name)
        with torch.no_grad(), self.birthplace():
            set_seed(BASE_SEED)
            module = model_file.build_module(
                self.file, path, module_name,
                before_construction=lambda: set_seed(BASE_SEED))
        self.module = module.to(self.device)

    def birthplace(self):
        """Where tensors are created that name no device."""
        import torch
        if self.generate_on == "gpu" and self.device.type != "cpu":
            return torch.device(self.device)
        return contextlib.nullcontext()

    def inputs(self, seed):
        """Fresh inputs on the device."""
        import torch
        from egg.importer.model_file import build_inputs
        set_seed(seed)
        with torch.no_grad(), self.birthplace():
            inputs = build_inputs(self.file, self.path, self.inputs_name)
        inputs = torch.utils._pytree.tree_map(
            lambda leaf: leaf.to(self.device)
            if isinstance(leaf, torch.Tensor) else leaf, inputs)
        set_seed(seed)
        return inputs


def output_tensors(outputs):
    """The tensors among a module's outputs, in order."""
    import torch
    return [leaf for leaf in torch.utils._pytree.tree_leaves(outputs)
            if isinstance(leaf, torch.Tensor)]


@contextlib.contextmanager
def tf32(allowed):
    """torch's default is True for convolutions (cuDNN), False for matmuls;
    allowed=False turns both off, allowed=None leaves the defaults."""
    import torch
    if allowed is None:
        yield
        return
    before = (torch.backends.cudnn.allow_tf32,
              torch.backends.cuda.matmul.allow_tf32)
    torch.backends.cudnn.allow_tf32 = allowed
    torch.backends.cuda.matmul.allow_tf32 = allowed
    try:
        yield
    finally:
        (torch.backends.cudnn.allow_tf32,
         torch.backends.cuda.matmul.allow_tf32) = before
