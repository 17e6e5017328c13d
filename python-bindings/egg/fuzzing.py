# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs egg-opt's fuzzer over many cases on several cores and adds up what the
processes report."""

import collections
import concurrent.futures
import dataclasses
import os
import pathlib
import tempfile
import time

from egg import files
from egg.egg_opt import run_egg_opt
from egg.errors import EggError
from egg.pipeline import option

# Cases a process: enough to forget its start, few enough to share out.
CASES_A_PROCESS = {"scripts": 100, "kernels": 20}


@dataclasses.dataclass(frozen=True)
class Settings:
    """What holds for all cases of a run."""
    mode: str
    chip: str = "sm_90a"
    case_timeout: float = 60
    reduce: int = 150
    egg_opt: str | None = None

    def run(self, timeout, *options):
        options = [option("mode", self.mode), option("chip", self.chip),
                   option("time-limit", self.case_timeout),
                   option("reduce", self.reduce), *options]
        # Findings are made smaller one trial after the other.
        timeout += 60 + self.case_timeout * self.reduce
        run_egg_opt([f"--egg-fuzz={' '.join(options)}", "-o", os.devnull],
                    "module {}\n", path=self.egg_opt, timeout=timeout)


def run_range(settings, seed, first, count):
    """The report on the cases from first on. A process that ends without one
    is a finding: the parent of the cases must never end."""
    with tempfile.TemporaryDirectory(prefix="egg-fuzz-") as folder:
        output = pathlib.Path(folder) / "report.json"
        try:
            settings.run(settings.case_timeout * count, option("seed", seed),
                         option("first", first), option("count", count),
                         option("output", output))
        except EggError as error:
            if not output.exists():
                if "error: [fuzz]" in str(error):
                    raise
                return lost_range(first, count, str(error))
        return files.read_json(output)


def lost_range(first, count, message):
    finding = {"case": first, "step": "parent", "kind": "the parent ended",
               "reason": f"cases {first} to {first + count - 1}: {message}",
               "seconds": 0, "file_hex": ""}
    return {"accepted": 0, "refused": 0, "parser_crashes": 0, "seconds": 0, "longest_seconds": 0,
            "longest_case": first, "grades": {}, "skipped": {}, "refusals": {},
            "findings": [finding]}


def fuzz(settings, *, seed, first, count, jobs=None):
    """The report on `count` cases; the same for any number of jobs, but for
    times and for what became of findings."""
    size = CASES_A_PROCESS[settings.mode]
    ranges = [(start, min(size, first + count - start))
              for start in range(first, first + count, size)]
    started = time.monotonic()
    jobs = jobs or len(os.sched_getaffinity(0))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        parts = list(pool.map(
            lambda part: run_range(settings, seed, *part), ranges))
    report = {"mode": settings.mode, "seed": seed, "first": first, "count": count,
              "jobs": jobs, "accepted": sum(p["accepted"] for p in parts),
              "refused": sum(p["refused"] for p in parts),
              "parser_crashes": sum(p["parser_crashes"] for p in parts),
              "case_seconds": sum(p["seconds"] for p in parts),
              "wall_seconds": time.monotonic() - started,
              "findings": [f for p in parts for f in p["findings"]]}
    longest = max(parts, key=lambda part: part["longest_seconds"])
    report["longest_seconds"] = longest["longest_seconds"]
    report["longest_case"] = longest["longest_case"]
    for name in ("grades", "skipped", "refusals"):
        total = collections.Counter()
        for part in parts:
            total.update(part[name])
        report[name] = dict(sorted(total.items(), key=lambda x: (-x[1], x[0])))
    return report


def group_findings(report):
    """The findings by kind, the most frequent kind first; of each kind the one
    whose file is smallest first."""
    kinds = collections.defaultdict(list)
    for finding in report["findings"]:
        kinds[finding["kind"]].append(finding)
    for found in kinds.values():
        found.sort(key=lambda f: (not f["file_hex"], len(f["file_hex"]),
                                  f["case"]))
    return sorted(kinds.values(), key=lambda found: -len(found))


def finding_name(report, finding):
    return f"{report['mode']}-{report['seed']}-{finding['case']}.mlir"


def write(report, out):
    """report.json, and a file for each kind of finding."""
    out = pathlib.Path(out)
    for found in group_findings(report):
        if found[0]["file_hex"]:
            write_bytes(out / finding_name(report, found[0]),
                        bytes.fromhex(found[0]["file_hex"]))
    files.write_json(out / "report.json", {
        **report, "findings": [{key: value for key, value in finding.items()
                                if key != "file_hex"}
                               for finding in report["findings"]]})


def write_bytes(path, data):
    """A mutant need not be text."""
    with files.explained(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def format_report(report, out=None):
    seconds = report["wall_seconds"]
    lines = [f"egg fuzz {report['mode']}, seed {report['seed']}, cases "
             f"{report['first']} to {report['first'] + report['count'] - 1}",
             f"{report['accepted']} accepted, {report['refused']} refused with "
             f"a diagnostic, {len(report['findings'])} findings"]
    if report["parser_crashes"]:
        lines.append(f"{report['parser_crashes']} broken payloads crashed "
                     "MLIR's parser")
    if report["grades"]:
        lines.append("grades: " + ", ".join(
            f"{name} {count}" for name, count in report["grades"].items()))
    lines.append(f"{seconds:.0f} s on {report['jobs']} jobs, "
                 f"{report['count'] / max(seconds, 1e-9):.1f} cases/s; the "
                 f"longest case, {report['longest_case']}, took "
                 f"{report['longest_seconds']:.1f} s")
    for found in group_findings(report):
        first = found[0]
        cases = ", ".join(str(f["case"]) for f in found[:5])
        lines.append(f"finding in step {first['step']}, {len(found)} times "
                     f"(cases {cases}{', ...' if len(found) > 5 else ''}): "
                     + first["reason"].splitlines()[0])
        if out and first["file_hex"]:
            lines.append(f"  {pathlib.Path(out) / finding_name(report, first)}")
    return "\n".join(lines) + "\n"


def repeat(settings, file, out=None):
    """Runs a finding's file again and says what became of it; EggError where
    it is still one, and out gets it made smaller."""
    file = pathlib.Path(file).absolute()
    files.read_bytes(file, hint="give a file that egg fuzz wrote")
    with tempfile.TemporaryDirectory(prefix="egg-fuzz-") as folder:
        output = pathlib.Path(folder) / file.name
        try:
            settings.run(0, option("repeat", file), option("output", output))
        except EggError:
            if out and output.exists():
                write_bytes(pathlib.Path(out) / file.name,
                            files.read_bytes(output))
            raise
        return files.read_text(output).rstrip()
