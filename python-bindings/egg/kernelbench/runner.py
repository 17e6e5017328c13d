# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Problems over workers: resumable, one row each, no failure stops the rest."""

import contextlib
import dataclasses
import queue
import threading
import time

from egg import children
from egg.errors import EggError
from egg.kernelbench.stages import Stages
from egg.memory import default_memory
from egg.workers import Limits, Worker


@dataclasses.dataclass
class Settings:
    """payloads and artifacts are folders; measuring holds the options of
    egg.measure.task.measure."""

    payloads: object
    artifacts: object
    chip: str = "sm_90a"
    cache: str = None
    check_imports: bool = False
    egg_opt: str = None
    measuring: dict = dataclasses.field(default_factory=dict)
    import_timeout: float = 300
    import_memory: int = None
    compile_timeout: float = 600
    time_timeout: float = 900


@contextlib.contextmanager
def seconds_of(row, stage):
    """Records the wall-clock time of a stage, failed ones too."""
    start = time.monotonic()
    try:
        yield
    finally:
        row["seconds"][stage] = round(time.monotonic() - start, 3)


def new_row(problem, stage, previous):
    """A fresh row; what earlier stages took is carried over."""
    return {"level": problem.level, "problem": problem.number,
            "name": problem.name, "stage": stage, "reached": None,
            "failure": None,
            "seconds": dict((previous or {}).get("seconds", {}))}


def run_problems(problems, stage, rows, settings, *, jobs=1, retry=False,
                 report=lambda row, done, total: None):
    """Takes each problem to the stage; report sees each new row. Raises the
    first error that is not a problem's own, such as a full disk."""
    wanted = [problem for problem in problems
              if not rows.is_done(problem.key, stage, retry)]
    stages = Stages(settings)
    waiting = queue.SimpleQueue()
    for problem in wanted:
        waiting.put(problem)
    lock, done, broken = threading.Lock(), [0], []

    def work(_):
        # CUDA reserves more than it uses: only what is used counts.
        limits = Limits(memory_mib=settings.import_memory or default_memory())
        with Worker(limits=limits) as worker:
            while not broken:
                try:
                    problem = waiting.get_nowait()
                except queue.Empty:
                    return
                row = new_row(problem, stage, rows.last.get(problem.key))
                try:
                    stages.advance(problem, row, worker, stage, seconds_of)
                    rows.append(row)
                except BaseException as error:
                    broken.append(error)
                    return
                with lock:
                    done[0] += 1
                    report(row, done[0], len(wanted))

    threads = max(1, min(jobs, len(wanted)))
    children.each(work, range(threads), threads)
    if broken:
        raise broken[0] if isinstance(broken[0], EggError) else EggError(
            f"the run ended early: {type(broken[0]).__name__}: {broken[0]}",
            hint="run the same command again: it goes on where it stopped")
    return len(wanted)
