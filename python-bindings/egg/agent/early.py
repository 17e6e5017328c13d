# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is wrong with a session's options, found before a module is imported and
compiled for it: that can take long."""

import os
import pathlib
import re

from egg import files
from egg.agent.recording import (recorded_measures, recorded_options,
                                 recorded_provider)
from egg.agent.trajectory import is_finished, read_trajectory
from egg.egg_opt import run_egg_opt
from egg.errors import EggError
from egg.words import count

ANSWERERS = ("provider", "mailbox", "exec")
# Those by which it is decided who answers; with them egg-opt tells whether it
# can ask and knows the price.
_PROBED = {*ANSWERERS, "agent", "model", "base-url", "key-file", "stream",
           "allow-plain-http-key", "exec-env", "prices", "max-dollars",
           "prompts-dir"}
# Something to optimise, so that a session comes to its first question.
_PROBE = """func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
  %0 = tensor.empty() : tensor<1xf32>
  %1 = linalg.exp {egg.name = "exp_0"} ins(%x : tensor<1xf32>)
      outs(%0 : tensor<1xf32>) -> tensor<1xf32>
  return %1 : tensor<1xf32>
}
"""
# Advice of the compiler's, in words of the command line.
_ADVICE = [
    (r"give a price file that has it, or use ceilings on tokens instead",
     "give a file that has it by --prices, or use --max-input-tokens and "
     "--max-output-tokens in place of --max-dollars"),
    (r"shorten the request, or give a price file that has it",
     "give a lower --payload-tokens or a file that has it by --prices, or use --max-input-tokens and "
     "--max-output-tokens in place of --max-dollars"),
    (r"raise the ceiling on (calls|seconds)", r"raise --max-\1"),
    (r"raise the ceiling on (input|output) tokens", r"raise --max-\1-tokens"),
    (r"raise the ceiling on money, or allow fewer output tokens",
     "raise --max-dollars, or give a lower --answer-tokens"),
    (r"put it into (the environment variable \w+) or into a key file",
     r"put it into \1, or name its file with --key-file"),
    (r"no model is named; name one", "no model is named; name one with --model"),
    (r"in plain text; use https, or allow it",
     "in plain text; use https, or --allow-plain-http-key"),
]


def in_options(text):
    """A reason of the compiler's with the advice that a user can follow."""
    for pattern, words in _ADVICE:
        text = re.sub(pattern, words, text)
    return text


def check_session(args, pairs, not_timed, *, egg_opt=None):
    """The pass options of agent_options(), completed by those of a session that
    is recorded. EggError where the session could not begin or go on. not_timed:
    why nothing is measured, or None where a GPU does."""
    given = dict(pairs)
    if not given:
        return pairs
    # Nobody is asked for what is finished, or run again, and nothing written.
    goes_on = given["session-mode"] == "record" or (
        given["session-mode"] == "resume" and not is_finished(given["session"]))
    check_places(args, given, goes_on)
    if folder := given.get("prompts-dir"):
        check_prompts(folder)
    session = given["session"]
    # Whoever asks for one that is not there gets read_trajectory's error.
    if given["session-mode"] == "record":
        if holds_session(session):
            raise EggError("holds a session already", where=str(session),
                           hint="go on with it by --resume, run it again by "
                           "--replay, or name another --session")
    else:
        pairs = pairs + missing_options(args, pairs, session)
        check_same_answerer(given, session)
        if goes_on:
            check_same_times(session, not_timed)
    if goes_on:
        check_answerer(given, args.chip, egg_opt)
    return pairs


def holds_session(session):
    path = session / "trajectory.jsonl"
    return path.exists() and path.stat().st_size > 0


def check_places(args, given, writes):
    """An artifact takes the place of all that is in --out."""
    out = pathlib.Path(args.out).absolute()
    for name in ("session", "mailbox"):
        path = given.get(name)
        if path and (path == out or out in path.parents):
            raise EggError(f"--{name} is within --out, whose place the artifact "
                           "takes", where=str(path),
                           hint="name a folder beside it")
    if writes:
        files.check_place(given["session"] / "trajectory.jsonl")


