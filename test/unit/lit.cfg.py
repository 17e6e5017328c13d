# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How lit runs EGG's C++ unit tests: every executable named *Tests below the
# build's test/unit.
import os

import lit.formats

config.name = "EGG-Unit"
config.test_format = lit.formats.GoogleTest(".", "Tests")
config.suffixes = []
config.excludes = []
config.test_source_root = os.path.join(config.egg_build_dir, "test", "unit")
config.test_exec_root = config.test_source_root
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
