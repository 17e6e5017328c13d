# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The options of commands that ask an agent, as egg-opt's passes have them."""

import argparse
import math
import pathlib

from egg.errors import EggError
from egg.options import natural, positive, seconds

STAGES = ("algorithm", "parallel_mapping", "tensor_tiling",
          "memory_optimization")


def amount(text):
    """A ceiling in dollars, for argparse."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    # Written so that NaN fails too.
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"'{text}' is not an amount above 0")
    return number


def ratio(text):
    """For argparse."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0")
    return number


# Flag, pass option, keyword arguments of argparse.
OPTIONS = [
    ("--provider", "provider", dict(
        metavar="NAME", help="whose API: openai, anthropic, vllm, llama.cpp, "
        "ollama, compatible (needed: this, --mailbox or "
        "--exec)")),
    ("--model", "model", dict(metavar="NAME", help="the model's name (default: unknown)")),
    ("--base-url", "base-url", dict(
        metavar="URL", help="where the API is (default: the provider's own)")),
    ("--key-file", "key-file", dict(
        metavar="FILE", help="file with the API key, readable by its owner "
        "alone (default: the provider's environment variable)")),
    ("--mailbox", "mailbox", dict(
        metavar="DIR", help="write requests as files there and wait for "
        "answers (default: none)")),
    ("--exec", "exec", dict(
        metavar="COMMAND", help="command that reads a request and prints the "
        "answer (default: none)")),
    ("--exec-env", "exec-env", dict(
        action="append", metavar="NAME", help="environment variable that the "
        "command gets too; may be given several times (default: none)")),
    ("--answer-seconds", "answer-seconds", dict(
        type=seconds, metavar="S", help="seconds to wait for one answer "
        "(default 600, by mailbox 86400)")),
    ("--max-calls", "max-calls", dict(
        type=positive, metavar="N", help="the most requests to the model, "
        "repeated ones too (default 100)")),
    ("--max-input-tokens", "max-input-tokens", dict(
        type=positive, metavar="N", help="the most input tokens in all "
        "(default: no limit)")),
    ("--max-output-tokens", "max-output-tokens", dict(
        type=positive, metavar="N", help="the most output tokens in all "
        "(default: no limit)")),
    ("--max-dollars", "max-dollars", dict(
        type=amount, metavar="USD", help="the most money; the model's price "
        "must be known, else use ceilings on tokens (default: no limit)")),
    ("--prices", "prices", dict(
        metavar="FILE", help="prices in the format of lib/LLM/prices.json "
        "(default: those built in)")),
    ("--max-seconds", "max-seconds", dict(
        type=seconds, metavar="S", help="no call begins after so many seconds "
        "(default: no limit)")),
    ("--max-gpu-seconds", "max-gpu-seconds", dict(
        type=seconds, metavar="S", help="nothing is asked after so many seconds "
        "of measuring on the GPU (default: no limit)")),
    ("--strategy", "strategy", dict(
        choices=("greedy", "beam", "best-of-n"), help="which script is "
        "changed next (default greedy)")),
    ("--width", "width", dict(
        type=positive, metavar="N", help="scripts that a beam keeps "
        "(default 3)")),
    ("--proposals", "proposals", dict(
        type=positive, metavar="N", help="proposals a stage (default 3)")),
    ("--repairs", "repairs", dict(
        type=natural, metavar="N", help="repairs of a refused proposal "
        "(default 2)")),
    ("--hot-kernels", "hot-kernels", dict(
        type=natural, metavar="N", help="kernels whose hardware stages are "
        "worked at (default 1)")),
    ("--close-enough", "close-enough", dict(
        type=ratio, metavar="N", help="a stage ends at so many times its "
        "roofline (default 1.1)")),
    ("--stages", "stages", dict(
        choices=STAGES, nargs="+", metavar="STAGE", help="stages to work at "
        f"(default all: {', '.join(STAGES)})")),
    ("--prompts-dir", "prompts-dir", dict(
        metavar="DIR", help="where the prompts are (default: those "
        "built in)")),
    ("--history-tokens", "history-tokens", dict(
        type=positive, metavar="N", help="tokens that the attempts of a stage "
        "may take in a prompt (default 1500)")),
    ("--payload-tokens", "payload-tokens", dict(
        type=positive, metavar="N", help="tokens that the payload may take in "
        "a prompt (default 6000)")),
    ("--answer-tokens", "answer-tokens", dict(
        type=positive, metavar="N", help="the most tokens of one answer "
        "(default 8192)")),
]
SWITCHES = [
    ("--stream", "stream=true", "receive answers as streams"),
    ("--allow-other-model", "allow-other-model=true",
     "take an answer of another model than asked, with a note"),
    ("--allow-plain-http-key", "allow-plain-http-key=true",
     "send the key over plain HTTP to another machine"),
    ("--from-scratch", "from-scratch=true",
     "do not show the model the expert's script"),
    ("--no-history", "history=false",
     "do not show the attempts of the stage"),
    ("--no-hand-over", "hand-over=false",
     "do not show what former stages left"),
]


