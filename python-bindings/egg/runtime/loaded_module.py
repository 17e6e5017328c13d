# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An artifact on a device, callable on torch tensors without copying them."""

import ctypes
import dataclasses
import pathlib

from egg.errors import EggError
from egg.runtime.library import Driver, TensorInfo, check
from egg.words import count

# Alignment the kernels assume, in bytes.
ALIGNMENT = 16
ARENA_OF_THE_CALLER = 1
ASYNCHRONOUS, STEP_BY_STEP = 0, 1


@dataclasses.dataclass(frozen=True)
class Spec:
    """An argument or result of the plan; dtype is torch's."""

    name: str
    kind: str
    shape: tuple
    dtype: object

    def __str__(self):
        return f"{self.kind} '{self.name}'"


def torch_dtype(name):
    """torch's type of one of MLIR's names."""
    import torch
    return {"f64": torch.float64, "f32": torch.float32, "f16": torch.float16,
            "bf16": torch.bfloat16, "i64": torch.int64, "i32": torch.int32,
            "i16": torch.int16, "i8": torch.int8, "i1": torch.bool}[name]


class LoadedModule:
    """The kernels and the plan of an artifact directory, loaded on a device.

    device  a torch device; by default torch's current CUDA device. A CPU
            device makes sense only with a simulated driver, as tests do.
    driver  a Driver to use instead of the installed one.

    Launches share one arena, so they must be ordered: one thread and one
    stream at a time.
    """

    def __init__(self, artifact, device=None, driver=None):
        import torch
        self.path = pathlib.Path(artifact)
        self.driver = driver or Driver()
        self.library = self.driver.library
        if device is None:
            # Only now: the driver's message is better than torch's.
            self.driver.describe(0)
            device = torch.device("cuda", torch.cuda.current_device())
        self.device = torch.device(device)
        if self.device.type == "cuda":
            torch.cuda.init()
            if self.device.index is None:
                self.device = torch.device("cuda", torch.cuda.current_device())
        self.handle = ctypes.c_void_p()
        self._check(self.library.eggModuleLoadDirectory(
            self.driver.handle, self.device.index or 0,
            str(self.path).encode(), ARENA_OF_THE_CALLER,
            ctypes.byref(self.handle)))
        self.arguments = self._specs(self.library.eggModuleNumArguments,
                                     self.library.eggModuleArgument)
        self.results = self._specs(self.library.eggModuleNumResults,
                                   self.library.eggModuleResult)
        self.num_launches = self.library.eggModuleNumLaunches(self.handle)
        self.uses_cubin = bool(self.library.eggModuleUsesCubin(self.handle))
        self.arena = self._allocate_arena()

    def __del__(self):
        if getattr(self, "handle", None):
            self.library.eggModuleUnload(self.handle)

    def _check(self, status):
        check(self.library, status, where=str(self.path))

    def _specs(self, size, describe):
        specs = []
        for index in range(size(self.handle)):
            info = TensorInfo()
            self._check(describe(self.handle, index, ctypes.byref(info)))
            specs.append(Spec(info.name.decode(), info.kind.decode(),
                              tuple(info.shape[:info.rank]),
                              torch_dtype(info.dtype.decode())))
        return specs

    def _allocate_arena(self):
        """From torch's allocator, so that memory torch holds free is used."""
        import torch
        size = self.library.eggModuleArenaBytes(self.handle)
        if not size:
            return None
        try:
            # The arena's alignment is more than a CPU allocation has.
            memory = torch.empty(size + 256, dtype=torch.uint8,
                                 device=self.device)
        except torch.OutOfMemoryError:
            raise EggError(
                f"too little memory on {self.device}: the temporaries take "
                f"{size / 2**20:.0f} MiB", where=str(self.path),
                hint="free memory or use a smaller batch") from None
        start = -memory.data_ptr() % 256
        arena = memory[start:start + size]
        self._check(self.library.eggModuleSetArena(
            self.handle, arena.data_ptr(), size))
        return arena

    def stream(self):
        """The stream that launches go to: torch's current one."""
        import torch
        if self.device.type != "cuda":
            return None
        return torch.cuda.current_stream(self.device).cuda_stream

    def accept(self, spec, tensor):
        """The tensor as the kernels take it: itself where it is dense and
        aligned, else a copy; EggError where it is not what spec says."""
        import torch
        if not isinstance(tensor, torch.Tensor):
            raise EggError(f"{spec} is a {type(tensor).__name__}, not a tensor",
                           where=str(self.path))
        if tuple(tensor.shape) != spec.shape:
            raise EggError(
                f"{spec} has shape {list(tensor.shape)}, the module was "
                f"compiled for {list(spec.shape)}", where=str(self.path),
                hint="compile it again for these shapes")
        if tensor.dtype != spec.dtype:
            raise EggError(
                f"{spec} has dtype {tensor.dtype}, the module was compiled for "
                f"{spec.dtype}", where=str(self.path),
                hint=f"convert it with .to({spec.dtype})")
        if tensor.device != self.device:
            raise EggError(f"{spec} is on {tensor.device}, the module is on "
                           f"{self.device}", where=str(self.path),
                           hint=f"move it with .to('{self.device}')")
        if not tensor.is_contiguous():
            tensor = tensor.contiguous()
        if tensor.data_ptr() % ALIGNMENT:
            tensor = aligned_copy(tensor)
        return tensor

    def empty_results(self):
        import torch
        return [torch.empty(spec.shape, dtype=spec.dtype, device=self.device)
                for spec in self.results]

    def launch(self, arguments, results, step_by_step=False):
        """Enqueues the plan on accepted tensors. step_by_step waits after each
        kernel, so that a fault names its kernel."""
        self._check(self.library.eggModuleLaunch(
            self.handle, addresses(arguments), len(arguments),
            addresses(results), len(results), self.stream(),
            STEP_BY_STEP if step_by_step else ASYNCHRONOUS))

    def synchronize(self):
        """Waits for the current stream; RuntimeFailure if a kernel faulted."""
        self._check(self.library.eggModuleSynchronize(self.handle,
                                                      self.stream()))

    def __call__(self, *arguments):
        """Runs on all of the plan's arguments and returns all its results."""
        if len(arguments) != len(self.arguments):
            raise EggError(
                f"the module takes {count(len(self.arguments), 'argument')}, got "
                f"{len(arguments)}", where=str(self.path),
                hint="bind() takes parameters and buffers from a module")
        accepted = [self.accept(spec, tensor)
                    for spec, tensor in zip(self.arguments, arguments)]
        results = self.empty_results()
        self.launch(accepted, results)
        return results

    def bind(self, module):
        """The artifact with the parameters, buffers and tensor attributes of a
        torch module."""
        # bound_module needs this file.
        from egg.runtime.bound_module import BoundModule
        return BoundModule(self, module)


def addresses(tensors):
    """The tensors' addresses as the C API takes them."""
    return (ctypes.c_uint64 * len(tensors))(
        *[tensor.data_ptr() for tensor in tensors])


def aligned_copy(tensor):
    """A dense copy at an aligned address, on any device."""
    import torch
    size = tensor.numel() * tensor.element_size()
    memory = torch.empty(size + ALIGNMENT, dtype=torch.uint8,
                         device=tensor.device)
    start = -memory.data_ptr() % ALIGNMENT
    copy = memory[start:start + size].view(tensor.dtype).view(tensor.shape)
    copy.copy_(tensor)
    return copy
