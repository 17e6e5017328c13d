# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""egg-opt's part of the way: a payload to an artifact, and the same again."""

import json
import os
import pathlib
import re

from egg import artifact as artifacts
from egg import files
from egg.egg_opt import run_egg_opt
from egg.errors import EggError
from egg.report import describe_import


def option(name, value):
    """One pass option as egg-opt parses it."""
    value = str(value)
    if any(character in value for character in " {},'\""):
        if '"' in value:
            raise EggError("a value with a quote in it cannot be passed on",
                           where=value, hint="choose another path, or put a "
                           "command into a script")
        value = f'"{value}"'
    return f"{name}={value}"


def check_destination(out):
    """Refuses to replace what is not an artifact and nothing but one; so a
    mistyped --out never costs anybody a file. Refuses a place that cannot be
    written too."""
    out = pathlib.Path(out)
    if reason := artifacts.reason_to_keep(out):
        raise EggError(f"{reason}, so it is not replaced", where=str(out),
                       hint="choose another --out")
    files.check_place(out)


def check_schedule(schedule):
    """Refuses a schedule's file that cannot be read; None is the expert's."""
    if schedule:
        files.read_text(schedule, hint="give a schedule.mlir that egg optimize "
                        "wrote, or an edited copy of one")


# A payload without kernels, for which nothing has to be decided.
PROBE = ("func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {\n"
         "  return %x : tensor<1xf32>\n}\n")


def check_before_import(chip, schedule=None, *, egg_opt=None):
    """Refuses a chip or a schedule that egg-optimize refuses whatever the
    payload is: unknown, for another chip, not in order."""
    with files.temporary_directory("egg-probe-") as folder:
        try:
            run_egg_opt([optimize_pass(folder / "out", chip,
                                       schedule), "-o", os.devnull],
                        PROBE, path=egg_opt, timeout=60)
        except EggError as error:
            # The other steps depend on the payload: theirs is the real one.
            if re.search(r" error: (target|accept) refused", str(error)):
                raise explain_refusal(error, schedule) from None


def describe_versions():
    """Of EGG and LLVM, a line each."""
    text = run_egg_opt(["--version"], "", timeout=60)
    found = [(title, re.search(pattern, text))
             for title, pattern in (("EGG", r"EGG version (\S+)"),
                                    ("revision", r"Revision (\w+)"),
                                    ("LLVM", r"LLVM version (\S+)"))]
    return "\n".join(f"{title} {match[1] if match else 'unknown'}"
                     for title, match in found)


def optimize_pass(out, chip, schedule, agent=(),
                  require="unverified"):
    """egg-opt's argument that makes an artifact; agent: further options, as
    egg.agent.options gives them."""
    options = [option("out", out.absolute()), option("chip", chip),
               option("require", require),
               *(option(name, value) for name, value in agent)]
    if schedule:
        options += ["agent=replay", option("schedule", schedule)]
    return "--egg-optimize=" + " ".join(options)


def compile_payload(payload, out, *, chip, schedule=None, agent=(),
                    source=None, require="unverified", egg_opt=None, timeout=600):
    """Proposes, verifies and applies a schedule for the payload's text, or
    takes that of a file, and writes the artifact directory. source becomes the
    report's "import" section; require is the least grade of the verdict.
    Returns the report."""
    out = pathlib.Path(out)
    check_destination(out)
    # It is looked at again at the end: a session may take a day.
    with files.whole_directory(out, check=check_destination) as made:
        # Whatever ends egg-opt, nothing of its own is left beside the artifact.
        try:
            run_egg_opt([optimize_pass(made, chip, schedule, agent, require), "-o",
                         os.devnull], payload, name="payload.mlir",
                        path=egg_opt, timeout=timeout)
        except EggError as error:
            raise explain_refusal(renamed(error, made, out), schedule) from None
        report = artifacts.read_report(made)
        if schedule:
            report["schedule_file"] = pathlib.Path(schedule).name
        if source:
            report["import"] = source
            add_import_to_summary(made / "summary.md", source)
        if schedule or source:
            files.write_json(made / "report.json", report)
    return report


def add_import_to_summary(summary, source):
    """Above the verdict, which is about the payload alone."""
    if not summary.exists():
        return
    before, title, verdict = files.read_text(summary).partition("\nVerdict: ")
    files.write_whole(summary, f"{before}\nImport: {describe_import(source)}."
                      f"\n{title}{verdict}")


