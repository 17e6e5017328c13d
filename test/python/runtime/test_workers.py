# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Workers: answers, failures of every kind, and what is left afterwards."""

import os
import pathlib
import subprocess
import sys
import time

import pytest

from egg import children
from egg.workers import TaskFailure, Worker, WorkerFailure


@pytest.fixture
def worker():
    here = str(pathlib.Path(__file__).parents[1])
    with Worker(environment={"PYTHONPATH": here}) as worker:
        yield worker


def call(worker, name, timeout=60, **arguments):
    return worker.call(f"worker_tasks:{name}", arguments, timeout)


def test_one_process_answers_many_tasks(worker):
    first = call(worker, "echo", value=[1, {"a": None}])
    assert first["value"] == [1, {"a": None}]
    assert call(worker, "echo", value=2)["process"] == first["process"]


def test_refusal_and_bug_keep_the_process(worker):
    process = call(worker, "echo", value=0)["process"]
    with pytest.raises(TaskFailure, match="here: not this one") as refused:
        call(worker, "refuse")
    assert refused.value.kind == "refused"
    with pytest.raises(TaskFailure, match="ValueError: a bug") as bug:
        call(worker, "raise_bug")
    assert bug.value.kind == "exception"
    assert "in raise_bug" in bug.value.details
    assert call(worker, "echo", value=0)["process"] == process


def test_kernel_fault_replaces_the_process(worker):
    process = call(worker, "echo", value=0)["process"]
    with pytest.raises(TaskFailure) as failure:
        call(worker, "kernel_fault")
    assert failure.value.kind == "fault"
    assert call(worker, "echo", value=0)["process"] != process


def test_hang_is_ended_in_time(worker):
    process = call(worker, "echo", value=0)["process"]
    start = time.monotonic()
    with pytest.raises(WorkerFailure, match="more than 0.5 s") as failure:
        call(worker, "hang", timeout=0.5)
    assert failure.value.kind == "timeout"
    assert time.monotonic() - start < 5
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    assert call(worker, "echo", value=5)["value"] == 5


def test_crash_is_reported_with_the_last_words(worker):
    with pytest.raises(WorkerFailure, match="SIGABRT.*last words") as failure:
        call(worker, "die")
    assert failure.value.kind == "crash"
    assert call(worker, "echo", value=5)["value"] == 5


def test_unknown_task(worker):
    with pytest.raises(TaskFailure, match="no_such_task"):
        call(worker, "no_such_task")


def test_worker_ends_with_its_parent(tmp_path):
    """Also where the parent was killed and could end nobody."""
    here = str(pathlib.Path(__file__).parents[1])
    script = (f"from egg.workers import Worker\n"
              f"worker = Worker(environment={{'PYTHONPATH': {here!r}}})\n"
              f"print(worker.call('worker_tasks:echo', {{'value': 1}}, 60)"
              f"['process'], flush=True)\n"
              f"worker.call('worker_tasks:hang', {{}}, 1000)\n")
    with subprocess.Popen([sys.executable, "-c", script], text=True,
                          stdout=subprocess.PIPE) as parent:
        process = int(parent.stdout.readline())
        os.kill(process, 0)
        parent.kill()
    deadline = time.monotonic() + 20
    while pathlib.Path(f"/proc/{process}").exists() and "Z" not in pathlib.Path(
            f"/proc/{process}/stat").read_text().split(")")[1].split()[0]:
        assert time.monotonic() < deadline, "the worker lives on"
        time.sleep(0.05)


def test_exception_that_cannot_be_printed_is_a_failure(worker):
    with pytest.raises(TaskFailure, match="cannot be printed"):
        call(worker, "raise_unprintable")
    assert call(worker, "echo", value=1)["value"] == 1


@pytest.mark.parametrize("version", [sys.version_info[:2], (3, 10)])
def test_the_callers_folder_is_not_searched(version, tmp_path, monkeypatch):
    """Nor where PYTHONPATH ends with a colon. A Python before 3.11 is started
    in another way."""
    for name in ("egg", "random", "tempfile", "worker_tasks"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('mine')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(children.sys, "version_info", version)
    here = str(pathlib.Path(__file__).parents[1])
    with Worker(environment={"PYTHONPATH": here + os.pathsep}) as worker:
        assert call(worker, "echo", value=3)["value"] == 3
