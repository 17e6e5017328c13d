# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A recorded session made again, its requests answered by the caller."""

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

from egg.agent.recording import pass_options  # noqa: E402

DEFAULT_EGG_OPT = ROOT / "build/dev/bin/egg-opt"


class Unanswered(Exception):
    """Why a request has no answer, and the session cannot go on."""


def write_at_once(path, text):
    """The file appears whole."""
    written = path.with_suffix(".tmp")
    written.write_text(text)
    written.rename(path)


class Mailbox:
    """Requests that are passed on to a directory, and their answers there."""

    def __init__(self, directory):
        self.directory = directory
        self.answers = {}

    def __contains__(self, path):
        return path in self.answers

    def __call__(self, path):
        """The answer's text, None until there is one."""
        if path not in self.answers:
            self.directory.mkdir(parents=True, exist_ok=True)
            number = path.name.split("-")[0]
            write_at_once(self.directory / f"{number}.request.md",
                          path.with_suffix(".md").read_text())
            self.answers[path] = self.directory / f"{number}.answer.txt"
        answer = self.answers[path]
        return answer.read_text() if answer.exists() else None


def make_again(egg_opt, payload, header, recorded, answer, out):
    """Runs the session of a payload with the options of a trajectory's header and
    puts cassette.jsonl and trajectory.jsonl into the directory `out`, when the
    whole session went through. answer(path) is called for each *.request.json
    until it returns a text, not None. Raises Unanswered, also where egg-opt fails."""
    with tempfile.TemporaryDirectory() as work:
        box, session = pathlib.Path(work, "box"), pathlib.Path(work, "session")
        box.mkdir()
        options = pass_options(header, recorded, session, "record")
        with subprocess.Popen(
                [egg_opt, payload,
                 f"--egg-propose={options} mailbox={box} output={work}/best.mlir",
                 "-o", os.devnull],
                stderr=subprocess.PIPE, text=True) as process:
            try:
                while process.poll() is None:
                    for path in sorted(box.glob("*.request.json")):
                        target = path.with_name(
                            path.name.replace(".request.json", ".answer.txt"))
                        if not target.exists() and (text := answer(path)) is not None:
                            write_at_once(target, text)
                    time.sleep(0.05)
            except BaseException:
                process.kill()
                raise
            _, errors = process.communicate()
        if process.returncode:
            raise Unanswered(errors.strip() or "egg-opt failed")
        for name in ("cassette.jsonl", "trajectory.jsonl"):
            shutil.copyfile(session / name, out / name)


def read_request(path):
    return json.loads(path.read_text())
