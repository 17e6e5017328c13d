# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What of this machine the tests can use. Shared by lit (lit.cfg.py) and pytest
# (python/conftest.py), so that both skip the same things.
import ctypes
import glob
import os
import shutil
import subprocess
import sys


def venv_python(source_dir):
    """The Python that has torch: the checkout's .venv, else this one."""
    python = os.path.join(source_dir, ".venv", "bin", "python")
    return python if os.path.exists(python) else sys.executable


def find_ptxas(source_dir):
    """ptxas from PATH, a CUDA toolkit, or the wheel in .venv; None if absent."""
    found = shutil.which("ptxas")
    if found:
        return found
    patterns = [
        "/usr/local/cuda/bin/ptxas",
        "/usr/local/cuda-*/bin/ptxas",
        os.path.join(
            source_dir, ".venv/lib/python3*/site-packages/nvidia/*/bin/ptxas"
        ),
    ]
    for pattern in patterns:
        for path in sorted(glob.glob(pattern)):
            if os.access(path, os.X_OK):
                return path
    return None


def has_cuda_device():
    """Whether a CUDA driver is installed and has a device to open."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    count = ctypes.c_int(0)
    return (
        driver.cuInit(0) == 0
        and driver.cuDeviceGetCount(ctypes.byref(count)) == 0
        and count.value > 0
    )


def can_import(python, module):
    """Whether `python` has the module (looked up, not imported: torch is slow)."""
    code = (
        "import importlib.util, sys;"
        f"sys.exit(importlib.util.find_spec({module!r}) is None)"
    )
    return subprocess.run([python, "-c", code], capture_output=True).returncode == 0
