# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The CUDA driver through ctypes: memory, launches, tensor maps. For worker
processes, which end when a kernel faults or hangs."""

import ctypes
import re
import time

from egg.errors import EggError

# CUtensorMapDataType by dtype.
MAP_TYPES = {"i8": 0, "i16": 1, "i32": 3, "i64": 5, "f16": 6, "f32": 7,
             "f64": 8, "bf16": 9, "tf32": 11}
MAP_SWIZZLES = {0: 0, 32: 1, 64: 2, 128: 3}
MAP_BYTES = 128
POISON = 0xFF
NOT_READY = 600


class Driver:
    """A context on the first device."""

    def __init__(self):
        try:
            self.cuda = ctypes.CDLL("libcuda.so.1")
        except OSError:
            raise EggError("there is no CUDA driver here (libcuda.so.1)",
                           hint="run this where a GPU is; --prepare DIR "
                           "prepares the cases without one",
                           exit_code=3) from None
        device = ctypes.c_int()
        self.context = ctypes.c_void_p()
        if self.cuda.cuInit(0) or self.cuda.cuDeviceGet(ctypes.byref(device),
                                                        0):
            raise EggError("the CUDA driver finds no GPU",
                           hint="run this where one is", exit_code=3)
        name = ctypes.create_string_buffer(256)
        self.check(self.cuda.cuDeviceGetName(name, 256, device), "name")
        self.name = name.value.decode(errors="replace")
        self.check(self.cuda.cuDevicePrimaryCtxRetain(
            ctypes.byref(self.context), device), "context")
        self.check(self.cuda.cuCtxSetCurrent(self.context), "context")

    def check(self, status, what):
        if status:
            text = ctypes.c_char_p()
            self.cuda.cuGetErrorString(status, ctypes.byref(text))
            reason = text.value.decode() if text.value else "unknown error"
            raise EggError(f"{what}: CUDA error {status}: {reason}",
                           exit_code=4)

    def allocate(self, size):
        pointer = ctypes.c_uint64()
        self.check(self.cuda.cuMemAlloc_v2(ctypes.byref(pointer),
                                           ctypes.c_size_t(max(size, 1))),
                   "allocation")
        return pointer.value

    def free(self, pointer):
        self.check(self.cuda.cuMemFree_v2(ctypes.c_uint64(pointer)), "free")

    def write(self, pointer, data):
        self.check(self.cuda.cuMemcpyHtoD_v2(
            ctypes.c_uint64(pointer), data, ctypes.c_size_t(len(data))),
            "copy to the GPU")

    def read(self, pointer, size):
        data = ctypes.create_string_buffer(max(size, 1))
        self.check(self.cuda.cuMemcpyDtoH_v2(
            data, ctypes.c_uint64(pointer), ctypes.c_size_t(size)),
            "copy from the GPU")
        return data.raw[:size]

    def fill(self, pointer, size):
        self.check(self.cuda.cuMemsetD8_v2(
            ctypes.c_uint64(pointer), ctypes.c_ubyte(POISON),
            ctypes.c_size_t(size)), "poisoning")

    def copy(self, target, source, size):
        self.check(self.cuda.cuMemcpyDtoD_v2(
            ctypes.c_uint64(target), ctypes.c_uint64(source),
            ctypes.c_size_t(size)), "copy")

    def encode(self, description, dtype, base):
        """The 128 bytes of a tensor map, in memory of the right alignment."""
        storage = ctypes.create_string_buffer(MAP_BYTES + 64)
        address = (ctypes.addressof(storage) + 63) & ~63
        rank = len(description["dims"])
        dims = (ctypes.c_uint64 * rank)(*description["dims"])
        strides = (ctypes.c_uint64 * max(rank - 1, 1))(*description["strides"])
        steps = (ctypes.c_uint32 * rank)(*[1] * rank)
        swizzle = MAP_SWIZZLES[description["swizzle"]]
        if description["box"]:
            box = (ctypes.c_uint32 * rank)(*description["box"])
            status = self.cuda.cuTensorMapEncodeTiled(
                ctypes.c_void_p(address), MAP_TYPES[dtype], rank,
                ctypes.c_void_p(base), dims, strides, box, steps, 0, swizzle,
                0, 0)
        else:
            lower, upper = ((ctypes.c_int * (rank - 2))(*description[corner])
                            for corner in ("lower", "upper"))
            status = self.cuda.cuTensorMapEncodeIm2col(
                ctypes.c_void_p(address), MAP_TYPES[dtype], rank,
                ctypes.c_void_p(base), dims, strides, lower, upper,
                description["channels"], description["pixels"], steps, 0,
                swizzle, 0, 0)
        self.check(status, "tensor map")
        return storage, address

    def load(self, ptx):
        module = ctypes.c_void_p()
        self.check(self.cuda.cuModuleLoadData(ctypes.byref(module),
                                              ptx + b"\0"), "loading the PTX")
        return module

    def unload(self, module):
        self.check(self.cuda.cuModuleUnload(module), "unloading")

    def launch(self, module, launch, values):
        """values: ctypes objects or addresses, one an argument."""
        function = ctypes.c_void_p()
        self.check(self.cuda.cuModuleGetFunction(
            ctypes.byref(function), module, launch["kernel"].encode()),
            launch["kernel"])
        # Dynamic shared memory past 48 KiB is asked for.
        if launch["shared"]:
            self.check(self.cuda.cuFuncSetAttribute(function, 8,
                                                    launch["shared"]),
                       "shared memory")
        # Clusters of more than eight blocks are asked for too.
        self.check(self.cuda.cuFuncSetAttribute(function, 14, 1), "clusters")
        array = (ctypes.c_void_p * max(len(values), 1))(
            *[value if isinstance(value, int) else ctypes.addressof(value)
              for value in values])
        self.check(self.cuda.cuLaunchKernel(
            function, *launch["grid"], *launch["block"], launch["shared"],
            None, array, None), f"launch of {launch['kernel']}")

    def synchronize(self, seconds):
        """Waits for all work; EggError after so many seconds."""
        end = time.monotonic() + seconds
        # The default stream.
        while (status := self.cuda.cuStreamQuery(None)) == NOT_READY:
            if time.monotonic() > end:
                raise EggError(f"the kernel does not end within {seconds} s",
                               exit_code=4)
            time.sleep(0.0005)
        self.check(status, "the kernel")


def takes_maps_by_value(ptx):
    """For each parameter of the PTX's first kernel: is it 128 bytes?"""
    entry = re.search(r"\.entry \w+\s*\(([^)]*)\)", ptx)
    return [f"[{MAP_BYTES}]" in parameter
            for parameter in entry[1].split(",")] if entry else []


