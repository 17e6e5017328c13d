# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that EGG makes: the payloads of egg selfcheck by the expert's
schedules, in several dtypes."""

import dataclasses
import os
import pathlib
import re
import tempfile

from egg import files
from egg.egg_opt import run_egg_opt
from egg.pipeline import option

# Classes whose kernels call libdevice.
MATH = ("activation", "softmax", "layer-norm", "loss", "projection")
# Classes that are made in narrower floats too.
NARROW = ("activation", "transposition", "row-mean", "matmul")
DISTRIBUTIONS = {"integers": "ties", "floats": "normal"}


@dataclasses.dataclass(frozen=True)
class OwnKernel:
    """The kernels of one payload; see launch.Kernel for `floats`."""
    name: str
    payload: str
    floats: str
    structure: str = "expert"

    def prepare(self, inputs, folder, chip, egg_opt, timeout):
        files.write_whole(folder / "payload.mlir", self.payload)
        schedule = folder / "schedule.mlir"
        run_egg_opt(["--egg-propose=" + " ".join(
            [option("output", schedule), option("chip", chip)]), "-o",
            os.devnull], self.payload, path=egg_opt, timeout=timeout)
        chip = option("chip", chip)
        dump = option("dump", f"{folder}/")
        passes = ",".join([
            "egg-apply-schedule{%s}" % option("schedule", schedule),
            "egg-run-on-cpu{%s %s distribution=%s}" % (
                chip, dump, DISTRIBUTIONS[inputs]),
            "egg-emit-plan{%s %s}" % (chip, option("file",
                                                   folder / "plan.json")),
            "egg-lower-to-nvvm{%s}" % chip,
            "egg-emit-ptx{%s}" % option("dump-ptx", folder / "kernels.ptx")])
        run_egg_opt([f"--pass-pipeline=builtin.module({passes})", "-o",
                     os.devnull], self.payload, path=egg_opt, timeout=timeout)
        return from_plan(files.read_json(folder / "plan.json"), folder)


def from_plan(plan, folder):
    """The case of a plan: arguments, results and the arena as buffers."""
    specs = [(spec, False) for spec in plan["arguments"]]
    specs += [(spec, True) for spec in plan["results"]]
    buffers = [{"dtype": spec["dtype"], "output": output,
                "bytes": (folder / f"{number}.bin").stat().st_size}
               for number, (spec, output) in enumerate(specs)]
    arena = len(buffers)
    buffers.append({"dtype": "i8", "bytes": max(plan["arenaBytes"], 1),
                    "scratch": True, "output": False})
    places = []
    for buffer in plan["buffers"]:
        if buffer["kind"] == "arena":
            places.append({"buffer": arena, "offset": buffer["offset"]})
        else:
            first = len(plan["arguments"]) * (buffer["kind"] == "result")
            places.append({"buffer": first + buffer["index"]})
    launches = []
    for step in plan["steps"]:
        arguments = [places[number] for number in step["arguments"]]
        if step["kind"] == "copy":
            launches.append({"copy": arguments,
                             "bytes": plan["buffers"][step["arguments"][1]]
                             ["bytes"]})
        else:
            launches.append({"kernel": step["kernel"], "grid": step["grid"],
                             "block": step["block"],
                             "shared": step["dynamicSharedMemory"],
                             "arguments": arguments})
    return {"buffers": buffers, "launches": launches}


def narrowed(text, dtype):
    return re.sub(r"\bf32\b|(?<=x)f32\b", dtype, text)


def own_kernels(seeds, egg_opt=None, timeout=120):
    """The kernels of every class with extents drawn from each seed."""
    kernels = []
    for seed in seeds:
        with tempfile.TemporaryDirectory(prefix="egg-payloads-") as folder:
            run_egg_opt(["--egg-selfcheck=" + " ".join(
                [f"seed={seed}", option("payloads", folder)]), "-o",
                os.devnull], "module {}\n", path=egg_opt, timeout=timeout)
            for path in sorted(pathlib.Path(folder).glob("*.mlir")):
                name, text = path.stem, files.read_text(path)
                floats = "math" if name in MATH else "bits"
                kernels.append(OwnKernel(f"{name}-{seed}", text, floats))
                if name in NARROW and seed == seeds[0]:
                    kernels += [OwnKernel(f"{name}-{dtype}",
                                          narrowed(text, dtype), floats)
                                for dtype in ("f16", "bf16")]
    return kernels
