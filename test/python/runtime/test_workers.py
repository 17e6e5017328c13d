# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Workers: answers, failures of every kind, and what is left afterwards."""

import os
import pathlib
import time

import pytest

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
