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
import pathlib
import shutil
import sys

from by_mailbox import (DEFAULT_EGG_OPT, Mailbox, Unanswered, make_again,
                        read_request)

from egg.agent.recording import read_cassette
from egg.agent.trajectory import read_trajectory


def key_of(request):
    return json.dumps(request, sort_keys=True)


class Answers:
    """From the recording; what is not in it is passed on to the mailbox."""

    def __init__(self, recorded, mailbox):
        self.known = {key_of(record["request"]): record["answer"]["text"]
                      for record in recorded if "answer" in record}
        self.others = Mailbox(mailbox)

    def __call__(self, path):
        if path not in self.others:
            text = self.known.get(key_of(read_request(path)))
            if text is not None:
                return text
        return self.others(path)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--without", choices=["hand-over", "history"])
    parser.add_argument("--mailbox", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--egg-opt", default=DEFAULT_EGG_OPT,
                        help="which to run (default: the development build's)")
    parser.add_argument("session", type=pathlib.Path)
    arguments = parser.parse_args()
    recorded = read_cassette(arguments.session)
    header = read_trajectory(arguments.session)[0]
    if arguments.without:
        header["options"][arguments.without.replace("-", "_")] = False
    arguments.mailbox.mkdir(parents=True, exist_ok=True)
    arguments.out.mkdir(parents=True, exist_ok=True)
    payload = arguments.session / "payload.mlir"
    try:
        make_again(arguments.egg_opt, payload, header, recorded,
                   Answers(recorded, arguments.mailbox), arguments.out)
    except Unanswered as problem:
        sys.exit(f"{arguments.session}: {problem}")
    shutil.copyfile(payload, arguments.out / "payload.mlir")


if __name__ == "__main__":
    main()
