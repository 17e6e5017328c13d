# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is run as egg-opt and is none, fails, or dies without a word."""

import os
import stat
import subprocess
import time

import pytest

from egg.egg_opt import find_egg_opt, run_egg_opt, run_limited
from egg.errors import EggError


@pytest.fixture
def program(tmp_path):
    """An executable from a script."""
    def write(text):
        path = tmp_path / "program"
        path.write_text(text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path
    return write


OURS = """#!/bin/sh
case "$*" in *--help*) echo "  --egg-optimize"; exit 0;; esac
"""


@pytest.mark.parametrize("path, message", [
    ("/bin/false", "is not EGG's compiler"),
    ("/bin/true", "is not EGG's compiler"),
    ("/bin/cat", "is not EGG's compiler"),
    ("/nonexistent/egg-opt", "no such program"),
    ("/tmp", "no such program"),
    ("/etc/passwd", "no such program"),
])
def test_another_program(path, message, monkeypatch):
    monkeypatch.setenv("EGG_OPT", path)
    with pytest.raises(EggError) as raised:
        run_egg_opt([], "module {}")
    assert message in raised.value.message
    assert raised.value.where == path and "EGG_OPT" in raised.value.hint
    assert "scripts/build.sh" in raised.value.hint


def test_what_cannot_be_started(program):
    path = program("neither a script nor a program")
    with pytest.raises(EggError, match="cannot be run: Exec format error"):
        run_egg_opt([], "", path=path)


def test_what_lacks_a_library_says_so(program):
    path = program("#!/bin/sh\necho 'libMLIR.so: not found' >&2; exit 127\n")
    with pytest.raises(EggError, match="does not start .*127.*libMLIR.so"):
        find_egg_opt(path)


@pytest.mark.parametrize("ending, message", [
    ("exit 3", r"failed \(exit code 3\) without a message"),
    ("kill -9 $$", r"failed \(signal SIGKILL\) without a message\n.*memory"),
])
def test_silent_failure(program, ending, message):
    path = program(OURS + ending + "\n")
    with pytest.raises(EggError, match=message) as raised:
        run_egg_opt(["--some-pass"], "", path=path)
    assert raised.value.where == str(path) and raised.value.hint


def test_refusal_keeps_its_notes_without_the_excerpt(program):
    path = program(OURS + """cat >&2 <<'END'
a.mlir:1:1: error: accept refused at schedule.mlir:2:3: no such op
  note: correct the syntax
  module {
  ^
a.mlir:1:1: note: see current operation: module
END
exit 1
""")
    with pytest.raises(EggError) as raised:
        run_egg_opt([], "", path=path)
    assert str(raised.value).endswith(
        "error: accept refused at schedule.mlir:2:3: no such op\n"
        "  note: correct the syntax")


def test_the_builds_own_is_ours(egg_opt):
    assert find_egg_opt(egg_opt) == egg_opt
    assert os.access(egg_opt, os.X_OK)


def test_what_ended_as_its_time_ended_is_read():
    """Its own child holds the pipes when the deadline comes."""
    result = run_limited(["sh", "-c", "sleep 1000 & echo said"], "", 0.3, os.environ)
    assert (result.returncode, result.stdout) == (0, "said\n")


def test_pipes_that_nobody_lets_go_of_end_with_the_time():
    begin = time.monotonic()
    with pytest.raises(subprocess.TimeoutExpired):
        run_limited(["sh", "-c", "setsid sleep 20 & echo said"], "", 0.3, os.environ)
    assert time.monotonic() - begin < 15
