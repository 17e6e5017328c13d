# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recorded sessions: a directory with payload.mlir, cassette.jsonl (what the
model was asked and said) and trajectory.jsonl (what became of it)."""

import contextlib
import json
import pathlib

from egg.agent.trajectory import read_trajectory
from egg.errors import EggError

# Names in the header of a trajectory, and of the pass option.
_OPTIONS = {"strategy": "strategy", "width": "width", "proposals": "proposals",
            "repairs": "repairs", "kernels": "hot-kernels",
            "from_scratch": "from-scratch", "close_enough": "close-enough",
            "history": "history", "hand_over": "hand-over",
            "history_tokens": "history-tokens",
            "payload_tokens": "payload-tokens", "seed": "seed"}


def read_cassette(directory):
    """The requests of a session with their answers, in order."""
    path = pathlib.Path(directory) / "cassette.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()]


def _text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


def recorded_options(header, session):
    """What a session was recorded with: the values of each pass option, as
    text. EggError where the header lacks one."""
    try:
        given = header["options"]
        options = {name: [_text(given[key])] for key, name in _OPTIONS.items()}
        options["stages"] = [str(stage) for stage in given["stages"]]
    except (KeyError, TypeError) as error:
        raise EggError(f"the first record is not what EGG writes: {error}",
                       where=str(session)) from None
    with contextlib.suppress(OSError, ValueError, LookupError, TypeError):
        # Nothing is there where no question was asked.
        first = read_cassette(session)[0]
        options["model"] = [str(first["model"])]
        options["answer-tokens"] = [
            str(first["request"]["max_output_tokens"])]
    return options


def recorded_provider(session):
    """Who served the model: by the header, or in older records by the first
    answer; None where nothing was asked."""
    header = read_trajectory(session)[0]
    with contextlib.suppress(OSError, ValueError, LookupError, TypeError):
        return str(header.get("provider")
                   or read_cassette(session)[0]["provider"])
    return None


def recorded_measures(session):
    """Whether the session measures on a GPU: by the header, or in older records
    by the attempts; None where there is no saying."""
    header, *records = read_trajectory(session)
    if isinstance(header.get("measures"), bool):
        return header["measures"]
    attempts = [record for record in records if record["type"] == "attempt"]
    if any(record.get("gpu_seconds") for record in attempts):
        return True
    accepted = [record["accepted"] for record in attempts
                if isinstance(record.get("accepted"), dict)]
    return (any("measured_seconds" in each for each in accepted) if accepted
            else None)


def pass_options(header, cassette, session, mode):
    """The options of egg-propose that run a recorded session again.

    header: the first record of its trajectory. cassette: its records. session:
    the directory to record to or to replay. mode: record, resume or replay."""
    given = header["options"]
    # A session is to be the same on machines with another ptxas and without, and
    # on slow ones.
    options = ["agent=llm", "ptxas=none", "verify-seconds=1200",
               f"chip={header['chip']}", f"session={session}",
               f"session-mode={mode}", "stages=" + ",".join(given["stages"])]
    options += [f"{name}={_text(given[key])}" for key, name in _OPTIONS.items()]
    if cassette:
        options.append(f"model={cassette[0]['model']}")
    return " ".join(options)
