# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lints hold on this checkout, and find what they are for."""

import shutil
import subprocess
import sys
from types import SimpleNamespace

import pytest

LIB_ORDER = "".join(
    f"add_subdirectory({name})\n"
    for name in ("Support", "Core", "Kernel", "Schedule", "Agent", "InitAll")
)
SPDX = "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"


def run_script(root, script, checkout):
    done = subprocess.run(
        [sys.executable, str(root / "scripts" / script), "--root", str(checkout)],
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout


@pytest.fixture
def checkout(tmp_path):
    """A small checkout at .path; .write(path, text) adds a file to it."""
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)

    def write(path, text):
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    write("lib/CMakeLists.txt", LIB_ORDER)
    return SimpleNamespace(path=tmp_path, write=write)


@pytest.mark.parametrize("script", ["check_layering.py", "check_sources.py"])
def test_this_checkout_is_clean(root, script):
    code, output = run_script(root, script, root)
    assert code == 0, output


def test_this_checkout_is_formatted(root):
    if not shutil.which("clang-format-22"):
        pytest.skip("no clang-format-22")
    done = subprocess.run(
        [str(root / "scripts/check_format.sh")], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-4000:]


def test_including_upwards_is_fine(root, checkout):
    checkout.write("lib/Kernel/A.cpp", '#include "egg/Core/Plan.h"\n')
    assert run_script(root, "check_layering.py", checkout.path) == (0, "")


@pytest.mark.parametrize(
    "path, include, reason",
    [
        ("lib/Core/A.cpp", "egg/Kernel/K.h", "Kernel comes after Core"),
        ("include/egg/Core/A.h", "egg/InitAll.h", "InitAll comes after Core"),
        ("lib/Agent/A.cpp", "egg/Schedule/S.h", "Agent must never depend on"),
        ("lib/Core/A.cpp", "egg/Utils/U.h", "'Utils' is not a library"),
        ("lib/Core/A.cpp", "mlir/IR/Value.h", "Core stays free of MLIR"),
    ],
)
def test_bad_include_is_found(root, checkout, path, include, reason):
    checkout.write(path, f'// first line\n#include "{include}"\n')
    code, output = run_script(root, "check_layering.py", checkout.path)
    assert code == 1
    assert output.startswith(f"{path}:2: includes {include}: ")
    assert reason in output


def test_bad_link_is_found(root, checkout):
    checkout.write(
        "lib/Core/CMakeLists.txt",
        "egg_add_library(EGGCore\n  SOURCES\n    A.cpp\n  LINK\n    EGGSupport\n    EGGKernel\n)\n",
    )
    code, output = run_script(root, "check_layering.py", checkout.path)
    assert code == 1
    assert output.count("\n") == 1
    assert "EGGCore links EGGKernel: Kernel comes after Core" in output


def test_missing_licence_is_an_error(root, checkout):
    checkout.write("lib/Core/A.cpp", "int x;\n")
    code, output = run_script(root, "check_sources.py", checkout.path)
    assert code == 1
    assert "lib/Core/A.cpp:1: no licence header" in output


def test_wrong_guard_is_an_error(root, checkout):
    checkout.write("include/egg/Core/A.h", SPDX + "#ifndef A_H\n#define A_H\n#endif\n")
    code, output = run_script(root, "check_sources.py", checkout.path)
    assert code == 1
    assert "the include guard should be EGG_CORE_A_H" in output


def test_long_file_is_a_warning(root, checkout):
    checkout.write("lib/Core/A.cpp", SPDX + "int x;\n" * 400)
    code, output = run_script(root, "check_sources.py", checkout.path)
    assert code == 0
    assert "lib/Core/A.cpp: 401 lines" in output


def test_full_folder_is_a_warning(root, checkout):
    for i in range(16):
        checkout.write(f"lib/Core/A{i}.cpp", SPDX)
    code, output = run_script(root, "check_sources.py", checkout.path)
    assert code == 0
    assert "lib/Core: 16 sources" in output
