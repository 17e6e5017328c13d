# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The simulated CUDA driver (test/unit/Runtime/FakeCuda.cpp), whose device
memory is host memory and whose kernels add one, fault or hang: its fixtures and
artifacts for it."""

import ctypes
import json
import os
import pathlib

import pytest

@pytest.fixture(scope="session")
def build_dir(root):
    return pathlib.Path(os.environ.get("EGG_BUILD_DIR", root / "build/dev"))


@pytest.fixture
def fake(build_dir, monkeypatch):
    """The simulated driver's controls; EGG_RUNTIME names this build's."""
    pytest.importorskip("torch")
    library = build_dir / "lib/libEGGFakeCuda.so"
    runtime = build_dir / "lib/libEGGRuntimeC.so"
    if "-fsanitize=address" in (build_dir / "CMakeCache.txt").read_text():
        # scripts/test.sh preloads it.
        if "clang_rt.asan" not in os.environ.get("LD_PRELOAD", ""):
            pytest.skip("AddressSanitizer's runtime is not loaded into Python")
    assert library.exists() and runtime.exists(), "run scripts/build.sh first"
    monkeypatch.setenv("EGG_RUNTIME", str(runtime))
    controls = ctypes.CDLL(str(library))
    controls.path = library
    controls.fakeLog.restype = ctypes.c_char_p
    controls.fakeReset()
    return controls


@pytest.fixture
def driver(fake):
    from egg.runtime import Driver
    return Driver(fake.path)


def tensor(name, kind, shape, dtype="f32"):
    return {"name": name, "kind": kind, "shape": list(shape), "dtype": dtype}


def write_artifact(directory, *, kernel="add_one", elements=64, threads=None,
                   chip="sm_90a", state=False, arena_bytes=0,
                   dynamic_shared_memory=0):
    """An artifact of one kernel, y = x + 1 on elements floats. With state, the
    plan also has the parameter "scale" and the buffer "count", which comes
    back unchanged as its own update."""
    arguments, results = [], [tensor("output_0", "output", [elements])]
    buffers, steps = [], []
    if state:
        arguments += [tensor("scale", "parameter", [4]),
                      tensor("count", "buffer", [], "i64")]
        results.append(tensor("count", "buffer_update", [], "i64"))
    arguments.append(tensor("x", "input", [elements]))
    size = elements * 4
    buffers += [{"kind": "argument", "index": len(arguments) - 1,
                 "bytes": size},
                {"kind": "result", "index": 0, "bytes": size}]
    steps.append({"kind": "launch", "kernel": kernel,
                  "grid": [1, 1, 1], "block": [threads or elements, 1, 1],
                  "dynamicSharedMemory": dynamic_shared_memory,
                  "arguments": [0, 1]})
    if state:
        buffers += [{"kind": "argument", "index": 1, "bytes": 8},
                    {"kind": "result", "index": 1, "bytes": 8}]
        steps.append({"kind": "copy", "arguments": [2, 3]})
    plan = {"version": 1, "chip": chip, "arguments": arguments,
            "results": results, "buffers": buffers, "steps": steps,
            "arenaBytes": arena_bytes}
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "plan.json").write_text(json.dumps(plan))
    (directory / "kernels.ptx").write_text(f"PTX {kernel}")
    (directory / "report.json").write_text("{}")
    return directory


MODULE = """
import torch

class Model(torch.nn.Module):
    def __init__(self, step):
        super().__init__()
        self.step = step

    def forward(self, x):
        return x + self.step

def get_init_inputs():
    return [{step}]

def get_inputs():
    return [torch.rand(64)]
"""


def write_module(path, step=1):
    """A module file for such an artifact; right where step is 1."""
    path.write_text(MODULE.replace("{step}", str(step)))
    return path
