# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An import in a process of its own: the module's file is foreign code, which
may print, end its process or crash."""

import pathlib
import sys
import time

from egg import files
from egg.errors import EggError
from egg.importer.values import ImportedModule
from egg.memory import default_memory
from egg.workers import Limits, TaskFailure, Worker, WorkerFailure

# Of one file that the module's code or the check of an import writes.
FILE_MIB = 1024


def import_limits(memory_mib=None):
    """What an import may use; memory_mib is --import-memory."""
    memory = memory_mib or default_memory()
    return Limits(memory_mib=memory, data_mib=memory, processes=256,
                  file_mib=FILE_MIB)


def import_in_child(path, *, timeout, memory=None, verify=False,
                    on_check=lambda: None, **options):
    """import_file(path, **options) within timeout seconds and memory MiB. What
    the module prints goes to standard error. on_check is called before the
    import is checked, which can take longer than the import."""
    files.check_module_file(path)
    deadline = time.monotonic() + timeout
    limits = import_limits(memory)
    # Temporary files of the module's code go with the folder.
    with files.temporary_directory("egg-import-") as folder, Worker(
            environment={"TMPDIR": str(folder)}, limits=limits) as worker:
        output = folder / "import.json"
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
            raise explain(failure, path, limits) from None
        except WorkerFailure as failure:
            printed = failure.printed
            raise explain_loss(failure, path, limits) from None
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


def explain(failure, path, limits):
    if failure.kind == "refused":
        return EggError(str(failure))
    if failure.kind == "memory":
        return out_of_memory(failure.message, failure.place or str(path),
                             limits)
    if failure.kind == "disk":
        return files.no_space(failure.message)
    details = failure.details.rstrip()
    return EggError(f"importing failed: {failure.message}"
                    + (f"\n{details}" if details else ""), where=str(path),
                    hint="report it if the module runs in PyTorch")


def out_of_memory(reason, where, limits):
    return EggError(
        f"importing needs more than {limits.memory_mib} MiB of memory: "
        f"{reason}", where=where,
        hint="allow more with --import-memory MIB where the machine has it, or "
        "make the module and its inputs smaller")


def explain_loss(failure, path, limits):
    """The process ended, took too long or too much."""
    if failure.kind == "timeout":
        return EggError(f"importing {failure.message}", where=str(path),
                        hint="allow more with --import-timeout",
                        exit_code=5)
    if failure.kind == "memory":
        return out_of_memory(f"it {failure.message}", str(path), limits)
    if failure.kind == "processes":
        return EggError(f"importing {failure.message}", where=str(path),
                        hint="start no processes in the module's file")
    line = next((number for name, number in failure.stack
                 if name == str(pathlib.Path(path).absolute())), None)
    return EggError(
        f"importing ended early: {failure.message}",
        where=str(path) if line is None else f"{path}:{line}",
        hint="run the file with Python alone: it, or a library it uses, "
        "crashes or ends the process")
