# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""EGG from Python: import PyTorch modules, optimise, run and time them.

Nothing heavy is imported here: torch and torch-mlir are loaded by the functions
that need them, so that `egg --help` and the runtime work without them.
"""

from egg.errors import EggError

__all__ = ["EggError", "import_file", "import_module"]


def __getattr__(name):
    if name in ("import_file", "import_module"):
        from egg import importer
        return getattr(importer, name)
    raise AttributeError(f"module 'egg' has no attribute {name!r}")
