# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An import in a process of its own: the module's file is foreign code, which
may print, end its process or crash."""

import pathlib
import sys
import tempfile
import time

from egg.errors import EggError
from egg.importer.values import ImportedModule
from egg.workers import TaskFailure, Worker, WorkerFailure


def import_in_child(path, *, timeout, verify=False, on_check=lambda: None,
                    **options):
    """import_file(path, **options) within timeout seconds. What the module
    prints goes to standard error. on_check is called before the import is
    checked, which can take longer than the import."""
    deadline = time.monotonic() + timeout
    with tempfile.TemporaryDirectory(prefix="egg-import-") as folder, \
            Worker() as worker:
        output = pathlib.Path(folder) / "import.json"
        printed = ""
        try:
            task = {"output": str(output), "path": str(path), **options}
            worker.call("egg.importer.in_child:import_to", task, timeout)
            if verify:
                on_check()
                worker.call("egg.importer.in_child:check", task,
                            max(deadline - time.monotonic(), 0.1))
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


def check(output, path, module="Model", inputs="get_inputs", egg_opt=None,
          **_):
    """The second task: checks what the first wrote."""
    from egg.importer.check import check_file
    output = pathlib.Path(output)
    imported = ImportedModule.from_json(output.read_text(encoding="utf-8"))
    imported.checked = check_file(imported, path, module, inputs, egg_opt)
    output.write_text(imported.to_json(), encoding="utf-8")


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
