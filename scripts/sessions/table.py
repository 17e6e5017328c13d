#!/usr/bin/env python3
# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What recorded sessions came to, as a Markdown table: a row for each, and a sum.

A proposal is a script that a coder was asked for, with its repairs; it passes if
it or a repair of it was accepted. Gain is the expert's time over the session's.
Tokens are the server's counts, or where it gives none, 3 bytes each.

usage: scripts/sessions/table.py [--times FILE] DIR...
  FILE   JSON: by directory name, {"expert": ms, "best": ms, "fastest_baseline": ms} as
         "egg kernelbench --stage time" measured artifacts of both scripts
"""

import argparse
import collections
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python-bindings"))

from egg.agent.recording import read_cassette  # noqa: E402
from egg.agent.trajectory import read_trajectory, seconds  # noqa: E402

BYTES_A_TOKEN = 3


def tokens_of(cassette):
    """Tokens of all requests, and of all answers."""
    asked = said = 0
    for record in cassette:
        answer = record.get("answer", {})
        usage = answer.get("usage", {})
        if usage.get("known"):
            asked += usage["input_tokens"]
            said += usage["output_tokens"]
            continue
        texts = [message["text"] for message in record["request"]["messages"]]
        asked += sum(len(text.encode()) for text in texts) // BYTES_A_TOKEN
        said += len(answer.get("text", "").encode()) // BYTES_A_TOKEN
    return asked, said


class Session:
    def __init__(self, directory):
        records = read_trajectory(directory)
        self.name = pathlib.Path(directory).name
        attempts = {record["id"]: record for record in records
                    if record["type"] == "attempt"}
        self.made = [attempt for attempt in attempts.values() if attempt["mode"] != "start"]
        self.judgements = [record for record in records if record["type"] == "judgement"]
        self.agent_errors = sum(record["type"] == "agent_error" for record in records)
        self.refusals = collections.Counter(
            attempt["refused"]["step"] for attempt in self.made if "refused" in attempt)
        self.accepted = sum("accepted" in attempt for attempt in self.made)
        # Each with what repairs it, in order.
        chains = {attempt["id"]: [attempt] for attempt in self.made
                  if attempt["mode"] != "repair"}
        head = {number: number for number in chains}
        for attempt in self.made:
            if attempt["mode"] == "repair":
                head[attempt["id"]] = head[attempt["parent"]]
                chains[head[attempt["id"]]].append(attempt)
        self.proposals = len(chains)
        self.passed = sum(any("accepted" in attempt for attempt in chain)
                          for chain in chains.values())
        result = records[-1]
        if result["type"] != "result":
            sys.exit(f"{directory}: the session is not finished; resume it")
        best, start = attempts[result["best"]]["accepted"], attempts[0]["accepted"]
        self.expert, self.best = start["predicted_seconds"], best["predicted_seconds"]
        self.grade = best["grade"]
        self.substitutes = "@substitution" in attempts[result["best"]]["script"]
        self.requests = read_cassette(directory)
        self.asked, self.said = tokens_of(self.requests)


def row(cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def refused_text(refusals):
    return ", ".join(f"{count} {step}" for step, count in sorted(refusals.items())) or "none"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=pathlib.Path, metavar="FILE")
    parser.add_argument("directories", nargs="+", type=pathlib.Path, metavar="DIR")
    arguments = parser.parse_args()
    times = json.loads(arguments.times.read_text()) if arguments.times else {}
    sessions = [Session(directory) for directory in arguments.directories]
    titles = ["session", "requests", "worth it / judged", "proposals", "passed",
              "scripts accepted / tried", "refused at step", "expert, predicted",
              "best, predicted", "gain", "grade"]
    if times:
        titles += ["expert, measured", "best, measured", "gain", "fastest of PyTorch",
                   "over it"]
    titles.append("tokens in / out")
    print(row(titles))
    print(row(["---"] * len(titles)))
    for session in sessions:
        cells = [session.name, len(session.requests),
                 f"{sum(j['worth_optimizing'] for j in session.judgements)} / "
                 f"{len(session.judgements)}",
                 session.proposals, session.passed,
                 f"{session.accepted} / {len(session.made)}", refused_text(session.refusals),
                 seconds(session.expert), seconds(session.best),
                 f"{session.expert / session.best:.2f}"
                 + (" (substitution)" if session.substitutes else ""), session.grade]
        if times:
            measured = times.get(session.name)
            cells += ([seconds(measured["expert"] / 1e3), seconds(measured["best"] / 1e3),
                       f"{measured['expert'] / measured['best']:.2f}",
                       seconds(measured["fastest_baseline"] / 1e3),
                       f"{measured['fastest_baseline'] / measured['best']:.2f}"] if measured
                      else [""] * 5)
        cells.append(f"{session.asked} / {session.said}")
        print(row(cells))
    proposals = sum(session.proposals for session in sessions)
    passed = sum(session.passed for session in sessions)
    share = f" ({100 * passed / proposals:.0f} %)" if proposals else ""
    refusals = sum((session.refusals for session in sessions), collections.Counter())
    errors = sum(session.agent_errors for session in sessions)
    print(f"\n{len(sessions)} sessions, {sum(len(s.requests) for s in sessions)} requests, "
          f"{errors} of them without a usable answer. Of {proposals} proposals {passed} passed"
          f"{share}; scripts refused: {refused_text(refusals)}.")


if __name__ == "__main__":
    main()
