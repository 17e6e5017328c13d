# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""egg time from the outside: what it prints, records and returns, and that a
failure leaves the report as it was."""

import json
import pathlib

import pytest

from egg import __main__ as command_line
from simulated import write_artifact, write_module

pytest.importorskip("torch")


@pytest.fixture
def egg_time(tmp_path, monkeypatch, fake):
    """Runs egg time with the simulated driver in the worker."""
    monkeypatch.setenv("EGG_TEST_DRIVER", str(fake.path))
    monkeypatch.setenv("PYTHONPATH", str(pathlib.Path(__file__).parents[1]))
    monkeypatch.setattr("egg.measure.session.TASK",
                        "worker_tasks:measure_for_egg")
    monkeypatch.setattr("egg.measure.session.PROBE",
                        "worker_tasks:probe_simulated")

    def run(*options, step=1, **artifact):
        directory = write_artifact(tmp_path / "artifact", **artifact)
        file = write_module(tmp_path / "module.py", step)
        return command_line.main(["time", str(file), str(directory), *options])
    return run


def report(tmp_path):
    return json.loads((tmp_path / "artifact/report.json").read_text())


def test_right_results(egg_time, tmp_path, capsys):
    assert egg_time() == 0
    assert "correct      yes: 5 of 5 seeds" in capsys.readouterr().out
    assert report(tmp_path)["measurement"]["correct"]


def test_summary_keeps_the_last_measurement(egg_time, tmp_path):
    summary = tmp_path / "artifact/summary.md"
    (tmp_path / "artifact").mkdir()
    summary.write_text("# What EGG made\n\nPredicted: 1 ms. Not timed.\n")
    assert egg_time() == 0
    assert egg_time(step=2) == 1
    text = summary.read_text()
    assert text.startswith("# What EGG made\n\nPredicted: 1 ms.\n\n## Measured")
    assert text.count("correct") == 1 and "NO: 0 of 5 seeds" in text


def test_wrong_results(egg_time, tmp_path, capsys):
    assert egg_time("--json", step=2) == 1
    assert json.loads(capsys.readouterr().out)["correct"] is False
    assert report(tmp_path)["measurement"]["correct"] is False


def test_unwritten_element_is_explained(egg_time, capsys):
    assert egg_time(threads=63) == 1
    out = capsys.readouterr().out
    assert "1 of 64 elements outside the tolerance (1 not finite)" in out
    assert "wrong results are not timed" in out


def test_fault(egg_time, tmp_path, capsys):
    assert egg_time(kernel="fault_k") == 4
    err = capsys.readouterr().err
    assert "kernel 'fault_k'" in err and "ILLEGAL_ADDRESS" in err
    assert report(tmp_path) == {}


def test_hang(egg_time, tmp_path, capsys):
    assert egg_time("--timeout", "15", kernel="hang_k") == 5
    err = capsys.readouterr().err
    assert "took more than 15 s" in err and "next:" in err
    assert report(tmp_path) == {}


def test_no_gpu(tmp_path, monkeypatch, capsys, build_dir):
    """Where there is a driver the missing one is a library without symbols."""
    monkeypatch.setenv("EGG_RUNTIME",
                       str(build_dir / "lib/libEGGRuntimeC.so"))
    monkeypatch.setattr("egg.measure.session.TASK",
                        "egg.measure.task:measure")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    (tmp_path / "libcuda.so.1").write_text("not a library")
    artifact = write_artifact(tmp_path / "artifact")
    file = write_module(tmp_path / "module.py")
    assert command_line.main(["time", str(file), str(artifact)]) == 3
    assert "no CUDA driver" in capsys.readouterr().err


@pytest.mark.parametrize("remove, message", [
    ("module.py", "module.py: no such file"),
    ("artifact/plan.json", "is not an artifact: it holds no plan.json"),
    ("artifact/report.json", "is not an artifact: it holds no report.json")])
def test_missing_files(tmp_path, capsys, remove, message):
    artifact = write_artifact(tmp_path / "artifact")
    file = write_module(tmp_path / "module.py")
    (tmp_path / remove).unlink()
    assert command_line.main(["time", str(file), str(artifact)]) == 1
    assert message in capsys.readouterr().err


def test_unknown_baseline(tmp_path, capsys):
    assert command_line.main(["time", "m.py", "dir",
                              "--baselines", "eager,jax"]) == 2
    assert "unknown baseline 'jax'" in capsys.readouterr().err


@pytest.mark.parametrize("kernel, code", [("fault", 4), ("hang", 5)])
@pytest.mark.parametrize("problem", [None, "fell off the bus"])
def test_the_gpu_is_looked_at_after_a_loss(kernel, code, problem, egg_time,
                                           monkeypatch, capsys):
    if problem:
        monkeypatch.setenv("EGG_TEST_GPU_PROBLEM", problem)
    assert egg_time("--timeout", "8", kernel=kernel) == code
    err = capsys.readouterr().err
    assert ("the GPU does not work in a new process either: fell off the bus"
            if problem else "the GPU works in a new process") in err


def test_within_the_precision_policy(egg_time, tmp_path, capsys):
    assert egg_time() == 0
    assert "precision    within 'match'" in capsys.readouterr().out
    measurement = report(tmp_path)["measurement"]
    assert measurement["within_policy"] is True
    assert measurement["fp64"]["match"][0]["ok"]


def test_beyond_the_precision_policy(egg_time, tmp_path, capsys):
    """Within KernelBench's tolerance, but further off than PyTorch."""
    assert egg_time(step=1.00001) == 1
    out = capsys.readouterr().out
    assert "correct      yes" in out
    assert "precision    NOT within 'match': output 0 has errors of 1.0" in out
    assert report(tmp_path)["measurement"]["within_policy"] is False
