# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A payload compiled for the CPU by upstream MLIR: plain loops, no claim to
speed. It is what the importer is checked with."""

import ctypes
import errno
import os
import pathlib
import re
import shutil
import subprocess

from egg.egg_opt import how_it_ended, run_egg_opt
from egg.errors import EggError

PIPELINE = (
    "builtin.module(egg-lower-scan,eliminate-empty-tensors,"
    "one-shot-bufferize{bufferize-function-boundaries=true "
    "function-boundary-type-conversion=identity-layout-map},"
    "buffer-results-to-out-params{modify-public-functions=true},"
    "func.func(convert-linalg-to-loops),expand-strided-metadata,lower-affine,"
    "convert-scf-to-cf,func.func(llvm-request-c-wrappers,math-expand-ops{"
    "ops=fpowi,rsqrt}),convert-math-to-libm,convert-math-to-llvm,"
    "finalize-memref-to-llvm,convert-to-llvm,reconcile-unrealized-casts)")


def find_tool(name):
    for candidate in (shutil.which(name + "-22"), f"/usr/lib/llvm-22/bin/{name}",
                      shutil.which(name)):
        if candidate and pathlib.Path(candidate).exists():
            return candidate
    raise EggError(f"checking an import needs '{name}' of LLVM 22",
                   hint="install LLVM 22's tools, or import without --verify")


def compile_payload(text, folder, egg_opt=None, timeout=300):
    """Compiles the payload to a shared library in folder; returns its path."""
    folder = pathlib.Path(folder)
    # Arguments belong to the caller: nothing may be computed in their place.
    text = re.sub(r'\{egg\.kind = "(parameter|buffer|input)"',
                  r'{bufferization.writable = false, egg.kind = "\1"', text)
    llvm = run_egg_opt([f"--pass-pipeline={PIPELINE}"], text, path=egg_opt,
                       timeout=timeout)
    (folder / "payload.llvm.mlir").write_text(llvm)
    library = folder / "payload.so"
    run([find_tool("mlir-translate"), "--mlir-to-llvmir",
         folder / "payload.llvm.mlir", "-o", folder / "payload.ll"], timeout)
    run([find_tool("clang"), "-O2", "-march=native", "-shared", "-fPIC",
         "-Wno-override-module", folder / "payload.ll", "-o", library, "-lm",
         # memrefCopy, for copies between layouts.
         *runner_library()], timeout)
    return library


def runner_library():
    folder = pathlib.Path(find_tool("mlir-translate")).resolve().parents[1]
    return [f"-L{folder}/lib", f"-Wl,-rpath,{folder}/lib",
            "-lmlir_c_runner_utils"]


def run(command, timeout):
    command = [str(part) for part in command]
    try:
        result = subprocess.run(command, capture_output=True, text=True,
                                timeout=timeout)
    except subprocess.TimeoutExpired:
        raise EggError(f"{command[0]} took more than {timeout} s") from None
    if result.returncode == 0:
        return
    if os.strerror(errno.ENOSPC) in result.stderr:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC),
                      str(command[-1]))
    reason = result.stderr.strip()[:1000] or how_it_ended(result.returncode)
    raise EggError(f"{command[0]} failed: {reason}",
                   hint="report it, or import without the check")


def descriptor(tensor):
    """The memref descriptor of a contiguous torch tensor."""
    rank = tensor.dim()

    class Descriptor(ctypes.Structure):
        _fields_ = [("allocated", ctypes.c_void_p),
                    ("aligned", ctypes.c_void_p), ("offset", ctypes.c_int64),
                    ("sizes", ctypes.c_int64 * rank),
                    ("strides", ctypes.c_int64 * rank)]

    return Descriptor(tensor.data_ptr(), tensor.data_ptr(), 0,
                      (ctypes.c_int64 * rank)(*tensor.shape),
                      (ctypes.c_int64 * rank)(*tensor.stride()))


def call(library, arguments, results):
    """Runs the program on torch tensors; results are written in place."""
    function = ctypes.CDLL(str(library))._mlir_ciface_main
    descriptors = [descriptor(tensor) for tensor in (*arguments, *results)]
    function(*[ctypes.byref(value) for value in descriptors])
