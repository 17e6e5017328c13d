#!/usr/bin/env python3
# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives the answers of recorded sessions again, to the requests of today's EGG.

A recording is found by the text of its requests, so a change of a prompt, of a
predicted time or of a message makes it one of another EGG. This runs a session
again with the same options: its n-th request gets the answer that the n-th
recorded one got, as long as both ask for the same schema. What a model said stays
as it was; what it was asked becomes today's, so say in the change why the old
answers still make sense. A session that takes another course cannot be carried
over, and is an error.

usage: scripts/sessions/rerecord.py [--egg-opt PATH] DIR...
  DIR   holds payload.mlir, cassette.jsonl, trajectory.jsonl; the last two are
        replaced when the whole session went through
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python-bindings"))

from egg.agent.recording import pass_options, read_lines  # noqa: E402


def answer_requests(box, answers, process):
    """Answers what appears in the mailbox until the process ends; the number of
    answers given, or the reason why one was not."""
    given = 0
    while process.poll() is None:
        open_requests = [path for path in sorted(box.glob("*.request.json"))
                         if not path.with_name(
                             path.name.replace(".request.json", ".answer.txt")).exists()]
        if not open_requests:
            time.sleep(0.05)
            continue
        request = json.loads(open_requests[0].read_text())
        if given == len(answers):
            return given, "it asks more than the recorded session did"
        recorded = answers[given]
        if recorded["request"].get("schema_name") != request.get("schema_name"):
            return given, (f"request {given + 1} asks for {request.get('schema_name')}, "
                           f"the recorded one for {recorded['request'].get('schema_name')}")
        if "answer" not in recorded:
            return given, f"request {given + 1} ended in an error"
        target = open_requests[0].with_name(
            open_requests[0].name.replace(".request.json", ".answer.txt"))
        written = box / "answer.tmp"
        written.write_text(recorded["answer"]["text"])
        written.rename(target)
        given += 1
    if given < len(answers):
        return given, "it asks less than the recorded session did"
    return given, None


def rerecord(egg_opt, directory):
    """None, or what went wrong."""
    answers = read_lines(directory / "cassette.jsonl")
    header = read_lines(directory / "trajectory.jsonl")[0]
    with tempfile.TemporaryDirectory() as work:
        box, session = pathlib.Path(work, "box"), pathlib.Path(work, "session")
        box.mkdir()
        options = pass_options(header, answers, session, "record")
        with subprocess.Popen(
                [egg_opt, directory / "payload.mlir",
                 f"--egg-propose={options} mailbox={box}", "-o", os.devnull],
                stderr=subprocess.PIPE, text=True) as process:
            given, problem = answer_requests(box, answers, process)
            if problem:
                process.kill()
            _, errors = process.communicate()
        if problem:
            return problem
        if process.returncode:
            return errors.strip().splitlines()[0] if errors.strip() else "egg-opt failed"
        for name in ("cassette.jsonl", "trajectory.jsonl"):
            shutil.copyfile(session / name, directory / name)
    print(f"{directory.name}: {given} answers given again", flush=True)
    return None


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--egg-opt", default=ROOT / "build/dev/bin/egg-opt",
                        help="which to run (default: the development build's)")
    parser.add_argument("directories", nargs="+", type=pathlib.Path, metavar="DIR")
    arguments = parser.parse_args()
    failed = False
    for directory in arguments.directories:
        problem = rerecord(arguments.egg_opt, directory)
        if problem:
            print(f"{directory}: {problem}; record it anew", file=sys.stderr)
            failed = True
    sys.exit(failed)


if __name__ == "__main__":
    main()