def renamed(error, before, after):
    """The error about another path."""
    return EggError(error.message.replace(str(before), str(after)),
                    where=error.where, hint=error.hint,
                    exit_code=error.exit_code)


def explain_refusal(error, schedule):
    """egg-optimize's "STEP refused at PLACE: reason" as one message
    with its place; any other error as it is."""
    found = re.search(r" error: (\w+) refused(?: at (\S+))?: (.*)", str(error))
    if not found:
        return error
    step, where, reason = found.groups()
    # Both are options of egg optimize by the same name.
    reason = re.sub(r"(?<![\w-])(verify-(?:seconds|memory))\b", r"--\1", reason)
    notes = re.findall(r"^  note: (.*)", str(error)[found.end():], re.M)
    message = "\n".join([f"{step} refused: {reason}",
                         *(f"  {note}" for note in notes)])
    if schedule:
        # The compiler calls every script schedule.mlir.
        where, message = (text and re.sub(r"(?<![\w/.])schedule\.mlir(?=:\d|$)",
                                          lambda _: str(schedule), text)
                          for text in (where, message))
    return EggError(message, where=where,
                    hint=hint_for(step, reason, bool(schedule)),
                    exit_code=2 if "unknown chip" in reason else 1)


def hint_for(step, reason, given):
    """The next step after a refusal; given: by --schedule."""
    if step == "target":
        return "name another chip with --chip"
    if re.search(r"the verdict is '\w+'.*, and '\w+' is required", reason):
        return "give a lower grade with --require, or another schedule"
    if not given:
        return None
    if chip := re.search(r"the script is for (sm_\w+), and", reason):
        return (f"--chip {chip[1]}, or leave --schedule out to propose a new "
                "one")
    if "the script is for another payload" in reason:
        return ("give the FILE.py it was made for, or leave --schedule out to "
                "propose a new one")
    return "correct the script, or leave --schedule out"


def replay(artifact, *, egg_opt=None, timeout=600):
    """Applies an artifact's schedule to its payload again, without agent or
    search, and compares. Returns (recorded, rebuilt) SHA-256 of the PTX;
    EggError where the plan differs."""
    artifact = pathlib.Path(artifact)
    report = artifacts.read_whole_report(artifact)
    plan = artifacts.read_plan(artifact)
    # kernels.ptx is compared below, with an advice of its own.
    if changed := [file for file in artifacts.changed_files(artifact)
                   if file != "kernels.ptx"]:
        raise EggError(f"{', '.join(changed)} changed since report.json was "
                       "written", where=str(artifact),
                       hint="egg optimize FILE.py --schedule "
                       f"{artifact / 'schedule.mlir'} --out NEW_DIR checks an "
                       "edited schedule; else optimize the module again")
    payload = files.read_text(artifact / "payload.mlir", hint=artifacts.HINT)
    present = files.sha256(artifact / "kernels.ptx", hint=artifacts.HINT)
    recorded = report["ptx_sha256"]
    if recorded != present:
        raise EggError("kernels.ptx is not the PTX that the report records",
                       where=str(artifact), hint="optimize the module again")
    chip = option("chip", plan["chip"])
    with files.temporary_directory("egg-replay-") as folder:
        schedule = option("schedule", (artifact / "schedule.mlir").absolute())
        passes = ",".join([
            "egg-apply-schedule{%s}" % schedule,
            "egg-emit-plan{%s %s}" % (chip, option("file",
                                                   folder / "plan.json")),
            "egg-lower-to-nvvm{%s}" % chip,
            "egg-emit-ptx{%s}" % option("dump-ptx", folder / "kernels.ptx")])
        run_egg_opt([f"--pass-pipeline=builtin.module({passes})",
                     "-o", os.devnull], payload, name="payload.mlir",
                    path=egg_opt, timeout=timeout)
        rebuilt = files.sha256(folder / "kernels.ptx")
        # As text: to Python 1 and true are equal.
        if json.dumps(files.read_json(folder / "plan.json"), sort_keys=True) \
                != json.dumps(plan, sort_keys=True):
            raise EggError("is another than the rebuilt plan",
                           where=str(artifact / "plan.json"),
                           hint="plan.json was edited, or another version of "
                           "EGG made the artifact: optimize the module again")
    return recorded, rebuilt
