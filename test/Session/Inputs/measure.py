# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stands for the command that measures on a GPU: the expert's script takes
FIRST seconds there, a substitution SECOND; the words "fault", "hang", "fail"
and "nonsense" for one of them do that instead. Usage: FIRST SECOND LOG DIR"""

import json
import pathlib
import sys
import time

first, second, log, directory = sys.argv[1:]
wanted = json.load(sys.stdin)["counters"]
script = pathlib.Path(directory, "schedule.mlir").read_text()
plan = json.loads(pathlib.Path(directory, "plan.json").read_text())
with open(log, "a") as file:
    print("measured", len(wanted), "counters", file=file)
takes = second if "egg.substitute" in script else first
answer = {"gpu_seconds": 4}
if takes == "hang":
    time.sleep(1000)
elif takes == "fail":
    sys.exit("no CUDA driver")
elif takes == "fault":
    answer["refused"] = {"step": "anything", "location": "", "notes": [],
                         "reason": "a kernel faults on the GPU", "remedy": ""}
elif takes != "nonsense":
    names = [step["kernel"] for step in plan["steps"]
             if step["kind"] == "launch"]
    answer["measured"] = {"seconds": float(takes), "kernels": {
        name: {"seconds": float(takes) / len(names),
               "counters": {"launch__waves_per_multiprocessor": 1.5,
                            "dram__throughput.avg.pct_of_peak_sustained_elapsed"
                            : 37.25}} for name in names}}
print(json.dumps(answer))
