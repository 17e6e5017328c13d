# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stands for a language model: reads a request, answers by its schema. Its
script is that of the file it is given; of the word "nonsense", none."""

import json
import sys

request = json.load(sys.stdin)
name = request["schema_name"]
if name == "judgement":
    answer = {"worth_optimizing": True, "bottleneck": "memory",
              "method": "fewer bytes", "plan": "sum first",
              "expected_speedup": 1.5}
elif name == "diagnosis":
    answer = {"critical_issue": "the sequence is not mapped", "why": "rules",
              "plan": "map it"}
elif sys.argv[1] == "nonsense":
    answer = ["no", "script"]
else:
    answer = {"script": open(sys.argv[1]).read(), "rationale": "the columns are added first"}
print(json.dumps(answer))
