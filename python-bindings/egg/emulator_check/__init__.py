# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The emulator against the GPU: the same kernels on the same inputs.

`kernels` has kernels written for this in the LLVM and NVVM dialects, `own`
those that EGG makes of payloads. `prepare` runs them in the emulator and
compiles them, into a folder that can travel; `task` launches one of them on a
GPU, in a worker; `compare` says what differs and how much may.
"""
