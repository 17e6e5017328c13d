# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/run.sh, build.sh and test.sh in a stand-in of a checkout, where
nothing is installed or built."""

import fcntl
import os
import shutil
import subprocess

import pytest

# Says when it begins and ends; a second one meanwhile would be between.
CMAKE = """#!/bin/sh
echo begin >>{log}
sleep 0.3
echo end >>{log}
"""
SETUP = """#!/usr/bin/env bash
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
take_lock
"""
EGG = """#!/bin/sh
echo "in $PWD"
for word; do echo "$word"; done
"""


def write_program(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


@pytest.fixture
def checkout(root, tmp_path):
    folder = tmp_path / "checkout"
    for name in ("common", "run", "build", "test"):
        (folder / "scripts").mkdir(parents=True, exist_ok=True)
        shutil.copy(root / f"scripts/{name}.sh", folder / "scripts")
    write_program(folder / "scripts/setup.sh", SETUP)
    (folder / "examples").mkdir()
    (folder / "examples/example.py").touch()
    write_program(folder / ".venv/bin/egg", EGG)
    write_program(tmp_path / "bin/cmake",
                  CMAKE.format(log=tmp_path / "built"))
    write_program(tmp_path / "bin/ninja", "#!/bin/sh\n")
    return folder


def start(checkout, *words, cwd=None):
    environment = dict(
        os.environ, PATH=f"{checkout.parent / 'bin'}:{os.environ['PATH']}")
    # scripts/test.sh, which holds the lock of its own checkout, sets it.
    environment.pop("EGG_LOCKED", None)
    return subprocess.Popen(
        [checkout / words[0], *words[1:]], cwd=cwd or checkout.parent, text=True,
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def run(checkout, *words, **more):
    process = start(checkout, *words, **more)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def test_paths_are_the_callers(checkout, tmp_path):
    (tmp_path / "mine.py").touch()
    code, out, err = run(checkout, "scripts/run.sh", "mine.py", "--schedule",
                         "s.mlir", "--out", "here")
    assert code == 0, err
    default = str(checkout / "build/artifacts/mine")
    assert out.splitlines() == [
        f"in {tmp_path}", "optimize", "mine.py", "--out", default,
        "--schedule", "s.mlir", "--out", "here"]


def test_a_file_of_the_checkout(checkout):
    code, out, err = run(checkout, "scripts/run.sh", "examples/example.py")
    assert code == 0 and str(checkout / "examples/example.py") in out, err
    code, out, err = run(checkout, "scripts/run.sh", "examples/example.py",
                         cwd=checkout)
    assert code == 0 and out.splitlines()[1:] == [
        "optimize", "examples/example.py", "--out", "build/artifacts/example"]
    code, _, err = run(checkout, "scripts/run.sh", "none.py")
    assert code == 1 and "error: none.py: no such file" in err


@pytest.mark.parametrize("name", ["run", "build", "test"])
def test_help_installs_nothing(name, checkout):
    for option in ("--help", "-h"):
        code, out, err = run(checkout, f"scripts/{name}.sh", option)
        assert (code, err) == (0, "")
        assert f"\nusage: scripts/{name}.sh" in out and "#" not in out
    code, _, err = run(checkout, f"scripts/{name}.sh", "--halp")
    assert code == 2 and f"error: usage: scripts/{name}.sh" in err
    assert not (checkout / "build").exists()


def test_two_at_once_take_turns(checkout, tmp_path):
    """Those that a script calls do not wait for it."""
    processes = [start(checkout, "scripts/run.sh", "examples/example.py"),
                 start(checkout, "scripts/build.sh", "portable")]
    said = [process.communicate(timeout=60)[1] for process in processes]
    assert [process.returncode for process in processes] == [0, 0], said
    assert (tmp_path / "built").read_text().split() == ["begin", "end"] * 4


def test_who_waits_says_so(checkout):
    (checkout / "build").mkdir()
    with open(checkout / "build/.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        print("test.sh", file=lock, flush=True)
        process = start(checkout, "scripts/build.sh")
        assert process.stderr.readline().partition("] ")[2] == (
            "waiting for another run of scripts/test.sh in this checkout\n")
        assert process.poll() is None
    assert process.communicate(timeout=60)[0] == "" and process.returncode == 0
