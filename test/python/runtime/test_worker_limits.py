# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a worker may use, and that nothing of it is left."""

import os
import pathlib
import re
import time

import pytest

from egg.workers import Limits, TaskFailure, Worker, WorkerFailure
from egg.workers.output import KEPT_BYTES


@pytest.fixture
def make_worker():
    """Workers with limits, each of which is ended with the test."""
    made = []

    def make(**limits):
        here = str(pathlib.Path(__file__).parents[1])
        made.append(Worker(environment={"PYTHONPATH": here},
                           limits=Limits(**limits)))
        return made[-1]
    yield make
    for worker in made:
        worker.close()


def call(worker, name, timeout=60, **arguments):
    return worker.call(f"worker_tasks:{name}", arguments, timeout)


def is_running(process):
    try:
        text = pathlib.Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return text.rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize("own_session", [False, True])
def test_processes_of_a_task_end_with_the_worker(make_worker, own_session):
    worker = make_worker()
    left = call(worker, "leave_processes", own_session=own_session, ends=False)
    assert all(map(is_running, left))
    worker.close()
    assert not any(map(is_running, left))


@pytest.mark.parametrize("own_session", [False, True])
def test_processes_of_a_task_that_ends_the_worker(make_worker, own_session):
    """They hold the worker's pipes, which must not be waited for."""
    worker, start = make_worker(), time.monotonic()
    with pytest.raises(WorkerFailure, match="exit code 7") as failure:
        call(worker, "leave_processes", own_session=own_session, ends=True)
    assert time.monotonic() - start < 15
    left = re.search(r"left (\d+) (\d+)", failure.value.printed).groups()
    assert not any(map(is_running, left))


def test_processes_of_a_task_that_is_too_slow(make_worker):
    worker = make_worker()
    left = call(worker, "leave_processes", own_session=True, ends=False)
    with pytest.raises(WorkerFailure, match="more than 0.3 s"):
        call(worker, "hang", timeout=0.3)
    assert not any(map(is_running, left))


def test_start_and_end_of_long_output_are_kept(make_worker):
    worker = make_worker()
    call(worker, "print_much", mebibytes=40)
    deadline = time.monotonic() + 20
    while "the end" not in worker.printed():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    text = worker.printed()
    assert text.startswith("the start\n") and text.endswith("\nthe end\n")
    assert len(text) < 2 * KEPT_BYTES + 100
    dropped = (40 << 20) + len("the start\n\nthe end\n") - 2 * KEPT_BYTES
    assert f"[{dropped} bytes of output are left out here]" in text


def test_memory_that_is_asked_for(make_worker):
    worker = make_worker(data_mib=512)
    assert call(worker, "allocate", mebibytes=100) == 100 << 20
    with pytest.raises(TaskFailure, match="^MemoryError") as failure:
        call(worker, "allocate", mebibytes=1000)
    assert failure.value.kind == "memory" and not failure.value.details
    assert call(worker, "echo", value=5)["value"] == 5


def test_memory_that_is_used_by_all_processes(make_worker):
    worker = make_worker(memory_mib=300)
    call(worker, "echo", value=5)
    with pytest.raises(WorkerFailure, match=r"used \d+ MiB of memory; the "
                       "limit is 300") as failure:
        call(worker, "use_memory", mebibytes=120)
    assert failure.value.kind == "memory"
    assert call(worker, "echo", value=5)["value"] == 5


def test_processes_are_counted(make_worker):
    worker = make_worker(processes=20)
    with pytest.raises(WorkerFailure, match=r"started \d+ processes; the limit "
                       "is 20") as failure:
        call(worker, "start_processes", number=30)
    assert failure.value.kind == "processes"


def test_large_files_are_cut_short(make_worker, tmp_path):
    worker = make_worker(file_mib=3)
    call(worker, "write_file", path=str(tmp_path / "small"), mebibytes=2)
    with pytest.raises(TaskFailure, match="File too large"):
        call(worker, "write_file", path=str(tmp_path / "large"), mebibytes=5)
    assert os.path.getsize(tmp_path / "large") <= 3 << 20


def test_full_disk_is_told_apart(make_worker):
    with pytest.raises(TaskFailure, match="No space left.*/tmp/some") as failure:
        call(make_worker(), "fill_disk")
    assert failure.value.kind == "disk" and not failure.value.details
