# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Child processes that do tasks for their parent and may be lost.

What can crash, hang, fill the memory or poison a process (a module's file; a
kernel that faults loses the CUDA context for good) runs in a worker. A worker
keeps what is slow to start, such as an imported torch, over many tasks, and is
replaced after a failure.

limits.py    what a worker may use
worker.py    the parent's side: Worker, and how tasks fail
output.py    what a worker prints, of which the start and the end are kept
keeper.py    the process between both, which ends whatever a worker started
__main__.py  the worker's side
"""

from egg.workers.limits import Limits
from egg.workers.worker import TaskFailure, Worker, WorkerFailure

__all__ = ["Limits", "TaskFailure", "Worker", "WorkerFailure"]
