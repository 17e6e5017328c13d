#!/usr/bin/env python3
# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives a recorded session's answers again, in their order by schema, whatever is
asked: for sessions that measure, whose prompts differ from the recorded ones.

usage: egg-opt SESSION/payload.mlir --egg-optimize="agent=llm proposals=2
           session=DIR out=OUT measure='python3 -m egg.measure.attempt FILE.py'
           exec='python3 scripts/sessions/answer_in_order.py SESSION STATE'"
  STATE   a file for the numbers of the answers that were given; new for a session
When none is left, an analyst sees nothing to gain, and a coder has no script.
"""

import json
import pathlib
import sys

NOTHING = {"worth_optimizing": False, "bottleneck": "none", "method": "none",
           "plan": "none", "expected_speedup": 1}


def main(session, state):
    schema = json.load(sys.stdin)["schema_name"]
    state = pathlib.Path(state)
    given = json.loads(state.read_text()) if state.exists() else []
    lines = (pathlib.Path(session) / "cassette.jsonl").read_text().splitlines()
    for number, line in enumerate(lines):
        record = json.loads(line)
        if (number not in given and "answer" in record
                and record["request"].get("schema_name") == schema):
            state.write_text(json.dumps(given + [number]))
            print(record["answer"]["text"])
            return
    print(json.dumps(NOTHING if schema == "judgement" else {}))


if __name__ == "__main__":
    main(*sys.argv[1:])
