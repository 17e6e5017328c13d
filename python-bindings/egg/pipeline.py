# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""egg-opt's part of the way: a payload to an artifact, and the same again."""

import os
import pathlib
import tempfile

from egg import files
from egg.egg_opt import run_egg_opt
from egg.errors import EggError

ARTIFACT_HINT = "give the directory that egg optimize wrote"


def option(name, value):
    """One pass option as egg-opt parses it."""
    value = str(value)
    if any(character in value for character in " {},'\""):
        if '"' in value:
            raise EggError("a path with a quote in it cannot be passed on",
                           where=value, hint="choose another directory")
        value = f'"{value}"'
    return f"{name}={value}"


def check_destination(out):
    """Refuses to replace what is not an artifact; artifacts may be."""
    out = pathlib.Path(out)
    if not out.exists():
        return
    if not out.is_dir() or (any(out.iterdir())
                            and not (out / "schedule.mlir").exists()):
        raise EggError("exists and is not an artifact, so it is not replaced",
                       where=str(out), hint="choose another --out")


def compile_payload(payload, out, *, chip, source=None, egg_opt=None,
                    timeout=600):
    """Proposes, verifies and applies a schedule for the payload's text and
    writes the artifact directory. source becomes the report's "import" section.
    Returns the report."""
    out = pathlib.Path(out)
    check_destination(out)
    with files.explained(out):
        out.parent.mkdir(parents=True, exist_ok=True)
    run_egg_opt(
        ["--egg-optimize=" + " ".join([option("out", out.absolute()),
                                       option("chip", chip)]),
         "-o", os.devnull], payload, path=egg_opt, timeout=timeout)
    report = files.read_json(out / "report.json")
    if source:
        report["import"] = source
        files.write_json(out / "report.json", report)
    return report


def replay(artifact, *, egg_opt=None, timeout=600):
    """Applies an artifact's schedule to its payload again, without agent or
    search, and compares. Returns (recorded, rebuilt) SHA-256 of the PTX;
    EggError where the plan differs."""
    artifact = pathlib.Path(artifact)
    report = files.read_json(artifact / "report.json", hint=ARTIFACT_HINT)
    plan = files.read_json(artifact / "plan.json", hint=ARTIFACT_HINT)
    payload = files.read_text(artifact / "payload.mlir", hint=ARTIFACT_HINT)
    present = files.sha256(artifact / "kernels.ptx")
    recorded = report.get("ptx_sha256", present)
    if recorded != present:
        raise EggError("kernels.ptx is not the PTX that the report records",
                       where=str(artifact), hint="optimize the module again")
    chip = option("chip", plan.get("chip", ""))
    with tempfile.TemporaryDirectory(prefix="egg-replay-") as folder:
        folder = pathlib.Path(folder)
        schedule = option("schedule", (artifact / "schedule.mlir").absolute())
        passes = ",".join([
            "egg-apply-schedule{%s}" % schedule,
            "egg-emit-plan{%s %s}" % (chip, option("file",
                                                   folder / "plan.json")),
            "egg-lower-to-nvvm{%s}" % chip,
            "egg-emit-ptx{%s}" % option("dump-ptx", folder / "kernels.ptx")])
        run_egg_opt([f"--pass-pipeline=builtin.module({passes})",
                     "-o", os.devnull], payload, path=egg_opt, timeout=timeout)
        if not any(step["kind"] == "launch" for step in plan["steps"]):
            # Results that are arguments take no kernel.
            files.write_whole(folder / "kernels.ptx", "")
        rebuilt = files.sha256(folder / "kernels.ptx")
        if files.read_json(folder / "plan.json") != plan:
            raise EggError("the rebuilt plan is another than plan.json",
                           where=str(artifact),
                           hint="schedule.mlir was edited, or another version "
                           "made the artifact; egg-opt payload.mlir "
                           "--egg-optimize=\"agent=replay schedule=schedule.mlir "
                           "out=NEW_DIR\" -o /dev/null makes a new one")
    return recorded, rebuilt
