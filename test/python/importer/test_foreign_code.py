# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A module's file is foreign code: whatever it does, the command gives one
message with the place and the next step, and keeps standard output its own."""

import textwrap

import pytest

pytest.importorskip("torch_mlir")

from egg import __main__ as command_line  # noqa: E402
from egg.errors import EggError  # noqa: E402
from egg.importer import model_file  # noqa: E402

MODEL = """\
import ctypes, os, sys, torch
{top}
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        {init}
    def forward(self, x):
        {forward}
        return x + 1
def get_inputs():
    {inputs}
    return [torch.rand(4)]
"""

SEGFAULT = "ctypes.string_at(0)"
# What the file does, where, and what is said of it.
ENDS = {
    "exits": ("top", "sys.exit('no GPU here')", "SystemExit: no GPU here"),
    "exits_in_constructor": ("init", "raise SystemExit(0)", "SystemExit: 0"),
    "exits_in_forward": ("forward", "sys.exit(3)", "SystemExit: 3"),
    "interrupts": ("inputs", "raise KeyboardInterrupt", "KeyboardInterrupt"),
    "own_base_exception": (
        "top", "raise type('Stop', (BaseException,), {})('enough')",
        "Stop: enough"),
    "raises": ("top", "raise ValueError('odd')", "ValueError: odd"),
    "syntax": ("top", "x = = 1", "SyntaxError"),
    "leaves": ("top", "os._exit(0)", "the process died (exit code 0)"),
    "crashes": ("top", SEGFAULT, "the process died (signal SIGSEGV)"),
    "crashes_in_forward": ("forward", SEGFAULT, "signal SIGSEGV"),
}


@pytest.fixture
def model(tmp_path):
    def write(**parts):
        text = MODEL.format(**{part: parts.get(part, "pass") for part in
                               ("top", "init", "forward", "inputs")})
        path = tmp_path / "model.py"
        path.write_text(text)
        return path
    return write


@pytest.mark.parametrize("name", ENDS)
def test_what_ends_the_process_is_one_message(name, model, capfd):
    part, code, reason = ENDS[name]
    path = model(**{part: code})
    assert command_line.main(["import", str(path)]) == 1
    captured = capfd.readouterr()
    assert captured.out == ""
    assert captured.err.count("egg: error: ") == 1, captured.err
    message = captured.err[captured.err.index("egg: error: "):]
    assert reason in message and "Traceback" not in message
    line = path.read_text().splitlines().index(
        code if part == "top" else (" " * (4 if part == "inputs" else 8)
                                    + code)) + 1
    # os._exit leaves no trace of where it was called.
    place = str(path) if name == "leaves" else f"{path}:{line}"
    assert message.startswith(f"egg: error: {place}: ")
    assert "\n  next: " in message
    # The place is said once.
    assert "(model.py, line" not in message


def test_endless_file_is_ended(model, capfd):
    path = model(top="while True: pass")
    assert command_line.main(["import", str(path), "--import-timeout",
                              "2"]) == 5
    err = capfd.readouterr().err
    assert f"{path}: importing took more than 2 s" in err
    assert "next: allow more with --import-timeout" in err


def test_prints_go_to_standard_error(model, capfd):
    path = model(top="print('hello')\nos.write(1, b'raw bytes')",
                 inputs="print('inputs')")
    assert command_line.main(["import", str(path)]) == 0
    captured = capfd.readouterr()
    assert "func.func @main" in captured.out
    for text in ("hello", "raw bytes", "inputs"):
        assert text in captured.err and text not in captured.out


@pytest.mark.parametrize("shown", [False, True])
def test_what_torch_logs_comes_before_no_message(shown, model, capfd,
                                                 monkeypatch):
    monkeypatch.setenv("EGG_TORCH_LOG", str(int(shown)))
    path = model(top="import logging",
                 forward="logging.getLogger('mine').warning('my own'); "
                 "torch.mm(x.view(2, 2), torch.rand(3, 3))")
    assert command_line.main(["import", str(path)]) == 1
    err = capfd.readouterr().err
    assert "my own" in err and "same reduction dim" in err
    assert ("Traceback" in err) == shown


SOUND = """
class Model(torch.nn.Module):
    def forward(self, x):
        return x
def get_inputs():
    return [torch.rand(2)]
