# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""egg show --trajectory: the story of a session from its records."""

import json

import pytest

from egg import __main__ as command_line
from egg.errors import EggError
from egg.agent.trajectory import describe_trajectory, read_trajectory

ALGORITHM = {"kind": "algorithm"}


def session():
    return {"type": "session", "agent": "llm: m", "chip": "sm_90a",
            "payload": "0123456789abcdef", "version": "0",
            "options": {"strategy": "greedy", "proposals": 3, "repairs": 1}}


def accepted(number, seconds, mode="optimise", **more):
    return {"type": "attempt", "id": number, "stage": ALGORITHM,
            "author": "expert" if mode == "start" else "llm: m", "mode": mode,
            "script": "module {}", "rationale": "fewer launches",
            "accepted": {"grade": "exact", "predicted_seconds": seconds,
                         "roofline_seconds": 1e-6, "ptx_sha256": "ab" * 32,
                         "kernels": [{}, {}]}, **more}


def refused(number, reason, mode="optimise", **more):
    record = accepted(number, 1, mode, **more)
    del record["accepted"]
    record["refused"] = {"step": "apply", "location": "schedule.mlir:3:1",
                         "reason": reason, "remedy": "", "notes": []}
    return record


RECORDS = [
    session(),
    accepted(0, 20e-6, "start"),
    {"type": "stage", "stage": ALGORITHM},
    {"type": "judgement", "stage": ALGORITHM, "worth_optimizing": True,
     "bottleneck": "two launches", "method": "fusion", "plan": "fuse them",
     "expected_speedup": 2},
    refused(1, "no operation named \"x\"", parent=0),
    {"type": "diagnosis", "attempt": 1, "critical_issue": "a wrong name",
     "why": "", "plan": ""},
    accepted(2, 10e-6, "repair", parent=1),
    {"type": "agent_error", "stage": ALGORITHM, "task": "optimise",
     "error": "no JSON"},
    {"type": "stage_end", "stage": ALGORITHM, "best": 2,
     "reason": "all proposals were made"},
    {"type": "hand_over", "bottlenecks": ["@k takes 60 % of the time"]},
    {"type": "result", "best": 2, "script_sha256": "", "ptx_sha256": "ab" * 32},
]


def write(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_the_story():
    assert describe_trajectory(RECORDS) == """\
session of llm: m for sm_90a, payload 0123456789ab: greedy, 3 proposals a stage, 1 repair of each
attempt 0, expert's script: exact, predicted 20 us, 2 launches

algorithm
  analyst: worth it; two launches
    plan: fuse them
  attempt 1 (optimise of 0): refused at step apply at schedule.mlir:3:1: no operation named "x"
    why: fewer launches
    debugger: a wrong name
  attempt 2 (repair of 1): exact, predicted 10 us, 2 launches, 2.00x the best before: the best now
    why: fewer launches
  no answer to 'optimise': no JSON
  end: all proposals were made; the best is attempt 2
  handed over: @k takes 60 % of the time

result: attempt 2, 2.00x the start; PTX abababababab
1 proposal and 1 repair, 1 accepted; refused: 1 at apply"""


def test_a_directory_or_its_file(tmp_path, capsys):
    path = write(tmp_path / "trajectory.jsonl", RECORDS)
    for argument in (path, tmp_path):
        assert command_line.main(["show", "--trajectory", str(argument)]) == 0
        assert "result: attempt 2" in capsys.readouterr().out


def test_a_torn_end_is_left_out_and_said(tmp_path):
    path = write(tmp_path / "trajectory.jsonl", RECORDS[:7])
    with open(path, "a") as file:
        file.write(json.dumps(RECORDS[8])[:20])
    story = describe_trajectory(read_trajectory(path))
    assert story.endswith("not finished: 1 proposal and 1 repair, 1 accepted; refused: "
                          "1 at apply; resume it with --resume")


def test_what_could_not_be_checked_is_no_refusal():
    slow = refused(3, "the check needs more than 5 s", parent=2)
    slow["refused"]["undecided"] = True
    story = describe_trajectory(RECORDS[:7] + [slow, RECORDS[-1]])
    assert "not decided at step apply" in story
    assert story.endswith("2 proposals and 1 repair, 1 accepted; refused: 1 at apply; "
                          "not decided within the limits of the check: 1")


def test_what_stopped_it_is_said():
    story = describe_trajectory(
        RECORDS[:7] + [{"type": "stopped", "reason": "the budget of 3 calls"},
                       RECORDS[-1]])
    assert "\nstopped: the budget of 3 calls\n" in story


def test_long_words_of_an_author_are_cut():
    record = refused(1, "x" * 5000, parent=0)
    record["rationale"] = "line\n" * 1000
    for line in describe_trajectory(RECORDS[:3] + [record]).splitlines():
        assert len(line) < 400


def test_control_characters_do_not_reach_the_terminal(tmp_path, capsys):
    record = refused(1, "\x1b[2J", parent=0)
    path = write(tmp_path / "trajectory.jsonl", RECORDS[:3] + [record])
    assert command_line.main(["show", "--trajectory", str(path)]) == 0
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize("text, message", [
    ("", "is not the record of a session"),
    ("nonsense\n", "trajectory.jsonl:1: is not JSON"),
    ("[1]\n", "trajectory.jsonl:1: is no record of a session"),
    ('{"type": "stage"}\n', "is not the record of a session"),
    ("[" * 100000 + "\n", "trajectory.jsonl:1: is not JSON"),
])
def test_what_is_no_trajectory(tmp_path, text, message):
    path = tmp_path / "trajectory.jsonl"
    path.write_text(text)
    with pytest.raises(EggError) as error:
        read_trajectory(path)
    assert message in str(error.value)


def test_a_record_without_its_fields():
    with pytest.raises(EggError) as error:
        describe_trajectory([session(), {"type": "attempt", "id": 0}])
    assert "record 2 of type 'attempt' is not what EGG writes" in str(
        error.value)


def test_a_missing_file(tmp_path, capsys):
    assert command_line.main(["show", "--trajectory", str(tmp_path)]) != 0
    assert "cannot be read" in capsys.readouterr().err
