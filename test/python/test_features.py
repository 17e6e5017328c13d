# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The feature look-ups that decide which tests are skipped."""

import sys

import lit_features


def test_can_import_tells_present_from_absent():
    assert lit_features.can_import(sys.executable, "json")
    assert not lit_features.can_import(sys.executable, "no_such_module_of_egg")


def test_ptxas_in_the_venv_is_found(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    bin_dir = tmp_path / ".venv/lib/python3.11/site-packages/nvidia/cu13/bin"
    bin_dir.mkdir(parents=True)
    ptxas = bin_dir / "ptxas"
    ptxas.write_text("#!/bin/sh\n")
    ptxas.chmod(0o755)
    found = lit_features.find_ptxas(str(tmp_path))
    assert found is not None
    # A toolkit of the machine comes before the wheel.
    assert found == str(ptxas) or found.startswith("/usr/local/cuda")


def test_venv_python_falls_back_to_this_one(tmp_path):
    assert lit_features.venv_python(str(tmp_path)) == sys.executable
