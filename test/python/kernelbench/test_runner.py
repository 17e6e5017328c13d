# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The KernelBench runner over a small tree of problems, with a stand-in for
egg-opt and the simulated driver: rows, resuming, failures that stop nothing."""

import json
import pathlib

import pytest

from egg import __main__ as command_line
from fake_egg_opt import write_fake_egg_opt
from simulated import write_artifact, write_module

pytest.importorskip("torch")


@pytest.fixture
def bench(tmp_path, monkeypatch, fake):
    """Three problems of level 1 whose payloads are there, so that nothing is
    imported; returns a function that runs the command and gives the rows."""
    plan = json.loads(
        (write_artifact(tmp_path / "model") / "plan.json").read_text())
    monkeypatch.setenv("EGG_OPT", str(write_fake_egg_opt(tmp_path / "egg-opt",
                                                         plan)))
    monkeypatch.setenv("EGG_TEST_DRIVER", str(fake.path))
    monkeypatch.setenv("PYTHONPATH", str(pathlib.Path(__file__).parents[1]))
    monkeypatch.setattr("egg.measure.session.TASK",
                        "worker_tasks:measure_for_egg")
    monkeypatch.setattr("egg.measure.session.gpu_absent_reason", lambda: None)
    for name, step in (("1_Right", 1), ("2_Wrong", 2), ("10_Last", 1)):
        (tmp_path / "root/level1").mkdir(parents=True, exist_ok=True)
        write_module(tmp_path / f"root/level1/{name}.py", step)
        set_payload(tmp_path, name, "module {}")

    def run(*options, code=0):
        assert code == command_line.main([
            "kernelbench", "--root", str(tmp_path / "root"), "--out",
            str(tmp_path / "out"), "--levels", "1", *options])
        lines = (tmp_path / "out/results.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]
    return run


def set_payload(tmp_path, name, text):
    path = tmp_path / f"out/payloads/level1/{name}.mlir"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.with_suffix(".json").write_text("{}")


def test_compiles_each_problem_in_order(bench):
    rows = bench("--stage", "compile")
    assert [row["problem"] for row in rows] == [1, 2, 10]
    assert all(row["reached"] == "compile" and row["failure"] is None
               and row["ptxas"] == "accepted" for row in rows)
    assert rows[0]["payload_sha256"] == rows[1]["payload_sha256"]


def test_goes_on_where_it_stopped(bench):
    bench("--stage", "compile", "--problems", "1")
    rows = bench("--stage", "compile")
    assert [row["problem"] for row in rows] == [1, 2, 10]


def test_half_a_line_of_a_killed_run_is_passed_over(bench, tmp_path):
    bench("--stage", "compile", "--problems", "1")
    with open(tmp_path / "out/results.jsonl", "a") as file:
        file.write('{"level": 1, "pro')
    assert command_line.main([
        "kernelbench", "--root", str(tmp_path / "root"), "--out",
        str(tmp_path / "out"), "--levels", "1"]) == 0
    lines = (tmp_path / "out/results.jsonl").read_text().splitlines()
    assert len(lines) == 4
    assert json.loads(lines[2])["problem"] == 2


def test_failures_are_rows_and_stop_nothing(bench, tmp_path, capsys):
    set_payload(tmp_path, "1_Right", "refuse")
    set_payload(tmp_path, "2_Wrong", "hang")
    rows = bench("--stage", "compile", "--compile-timeout", "3", code=1)
    refused, hung, fine = rows
    assert refused["reached"] == "import"
    assert refused["failure"]["stage"] == "compile"
    assert "refused by the stand-in" in refused["failure"]["message"]
    assert hung["failure"]["kind"] == "timeout"
    assert fine["failure"] is None
    out = capsys.readouterr().out
    assert "failures: 2" in out and "1_Right: compile" in out
    # Rows that stand fail too; what got through an earlier stage does not.
    assert len(bench("--stage", "compile", code=1)) == 3
    assert len(bench("--stage", "import")) == 3
    assert len(bench("--summary")) == 3
    set_payload(tmp_path, "1_Right", "module {}")
    retried = bench("--stage", "compile", "--retry", "--problems", "1")
    assert retried[-1]["failure"] is None and len(retried) == 4


def test_compares_and_names_wrong_results(bench):
    right, wrong, last = bench("--stage", "time", "--baselines", "none",
                               code=1)
    assert right["correct"] and right["reached"] == "time"
    assert right["seeds"] == 5 and right["fp64"]["egg"] < 1e-6
    assert not wrong["correct"] and wrong["reached"] == "compile"
    assert wrong["failure"]["kind"] == "wrong"
    assert "64 of 64 elements" in wrong["failure"]["message"]
    assert last["correct"]


def test_fault_costs_one_problem(bench, tmp_path):
    write_artifact(tmp_path / "out/artifacts/level1/2_Wrong",
                   kernel="fault_k")
    (tmp_path / "out/artifacts/level1/2_Wrong/payload.mlir").write_text("")
    rows = bench("--stage", "time", "--baselines", "none", code=1)
    assert [row["failure"] and row["failure"]["kind"] for row in rows] == [
        None, "fault", None]


def test_artifacts_made_elsewhere_need_no_import(bench, tmp_path):
    bench("--stage", "compile", "--problems", "1")
    (tmp_path / "out/artifacts").rename(tmp_path / "carried")
    for file in (tmp_path / "out/payloads/level1").iterdir():
        file.unlink()
    rows = bench("--stage", "time", "--baselines", "none", "--problems", "1",
                 "--artifacts", str(tmp_path / "carried"))
    assert rows[-1]["correct"]


def test_an_unknown_chip_is_one_error(tmp_path, bench, capsys):
    assert command_line.main([
        "kernelbench", "--root", str(tmp_path / "root"), "--out",
        str(tmp_path / "out"), "--chip", "sm_1"]) == 2
    assert "unknown chip 'sm_1'" in capsys.readouterr().err
    assert not (tmp_path / "out/results.jsonl").exists()


def test_timings_take_turns(bench, tmp_path, capsys):
    assert command_line.main([
        "kernelbench", "--root", str(tmp_path / "root"), "--out",
        str(tmp_path / "out"), "--stage", "time", "--jobs", "2"]) == 2
    assert "--jobs 1" in capsys.readouterr().err


def test_summary_of_nothing_is_no_failure(tmp_path, capsys):
    assert command_line.main(["kernelbench", "--summary", "--out",
                              str(tmp_path)]) == 0
    assert capsys.readouterr().out == "no rows yet\n"
