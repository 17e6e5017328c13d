# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A module's file that takes too much, or leaves something behind: one message
with the next step, and no process, no temporary file and no output is left."""

import os
import pathlib
import time

import pytest

pytest.importorskip("torch_mlir")

from egg import __main__ as command_line  # noqa: E402

MODEL = """\
import os, sys, subprocess, tempfile, time
import torch
{top}
class Model(torch.nn.Module):
    def forward(self, x):
        return x + 1
def get_inputs():
    {inputs}
    return [torch.rand(4)]
"""
FORK = """
if os.fork() == 0:
    os.setsid()
    open({pid!r}, "w").write(str(os.getpid()))
    time.sleep(1000)
while not os.path.exists({pid!r}) or not open({pid!r}).read():
    time.sleep(0.01)
"""


@pytest.fixture
def run_import(tmp_path, monkeypatch, capfd):
    """Imports a file made of the parts; the exit code, what was printed and
    what is left in the folder of temporary files."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr("tempfile.tempdir", None)

    def run(*arguments, top="pass", inputs="pass"):
        path = tmp_path / "model.py"
        path.write_text(MODEL.format(top=top, inputs=inputs))
        code = command_line.main(["import", str(path), *arguments])
        captured = capfd.readouterr()
        assert os.listdir(temporary) == []
        if code:
            assert captured.out == ""
            assert captured.err.count("egg: error: ") == 1, captured.err
            assert "Traceback" not in captured.err
            assert "\n  next: " in captured.err
        return code, captured
    return run


def has_ended(pid_file):
    text = pathlib.Path(f"/proc/{pid_file.read_text()}")
    return not text.exists()


@pytest.mark.parametrize("end", ["", "os._exit(3)", "os.abort()", "sys.exit(1)",
                                 "while True: time.sleep(1)"])
def test_forked_process_is_ended(end, run_import, tmp_path):
    pid, start = tmp_path / "pid", time.monotonic()
    code, _ = run_import("--import-timeout", "20",
                         top=FORK.format(pid=str(pid)) + end)
    assert code == {"": 0, "while True: time.sleep(1)": 5}.get(end, 1)
    assert time.monotonic() - start < 40
    assert has_ended(pid)


@pytest.mark.parametrize("code", ["x = bytearray(100 << 30)",
                                  "x = torch.zeros(100 << 28)"])
@pytest.mark.parametrize("part", ["top", "inputs"])
def test_memory_that_is_not_there(code, part, run_import, tmp_path):
    # Module and inputs are built without values where that can be.
    more = {} if part == "top" else {"top": "torch.rand(1).numpy()"}
    result, captured = run_import("--import-memory", "3000", "--verify",
                                  **{**more, part: code})
    assert result == 1
    path = tmp_path / "model.py"
    assert (f"egg: error: {path}:" in captured.err
            and "importing needs more than 3000 MiB of memory: "
            in captured.err)
    assert "next: allow more with --import-memory" in captured.err


def test_memory_that_is_used_up(run_import):
    code, captured = run_import(
        "--import-memory", "1500",
        top="held = []\nfor _ in range(4): os.fork()\n"
        "for _ in range(1000): held.append(os.urandom(1 << 20))")
    assert code == 1
    assert "importing needs more than 1500 MiB of memory: it used " \
        in captured.err


def test_too_many_processes(run_import):
    code, captured = run_import(
        top="for _ in range(9): os.fork()\ntime.sleep(1000)")
    assert code == 1
    assert "the limit is 256" in captured.err
    assert "next: start no processes" in captured.err


def test_endless_output_is_cut(run_import):
    code, captured = run_import(
        top="os.write(1, b'first words')\n"
        "for _ in range(300): os.write(1, b'y' * (1 << 20))\n"
        "os.write(2, b'last words')")
    assert code == 0
    assert "func.func @main" in captured.out
    assert captured.err.startswith("first words")
    assert "last words" in captured.err
    assert "bytes of output are left out here]" in captured.err
    assert len(captured.err) < 200000


def test_large_file_is_refused(run_import):
    code, captured = run_import(
        top="file = tempfile.NamedTemporaryFile(delete=False)\n"
        "os.posix_fallocate(file.fileno(), 0, 2 << 30)")
    assert code == 1
    assert "File too large" in captured.err
    assert "may have 1024 MiB" in captured.err


def test_full_disk_is_one_message(run_import):
    code, captured = run_import(
        top="raise OSError(28, os.strerror(28), '/somewhere')")
    assert code == 1
    assert "no space for temporary files: OSError: [Errno 28] No space left " \
        "on device: '/somewhere'" in captured.err
    assert "set TMPDIR" in captured.err


def test_no_folder_for_temporary_files(tmp_path, monkeypatch, capfd):
    """One that is full is found to be unusable in the same way."""
    def fail(**_):
        raise OSError(28, os.strerror(28))
    monkeypatch.setattr("tempfile.mkdtemp", fail)
    path = tmp_path / "model.py"
    path.write_text(MODEL.format(top="", inputs="pass"))
    assert command_line.main(["import", str(path)]) == 1
    assert "cannot make a temporary folder: No space left on device" \
        in capfd.readouterr().err


def test_tool_that_finds_the_disk_full(tmp_path, monkeypatch):
    """LLVM's tools say it in their own words."""
    from egg.importer import cpu_program
    tool = tmp_path / "tool"
    tool.write_text("#!/bin/sh\necho 'LLVM ERROR: IO failure on output stream: "
                    "No space left on device' >&2\nexit 1\n")
    tool.chmod(0o755)
    with pytest.raises(OSError, match="No space left on device: 'out'"):
        cpu_program.run([tool, "-o", "out"], 10)


def test_control_sequences_do_not_reach_the_terminal(run_import):
    code, captured = run_import(top="print('\\x1b[31mred\\x9b0m')")
    assert code == 0 and r"\x1b[31mred\x9b0m" in captured.err
    code, captured = run_import(top="raise ValueError('\\x1b]0;title\\x07')")
    assert code == 1 and r"ValueError: \x1b]0;title\x07" in captured.err
    assert "\x1b" not in captured.err
