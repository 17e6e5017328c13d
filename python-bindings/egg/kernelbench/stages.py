# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What each stage does for one problem, and what it adds to the row."""

import pathlib

from egg import files
from egg.artifact import read_report
from egg.errors import EggError
from egg.kernelbench.rows import STAGES
from egg.workers import TaskFailure, WorkerFailure


def import_problem(file, output, **options):
    """The import stage's task, run in a worker: writes the payload and what is
    known of it."""
    from egg.importer import import_file
    imported = import_file(file, **options)
    output = pathlib.Path(output)
    files.write_whole(output.with_suffix(".mlir"), imported.text)
    files.write_json(output.with_suffix(".json"), imported.metadata())
    return {"notes": imported.notes, "checked": imported.checked}


class Stages:
    """The stages with their settings; each takes a problem and its row."""

    def __init__(self, settings):
        self.settings = settings

    def advance(self, problem, row, worker, stage, seconds_of):
        """Runs the missing stages up to this one; what was there before is
        used again. Records a failure in the row instead of raising."""
        for name in STAGES[:STAGES.index(stage) + 1]:
            try:
                if self.is_ready(problem, name):
                    if name == "compile":
                        self.add_report(problem, row)
                    row["reached"] = name
                    continue
                with seconds_of(row, name):
                    getattr(self, f"run_{name}")(problem, row, worker)
                row["reached"] = name
            except (EggError, OSError) as error:
                row["failure"] = describe_failure(name, error)
                return

    def is_ready(self, problem, stage):
        """An artifact makes its import unnecessary (the GPU machine may not be
        able to import)."""
        if stage == "time":
            return False
        compiled = (self.artifact(problem) / "plan.json").exists()
        return compiled or (stage == "import"
                            and self.payload(problem).exists())

    def artifact(self, problem):
        return problem.below(self.settings.artifacts)

    def payload(self, problem):
        path = problem.below(self.settings.payloads)
        return path.with_name(path.name + ".mlir")

    def run_import(self, problem, row, worker):
        settings = self.settings
        row.update(worker.call(
            "egg.kernelbench.stages:import_problem",
            {"file": str(problem.path), "output": str(self.payload(problem)),
             "cache": settings.cache, "verify": settings.check_imports,
             "egg_opt": settings.egg_opt,
             "module": settings.measuring.get("module_name", "Model"),
             "inputs": settings.measuring.get("inputs_name", "get_inputs")},
            settings.import_timeout))
        row["payload_sha256"] = files.sha256(self.payload(problem))

    def run_compile(self, problem, row, worker):
        from egg.pipeline import compile_payload
        path = self.payload(problem)
        payload = files.read_text(path)
        source = dict(files.read_json(path.with_suffix(".json")),
                      file=problem.path.name)
        compile_payload(payload, self.artifact(problem),
                        chip=self.settings.chip, source=source,
                        egg_opt=self.settings.egg_opt,
                        timeout=self.settings.compile_timeout)
        self.add_report(problem, row)

    def add_report(self, problem, row):
        """What the row says of an artifact."""
        artifact = self.artifact(problem)
        report = read_report(artifact)
        row["payload_sha256"] = files.sha256(artifact / "payload.mlir")
        row["ptx_sha256"] = files.sha256(artifact / "kernels.ptx")
        row["ptxas"] = report.get("ptxas")
        row["spilling_kernels"] = sum(
            bool(kernel["spill_stores"] or kernel["spill_loads"])
            for kernel in report.get("resources", []))
        if verdict := report.get("verdict"):
            row["grade"] = verdict.get("grade")
        if (seconds := report.get("predicted_seconds")) is not None:
            row["predicted_milliseconds"] = seconds * 1e3

    def run_time(self, problem, row, worker):
        from egg.measure.session import TASK, record_measurement
        measurement = worker.call(
            TASK, dict(self.settings.measuring, file=str(problem.path),
                       artifact=str(self.artifact(problem))),
            self.settings.time_timeout)
        add_measurement(row, measurement)
        record_measurement(self.artifact(problem), measurement)
        if not measurement["correct"]:
            raise WrongResults(row["wrong"])


class WrongResults(EggError):
    """The artifact computes something else than the module."""


def add_measurement(row, measurement):
    from egg.measure.text import why_wrong
    for key in ("correct", "max_abs", "max_rel", "inputs_generated_on",
                "kernels_from"):
        row[key] = measurement[key]
    row["seeds"] = len(measurement["trials"])
    row["device"] = measurement["device"]["name"]
    row["bit_identical"] = measurement["trials"][0].get("bit_identical")
    wrong = [trial for trial in measurement["trials"] if not trial["ok"]]
    if wrong:
        row["wrong"] = f"seed {wrong[0]['seed']}: {why_wrong(wrong[0])}"
    if "fp64" in measurement:
        row["fp64"] = {
            name: errors[0]["rms"] if isinstance(errors, list) and errors
            else errors for name, errors in measurement["fp64"].items()
            if name != "match"}
        row["within_policy"] = measurement.get("within_policy")
    if timing := measurement.get("timing"):
        row["milliseconds"] = {
            name: run.get("median_ms", run.get("failure"))
            for name, run in timing["runs"].items()}
        for key in ("fastest_baseline", "headline", "speedup"):
            row[key] = timing[key]


def describe_failure(stage, error):
    kind = "error"
    if isinstance(error, WrongResults):
        kind = "wrong"
    elif isinstance(error, (TaskFailure, WorkerFailure)):
        kind = error.kind
    elif "took more than" in str(error):
        kind = "timeout"
    # The whole message in one line, for a table.
    message = " / ".join(line.strip() for line in str(error).splitlines())
    return {"stage": stage, "kind": kind, "message": message[:2000]}
