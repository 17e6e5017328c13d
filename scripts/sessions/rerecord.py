#!/usr/bin/env python3
# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives the answers of recorded sessions again, to the requests of today's EGG.

A recording is found by the text of its requests, so a change of a prompt, of a
predicted time or of a message makes it one of another EGG. This runs a session
again with the same options: a request gets the answer that the recorded one of
the same question (stage, kernel, task) got, in order. What a model said stays as
it was; what it was asked becomes today's, so say in the change why the old
answers still make sense. What was not answered is put into MAILBOX as
NNNN.request.md, for anybody who writes the answer to NNNN.answer.txt; without one,
a session that asks such a thing cannot be carried over, and is an error.

usage: scripts/sessions/rerecord.py [--egg-opt PATH] [--mailbox MAILBOX] DIR...
  DIR   holds payload.mlir, cassette.jsonl, trajectory.jsonl; the last two are
        replaced when the whole session went through
"""

import argparse
import collections
import pathlib
import sys

from by_mailbox import DEFAULT_EGG_OPT, Mailbox, Unanswered, make_again, read_request

from egg.agent.recording import read_cassette
from egg.agent.trajectory import read_trajectory


def subject_of(request):
    """What a request asks: the question's first line names stage, kernel and task."""
    question = next(message["text"] for message in request["messages"]
                    if message["role"] == "user")
    return question.split("\n", 1)[0]


def rerecord(egg_opt, directory, mailbox):
    """Raises Unanswered where the session cannot be carried over."""
    recorded = read_cassette(directory)
    header = read_trajectory(directory)[0]
    left = collections.defaultdict(collections.deque)
    for record in recorded:
        left[subject_of(record["request"])].append(record)

    others = Mailbox(mailbox)

    def answer(path):
        subject = subject_of(read_request(path))
        if path in others:
            return others(path)
        if not left[subject]:
            if mailbox is None:
                raise Unanswered(f"nothing was answered to: {subject}")
            return others(path)
        record = left[subject].popleft()
        if "answer" not in record:
            raise Unanswered(f"an error was recorded for: {subject}")
        return record["answer"]["text"]

    make_again(egg_opt, directory / "payload.mlir", header, recorded, answer, directory)
    unasked = sum(map(len, left.values()))
    print(f"{directory.name}: {len(recorded) - unasked} answers given again"
          + (f", {unasked} no longer asked for" if unasked else ""), flush=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--egg-opt", default=DEFAULT_EGG_OPT,
                        help="which to run (default: the development build's)")
    parser.add_argument("--mailbox", type=pathlib.Path,
                        help="where to ask what was not answered")
    parser.add_argument("directories", nargs="+", type=pathlib.Path, metavar="DIR")
    arguments = parser.parse_args()
    failed = False
    for directory in arguments.directories:
        try:
            rerecord(arguments.egg_opt, directory, arguments.mailbox)
        except Unanswered as problem:
            print(f"{directory}: {problem}; record it anew", file=sys.stderr)
            failed = True
    sys.exit(failed)


if __name__ == "__main__":
    main()
