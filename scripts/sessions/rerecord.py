#!/usr/bin/env python3
# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives the answers of recorded sessions again, to the requests of today's EGG.

A recording is found by the text of its requests, so a change of a prompt, of a
predicted time or of a message makes it one of another EGG. This runs a session
again with the same options: a request gets the answer that the recorded one of
the same question (stage, kernel, task) got, in order. What a model said stays as
it was; what it was asked becomes today's, so say in the change why the old
answers still make sense. A session that asks what was not answered cannot be
carried over, and is an error.

usage: scripts/sessions/rerecord.py [--egg-opt PATH] DIR...
  DIR   holds payload.mlir, cassette.jsonl, trajectory.jsonl; the last two are
        replaced when the whole session went through
"""

import argparse
import collections
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


def subject_of(request):
    """What a request asks: the question's first line names stage, kernel and task."""
    question = next(message["text"] for message in request["messages"]
                    if message["role"] == "user")
    return question.split("\n", 1)[0]


def answer_requests(box, recorded, process):
    """Answers what appears in the mailbox until the process ends; how many were
    answered, and why the next was not."""
    left = collections.defaultdict(collections.deque)
    for record in recorded:
        left[subject_of(record["request"])].append(record)
    given = 0
    while process.poll() is None:
        for path in sorted(box.glob("*.request.json")):
            target = path.with_name(path.name.replace(".request.json", ".answer.txt"))
            if target.exists():
                continue
            subject = subject_of(json.loads(path.read_text()))
            if not left[subject]:
                return given, f"nothing was answered to: {subject}"
            record = left[subject].popleft()
            if "answer" not in record:
                return given, f"an error was recorded for: {subject}"
            written = box / "answer.tmp"
            written.write_text(record["answer"]["text"])
            written.rename(target)
            given += 1
        time.sleep(0.05)
    return given, None


def rerecord(egg_opt, directory):
    """None, or what went wrong."""
    recorded = read_lines(directory / "cassette.jsonl")
    header = read_lines(directory / "trajectory.jsonl")[0]
    with tempfile.TemporaryDirectory() as work:
        box, session = pathlib.Path(work, "box"), pathlib.Path(work, "session")
        box.mkdir()
        options = pass_options(header, recorded, session, "record")
        with subprocess.Popen(
                [egg_opt, directory / "payload.mlir",
                 f"--egg-propose={options} mailbox={box} output={work}/best.mlir",
                 "-o", os.devnull],
                stderr=subprocess.PIPE, text=True) as process:
            given, problem = answer_requests(box, recorded, process)
            if problem:
                process.kill()
            _, errors = process.communicate()
        if problem:
            return problem
        if process.returncode:
            return errors.strip().splitlines()[0] if errors.strip() else "egg-opt failed"
        for name in ("cassette.jsonl", "trajectory.jsonl"):
            shutil.copyfile(session / name, directory / name)
    unasked = len(recorded) - given
    print(f"{directory.name}: {given} answers given again"
          + (f", {unasked} no longer asked for" if unasked else ""), flush=True)
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
