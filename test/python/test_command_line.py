# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The `egg` command finds its subcommands and reports errors as one message."""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import types

import pytest

from egg import __main__ as command_line
from egg.errors import EggError


@pytest.fixture
def failing_command(monkeypatch):
    """Makes `egg fail-now` the only subcommand."""

    def run(args):
        raise EggError("no such device", where="gpu 3", hint="use gpu 0",
                       exit_code=7)

    command = types.SimpleNamespace(__doc__="Fails.", HELP="fails", run=run,
                                    add_arguments=lambda parser: None)
    info = types.SimpleNamespace(name="fail_now")
    monkeypatch.setattr(command_line.pkgutil, "iter_modules",
                        lambda path: [info])
    monkeypatch.setattr(command_line.importlib, "import_module",
                        lambda name: command)


def test_error_is_one_message_with_the_next_step(failing_command, capsys):
    assert command_line.main(["fail-now"]) == 7
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == ("egg: error: gpu 3: no such device\n"
                            "  next: use gpu 0\n")


def test_unknown_command_is_a_usage_error(failing_command, capsys):
    with pytest.raises(SystemExit) as exit_info:
        command_line.main(["no-such-command"])
    assert exit_info.value.code == 2
    assert "fail-now" in capsys.readouterr().err


def test_no_command_is_a_usage_error(capsys):
    with pytest.raises(SystemExit) as exit_info:
        command_line.main([])
    assert exit_info.value.code == 2
    assert "required: COMMAND" in capsys.readouterr().err


def test_versions(egg_opt, monkeypatch, capsys):
    monkeypatch.setenv("EGG_OPT", str(egg_opt))
    assert command_line.main(["--version"]) == 0
    assert re.fullmatch(r"EGG \d+\.\d+\.\d+\nrevision \w+\nLLVM 2\d[\d.]+\n",
                        capsys.readouterr().out)
    monkeypatch.setenv("EGG_OPT", "/none")
    assert command_line.main(["--version"]) == 1
    assert "/none: no such program" in capsys.readouterr().err


def subcommands():
    parser = command_line.build_parser()
    action = next(a for a in parser._actions
                  if isinstance(a, argparse._SubParsersAction))
    return action.choices


@pytest.mark.parametrize("name", subcommands())
def test_help_explains_every_option(name):
    """Its meaning, the unit of what takes seconds, and its default."""
    parser = subcommands()[name]
    text = " ".join(parser.format_help().split())
    assert "exit codes: 0 done" in text
    for action in parser._actions:
        assert action.help, action.dest
        if action.metavar == "S":
            assert "seconds" in action.help
        takes_value = action.option_strings and action.nargs != 0
        if takes_value and not action.required:
            needed = action.default is None or str(action.default) in \
                action.help
            assert needed and re.search(
                r"\(default|\(needed", action.help), action.dest


@pytest.mark.parametrize("arguments", [
    ["time", "m.py", "dir", "--timeout", "-1"],
    ["time", "m.py", "dir", "--timeout", "nan"],
    ["time", "m.py", "dir", "--timeout", "inf"],
    ["time", "m.py", "dir", "--timeout", "soon"],
    ["time", "m.py", "dir", "--seeds", "0"],
    ["time", "m.py", "dir", "--seeds", "1.5"],
    ["optimize", "m.py", "--out", "o", "--compile-timeout", "0"],
    ["kernelbench", "--out", "o", "--jobs", "0"],
    ["time", "m.py", "dir", "--device", "-3"],
])
def test_numbers_without_sense_are_usage_errors(arguments, capsys):
    with pytest.raises(SystemExit) as exit_info:
        command_line.main(arguments)
    assert exit_info.value.code == 2
    assert f"argument {arguments[-2]}: '{arguments[-1]}' is not" in (
        capsys.readouterr().err)


def test_counts_have_their_plural():
    from egg.words import count
    assert [count(n, "launch") for n in (0, 1, 2)] == [
        "0 launches", "1 launch", "2 launches"]
    assert count(1, "result") == "1 result"
    assert count(3, "result") == "3 results"


def run_module(arguments, redirection, folder):
    """python -m egg, as a shell runs it in a folder."""
    package = str(pathlib.Path(command_line.__file__).parents[1])
    return subprocess.run(
        f"'{sys.executable}' -m egg {arguments} {redirection}", shell=True,
        cwd=folder, env=dict(os.environ, PYTHONPATH=package), text=True,
        capture_output=True, timeout=60)


@pytest.mark.parametrize("arguments", [
    "--help", "show --help", "--version", "show --trajectory SESSION"])
@pytest.mark.parametrize("redirection, reason", [
    (">/dev/full", "No space left on device"), (">&-", "Bad file descriptor")])
def test_lost_output_is_an_error(arguments, redirection, reason, root, egg_opt,
                                 tmp_path, monkeypatch):
    monkeypatch.setenv("EGG_OPT", str(egg_opt))
    session = root / "test/sessions/level1_41"
    done = run_module(arguments.replace("SESSION", str(session)), redirection,
                      tmp_path)
    assert (done.returncode, done.stderr) == (
        1, f"egg: error: cannot write standard output: {reason}\n"
        "  next: free space there, or send the output elsewhere\n")


def test_a_reader_that_has_enough_is_no_error(tmp_path):
    done = run_module("--help", "| true", tmp_path)
    assert done.stderr == ""


def test_standard_error_may_be_closed(tmp_path):
    for redirection in ("2>&-", "2>/dev/full"):
        done = run_module("show none", redirection, tmp_path)
        assert (done.returncode, done.stdout) == (1, "")


def test_files_of_the_callers_folder_are_not_imported(tmp_path):
    for name in ("random", "tempfile", "argparse"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('mine')")
    done = run_module("show none", "", tmp_path)
    assert done.returncode == 1 and "no such artifact" in done.stderr
