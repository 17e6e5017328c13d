# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How lit finds and runs EGG's IR tests. CMake writes lit.site.cfg.py, which
# sets the paths and loads this file.
import os
import sys

import lit.formats

sys.path.insert(0, os.path.dirname(__file__))
import lit_features  # noqa: E402  (beside this file)

config.name = "EGG"
# False: RUN lines go through lit's own shell, the same on every machine.
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["sessions", "unit", "python", "Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.join(config.egg_source_dir, "test")
config.test_exec_root = os.path.join(config.egg_build_dir, "test")

tools = os.path.join(config.egg_build_dir, "bin")
config.environment["PATH"] = os.pathsep.join(
    [tools, config.llvm_tools_dir, config.environment["PATH"]]
)
if "-fsanitize=address" in config.egg_compile_flags:
    config.available_features.add("asan")
# scripts/test.sh sets this for the asan preset.
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

python = lit_features.venv_python(config.egg_source_dir)
config.substitutions.append(("%python", python))
config.substitutions.append(("%egg_source", config.egg_source_dir))
config.substitutions.append(("%egg_build", config.egg_build_dir))

ptxas = lit_features.find_ptxas(config.egg_source_dir)
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))
if lit_features.has_cuda_device():
    config.available_features.add("cuda")
for feature, module in (("torch", "torch"), ("torch-mlir", "torch_mlir")):
    if lit_features.can_import(python, module):
        config.available_features.add(feature)
