# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sessions that were stopped, lost their server, or are finished, gone on with
and run again: nothing is spent unseen, and a replay needs no option."""

import json
import shutil
import sys

import pytest

from session_runs import run_session

# Slow where it is told so; never the same script twice in a session.
ANSWER = """
import hashlib, json, sys, time
time.sleep(float(sys.argv[1]))
text = sys.stdin.read()
name = json.loads(text)["schema_name"]
number = hashlib.sha256(text.encode()).hexdigest()
print(json.dumps(
    {"worth_optimizing": True, "bottleneck": "b", "method": "m", "plan": "p",
     "expected_speedup": 2} if name == "judgement" else
    {"critical_issue": "i", "why": "w", "plan": "p"} if name == "diagnosis" else
    {"script": "transform.named_sequence @algorithm(%f: !transform.any_op) "
     "{ transform.yield } // " + number, "rationale": number}))
"""


@pytest.fixture
def play(tmp_path):
    """play(mode, option, ...): a session of that command in 'session'."""
    answer = tmp_path / "answer.py"
    answer.write_text(ANSWER)

    def run(mode, *options, wait=0, asks=True, name="session"):
        who = [f"exec='{sys.executable} {answer} {wait}'"] if asks else []
        return run_session(tmp_path / name, *who, "ptxas=none stages=algorithm",
                           f"session-mode={mode} proposals=2 repairs=1", *options)
    return run


def good(run):
    assert run.returncode == 0, run.stderr
    return run


def fails(run, *parts):
    assert run.returncode != 0
    for part in parts:
        assert part in run.stderr, run.stderr
    assert "Traceback" not in run.stderr


def contents(session):
    return {path.name: path.read_bytes() for path in sorted(session.iterdir())}


def types(session):
    return [json.loads(line)["type"] for line in
            (session / "trajectory.jsonl").read_text().splitlines()]


def test_a_finished_session_stays_as_it_is(play, tmp_path):
    good(play("record"))
    session, best = tmp_path / "session", tmp_path / "best.mlir"
    before, script = contents(session), best.read_bytes()
    best.unlink()
    # Nobody needs to be named: nobody is asked.
    for asks in (True, False):
        run = good(play("resume", asks=asks))
        assert "is finished; its result is given again" in run.stderr
        assert best.read_bytes() == script
        assert contents(session) == before
    good(play("replay", asks=False))


def test_stopped_again_and_again_it_replays(play, tmp_path):
    session = tmp_path / "session"
    good(play("record", "max-calls=1"))
    good(play("replay", asks=False))
    before = contents(session)
    good(play("resume", "max-calls=1"))
    assert contents(session) == before
    # Another reason to stop at the same place, and fewer calls than were made.
    good(play("resume", "max-output-tokens=9000"))
    good(play("replay", asks=False))
    for calls in (2, 1, 3):
        good(play("resume", f"max-calls={calls}"))
        assert types(session)[-2:] == ["stopped", "result"]
        good(play("replay", asks=False))
        # Whatever ceiling is named, a replay spends nothing.
        good(play("replay", "max-calls=1 max-seconds=0.001", asks=False))
    good(play("resume"))
    good(play("replay", asks=False))
    assert types(session)[-2:] != ["stopped", "result"]


def test_stopped_by_the_clock_it_replays(play, tmp_path):
    good(play("record", "max-seconds=0.6", wait=0.7))
    lines = (tmp_path / "session/trajectory.jsonl").read_text()
    assert "budget of 0.6 seconds is spent" in lines
    good(play("replay", asks=False))
    good(play("resume", "max-seconds=0.7", wait=0.8))
    good(play("replay", asks=False))


def test_a_session_of_someone_else(play, tmp_path):
    good(play("record", "model=a max-calls=1"))
    session = tmp_path / "session"
    assert '"provider":"exec"' in (session / "trajectory.jsonl").read_text()
    before = contents(session)
    for mode, options, asks in (
            ("resume", "model=b", True), ("replay", "model=b", False),
            ("resume", f"mailbox={tmp_path}/box model=a", False),
            ("replay", "provider=openai", False)):
        named = "'b' of 'exec'" if "b" in options.split("=")[-1] else "'a' of '"
        fails(play(mode, options, asks=asks),
              "model 'a' of provider 'exec' answered, and now it is", named)
        assert contents(session) == before
    assert not (tmp_path / "box").exists()
    # A model that is not named is the one that answered before.
    good(play("replay", asks=False))
    good(play("resume"))


def test_a_record_without_a_provider_is_one_still(play, tmp_path):
    good(play("record", "max-calls=1"))
    path = tmp_path / "session/trajectory.jsonl"
    path.write_text(path.read_text().replace('"provider":"exec",', "", 1))
    good(play("replay", asks=False))
    fails(play("resume", f"mailbox={tmp_path}/box", asks=False), "'exec' answered")
    good(play("resume"))
    assert "provider" not in path.read_text()
    good(play("replay", asks=False))


def test_no_folder_to_go_on_with(play, tmp_path):
    fails(play("resume"), "there is no session to resume in", "no such directory")
    assert not (tmp_path / "session").exists()
    (tmp_path / "session").mkdir()
    (tmp_path / "session/notes").write_text("mine")
    fails(play("resume"), "it has no trajectory.jsonl")
    # One that was killed at once.
    (tmp_path / "session/notes").unlink()
    good(play("resume"))


@pytest.mark.parametrize("name", ["trajectory.jsonl", "cassette.jsonl"])
def test_links_lead_nowhere(name, play, tmp_path):
    outside = tmp_path / "outside"
    for mode in ("record", "resume"):
        (tmp_path / "session").mkdir()
        (tmp_path / "session" / "trajectory.jsonl").touch()
        (tmp_path / "session" / name).unlink(missing_ok=True)
        (tmp_path / "session" / name).symlink_to(outside)
        fails(play(mode), name, "is a symbolic link")
        assert not outside.exists()
        shutil.rmtree(tmp_path / "session")


@pytest.mark.parametrize("option", ["model", "provider"])
def test_a_name_that_is_no_utf8(tmp_path, option):
    """The record, which is JSON, could not say it."""
    name = option.encode() + b"=\xff"
    done = run_session(tmp_path / "session", "exec=true",
                       name.decode(errors="surrogateescape"))
    assert done.returncode == 1
    assert f"{option} is no UTF-8: '\ufffd'" in done.stderr
    assert not (tmp_path / "session").exists()
