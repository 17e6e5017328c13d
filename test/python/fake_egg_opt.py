# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stands for egg-opt at the border of the process: the tests of what Python
makes of its answers, its failures and its silence need no compiler."""

import hashlib
import json
import os
import stat
import sys

SCRIPT = """#!{python}
import hashlib, json, os, pathlib, re, shutil, subprocess, sys, tempfile, time
if "--help" in sys.argv:
    sys.exit(print("  --egg-optimize"))
payload = sys.stdin.read()
command = " ".join(sys.argv[1:])
if "leave" in payload:
    # What a compiler that is ended leaves: files in both places, a process.
    out = pathlib.Path(re.search('out="?([^" ]+)', command)[1])
    out.with_name("." + out.name + ".tmp-1").mkdir()
    tempfile.mkdtemp(prefix="egg-ptxas")
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
    pathlib.Path(os.environ["EGG_TEST_PID"]).write_text(str(child.pid))
if "crash" in payload:
    os.abort()
if "hang" in payload:
    time.sleep(1000)
if "exhaust" in payload:
    sys.exit("LLVM ERROR: out of memory")
if "chip=sm_1 " in command:
    sys.exit("<stdin>:1:1: error: target refused: unknown chip 'sm_1'; known: "
             "sm_90a")
if "refuse" in payload:
    sys.exit("<stdin>:1:1: error: refused by the stand-in")
if "only tested" in payload and "require=exact" in command:
    sys.exit("<stdin>:1:1: error: verify refused at schedule.mlir: the verdict "
             "is 'tested', and 'exact' is required; do\\n  note: skipped: why")

def value(name):
    found = re.search(name + '="?([^" }}]+)', command)
    return found and pathlib.Path(found[1])

ptx = "PTX add_one // " + hashlib.sha256(payload.encode()).hexdigest()
plan = {plan}
if out := value("out"):
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    files = {{"payload.mlir": payload, "schedule.mlir": "module {{}}",
             "kernels.ptx": ptx, "kernels.cubin": ptx,
             "plan.json": json.dumps(plan),
             "summary.md": "# What EGG made\\n\\nVerdict: exact: so.\\n\\n- why\\n"}}
    files["report.json"] = json.dumps(
        {{"ptxas": "accepted", "predicted_seconds": 0.002, "chip": plan["chip"],
         "kernels": [], "verdict": {{"grade": "exact"}},
         **{{key + "_sha256": hashlib.sha256(files[name].encode()).hexdigest()
            for key, name in (("payload", "payload.mlir"),
                              ("schedule", "schedule.mlir"),
                              ("ptx", "kernels.ptx"), ("plan", "plan.json"),
                              ("cubin", "kernels.cubin"))}}}})
    for name, text in files.items():
        (out / name).write_text(text)
if path := value("dump-ptx"):
    path.write_text(ptx)
if path := value("file"):
    path.write_text(json.dumps(plan))
"""


def complete(folder):
    """Adds to a made-up report.json what every report has, and the files."""
    report = json.loads((folder / "report.json").read_text())
    for key, name in (("payload", "payload.mlir"), ("schedule", "schedule.mlir"),
                      ("ptx", "kernels.ptx")):
        (folder / name).touch()
        digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        report.setdefault(f"{key}_sha256", digest)
    report = {"chip": "sm_90a", "kernels": [], "predicted_seconds": 0.0,
              "verdict": {"grade": "tested"}, **report}
    (folder / "report.json").write_text(json.dumps(report))


def write_fake_egg_opt(path, plan):
    """An executable that answers like egg-opt for one plan."""
    path.write_text(SCRIPT.format(python=sys.executable, plan=repr(plan)))
    os.chmod(path, path.stat().st_mode | stat.S_IXUSR)
    return path
