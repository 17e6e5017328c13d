# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An artifact directory's JSON documents, with the types of what Python reads
of them checked: they are files, and files get edited and cut short.

A shape is a Python type or a tuple of them, a list of one shape ("a list of
these"), a list of several ("exactly these"), a dictionary by field, where a
name that ends in "?" may be absent and "*" stands for all, or a function that
gives the shape for an object.
"""

import pathlib
import types

from egg.errors import EggError
from egg import files
from egg.files import read_json

HINT = "give the directory that egg optimize wrote"
# All that an artifact may hold: what lib/Session/Session.cpp writes.
FILES = frozenset({"payload.mlir", "schedule.mlir", "plan.json", "kernels.ptx",
                   "kernels.cubin", "report.json", "summary.md"})
DAMAGED = "the file was edited or damaged: optimize the module again"

NUMBER = (int, float)
# Errors can be "nan" or "inf", for which JSON has no number.
ERROR = (*NUMBER, str)
FIGURE = (*ERROR, type(None))
EXTENTS = [int, int, int]
KERNEL = {"name": str, "structure": str, "grid": EXTENTS, "block": EXTENTS,
          "predicted_seconds": NUMBER, "bound": str}
RESOURCES = {"kernel": str, "registers": int, "shared_memory": int,
             "spill_stores": int, "spill_loads": int}
ERRORS = [{"rms": FIGURE}]


def compared(figures):
    shape = {"ok": bool, "max_abs": FIGURE, "max_rel": FIGURE, "reason?": str}
    if figures.get("ok") is False and "reason" not in figures:
        shape.update(violations=int, elements=int, non_finite=int)
    return shape


def run(figures):
    return {"failure": str} if "failure" in figures else {
        "median_ms": NUMBER, "quartiles_ms": [NUMBER, NUMBER], "runs": int}


def sanitized(figures):
    """By tool, or why none ran."""
    return {"not_run": str} if "not_run" in figures else {"*": of_tool}


def of_tool(figures):
    return {"not_run": str} if "not_run" in figures else {
        "ok": bool, "errors": int, "report": [str]}


def step(fields):
    # The runtime reads the whole plan, and checks it itself.
    return dict({"kind": str},
                **({"kernel": str} if fields.get("kind") == "launch" else {}))


MEASUREMENT = {
    "device": {"name": str}, "torch": str, "correct": bool,
    "precision_policy": str, "tolerance": {"atol": NUMBER},
    "max_abs": FIGURE, "max_rel": FIGURE,
    "trials": [{"seed": int, "ok": bool, "complaint": (str, type(None)),
                "outputs": [compared], "buffers": {"*": compared}}],
    "fp64?": {"egg?": ERRORS, "torch?": ERRORS, "torch_without_tf32?": ERRORS,
              "match?": [{"ok": bool, "allowed_max_abs": FIGURE,
                          "allowed_rms": FIGURE}], "not_computed?": str},
    "within_policy?": (bool, type(None)), "sanitizer?": sanitized,
    "timing?": {
        "runs": {"*": run},
        "fastest_baseline": (str, type(None)), "headline": (str, type(None)),
        "speedup": (*NUMBER, type(None))}}
# Of earlier versions it has only step and statement.
EVIDENCE = {
    "step": str, "statement": str, "runs?": int, "seeds?": [int],
    "distributions?": [str],
    "extents?": [{"variant": str,
                  "arguments": [{"name": str, "shape": [int]}]}],
    "errors?": [{"result": int, "name": str, "variant": str, "inputs": str,
                 "maxAbsolute": ERROR, "own": ERROR, "allowed": ERROR}],
    "bound?": {"primes": [int], "degree": NUMBER, "inOneField?": NUMBER,
               "inBoth?": NUMBER}}
REPORT = {
    "chip?": str, "ptx_sha256?": str, "payload_sha256?": str,
    "plan_sha256?": str, "cubin_sha256?": (str, type(None)),
    "schedule_sha256?": str, "schedule_file?": str, "agent?": str,
    "rationale?": str,
    "ptxas?": str, "warnings?": [str],
    "predicted_seconds?": NUMBER, "kernels?": [KERNEL],
    "resources?": [RESOURCES], "import?": {"checked?": str}, "measurement?": MEASUREMENT,
    "verdict?": {"grade": str, "meaning?": str, "skipped?": [str],
                 "versions?": {"*": str}, "evidence?": [EVIDENCE]}}
PLAN = {"version": int, "chip": str, "arenaBytes": int, "steps": [step]}


def directory(artifact):
    """The directory's path; EggError where it is no artifact."""
    path = pathlib.Path(artifact)
    if not path.is_dir():
        raise EggError("no such artifact directory" if not path.exists()
                       else "is not a directory", where=str(path), hint=HINT)
    for name in ("report.json", "plan.json"):
        if not (path / name).exists():
            raise EggError(f"is not an artifact: it holds no {name}",
                           where=str(path), hint=HINT)
    return path


def reason_to_keep(path):
    """Why what is at the path must not be replaced by an artifact: it is not
    one, or it holds something else besides. "" where it may be."""
    if not path.exists() and not path.is_symlink():
        return ""
    if not path.is_dir():
        return "exists and is not an artifact"
    entries = list(path.iterdir())
    foreign = sorted(entry.name for entry in entries
                     if entry.name not in FILES or entry.is_symlink()
                     or not entry.is_file())
    if entries and not is_ours(path / "report.json"):
        return "exists and is not an artifact"
    if foreign:
        more = f" and {len(foreign) - 3} more" if len(foreign) > 3 else ""
        return ("holds what is not of an artifact: "
                + ", ".join(foreign[:3]) + more)
    return ""


def is_ours(report):
    """Whether the file is a report of an artifact; other tools write files of
    that name too, and so does egg fuzz."""
    try:
        document = read_json(report)
    except EggError:
        return False
    return {"ptx_sha256", "predicted_seconds"} <= document.keys()


def read_report(artifact):
    return read_checked(directory(artifact) / "report.json", REPORT)


# What every report has: where it is missing, nothing would be said or compared.
NEEDED = ("chip", "payload_sha256", "schedule_sha256", "ptx_sha256", "verdict",
          "kernels", "predicted_seconds")


def read_whole_report(artifact):
    """The report; EggError where it lacks what it was written with."""
    report = read_report(artifact)
    if missing := [key for key in NEEDED if key not in report]:
        raise EggError(f"lacks {', '.join(missing)}",
                       where=str(pathlib.Path(artifact) / "report.json"),
                       hint=DAMAGED)
    return report


def changed_files(artifact):
    """The files that are not those whose hashes the report records. No cubin
    must be there where it records none: it is what the runtime loads first."""
    report, path = read_report(artifact), pathlib.Path(artifact)
    names = {"payload": "payload.mlir", "schedule": "schedule.mlir",
             "plan": "plan.json", "ptx": "kernels.ptx",
             "cubin": "kernels.cubin"}
    changed = [file for key, file in names.items()
               if report.get(f"{key}_sha256") is not None and files.sha256(
                   path / file, hint=HINT) != report[f"{key}_sha256"]]
    cubin = names["cubin"]
    if report.get("cubin_sha256") is None and (path / cubin).exists():
        changed.append(cubin)
    return changed


def read_plan(artifact):
    return read_checked(directory(artifact) / "plan.json", PLAN)


def read_checked(path, shape):
    document = read_json(path, hint=DAMAGED)
    check(document, shape, str(path))
    return document


def check(value, shape, where, name=""):
    """Raises EggError naming the first field that has another type."""
    if isinstance(shape, (dict, types.FunctionType)):
        expect(isinstance(value, dict), value, "an object", where, name)
        shape = shape if isinstance(shape, dict) else shape(value)
        check_fields(value, shape, where, name)
    elif isinstance(shape, list):
        expect(isinstance(value, list), value, "a list", where, name)
        several = len(shape) > 1
        expect(not several or len(value) == len(shape), value,
               f"a list of {len(shape)}", where, name)
        for number, element in enumerate(value):
            check(element, shape[number if several else 0], where,
                  f"{name}[{number}]")
    else:
        kinds = shape if isinstance(shape, tuple) else (shape,)
        # To Python a boolean is an integer, and integers have no limit.
        right = isinstance(value, kinds) and (
            not isinstance(value, bool) or bool in kinds) and not (
            isinstance(value, int) and value.bit_length() > 64)
        expect(right, value, " or ".join(TITLES[kind] for kind in kinds),
               where, name)


def check_fields(value, shape, where, name):
    for field, inner in shape.items():
        names = list(value) if field == "*" else [field.removesuffix("?")]
        for key in names:
            path = f"{name}.{key}" if name else key
            if key in value:
                check(value[key], inner, where, path)
            elif not field.endswith("?"):
                raise EggError(f"the field '{path}' is missing", where=where,
                               hint=DAMAGED)


TITLES = {int: "an integer", float: "a number", str: "a string",
          bool: "true or false", type(None): "null", list: "a list",
          dict: "an object"}


def expect(right, value, wanted, where, name):
    if right:
        return
    got = TITLES[type(value)]
    if isinstance(value, list) and wanted.startswith("a list of"):
        got = f"a list of {len(value)}"
    elif isinstance(value, int) and value.bit_length() > 64:
        got = "too large"
    raise EggError(f"the field '{name}' is {got}, not {wanted}", where=where,
                   hint=DAMAGED)