"""

WRONG = {
    "not_a_module": ("class Model:\n    pass\ndef get_inputs():\n    return []",
                     "'Model' builds a Model, not a torch.nn.Module"),
    "a_number": (SOUND + "Model = 3", "'Model' is an int, not a torch.nn"),
    "init_none": (SOUND + "def get_init_inputs():\n    pass",
                  "get_init_inputs() gives None, not a list"),
    "init_string": (SOUND + "get_init_inputs = lambda: 'abc'",
                    "get_init_inputs() gives a str, not a list"),
    "init_absent": (SOUND + "Model.__init__ = lambda self, size: None",
                    "needs arguments (missing a required argument: 'size'), "
                    "and the file does not define 'get_init_inputs'"),
    "init_too_few": (SOUND + "Model.__init__ = lambda self, a, b: None\n"
                     "get_init_inputs = lambda: [1]",
                     "does not fit the constructor of Model: missing a "
                     "required argument: 'b'"),
    "inputs_too_few": (SOUND + "get_inputs = lambda: []",
                       "get_inputs() gives 0 inputs, which does not fit "
                       "forward(): missing a required argument: 'x'"),
    "inputs_too_many": (SOUND + "get_inputs = lambda: [torch.rand(2)] * 2",
                        "get_inputs() gives 2 inputs, which does not fit "
                        "forward(): too many positional arguments"),
    "no_package": (SOUND + "import no_such_package.part",
                   "No module named 'no_such_package'"),
    "init_too_many": (SOUND + "get_init_inputs = lambda: [1, 2, 3]",
                      "cannot build the module: TypeError"),
    "inputs_none": (SOUND + "def get_inputs():\n    pass",
                    "get_inputs() gives None, not a list"),
    # As a sequence it would be its rows.
    "inputs_tensor": (SOUND + "get_inputs = lambda: torch.rand(2, 3)",
                      "get_inputs() gives a tensor, not a list"),
    "inputs_tensor_itself": (SOUND + "get_inputs = torch.rand(2, 3)",
                             "get_inputs gives a tensor, not a list"),
    "inputs_arrays": (
        SOUND + "import numpy\nget_inputs = lambda: [numpy.zeros(3)]",
        "get_inputs() holds a ndarray, which is no input"),
    "inputs_numbers": (SOUND + "get_inputs = lambda: [1, None]",
                       "get_inputs() holds no tensor, only an int"),
    "inputs_fail": (SOUND + "get_inputs = lambda: [1 / 0]",
                    "get_inputs() fails: ZeroDivisionError"),
}


@pytest.mark.parametrize("real", [False, True])
@pytest.mark.parametrize("name", WRONG)
def test_file_of_another_form(name, real, tmp_path):
    text, message = WRONG[name]
    path = tmp_path / "model.py"
    path.write_text("import torch\n" + textwrap.dedent(text))
    with pytest.raises(EggError) as raised:
        model_file.load_model(path, real=real)
    assert message in raised.value.message
    assert raised.value.where.startswith(str(path))
    assert raised.value.hint
    if name in ("init_absent", "init_too_few", "inputs_too_few", "no_package"):
        line = next(number for number, line in enumerate(
            path.read_text().splitlines(), 1) if any(
                word in line for word in ("__init__", "get_inputs = ",
                                          "no_such")))
        assert raised.value.where == f"{path}:{line}"


def test_measuring_checks_the_same(tmp_path):
    """What egg time builds comes by the same way."""
    from egg.measure.workload import Workload
    path = tmp_path / "model.py"
    path.write_text("import torch\n" + WRONG["init_none"][0])
    with pytest.raises(EggError, match="gives None, not a list"):
        Workload(path, "cpu", "cpu")
    path.write_text("import torch\n" + WRONG["inputs_tensor"][0])
    with pytest.raises(EggError, match="gives a tensor, not a list"):
        Workload(path, "cpu", "cpu").inputs(1)


def test_what_stands_beside_the_file(model, tmp_path, monkeypatch, capsys):
    """It finds its own helpers there; they do not take the place of what
    PyTorch imports, wherever the command is run."""
    path = model(top="import helper_of_mine", forward="x = x * helper_of_mine.TWO")
    (tmp_path / "helper_of_mine.py").write_text("TWO = 2")
    for name in ("egg", "random", "cuda", "tempfile"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('mine')")
    monkeypatch.chdir(tmp_path)
    assert command_line.main(["import", str(path), "-o", "out.mlir"]) == 0, (
        capsys.readouterr().err)


def test_a_folder_is_no_file(tmp_path, capsys):
    assert command_line.main(["import", str(tmp_path)]) == 1
    assert capsys.readouterr().err == (
        f"egg: error: {tmp_path}: is a folder\n"
        "  next: name a file that defines the module\n")
