# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/bundle.sh: what it packs runs elsewhere; what does not fit is not
left behind."""

import os
import subprocess

import pytest


@pytest.fixture
def bundle(root, tmp_path):
    if not (root / "build/dev/lib/libEGGRuntimeC.so").exists():
        pytest.skip("no build/dev to pack")

    def run(*arguments):
        return subprocess.run(
            ["scripts/bundle.sh", "--no-compiler", "--out",
             str(tmp_path / "bundle"), *arguments], cwd=root, text=True,
            capture_output=True)
    return run


def test_runs_from_the_bundle(bundle, tmp_path):
    (tmp_path / "results").mkdir()
    (tmp_path / "results/results.jsonl").write_text("")
    packed = bundle(f"{tmp_path}/results=carried/rows")
    assert packed.returncode == 0, packed.stderr
    environment = dict(os.environ, EGG_BUNDLE_DIR=str(tmp_path / "home"))
    environment.pop("PYTHONPATH", None)
    ran = subprocess.run(
        [str(tmp_path / "bundle/run.sh"), "kernelbench", "--summary", "--out",
         "@/carried/rows"], cwd=tmp_path, env=environment, text=True,
        capture_output=True)
    assert (ran.returncode, ran.stdout) == (0, "no rows yet\n"), ran.stderr
    assert len(list(tmp_path.glob("home/*/lib/libEGGRuntimeC.so"))) == 1


def test_too_large(bundle, tmp_path):
    (tmp_path / "noise").write_bytes(os.urandom(1 << 20))
    packed = bundle("--limit-mib", "1", str(tmp_path / "noise"))
    assert packed.returncode == 1
    assert "the limit is 1" in packed.stderr
    assert list((tmp_path / "bundle").iterdir()) == []


def test_missing_content(bundle):
    packed = bundle("/nonexistent/artifacts")
    assert packed.returncode == 1
    assert "/nonexistent/artifacts: no such file" in packed.stderr
