# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The `egg` command finds its subcommands and reports errors as one message."""

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
