# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recorded sessions of a capable model (test/sessions, docs/Agents.md) run again
bit for bit without it: every request, refusal, time and PTX hash. Where a change
to EGG is meant to change them, scripts/sessions/rerecord.py carries them over."""

import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

from egg.agent.recording import pass_options, read_cassette
from egg.agent.trajectory import read_trajectory
from egg.egg_opt import find_egg_opt

SESSIONS = pathlib.Path(__file__).resolve().parents[2] / "sessions"
NAMES = sorted(path.parent.relative_to(SESSIONS).as_posix()
               for path in SESSIONS.rglob("trajectory.jsonl"))


def replay(directory, session, output):
    options = pass_options(read_trajectory(directory)[0],
                           read_cassette(directory), session, "replay")
    return subprocess.run(
        [str(find_egg_opt()), str(directory / "payload.mlir"),
         f"--egg-propose={options} output={output}", "-o", os.devnull],
        capture_output=True, text=True, timeout=600)


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_session_runs_again(name, tmp_path):
    directory, output = SESSIONS / name, tmp_path / "best.mlir"
    run = replay(directory, directory, output)
    assert run.returncode == 0, run.stderr
    records = read_trajectory(directory)
    best = next(record for record in records if record["type"] == "attempt"
                and record["id"] == records[-1]["best"])
    assert output.read_text() == best["script"]
    assert best["accepted"]["ptx_sha256"] == records[-1]["ptx_sha256"]


def test_what_was_not_recorded_is_an_error(tmp_path):
    directory, copy = SESSIONS / NAMES[0], tmp_path / "session"
    copy.mkdir()
    shutil.copy(directory / "payload.mlir", copy)
    shutil.copy(directory / "trajectory.jsonl", copy)
    lines = (directory / "cassette.jsonl").read_text().splitlines(keepends=True)
    (copy / "cassette.jsonl").write_text("".join(lines[1:]))
    run = replay(copy, copy, tmp_path / "best.mlir")
    assert run.returncode != 0
    assert re.search("no answer to prompt|has no", run.stderr), run.stderr


def test_another_answer_takes_another_course(tmp_path):
    directory, copy = SESSIONS / NAMES[0], tmp_path / "session"
    shutil.copytree(directory, copy)
    records = read_cassette(copy)
    for record in records:
        if record["request"]["schema_name"] == "judgement":
            said = json.loads(record["answer"]["text"])
            said["worth_optimizing"] = not said["worth_optimizing"]
            record["answer"]["text"] = json.dumps(said)
    (copy / "cassette.jsonl").write_text("".join(json.dumps(r) + "\n" for r in records))
    run = replay(copy, copy, tmp_path / "best.mlir")
    assert run.returncode != 0
    assert "takes another course" in run.stderr, run.stderr


def test_no_secret_and_no_place_is_in_a_recording():
    for path in SESSIONS.rglob("*.jsonl"):
        text = path.read_text()
        assert not re.search(r"sk-[A-Za-z0-9]{16}|Bearer |api[_-]key", text), path
        assert not re.search(r"/(home|root|work|tmp|Users)/", text), path
