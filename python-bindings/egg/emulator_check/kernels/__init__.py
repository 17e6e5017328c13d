# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels written to meet every instruction that the emulator knows."""

from egg.emulator_check.kernels import (clusters, copies, products,
                                        tensor_copies, warpgroups, warps)


def hand_written():
    """All of them, in the order of reports."""
    return [kernel for module in (warps, copies, clusters, products,
                                  tensor_copies, warpgroups)
            for kernel in module.kernels()]
