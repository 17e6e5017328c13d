#!/usr/bin/env python3
# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plays a recorded session again by today's EGG, also without hand-over or history.

Where it asks word for word what the recorded one asked, it gets the recorded
answer, so both share their beginning. All else is put into MAILBOX as
NNNN.request.md, for anybody who writes the answer to NNNN.answer.txt. OUT gets
payload.mlir, cassette.jsonl and trajectory.jsonl when the session has ended.

usage: scripts/sessions/play.py [--without hand-over|history]
           --mailbox MAILBOX --out OUT [--egg-opt PATH] SESSION
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


def write_at_once(path, text):
    written = path.with_suffix(".tmp")
    written.write_text(text)
    written.rename(path)


def serve(box, mailbox, recorded, process):
    """Answers from the recording, and passes on the rest, until the process ends."""
    known = {json.dumps(record["request"], sort_keys=True): record["answer"]["text"]
             for record in recorded if "answer" in record}
    passed_on = {}
    while process.poll() is None:
        for path in sorted(box.glob("*.request.json")):
            target = path.with_name(path.name.replace(".request.json", ".answer.txt"))
            if target.exists():
                continue
            if path not in passed_on:
                request = json.loads(path.read_text())
                answer = known.get(json.dumps(request, sort_keys=True))
                if answer is not None:
                    write_at_once(target, answer)
                    continue
                number = path.name.split("-")[0]
                text = path.with_suffix(".md").read_text()
                write_at_once(mailbox / f"{number}.request.md", text)
                passed_on[path] = mailbox / f"{number}.answer.txt"
            elif passed_on[path].exists():
                write_at_once(target, passed_on[path].read_text())
        time.sleep(0.1)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--without", choices=["hand-over", "history"])
    parser.add_argument("--mailbox", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--egg-opt", default=ROOT / "build/dev/bin/egg-opt",
                        help="which to run (default: the development build's)")
    parser.add_argument("session", type=pathlib.Path)
    arguments = parser.parse_args()
    recorded = read_lines(arguments.session / "cassette.jsonl")
    header = read_lines(arguments.session / "trajectory.jsonl")[0]
    if arguments.without:
        header["options"][arguments.without.replace("-", "_")] = False
    arguments.mailbox.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        box, session = pathlib.Path(work, "box"), pathlib.Path(work, "session")
        box.mkdir()
        options = pass_options(header, recorded, session, "record")
        with subprocess.Popen(
                [arguments.egg_opt, arguments.session / "payload.mlir",
                 f"--egg-propose={options} mailbox={box} output={work}/best.mlir",
                 "-o", os.devnull],
                stderr=subprocess.PIPE, text=True) as process:
            serve(box, arguments.mailbox, recorded, process)
            _, errors = process.communicate()
        if process.returncode:
            sys.exit(f"{arguments.session}: {errors.strip() or 'egg-opt failed'}")
        arguments.out.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(arguments.session / "payload.mlir", arguments.out / "payload.mlir")
        for name in ("cassette.jsonl", "trajectory.jsonl"):
            shutil.copyfile(session / name, arguments.out / name)


if __name__ == "__main__":
    main()
