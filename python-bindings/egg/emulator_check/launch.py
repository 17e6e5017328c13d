# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One launch of a kernel: what egg-emulate-kernel reads as `egg.emulate`."""

import dataclasses

DTYPE_BYTES = {"f64": 8, "i64": 8, "f32": 4, "i32": 4, "bf16": 2, "f16": 2,
               "i16": 2, "i8": 1}


@dataclasses.dataclass(frozen=True)
class Buffer:
    """A tensor in global memory; inputs are filled, outputs poisoned."""
    dtype: str
    shape: tuple
    output: bool = False

    @property
    def elements(self):
        count = 1
        for extent in self.shape:
            count *= extent
        return count

    @property
    def bytes(self):
        return self.elements * DTYPE_BYTES[self.dtype]


@dataclasses.dataclass(frozen=True)
class Map:
    """A TMA descriptor of a buffer; extents innermost first, strides in
    bytes. With lower and upper corners it is one for im2col."""
    buffer: int
    dims: tuple
    strides: tuple
    box: tuple = ()
    swizzle: int = 0
    dtype: str = None
    lower: tuple = ()
    upper: tuple = ()
    channels: int = 0
    pixels: int = 0


@dataclasses.dataclass(frozen=True)
class Kernel:
    """A kernel `k` with its launch. `arguments` are numbers of buffers and
    Maps. `floats` says how results on random floats compare: "bits" are equal,
    "sums" are those of tensor cores, "math" those of libdevice; None: the
    kernel has no floats. On inputs that are small integers all but "math" are
    equal bit for bit."""
    name: str
    structure: str
    text: str
    block: int
    buffers: tuple
    arguments: tuple
    grid: tuple = (1, 1, 1)
    shared: int = 0
    floats: str = "bits"

    def module(self, fill):
        """The text of a module, its inputs filled by `random` (integers) or
        `uniform` (floats)."""
        return (f"module attributes {{egg.emulate = {self.launch(fill)}}} "
                f"{{\n{self.text}\n}}\n")

    def launch(self, fill):
        buffers = ", ".join(render_buffer(buffer, fill)
                            for buffer in self.buffers)
        arguments = ", ".join(
            render_map(argument) if isinstance(argument, Map)
            else f"{{buffer = {argument} : i64}}"
            for argument in self.arguments)
        return (f'{{kernel = "k", grid = {integers(self.grid)}, '
                f"block = {integers((self.block, 1, 1))}, "
                f"dynamic_shared_memory = {self.shared} : i64, "
                f"buffers = [{buffers}], arguments = [{arguments}]}}")


def integers(values):
    return f"array<i64: {', '.join(map(str, values))}>" if values \
        else "array<i64>"


def render_buffer(buffer, fill):
    role = 'role = "output"' if buffer.output else f'fill = "{fill}"'
    return (f'{{dtype = "{buffer.dtype}", shape = {integers(buffer.shape)}, '
            f"{role}}}")


def render_map(tensor_map):
    parts = [f"map_of = {tensor_map.buffer} : i64",
             f"dims = {integers(tensor_map.dims)}",
             f"strides = {integers(tensor_map.strides)}",
             f"swizzle = {tensor_map.swizzle} : i64"]
    if tensor_map.dtype:
        parts.append(f'dtype = "{tensor_map.dtype}"')
    if tensor_map.box:
        parts.append(f"box = {integers(tensor_map.box)}")
    else:
        parts += [f"lower_corner = {integers(tensor_map.lower)}",
                  f"upper_corner = {integers(tensor_map.upper)}",
                  f"channels = {tensor_map.channels} : i64",
                  f"pixels = {tensor_map.pixels} : i64"]
    return "{" + ", ".join(parts) + "}"