def check_same_answerer(given, session):
    """Another provider's answers are another session; the model is among the
    recorded options."""
    before = recorded_provider(session)
    now = next((given["provider"] if name == "provider" else name
                for name in ANSWERERS if given.get(name)), None)
    if before and now and now != before:
        raise EggError(f"was answered by provider {before}, and now it is {now}",
                       where=str(session), hint=f"go on with {before}, or begin "
                       "another --session")


def check_same_times(session, not_timed):
    """Measured times cannot be compared with predicted ones."""
    measured = recorded_measures(session)
    if measured and not_timed:
        raise EggError("has times measured on a GPU, and now nothing is "
                       f"measured: {not_timed}", where=str(session),
                       hint="resume it where there is a GPU, without --no-time, "
                       "or begin another --session")
    if measured is False and not not_timed:
        raise EggError("has predicted times, and now a GPU would measure them",
                       where=str(session), hint="add --no-time, or begin "
                       "another --session")


def check_answerer(given, chip, egg_opt):
    """Has egg-opt begin a session that may not spend anything: it comes to its
    first call, and asks nobody."""
    named = [f"--{name}" for name in ANSWERERS if given.get(name)]
    if len(named) != 1:
        raise EggError(
            f"{' and '.join(named)} name {count(len(named), 'model')} to ask"
            if named else "nobody is named who answers",
            hint="give one of --provider, --mailbox and --exec", exit_code=2)
    from egg.pipeline import explain_refusal, option
    with files.temporary_directory("egg-probe-") as folder:
        options = [option(name, value) for name, value in given.items()
                   if name in _PROBED]
        options += [option("out", folder / "out"), option("chip", chip),
                    option("session", folder / "session"), "verify=false",
                    "ptxas=none", "close-enough=0", "stages=algorithm",
                    "max-input-tokens=1"]
        try:
            run_egg_opt([f"--egg-optimize={' '.join(options)}", "-o",
                         os.devnull], _PROBE, path=egg_opt, timeout=120)
        except EggError as error:
            refusal = explain_refusal(error, None)
            message = refusal.message.removeprefix("propose refused: ")
            raise EggError(
                in_options(message), where=refusal.where, hint=refusal.hint,
                exit_code=2 if message.startswith("there is no provider")
                else refusal.exit_code) from None


def check_prompts(folder):
    """Refuses a folder that is nothing like EGG's own: it is read whole."""
    path = pathlib.Path(folder)
    if path.is_dir() and not all((path / name).is_dir() for name in
                                 ("system", "user", "schemas")):
        raise EggError("holds no prompts", where=str(folder),
                       hint="copy EGG's folder prompts/, change that, and name "
                       "the copy with --prompts-dir")


def missing_options(args, pairs, session):
    """The recorded options that the command line leaves out; EggError for one
    that it gives another value."""
    header = read_trajectory(session)[0]
    recorded = recorded_options(header, session)
    given = {}
    for name, value in pairs:
        given.setdefault(name, []).append(str(value))
    if header.get("chip") != args.chip:
        raise EggError(f"the session was recorded for {header.get('chip')}, and "
                       f"--chip is {args.chip}", where=str(session),
                       hint=f"give --chip {header.get('chip')}")
    more = []
    for name, values in recorded.items():
        if name not in given:
            more += [(name, value) for value in values]
        elif not same(given[name], values):
            raise EggError(
                f"{flag_of(name, given[name])} is another option than the "
                f"session was recorded with: {name} was "
                f"{' '.join(values)}", where=str(session),
                hint="leave it out, or begin another --session")
    return more


def flag_of(name, values):
    """As it was given: a switch has the value that it sets."""
    if values == ["false"]:
        return f"--no-{name}"
    return f"--{name}" if values == ["true"] else f"--{name} {' '.join(values)}"


def same(given, recorded):
    try:
        return [float(value) for value in given] == [
            float(value) for value in recorded]
    except ValueError:
        return given == recorded
