# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An import in a process of its own: the module's file is foreign code, which
may print, end its process or crash."""

import pathlib
import sys
import tempfile

from egg.errors import EggError
from egg.importer.values import ImportedModule
from egg.workers import TaskFailure, Worker, WorkerFailure


def import_in_child(path, *, timeout, **options):
    """import_file(path, **options) within timeout seconds. What the module
    prints goes to standard error."""
    with tempfile.TemporaryDirectory(prefix="egg-import-") as folder, \
            Worker() as worker:
        output = pathlib.Path(folder) / "import.json"
        printed = ""
        try:
            worker.call("egg.importer.in_child:import_to",
                        {"output": str(output), "path": str(path), **options},
                        timeout)
            printed = worker.printed()
        except TaskFailure as failure:
            printed = worker.printed()
            raise explain(failure, path) from None
        except WorkerFailure as failure:
            printed = failure.printed
            raise explain_loss(failure, path) from None
        finally:
            sys.stderr.write(printed)
        return ImportedModule.from_json(output.read_text(encoding="utf-8"))


def import_to(output, path, **options):
    """The task of the child."""
    from egg.importer import import_file
    imported = import_file(path, **options)
    pathlib.Path(output).write_text(imported.to_json(), encoding="utf-8")


def explain(failure, path):
    if failure.kind == "refused":
        return EggError(str(failure))
    details = failure.details.rstrip()
    return EggError(f"importing failed: {failure.message}"
                    + (f"\n{details}" if details else ""), where=str(path),
                    hint="report it if the module runs in PyTorch")


def explain_loss(failure, path):
    """The process ended or took too long."""
    if failure.kind == "timeout":
        return EggError(f"importing {failure.message}", where=str(path),
                        hint="allow more with --import-timeout",
                        exit_code=5)
    line = next((number for name, number in failure.stack
                 if name == str(pathlib.Path(path).absolute())), None)
    return EggError(
        f"importing ended early: {failure.message}",
        where=str(path) if line is None else f"{path}:{line}",
        hint="run the file with Python alone: it, or a library it uses, "
        "crashes or ends the process")
