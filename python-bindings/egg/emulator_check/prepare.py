# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs kernels in the emulator and compiles them, into a folder a case.

A case's folder has kernels.ptx, case.json and the bytes of its buffers after
the emulated launch: 0.bin, 1.bin, ... case.json is all a machine with a GPU
needs: buffers, launches, tensor maps, and which bits must be equal.
"""

import dataclasses
import os
import pathlib

from egg import children, files
from egg.egg_opt import run_egg_opt
from egg.emulator_check.launch import Map
from egg.errors import EggError
from egg.pipeline import option

LOWER = ("convert-vector-to-scf,convert-scf-to-cf,convert-vector-to-llvm,"
         "convert-gpu-to-nvvm{use-bare-ptr-memref-call-conv=true "
         "index-bitwidth=64},canonicalize,cse,reconcile-unrealized-casts")
# What inputs are: small integers, and floats from -1 to 1.
FILLS = {"integers": "random", "floats": "uniform"}


@dataclasses.dataclass(frozen=True)
class Case:
    """One kernel on one kind of inputs."""
    kernel: object
    inputs: str

    @property
    def name(self):
        return f"{self.kernel.name}.{self.inputs}"


def cases_of(kernels):
    return [Case(kernel, inputs) for kernel in kernels for inputs in FILLS
            if inputs == "integers" or kernel.floats]


def expectation(kernel, inputs):
    """How results compare: "bits", "sums" or "math"."""
    if inputs == "floats" or kernel.floats == "math":
        return kernel.floats
    return "bits"


def prepare_written(case, folder, chip, egg_opt, timeout):
    """A kernel that is written in the LLVM and NVVM dialects."""
    kernel = case.kernel
    passes = ",".join([
        f"gpu.module({LOWER})",
        "egg-emulate-kernel{%s}" % option("dump", f"{folder}/"),
        # Some instructions are inline PTX from here on.
        "gpu.module(convert-nvvm-to-llvm,reconcile-unrealized-casts)",
        "nvvm-attach-target{chip=%s features=+ptx80 O=3}" % chip,
        "egg-emit-ptx{%s}" % option("dump-ptx", folder / "kernels.ptx")])
    run_egg_opt([f"--pass-pipeline=builtin.module({passes})", "-o",
                 os.devnull], kernel.module(FILLS[case.inputs]), path=egg_opt,
                timeout=timeout)
    arguments = [{"map": dataclasses.asdict(argument)}
                 if isinstance(argument, Map) else {"buffer": argument}
                 for argument in kernel.arguments]
    return {"buffers": [{"dtype": buffer.dtype, "bytes": buffer.bytes,
                         "output": buffer.output}
                        for buffer in kernel.buffers],
            "maps": [{"dtype": argument.dtype
                      or kernel.buffers[argument.buffer].dtype}
                     if isinstance(argument, Map) else None
                     for argument in kernel.arguments],
            "launches": [{"kernel": "k", "grid": list(kernel.grid),
                          "block": [kernel.block, 1, 1],
                          "shared": kernel.shared, "arguments": arguments}]}


def prepare_case(case, folder, *, chip, egg_opt, timeout):
    """Fills the case's folder; EggError names the case."""
    folder.mkdir(parents=True)
    make = getattr(case.kernel, "prepare", None)
    try:
        document = make(case.inputs, folder, chip, egg_opt, timeout) if make \
            else prepare_written(case, folder, chip, egg_opt, timeout)
    except EggError as error:
        raise EggError(f"{case.name}: {error.message}", where=error.where,
                       hint=error.hint, exit_code=error.exit_code) from None
    document.update(name=case.name, structure=case.kernel.structure,
                    inputs=case.inputs,
                    expect=expectation(case.kernel, case.inputs))
    files.write_json(folder / "case.json", document)


def prepare(cases, folder, *, chip, jobs, egg_opt=None, timeout=120):
    """Prepares all cases into an empty or new folder, some at a time. Returns
    their names in order; EggError for the first that fails."""
    folder = pathlib.Path(folder)
    if folder.exists() and any(folder.iterdir()):
        raise EggError("the folder is not empty", where=str(folder),
                       hint="choose another, or run what it holds with --run")
    children.each(lambda case: prepare_case(
        case, folder / case.name, chip=chip, egg_opt=egg_opt, timeout=timeout),
        cases, jobs)
    names = [case.name for case in cases]
    files.write_json(folder / "cases.json", {"chip": chip, "cases": names})
    return names
