# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""egg optimize around its parts: the import and egg-opt are stand-ins."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest

import egg
from egg import __main__ as command_line
from egg.errors import EggError
from egg.importer.values import ImportedModule
from egg.pipeline import explain_refusal
from fake_egg_opt import write_fake_egg_opt
from simulated import write_artifact, write_module


@pytest.fixture
def optimize(tmp_path, monkeypatch):
    plan = json.loads(
        (write_artifact(tmp_path / "model") / "plan.json").read_text())
    monkeypatch.setenv("EGG_OPT", str(write_fake_egg_opt(tmp_path / "egg-opt",
                                                         plan)))
    monkeypatch.setattr("egg.measure.session.gpu_absent_reason",
                        lambda: "no CUDA driver: none here")
    file = write_module(tmp_path / "module.py")

    def run(*options, payload="module {}"):
        monkeypatch.setattr(
            "egg.importer.in_child.import_in_child", lambda *arguments, **keywords:
            ImportedModule(payload, [], [], checked="agrees"))
        return command_line.main(["optimize", str(file), "--out",
                                  str(tmp_path / "out"), *options])
    return run


def test_without_a_gpu(optimize, tmp_path, capsys):
    assert optimize() == 0
    captured = capsys.readouterr()
    assert "not timed: no CUDA driver: none here" in captured.out
    assert "2.0000 ms by EGG's model" in captured.out
    assert "importing" in captured.err and "agrees" in captured.err
    report = json.loads((tmp_path / "out/report.json").read_text())
    assert report["import"]["file"] == "module.py"
    assert report["import"]["checked"] == "agrees"


def test_refusal_leaves_nothing(optimize, tmp_path, capsys):
    assert optimize(payload="refuse") == 1
    assert "refused by the stand-in" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_grade_below_what_is_required(optimize, tmp_path, capsys):
    payload = "only tested"
    assert optimize("--require", "exact", payload=payload) == 1
    err = capsys.readouterr().err
    assert ("schedule.mlir: verify refused: the verdict is 'tested', and "
            "'exact' is required; do") in err
    assert "\n  skipped: why" in err and "next: give a lower grade" in err
    assert not (tmp_path / "out").exists()
    assert optimize("--require", "tested", payload=payload) == 0
    with pytest.raises(SystemExit) as ended:
        optimize("--require", "certain")
    assert ended.value.code == 2
    assert "'unverified', 'tested', 'bounded', 'exact', 'proved'" \
        in capsys.readouterr().err.replace('"', "'")


def test_advice_about_limits_names_options():
    error = explain_refusal(EggError(
        "x: error: verify refused at schedule.mlir: it ran too long; raise "
        "verify-seconds (now 120), or verify-memory"), None)
    assert error.message == ("verify refused: it ran too long; raise "
                             "--verify-seconds (now 120), or --verify-memory")


def test_limits_of_the_check_are_passed_on(optimize, monkeypatch):
    seen = []
    monkeypatch.setattr("egg.pipeline.optimize_pass", lambda *given, **_: (
        seen.append(given), f"--egg-optimize=out={given[0]}")[1])
    assert optimize("--verify-seconds", "7", "--verify-memory", "512") == 0
    assert ("verify-seconds", 7.0) in seen[-1][3]
    assert ("verify-memory", 512) in seen[-1][3]


def test_hang_leaves_nothing(optimize, tmp_path, capsys):
    assert optimize("--compile-timeout", "1", payload="hang") == 5
    assert "took more than 1" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """The folder of temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr("tempfile.tempdir", None)
    return folder


@pytest.mark.parametrize("how, code", [("hang", 5), ("crash", 1),
                                       ("refuse", 1), ("succeed", 0)])
def test_nothing_of_egg_opt_is_left(how, code, optimize, tmp_path, temporary,
                                    monkeypatch, capsys):
    """Files beside the artifact, temporary files, processes."""
    monkeypatch.setenv("EGG_TEST_PID", str(tmp_path / "pid"))
    before = set(tmp_path.iterdir())
    assert optimize("--compile-timeout", "3", payload=f"leave {how}") == code
    left = {path.name for path in set(tmp_path.iterdir()) - before}
    assert left == {"pid"} | ({"out"} if code == 0 else set())
    if code == 0:
        assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
            "kernels.cubin", "kernels.ptx", "payload.mlir", "plan.json",
            "report.json", "schedule.mlir", "summary.md"]
    assert list(temporary.iterdir()) == []
    stat = tmp_path / "pid"
    deadline = time.monotonic() + 5
    while is_running(stat.read_text()):
        assert time.monotonic() < deadline
    if code:
        assert capsys.readouterr().err.count("egg: error: ") == 1


def is_running(process):
    try:
        text = pathlib.Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return text.rpartition(")")[2].split()[0] != "Z"


def test_too_little_memory_is_one_message(optimize, capsys):
    assert optimize(payload="exhaust") == 1
    err = capsys.readouterr().err
    assert "needs more than" in err and "MiB of memory" in err
    assert "next: use a machine with more" in err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP,
                                    signal.SIGINT])
def test_ended_by_a_signal(number, tmp_path, temporary):
    """The module's file, its processes and its files go with the command."""
    pid = tmp_path / "pid"
    file = tmp_path / "module.py"
    file.write_text(f"import os, tempfile, time\ntempfile.mkdtemp()\n"
                    f"if os.fork() == 0: os.setsid()\n"
                    f"else: open({str(pid)!r}, 'w').write(str(os.getpid()))\n"
                    "time.sleep(1000)\n")
    package = str(pathlib.Path(egg.__file__).parents[1])
    environment = dict(os.environ, PYTHONPATH=package)
    with subprocess.Popen([sys.executable, "-m", "egg", "import", str(file),
                           "--egg-opt", write_fake_egg_opt(tmp_path / "opt", {})],
                          env=environment, stderr=subprocess.PIPE,
                          text=True) as process:
        deadline = time.monotonic() + 60
        while not pid.exists() or not pid.read_text():
            assert time.monotonic() < deadline and process.poll() is None
            time.sleep(0.05)
        process.send_signal(number)
        _, err = process.communicate(timeout=30)
    assert process.returncode == (130 if number == signal.SIGINT
                                  else 128 + number)
    assert "Traceback" not in err
    assert not is_running(pid.read_text())
    assert list(temporary.iterdir()) == []
