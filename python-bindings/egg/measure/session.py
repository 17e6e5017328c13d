# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A measurement from the parent's side: in a child process, into report.json.
"""

import pathlib

from egg.artifact import read_plan, read_report
from egg.errors import EggError
from egg.files import check_module_file, no_space, read_text, write_json, write_whole
from egg.measure.baselines import BASELINES
from egg.measure.sanitizer import TOOLS
from egg.measure.text import describe_measurement
from egg.workers import TaskFailure, Worker, WorkerFailure

TASK = "egg.measure.task:measure"
PROBE = "egg.measure.health:probe"
PROBE_SECONDS = 120
SUMMARY_TITLE = "## Measured"


def parse_tools(text):
    """"memcheck,racecheck", "all" or "none" as a tuple; EggError on an unknown
    name."""
    if text in ("all", "none"):
        return TOOLS if text == "all" else ()
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    for name in names:
        if name not in TOOLS:
            raise EggError(f"unknown tool '{name}' of compute-sanitizer",
                           exit_code=2, hint="choose from all, none, " + ", ".join(TOOLS))
    return names


def parse_baselines(text):
    """"eager,compile" or "none", as a tuple; EggError on an unknown name."""
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if names == ("none",):
        return ()
    for name in names:
        if name not in BASELINES:
            raise EggError(f"unknown baseline '{name}'", exit_code=2,
                           hint="choose from none, " + ", ".join(BASELINES))
    return names


def measure_artifact(file, artifact, timeout, **options):
    """Measures, records the measurement in the artifact's report.json, and
    returns it. A fault or a hang ends the child only."""
    artifact = pathlib.Path(artifact)
    check_module_file(file)
    read_plan(artifact)
    read_report(artifact)
    with Worker() as worker:
        try:
            measurement = worker.call(
                TASK, dict(options, file=str(file), artifact=str(artifact)),
                timeout)
        except TaskFailure as failure:
            state = ""
            if failure.kind == "fault":
                state = probe(worker, options.get("device", 0))
            raise explain(failure, artifact, state) from None
        except WorkerFailure as failure:
            state = probe(worker, options.get("device", 0))
            raise explain_loss(failure, file, artifact, state) from None
    record_measurement(artifact, measurement)
    return measurement


def probe(worker, device):
    """What a new process finds of the device, as the end of a message."""
    try:
        problem = worker.call(PROBE, {"device": device}, PROBE_SECONDS)
    except (TaskFailure, WorkerFailure) as failure:
        problem = failure.message
    if problem is None:
        return "\n  the GPU works in a new process"
    return f"\n  the GPU does not work in a new process either: {problem}"


def explain_loss(failure, file, artifact, state):
    """The message where the process was lost."""
    if failure.kind == "timeout":
        return EggError(f"measuring {failure.message}{state}",
                        where=str(artifact),
                        hint="a kernel may hang: allow more with --timeout, or "
                        "look at the schedule", exit_code=5)
    if failure.kind in ("memory", "processes"):
        return EggError(f"measuring {failure.message}", where=str(file),
                        hint="make the module's inputs smaller, or use a "
                        "machine that has more")
    return EggError(f"measuring ended early: {failure.message}{state}",
                    where=str(file),
                    hint="run the file with Python alone: it, or a library it "
                    "uses, crashes or ends the process")


def record_measurement(artifact, measurement):
    """Puts the measurement into the artifact's report and summary, in place of
    an earlier one."""
    artifact = pathlib.Path(artifact)
    report = read_report(artifact)
    report.update(measured=True, measurement=measurement)
    write_json(artifact / "report.json", report)
    summary = artifact / "summary.md"
    if summary.exists():
        text = read_text(summary).split(SUMMARY_TITLE)[0]
        text = text.replace(" Not timed.", "").rstrip("\n")
        lines = describe_measurement(measurement).replace("\n", "\n    ")
        write_whole(summary, f"{text}\n\n{SUMMARY_TITLE}\n\n    {lines}\n")


def explain(failure, artifact, state=""):
    """The message for a user, keeping the exit code's meaning."""
    if failure.kind == "exception":
        return EggError(f"measuring failed: {failure.message}\n"
                        f"{failure.details.rstrip()}", where=str(artifact))
    if failure.kind == "memory":
        return EggError(f"measuring needs more memory: {failure.message}",
                        where=failure.place or str(artifact),
                        hint="free memory of the machine and of the GPU, or "
                        "make the module and its inputs smaller")
    if failure.kind == "disk":
        return no_space(failure.message)
    code = 3 if "no CUDA driver" in failure.message \
        or "no CUDA device" in failure.message else failure.exit_code
    return EggError(failure.message + state, exit_code=code)


def gpu_absent_reason():
    """Why nothing can be timed here, or None where a GPU is there."""
    from egg.runtime import Driver
    try:
        Driver().describe(0)
        return None
    except EggError as error:
        return str(error).splitlines()[0]
