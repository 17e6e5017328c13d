# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The story of a session: what was tried, refused and why, and what won.

Reads trajectory.jsonl (include/egg/Core/Trajectory.h says what its records
are). A last line that a crash tore is left out, as everywhere.
"""

import json
import pathlib

from egg import files
from egg.errors import EggError
from egg.words import count

HINT = "give the directory that --session named, or its trajectory.jsonl"


def read_trajectory(path):
    """The records, in order; path is the file or the session's directory."""
    path = pathlib.Path(path)
    if path.is_dir():
        path = path / "trajectory.jsonl"
    text = files.read_text(path, hint=HINT)
    records = []
    for number, line in enumerate(text.split("\n")[:-1], 1):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise EggError(f"is not JSON: {error}", where=f"{path}:{number}",
                           hint=HINT) from None
        if not isinstance(record, dict) or not isinstance(
                record.get("type"), str):
            raise EggError("is no record of a session",
                           where=f"{path}:{number}", hint=HINT)
        records.append(record)
    if not records or records[0]["type"] != "session":
        raise EggError("is not the record of a session", where=str(path),
                       hint=HINT)
    return records


def stop_reason(session):
    """Why the session ended early, or None; None too where there is none."""
    try:
        records = read_trajectory(session)
    except EggError:
        return None
    # A larger budget goes on from an earlier end.
    ends = [record for record in records[-2:] if record["type"] == "stopped"]
    return first_line(ends[-1].get("reason", "")) if ends else None


def is_finished(session):
    """Whether the session came to its own end: there is nothing to go on with."""
    try:
        records = read_trajectory(session)
    except EggError:
        return False
    return records[-1]["type"] == "result" and stop_reason(session) is None


def describe_trajectory(records):
    """The story as text; raises EggError where a record lacks something."""
    story = Story()
    for number, record in enumerate(records, 1):
        tell = getattr(story, "tell_" + record["type"], None)
        if tell is None:
            story.say(f"(a record of type {record['type']!r})")
            continue
        try:
            tell(record)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise EggError(
                f"record {number} of type {record['type']!r} is not what EGG "
                f"writes: {type(error).__name__}: {error}", hint=HINT) from None
    story.end()
    return "\n".join(story.lines)


def stage_name(stage):
    kernel = stage.get("kernel")
    name = stage["kind"].replace("_", " ")
    return f"{name} of {kernel}" if kernel else name


def seconds(number):
    for unit, scale in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if number >= scale:
            return f"{number / scale:.3g} {unit}"
    return f"{number * 1e9:.3g} ns"


def seconds_of(attempt):
    """Of an accepted one: measured, or else predicted."""
    try:
        accepted = attempt["accepted"]
        return accepted.get("measured_seconds", accepted["predicted_seconds"])
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"an attempt lacks its time: {error}") from None


def first_line(text, most=300):
    """An author's words, in one line."""
    words = " ".join(str(text).split())
    return words if len(words) <= most else words[:most - 3] + "..."


class Story:
    """Says one record after the other."""

    def __init__(self):
        self.lines = []
        self.attempts = {}
        self.best = None
        self.finished = False

    def say(self, text, indent=0):
        self.lines.append("  " * indent + text)

    def tell_session(self, record):
        options = record["options"]
        self.say(f"session of {record['agent']} for {record['chip']}, payload "
                 f"{record['payload'][:12]}: {options['strategy']}, "
                 f"{count(options['proposals'], 'proposal')} a stage, "
                 f"{count(options['repairs'], 'repair')} of each")

    def tell_stage(self, record):
        self.say("")
        self.say(stage_name(record["stage"]))

    def tell_judgement(self, record):
        worth = ("worth it" if record["worth_optimizing"]
                 else "not worth it")
        self.say(f"analyst: {worth}; {first_line(record['bottleneck'])}", 1)
        if record["worth_optimizing"]:
            self.say(f"plan: {first_line(record['plan'])}", 2)

    def tell_attempt(self, record):
        self.attempts[record["id"]] = record
        start = record["mode"] == "start"
        head = f"attempt {record['id']}"
        if start:
            head += f", {record['author']}'s script"
        elif "parent" in record:
            head += f" ({record['mode']} of {record['parent']})"
        else:
            head += f" ({record['mode']})"
        if "refused" in record:
            refused = record["refused"]
            where = f" at {refused['location']}" if refused["location"] else ""
            what = "not decided" if refused.get("undecided") else "refused"
            self.say(f"{head}: {what} at step {refused['step']}{where}: "
                     f"{first_line(refused['reason'])}", 0 if start else 1)
        else:
            accepted = record["accepted"]
            kernels = len(accepted["kernels"])
            measured = ("measured" if "measured_seconds" in accepted
                        else "predicted")
            text = (f"{head}: {accepted['grade']}, {measured} "
                    f"{seconds(seconds_of(record))}, "
                    f"{count(kernels, 'launch')}")
            if self.best is not None:
                ratio = seconds_of(self.best) / seconds_of(record)
                text += f", {ratio:.2f}x the best before"
            if self.best is None or seconds_of(record) < seconds_of(self.best):
                text += "" if self.best is None else ": the best now"
                self.best = record
            self.say(text, 0 if start else 1)
        if not start and record["rationale"]:
            self.say(f"why: {first_line(record['rationale'])}", 2)

    def tell_diagnosis(self, record):
        self.say(f"debugger: {first_line(record['critical_issue'])}", 2)

    def tell_agent_error(self, record):
        self.say(f"no answer to {record['task']!r}: "
                 f"{first_line(record['error'])}", 1)

    def tell_declined(self, record):
        self.say(f"coder: nothing to propose; {first_line(record['rationale'])}", 1)

    def tell_stage_end(self, record):
        self.say(f"end: {record['reason']}; the best is attempt "
                 f"{record['best']}", 1)

    def tell_hand_over(self, record):
        for bottleneck in record["bottlenecks"][:1]:
            self.say(f"handed over: {bottleneck}", 1)

    def tell_stopped(self, record):
        self.say("")
        self.say(f"stopped: {first_line(record['reason'])}")

    def tell_result(self, record):
        self.finished = True
        best, start = self.attempts[record["best"]], self.attempts[0]
        ratio = seconds_of(start) / seconds_of(best)
        self.say("")
        self.say(f"result: attempt {record['best']}, {ratio:.2f}x the start; "
                 f"PTX {record['ptx_sha256'][:12]}")
        self.say(self.summary())

    def summary(self):
        """How many proposals and repairs of them there were, and what became
        of both."""
        made = [attempt for attempt in self.attempts.values()
                if attempt["mode"] != "start"]
        repairs = sum(attempt["mode"] == "repair" for attempt in made)
        refusals = {}
        accepted = undecided = 0
        for attempt in made:
            if "accepted" in attempt:
                accepted += 1
            elif attempt["refused"].get("undecided"):
                undecided += 1
            else:
                step = attempt["refused"]["step"]
                refusals[step] = refusals.get(step, 0) + 1
        text = count(len(made) - repairs, "proposal")
        text += f" and {count(repairs, 'repair')}" if repairs else ""
        text += f", {accepted} accepted"
        if refusals:
            text += "; refused: " + ", ".join(
                f"{number} at {step}"
                for step, number in sorted(refusals.items()))
        if undecided:
            text += f"; not decided within the limits of the check: {undecided}"
        return text

    def end(self):
        if not self.finished:
            self.say("")
            self.say(f"not finished: {self.summary()}; resume it with --resume")
