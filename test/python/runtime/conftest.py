# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The simulated CUDA driver, fresh for each test."""

from simulated import build_dir, driver, fake  # noqa: F401 (fixtures)