def attribute(flag):
    return flag[2:].replace("-", "_")


def add_agent_options(parser):
    parser.add_argument("--agent", choices=("expert", "llm"),
                        default="expert",
                        help="who proposes the schedule: the rules that are "
                        "built in, or a language model (default expert)")
    group = parser.add_argument_group("with --agent llm")
    group.add_argument("--session", metavar="DIR",
                       help="where the session is recorded (default: "
                       "OUT.session)")
    mode = group.add_mutually_exclusive_group()
    mode.add_argument("--resume", action="store_true",
                      help="go on with the recorded session, by its options "
                      "where none are given")
    mode.add_argument("--replay", action="store_true",
                      help="run the recorded session again without asking "
                      "anybody, by its options where none are given, and check "
                      "that it comes to the same")
    for flag, _, keywords in OPTIONS:
        group.add_argument(flag, **keywords)
    for flag, _, text in SWITCHES:
        group.add_argument(flag, action="store_true", help=text)


def agent_options(args, out):
    """The pass options as (name, value) pairs; EggError for those that make no
    sense together."""
    # To Python 0 is False too.
    given = [flag for flag, _, _ in OPTIONS + SWITCHES
             if not any(getattr(args, attribute(flag)) is absent
                        for absent in (None, False))]
    given += [flag for flag in ("--session", "--resume", "--replay")
              if getattr(args, attribute(flag))]
    if args.agent != "llm":
        if given:
            raise EggError(f"{given[0]} is for the agent llm",
                           hint="add --agent llm, or leave it out",
                           exit_code=2)
        return []
    if args.schedule:
        raise EggError("--schedule gives the schedule, and --agent llm asks "
                       "for one", hint="leave one of them out", exit_code=2)
    # The strategy of a recorded session is its own.
    if args.width and args.strategy != "beam" and not (args.resume
                                                       or args.replay):
        raise EggError("--width is for the strategy beam",
                       hint="add --strategy beam, or leave it out", exit_code=2)
    session = pathlib.Path(args.session or f"{out}.session").absolute()
    pairs = [("agent", "llm"), ("session", session),
             ("session-mode", "resume" if args.resume
              else "replay" if args.replay else "record")]
    for flag, name, _ in OPTIONS:
        value = getattr(args, attribute(flag))
        if value is not None:
            if flag in ("--mailbox", "--prompts-dir", "--key-file",
                        "--prices"):
                value = pathlib.Path(value).absolute()
            # egg-opt collects an option that is given several times.
            pairs += [(name, each) for each in (
                value if isinstance(value, list) else [value])]
    pairs += [tuple(option.split("=")) for flag, option, _ in SWITCHES
              if getattr(args, attribute(flag))]
    return pairs
