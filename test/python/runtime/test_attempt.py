# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a session is told of a script on the GPU: over the simulated driver,
with a program in ncu's place."""

import argparse
import io
import pathlib
import shlex
import sys
import types

import pytest

from egg import children
from egg.errors import EggError
from egg.measure import attempt, counters
from simulated import write_artifact, write_module

torch = pytest.importorskip("torch")

RAW = """==PROF== Connected to process 7
==PROF== Profiling "add_one": 0%....100% - 2 passes
noise of the program
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream",\
"Block Size","Grid Size","Device","CC","gpu__time_duration.sum","launch__grid_size"
"","","","","","","","","","","","ns",""
"0","7","python","host","add_one","1","7","(64, 1, 1)","(1, 1, 1)","0","9.0",\
"2,500","1"
"1","7","python","host","add_one","1","7","(64, 1, 1)","(1, 1, 1)","0","9.0",\
"9,999","9"
"2","7","python","host","noop","1","7","(64, 1, 1)","(1, 1, 1)","0","9.0",\
"1000","n/a"
"""


@pytest.fixture
def fake_ncu(fake_tool):
    """ncu that prints and ends as told."""
    return lambda does: fake_tool("ncu", does)


def count(timeout=5):
    return counters.count_events(["add_one", "noop"], ["launch__grid_size"],
                                 {"file": "x"}, timeout)


def test_counters_of_the_first_launches(fake_ncu, tmp_path):
    fake_ncu(f"print({RAW!r}); open({str(tmp_path / 'command')!r}, 'w')"
             ".write(' '.join(sys.argv[1:]))")
    assert count() == ({
        "add_one": {"seconds": 2500e-9, "counters": {"launch__grid_size": 1}},
        "noop": {"seconds": 1000e-9, "counters": {}}}, None)
    command = (tmp_path / "command").read_text()
    assert "--clock-control none" in command
    assert "regex:^(add_one|noop)$" in command
    assert "gpu__time_duration.sum,launch__grid_size" in command
    assert "-m egg.measure.one_launch {" in command


@pytest.mark.parametrize("does, reason", [
    ("print('==ERROR== ERR_NVGPUCTRPERM - no permission'); print('x')\n"
     "sys.exit(1)", "(exit code 1): ==ERROR== ERR_NVGPUCTRPERM"),
    ("print('no kernel'); sys.exit(0)", "ncu gave no counters"),
    ("time.sleep(100)", "ncu took more than 2 s")])
def test_ncu_that_does_not_run(fake_ncu, does, reason):
    fake_ncu(does)
    measured, why = count(timeout=2)
    assert measured == {} and reason in why


def test_ncu_that_is_absent(monkeypatch):
    monkeypatch.setattr(counters.one_launch, "find_tool", lambda *_: None)
    assert "not found on the PATH" in count()[1]


@pytest.fixture
def measure(tmp_path, fake, build_dir, monkeypatch):
    """An attempt's answer over the simulated driver."""
    monkeypatch.setattr(attempt, "TASK", "worker_tasks:attempt_simulated")
    monkeypatch.setenv("PYTHONPATH", str(pathlib.Path(__file__).parents[1]))
    monkeypatch.setenv("EGG_RUNTIME",
                       str(build_dir / "lib/libEGGRuntimeC.so"))

    def measure(step=1, seconds=0, timeout=120, **artifact):
        return attempt.measure_attempt(
            write_module(tmp_path / "module.py", step),
            write_artifact(tmp_path / "artifact", **artifact),
            ["launch__grid_size"], timeout, driver_path=str(fake.path),
            seconds=seconds)
    return measure


def test_the_fastest_way_counts(measure, fake_ncu):
    fake_ncu(f"print({RAW!r})")
    answer = measure()
    assert answer["measured"]["seconds"] == pytest.approx(1e-3)
    assert answer["measured"]["kernels"]["add_one"]["counters"] == {
        "launch__grid_size": 1}
    assert 0 < answer["gpu_seconds"] < 120


def test_without_counters(measure, monkeypatch, capsys):
    monkeypatch.setattr(counters.one_launch, "find_tool", lambda *_: None)
    assert measure()["measured"]["kernels"] == {}
    assert "no counters: ncu was not found" in capsys.readouterr().err


@pytest.mark.parametrize("how, reason", [
    ({"step": 1.001}, "the results on the GPU differ from the module's: "
     "output 0 has 64 of 64 elements outside the tolerance"),
    ({"threads": 65}, "a kernel wrote outside output 'output_0'"),
    ({"kernel": "fault"}, "a kernel faults on the GPU: "),
    ({"seconds": 100, "timeout": 20}, "took more than 20 s and was ended")])
def test_what_is_wrong_is_refused(measure, how, reason):
    answer = measure(**how)
    assert "measured" not in answer
    assert reason in answer["refused"]["reason"]
    assert answer["refused"]["remedy"]


def result_of(**changes):
    figures = {"ok": False, "violations": 1, "elements": 2, "non_finite": 0,
               "max_abs": 1.0}
    trial = {"complaint": None, "buffers": {}, "outputs": [figures]}
    return dict({"correct": False, "within_policy": True,
                 "trials": [dict(trial, **changes.pop("trial", {}))]},
                **changes)


@pytest.mark.parametrize("changes, dtype, acceptable", [
    ({}, torch.float32, True),
    ({"correct": True, "within_policy": None}, torch.float32, True),
    # A policy about floats excuses no integer, no stray write and no buffer.
    ({}, torch.int64, False),
    ({"trial": {"complaint": "a kernel wrote outside"}}, torch.float32, False),
    ({"trial": {"buffers": {"b": {"ok": False}}}}, torch.float32, False),
    ({"within_policy": False}, torch.float32, False),
    ({"within_policy": None}, torch.float32, False)])
def test_the_policy_decides_where_the_tolerance_is_missed(changes, dtype,
                                                          acceptable):
    from egg.measure.task import is_acceptable
    assert is_acceptable(result_of(**changes),
                         [torch.zeros(2, dtype=dtype)]) == acceptable


def test_what_cannot_be_measured_is_an_error(tmp_path):
    with pytest.raises(EggError):
        attempt.measure_attempt(tmp_path / "none.py", tmp_path, [], 60)


def test_the_command_of_a_session():
    arguments = types.SimpleNamespace(module="My Model", inputs="get_inputs",
                                      inputs_on="gpu", device=1, timeout=60.0)
    words = shlex.split(attempt.command("a b.py", arguments))
    start = words.index("egg.measure.attempt") + 1
    assert words[:start] == children.python_command("egg.measure.attempt")
    assert words[-1] == str(pathlib.Path("a b.py").absolute())
    parser = argparse.ArgumentParser()
    attempt.add_arguments(parser)
    parsed = parser.parse_args(words[start:] + ["DIR"])
    assert (parsed.module, parsed.device, parsed.artifact) == (
        "My Model", 1, "DIR")


def test_no_gpu_is_one_line(tmp_path, capsys, monkeypatch, build_dir):
    """As egg-opt starts it."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("{}"))
    monkeypatch.setenv("EGG_RUNTIME",
                       str(build_dir / "lib/libEGGRuntimeC.so"))
    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    code = attempt.main([str(write_module(tmp_path / "module.py", 1)),
                         str(write_artifact(tmp_path / "artifact"))])
    assert code == 3
    captured = capsys.readouterr()
    assert "no CUDA driver" in captured.err and captured.out == ""
