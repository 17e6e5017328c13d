# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An artifact called like the torch module it was compiled from."""

from egg.errors import EggError
from egg.runtime.loaded_module import ALIGNMENT
from egg.words import count


class Slot:
    """Where a module keeps one of the plan's parameters or buffers: an entry
    of a dictionary of one of its submodules.

    A tensor that is a plain attribute (the importer calls it a buffer) does
    not follow the module to another device; PyTorch code moves it in forward(),
    and so does this. The copy is kept for as long as the attribute is the same
    tensor at the same version, so that a CUDA graph can capture launches.
    """

    def __init__(self, loaded, module, spec):
        self.loaded, self.spec = loaded, spec
        self.entries, self.key, self.is_plain = self._find(module)
        self.seen = self.address = self.accepted = self.version = None
        self.take()

    def _find(self, module):
        import torch
        owner, _, key = self.spec.name.rpartition(".")
        try:
            owner = module.get_submodule(owner)
        except AttributeError:
            owner = None
        if owner is not None:
            places = ((owner._parameters, False),) \
                if self.spec.kind == "parameter" else (
                    (owner._buffers, False), (vars(owner), True))
            for entries, is_plain in places:
                if isinstance(entries.get(key), torch.Tensor):
                    return entries, key, is_plain
        raise EggError(f"the torch module has no {self.spec}",
                       where=str(self.loaded.path),
                       hint="bind the module this artifact was made from")

    def tensor(self):
        """The module's tensor as it is now, wherever it is."""
        return self.entries.get(self.key)

    def take(self):
        """The tensor as the kernels take it; EggError where it no longer is
        what the plan says."""
        tensor = self.tensor()
        if self.seen is not None and tensor is self.seen and (
                tensor.data_ptr() == self.address) and (
                self.version is None or self.version == version_of(tensor)):
            return self.accepted
        own = tensor
        if self.is_plain and self.is_elsewhere(tensor):
            own = tensor.detach().to(self.loaded.device)
        accepted = self.loaded.accept(self.spec, own)
        # A copy that is not of a plain attribute is made at each launch, as
        # is one of a tensor without versions.
        self.version = version_of(tensor) if own is not tensor else None
        if accepted is tensor or self.version is not None:
            self.seen, self.address = tensor, tensor.data_ptr()
            self.accepted = accepted
        else:
            self.seen = None
        return accepted

    def write(self, value):
        """Gives the module's tensor a new value: in place, as long as it is on
        the kernels' device. PyTorch code can only have put another tensor in
        the place of one that is elsewhere."""
        tensor = self.tensor()
        if self.is_plain and self.is_elsewhere(tensor):
            self.entries[self.key] = value
        else:
            tensor.copy_(value)

    def is_elsewhere(self, tensor):
        import torch
        return isinstance(tensor, torch.Tensor) and not tensor.is_meta \
            and tensor.device != self.loaded.device


def version_of(tensor):
    """Counts changes in place; None where torch does not count."""
    return None if tensor.is_inference() else tensor._version


class BoundModule:
    """A LoadedModule with the parameters, buffers and tensor attributes of a
    torch module, found by name. Tensors that the module replaces later are
    used from then on. Updated buffers are written back to the module.
    """

    def __init__(self, loaded, module):
        self.loaded, self.module = loaded, module
        self.inputs, self.slots, self.updates = [], [], []
        for spec in loaded.arguments:
            if spec.kind == "input":
                self.inputs.append(spec)
            else:
                self.slots.append(Slot(loaded, module, spec))
        buffers = {slot.spec.name: slot for slot in self.slots
                   if slot.spec.kind == "buffer"}
        for index, spec in enumerate(loaded.results):
            if spec.kind == "buffer_update":
                self.updates.append((index, buffers.get(spec.name)
                                     or Slot(loaded, module, spec)))
        self.num_outputs = len(loaded.results) - len(self.updates)

    def arguments(self, inputs):
        """The plan's arguments for these inputs. Values that are not tensors
        were fixed at compile time and are passed over."""
        import torch
        tensors = [leaf for leaf in torch.utils._pytree.tree_leaves(inputs)
                   if isinstance(leaf, torch.Tensor)]
        if len(tensors) != len(self.inputs):
            raise EggError(
                f"the module takes {count(len(self.inputs), 'input tensor')}, "
                f"got {len(tensors)}", where=str(self.loaded.path),
                hint="call it with the inputs that it was compiled for")
        accepted = [slot.take() for slot in self.slots]
        accepted += [self.loaded.accept(spec, tensor)
                     for spec, tensor in zip(self.inputs, tensors)]
        return accepted

    def __call__(self, *inputs):
        """The outputs: one tensor, or a tuple where there are several."""
        import torch
        results = self.loaded.empty_results()
        self.loaded.launch(self.arguments(inputs), results)
        with torch.no_grad():
            for index, slot in self.updates:
                slot.write(results[index])
        outputs = results[:self.num_outputs]
        return outputs[0] if len(outputs) == 1 else tuple(outputs)
