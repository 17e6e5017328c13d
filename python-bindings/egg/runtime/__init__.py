# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs what EGG compiled: the binding of include/egg-c/Runtime.h.

    module = egg.runtime.LoadedModule("artifact")     # on torch's current device
    compiled = module.bind(nn_module)                 # takes its parameters
    y = compiled(x)                                   # on torch's current stream
"""

from egg.runtime.bound_module import BoundModule
from egg.runtime.library import Driver, RuntimeFailure
from egg.runtime.loaded_module import LoadedModule

__all__ = ["BoundModule", "Driver", "LoadedModule", "RuntimeFailure"]
