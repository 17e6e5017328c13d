# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A key that is planted where one belongs reaches the server and nothing else:
neither a record of the session, nor a message, nor a child process."""

import json
import os
import pathlib
import shutil
import sys

import pytest

from scripted_server import KEY, answer, error, http
from session_runs import run_session

JUDGEMENT = {"worth_optimizing": True, "bottleneck": "b", "method": "m", "plan": "p",
             "expected_speedup": 2}
SCRIPT = {"script": "transform.named_sequence @algorithm(%f: !transform.any_op) "
                    "{ transform.yield }", "rationale": "r"}
DIAGNOSIS = {"critical_issue": "i", "why": "w", "plan": "p"}


def find_ptxas():
    for place in map(pathlib.Path, sys.path):
        for path in place.glob("*/**/nvidia/bin/ptxas"):
            return path
    found = shutil.which("ptxas")
    return found or pytest.skip("no ptxas to look over the shoulder of")


def run_on(url, session, tmp_path):
    # ptxas is a child: it shows what a child can see.
    spy = tmp_path / "bin" / "ptxas"
    spy.parent.mkdir()
    spy.write_text(f"#!/bin/sh\nenv > {tmp_path}/child.txt\n"
                   f"cat /proc/$PPID/cmdline | tr '\\0' ' ' >> {tmp_path}/child.txt\n"
                   f"exec {find_ptxas()} \"$@\"\n")
    spy.chmod(0o755)
    environment = {name: value for name, value in os.environ.items()
                   if not name.lower().endswith("_proxy")}
    return run_session(
        session, f"provider=compatible base-url={url} model=m ptxas={spy}",
        "stages=algorithm proposals=2 repairs=1 max-calls=8", cwd=tmp_path,
        env={**environment, "EGG_API_KEY": KEY})


def assert_nowhere(run, *places):
    assert all(place.exists() for place in places)
    assert KEY not in run.stdout and KEY not in run.stderr
    for place in places:
        for path in [place] if place.is_file() else place.rglob("*"):
            if path.is_file():
                assert KEY.encode() not in path.read_bytes(), path


def test_a_session_keeps_its_key(serve, tmp_path):
    # A server that sends the key back in its answers is a leak of its own.
    words = {**JUDGEMENT, "plan": f"use {KEY} well"}
    server = serve(answer(json.dumps(words)), answer(json.dumps(SCRIPT)),
                   answer(json.dumps({**DIAGNOSIS, "why": KEY})),
                   answer(json.dumps({**SCRIPT, "rationale": KEY})))
    run = run_on(server.url, tmp_path / "session", tmp_path)
    assert run.returncode == 0, run.stderr
    assert all(request.headers["authorization"] == f"Bearer {KEY}"
               for request in server.requests)
    assert len(server.requests) >= 4
    assert_nowhere(run, tmp_path / "session", tmp_path / "best.mlir")
    assert_nowhere(run, tmp_path / "child.txt")
    assert "(secret)" in (tmp_path / "session" / "trajectory.jsonl").read_text()


@pytest.mark.parametrize("step", [error(401, f"wrong key {KEY}"), http(500, f"oops {KEY}")])
def test_errors_keep_it_too(step, serve, tmp_path):
    run = run_on(serve(step).url, tmp_path / "session", tmp_path)
    assert run.returncode != 0 and run.stderr
    assert_nowhere(run, tmp_path / "session")
