# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs egg-opt's fuzzer over many cases on several cores and adds up what the
processes report."""

import collections
import dataclasses
import os
import pathlib
import tempfile
import time

from egg import children, files
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
    reduce_timeout: float = 300
    egg_opt: str | None = None

    def run(self, cases, *options):
        options = [option("mode", self.mode), option("chip", self.chip),
                   option("time-limit", self.case_timeout),
                   option("reduce", self.reduce),
                   option("reduce-limit", self.reduce_timeout), *options]
        # Each may be a finding of a new kind; the last attempt at making it
        # smaller begins in time.
        timeout = 60 + cases * (2 * self.case_timeout + self.reduce_timeout)
        run_egg_opt([f"--egg-fuzz={' '.join(options)}", "-o", os.devnull],
                    "module {}\n", path=self.egg_opt, timeout=timeout)


def run_range(settings, seed, first, count):
    """The report on the cases from first on. A process that ends without one
    is a finding: the parent of the cases must never end."""
    with tempfile.TemporaryDirectory(prefix="egg-fuzz-") as folder:
        output = pathlib.Path(folder) / "report.json"
        try:
            settings.run(count, option("seed", seed), option("first", first),
                         option("count", count), option("output", output))
        except children.Ended:
            return report_so_far(output, first)
        except EggError as error:
            report = report_so_far(output, first)
            if report["done"] < count:
                _, found, reason = error.message.partition("error: [fuzz] ")
                if reason.startswith("unknown chip"):
                    raise EggError(reason, hint="name another chip with --chip",
                                   exit_code=2) from None
                if found:
                    raise
                report["findings"].append(lost_cases(
                    first + report["done"], first + count - 1, error))
            return report
        return files.read_json(output)


def report_so_far(output, first):
    if output.exists():
        return files.read_json(output)
    return {"done": 0, "accepted": 0, "refused": 0, "parser_crashes": 0,
            "seconds": 0, "longest_seconds": 0, "longest_case": first,
            "grades": {}, "skipped": {}, "refusals": {}, "findings": []}


def lost_cases(first, last, error):
    return {"case": first, "step": "parent", "kind": "the parent ended",
            "reason": f"cases {first} to {last}: {error}", "seconds": 0,
            "file_hex": ""}


def fuzz(settings, *, seed, first, count, jobs=None,
         interrupted=lambda report: None):
    """The report on `count` cases; the same for any number of jobs, but for
    times and for what became of findings. Of a run that a signal ends,
    interrupted gets the report so far."""
    size = CASES_A_PROCESS[settings.mode]
    ranges = [(start, min(size, first + count - start))
              for start in range(first, first + count, size)]
    started = time.monotonic()
    jobs = jobs or len(os.sched_getaffinity(0))
    parts = {}

    def report():
        return add_up([parts[start] for start in sorted(parts)],
                      {"mode": settings.mode, "seed": seed, "first": first,
                       "count": count, "jobs": jobs,
                       "wall_seconds": time.monotonic() - started})

    def work(part):
        parts[part[0]] = run_range(settings, seed, *part)

    try:
        children.each(work, ranges, jobs)
    except (KeyboardInterrupt, SystemExit):
        interrupted(report())
        raise
    return report()


def add_up(parts, about):
    report = {**about, "done": sum(p["done"] for p in parts),
              "accepted": sum(p["accepted"] for p in parts),
              "refused": sum(p["refused"] for p in parts),
              "parser_crashes": sum(p["parser_crashes"] for p in parts),
              "case_seconds": sum(p["seconds"] for p in parts),
              "findings": [f for p in parts for f in p["findings"]]}
    report["longest_seconds"], report["longest_case"] = max(
        ((p["longest_seconds"], p["longest_case"]) for p in parts),
        key=lambda pair: pair[0], default=(0, about["first"]))
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
    seconds, done = report["wall_seconds"], report["done"]
    lines = [f"egg fuzz {report['mode']}, seed {report['seed']}, cases "
             f"{report['first']} to {report['first'] + report['count'] - 1}"
             + (f": {done} of {report['count']} have run"
                if done < report["count"] else ""),
             f"{report['accepted']} accepted, {report['refused']} refused with "
             f"a diagnostic, {len(report['findings'])} findings"]
    if report["parser_crashes"]:
        lines.append(f"{report['parser_crashes']} broken payloads crashed "
                     "MLIR's parser")
    if report["grades"]:
        lines.append("grades: " + ", ".join(
            f"{name} {count}" for name, count in report["grades"].items()))
    lines.append(f"{seconds:.0f} s on {report['jobs']} jobs, "
                 f"{done / max(seconds, 1e-9):.1f} cases/s; the "
                 f"longest case, {report['longest_case']}, took "
                 f"{report['longest_seconds']:.1f} s")
    for found in group_findings(report):
        first = found[0]
        cases = ", ".join(str(f["case"]) for f in found[:5])
        lines.append(f"finding in step {first['step']}, {len(found)} times "
                     f"(cases {cases}{', ...' if len(found) > 5 else ''}): "
                     + first["reason"].splitlines()[0])
        if limit := first.get("reduction_limit"):
            lines.append(f"  its reduction ended early, after {limit}")
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
            settings.run(1, option("repeat", file), option("output", output))
        except BaseException:
            if out and output.exists():
                write_bytes(pathlib.Path(out) / file.name,
                            files.read_bytes(output))
            raise
        return files.read_text(output).rstrip()
