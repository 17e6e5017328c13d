# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""egg selfcheck tells wrong kernels that pass from what else can go wrong."""

import stat
import sys

import pytest

from egg import __main__ as command_line

# Writes its table as egg-opt does, and ends with an error of its own.
STAND_IN = """#!{python}
import pathlib, re, sys
if "--help" in sys.argv:
    sys.exit(print("  --egg-optimize"))
table = re.search('output="?([^" ]+)', " ".join(sys.argv))[1]
pathlib.Path(table).write_text("the table\\n")
sys.exit("<stdin>:1:1: error: [selfcheck] {error}" if {error!r} else 0)
"""


@pytest.fixture
def selfcheck(tmp_path):
    def run(error, *arguments):
        program = tmp_path / "egg-opt"
        program.write_text(STAND_IN.format(python=sys.executable, error=error))
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return command_line.main(["selfcheck", "--egg-opt", str(program),
                                  *map(str, arguments)])
    return run


def test_it_says_that_it_works(selfcheck, capsys):
    assert selfcheck("") == 0
    captured = capsys.readouterr()
    assert captured.out == "the table\n"
    assert "s] breaking kernels of all classes\n" in captured.err


def test_a_survivor(selfcheck, capsys):
    assert selfcheck("the check lets wrong kernels through or refuses") == 1
    captured = capsys.readouterr()
    assert captured.out == "the table\n"
    assert "the check lets wrong kernels through, or refuses right ones\n  " \
        "next: the table names them" in captured.err


def test_another_error_is_no_survivor(selfcheck, capsys):
    assert selfcheck("cannot write 'x': No space left on device") == 1
    captured = capsys.readouterr()
    assert captured.out == "the table\n"
    assert "egg: error: cannot write 'x': No space left on device\n" \
        in captured.err
    assert "wrong kernels" not in captured.err


def test_a_place_that_cannot_be_written_is_said_first(selfcheck, tmp_path,
                                                      capsys):
    (tmp_path / "file").write_text("")
    for out, reason in (("file/x.json", "is not a folder"), (".", "is a folder")):
        assert selfcheck("", "--out", tmp_path / out) == 1
        captured = capsys.readouterr()
        assert reason in captured.err and "breaking" not in captured.err
        assert captured.out == ""


@pytest.mark.parametrize("option, said, hint", [
    ("--classes", "there is no class 'nosuch'", "egg selfcheck --list names"),
    ("--mutations", "there is no mutation 'nosuch'", "egg selfcheck --list names"),
    ("--chip", "unknown chip 'nosuch'", "name another chip")])
def test_unknown_names(option, said, hint, egg_opt, capsys):
    assert command_line.main(["selfcheck", option, "nosuch", "--egg-opt",
                              str(egg_opt)]) == 2
    err = capsys.readouterr().err
    assert said in err and "--egg-selfcheck" not in err
    assert f"next: {hint}" in err
