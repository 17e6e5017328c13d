# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a worker does: one case on the GPU, compared with the emulator."""

import ctypes
import functools
import pathlib

from egg import files
from egg.emulator_check import compare
from egg.emulator_check.driver import Driver, takes_maps_by_value

SECONDS = 10


@functools.cache
def driver():
    return Driver()


def describe():
    """The name of the GPU; EggError where there is none."""
    return driver().name


def run_case(folder):
    """Launches the case on poisoned outputs and compares every output; see
    compare.outcome for what comes back."""
    gpu, folder = driver(), pathlib.Path(folder)
    case = files.read_json(folder / "case.json")
    ptx = files.read_bytes(folder / "kernels.ptx")
    pointers, held = [], []
    for number, buffer in enumerate(case["buffers"]):
        pointers.append(gpu.allocate(buffer["bytes"]))
        if buffer["output"] or buffer.get("scratch"):
            gpu.fill(pointers[-1], buffer["bytes"])
        else:
            gpu.write(pointers[-1],
                      files.read_bytes(folder / f"{number}.bin"))
    module = gpu.load(ptx)
    by_value = takes_maps_by_value(ptx.decode())
    for launch in case["launches"]:
        run_launch(gpu, module, case, launch, pointers, by_value, held)
    gpu.synchronize(SECONDS)
    gpu.unload(module)
    outputs = [
        compare.compare_buffer(
            buffer["dtype"], files.read_bytes(folder / f"{number}.bin"),
            gpu.read(pointers[number], buffer["bytes"]))
        for number, buffer in enumerate(case["buffers"])
        if buffer["output"]]
    # Where something fails, the memory goes with the worker.
    for pointer in pointers + [kept for kept in held if isinstance(kept, int)]:
        gpu.free(pointer)
    return compare.outcome(case, outputs)


def run_launch(gpu, module, case, launch, pointers, by_value, held):
    """One step; `held` keeps what must live until it is done."""
    def address(argument):
        return pointers[argument["buffer"]] + argument.get("offset", 0)

    if "copy" in launch:
        source, target = map(address, launch["copy"])
        gpu.copy(target, source, launch["bytes"])
        return
    values = []
    for number, argument in enumerate(launch["arguments"]):
        if "map" not in argument:
            values.append(ctypes.c_uint64(address(argument)))
            continue
        storage, place = gpu.encode(argument["map"],
                                    case["maps"][number]["dtype"],
                                    pointers[argument["map"]["buffer"]])
        held.append(storage)
        if by_value[number]:
            values.append(place)
        else:
            held.append(gpu.allocate(len(storage) - 64))
            gpu.write(held[-1], ctypes.string_at(place, len(storage) - 64))
            values.append(ctypes.c_uint64(held[-1]))
    gpu.launch(module, launch, values)
