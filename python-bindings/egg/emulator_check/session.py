# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs prepared cases in a worker that is replaced when one is lost."""

import pathlib

from egg import files
from egg.errors import EggError
from egg.workers import TaskFailure, Worker, WorkerFailure

TASK = "egg.emulator_check.task"


def check_gpu():
    """The name of the GPU; EggError where there is none."""
    with Worker() as worker:
        try:
            return worker.call(f"{TASK}:describe", {}, 60)
        except TaskFailure as failure:
            raise EggError(failure.message.split("\n")[0], exit_code=3,
                           hint="run this where a GPU is; --prepare DIR "
                           "prepares the cases without one") from None


def run_cases(folder, part, timeout):
    """The rows of all cases in the folder whose name has `part` in it."""
    folder = pathlib.Path(folder)
    listed = files.read_json(folder / "cases.json",
                             hint="prepare the folder with --prepare")
    gpu = check_gpu()
    rows, worker = [], Worker()
    try:
        for name in listed["cases"]:
            if part not in name:
                continue
            case = files.read_json(folder / name / "case.json")
            row = {"name": name, "structure": case["structure"],
                   "inputs": case["inputs"], "expect": case["expect"],
                   "bits_equal": False, "agrees": False}
            try:
                row = worker.call(f"{TASK}:run_case",
                                  {"folder": str(folder / name)}, timeout)
            except (TaskFailure, WorkerFailure) as failure:
                row["failure"] = failure.message
                # A fault leaves the context of no use.
                worker.close()
                worker = Worker()
            rows.append(row)
    finally:
        worker.close()
    if not rows:
        raise EggError(f"no case has '{part}' in its name", where=str(folder),
                       hint="--list prints them")
    return {"gpu": gpu, "chip": listed["chip"], "rows": rows}
