# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A session that is killed again and again loses nothing: resumed, it comes to
the records of one that was left alone."""

import os
import random
import signal
import subprocess
import sys

import pytest

from session_runs import session_command

# Answers that depend on the request alone, every second of them none.
ANSWER = """
import hashlib, json, sys
text = sys.stdin.read()
request = json.loads(text)
number = int(hashlib.sha256(text.encode()).hexdigest(), 16)
if request["schema_name"] == "judgement":
    answer = {"worth_optimizing": True, "bottleneck": "b", "method": "m",
              "plan": "p", "expected_speedup": 2}
elif request["schema_name"] == "diagnosis":
    answer = {"critical_issue": "i", "why": "w", "plan": "p"}
else:
    answer = {"script": "transform.named_sequence @algorithm(%f: "
              f"!transform.any_op) {{ transform.yield }} // {number}",
              "rationale": str(number)}
    if number % 2 == 0:
        answer = {}
print(json.dumps(answer))
"""


@pytest.fixture
def session(tmp_path):
    answer = tmp_path / "answer.py"
    answer.write_text(ANSWER)

    def start(directory, mode):
        command = session_command(
            directory, f"exec='{sys.executable} {answer}'", f"session-mode={mode}",
            "stages=algorithm,tensor_tiling proposals=4 repairs=1",
            f"output={directory}.mlir")
        return subprocess.Popen(command, start_new_session=True,
                                stderr=subprocess.PIPE, text=True)
    return start


def finish(process):
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors


def test_killed_twenty_times(session, tmp_path):
    whole = tmp_path / "whole"
    finish(session(whole, "record"))
    records = (whole / "trajectory.jsonl").read_text()
    assert '"type":"agent_error"' in records and '"refused"' in records

    moments, killed = random.Random(7), tmp_path / "killed"
    killed.mkdir()
    for _ in range(20):
        process = session(killed, "resume")
        try:
            process.wait(moments.uniform(0.02, 0.8))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        for name in ("trajectory.jsonl", "cassette.jsonl"):
            if (killed / name).exists():
                # What is whole is a beginning of the undisturbed session's.
                lines = (killed / name).read_text().splitlines(True)
                text = "".join(line for line in lines if line.endswith("\n"))
                assert (whole / name).read_text().startswith(text)
    finish(session(killed, "resume"))
    assert (killed / "trajectory.jsonl").read_text() == records
    assert (killed / "cassette.jsonl").read_bytes() == \
        (whole / "cassette.jsonl").read_bytes()
    assert (tmp_path / "killed.mlir").read_bytes() == \
        (tmp_path / "whole.mlir").read_bytes()
