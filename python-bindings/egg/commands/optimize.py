# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a PyTorch module to verified kernels, and times them.

The artifact directory holds payload.mlir, schedule.mlir, plan.json,
kernels.ptx, report.json and summary.md. Where there is a GPU the result is
compared with the module and timed against PyTorch; else it says so. With
--schedule no agent is asked: an edited schedule.mlir is checked and applied.
With --agent llm a language model proposes, stage by stage (docs/Agents.md);
where there is a GPU, each script that is accepted is compared and timed on it.
"""

import pathlib
import sys
import time

from egg import options
from egg.agent.options import add_agent_options, agent_options
from egg.verdict import GRADES

HELP = "compile a PyTorch module to verified kernels, and time them"
COMPILE_SECONDS = 600
DAY = 24 * 3600


def add_arguments(parser):
    options.add_file_argument(parser)
    parser.add_argument("--out", metavar="DIR", required=True,
                        help="the directory to write; an artifact there that "
                        "holds nothing else is replaced")
    parser.add_argument("--schedule", metavar="FILE",
                        help="apply this schedule, such as an edited copy of "
                        "an artifact's schedule.mlir (default: the expert's)")
    parser.add_argument("--require", choices=GRADES, default="unverified",
                        help="least grade of the verdict to make an artifact "
                        "with (default unverified)")
    options.add_chip_option(parser)
    options.add_name_options(parser)
    parser.add_argument("--no-check-import", action="store_true",
                        help="do not compare the payload with the module on "
                        "the CPU (those with more than 1 GiB of arguments "
                        "and results never are)")
    options.add_import_options(parser, timeout=600)
    parser.add_argument("--compile-timeout", type=options.seconds, metavar="S",
                        help="end egg-opt after this many seconds (default "
                        "600; with --agent llm a day)")
    parser.add_argument("--verify-seconds", type=options.seconds, metavar="S",
                        help="end the check of a script after this many "
                        "seconds (default 120)")
    parser.add_argument("--verify-memory", type=options.mebibytes,
                        metavar="MIB", help="memory that the check of a script "
                        "may take (default 6144)")
    options.add_egg_opt_option(parser)
    parser.add_argument("--no-time", action="store_true",
                        help="do not run anything on a GPU")
    options.add_measuring_options(parser)
    add_agent_options(parser)


def run(args):
    from egg.agent.early import check_session
    from egg.agent.telling import told
    from egg.egg_opt import find_egg_opt
    from egg.importer.in_child import import_in_child
    from egg.measure import attempt
    from egg.measure.session import gpu_absent_reason, measure_artifact
    from egg.measure.text import is_sound
    from egg.pipeline import (check_before_import, check_destination,
                              check_schedule, compile_payload)
    from egg.report import summarize_artifact
    measuring = options.measuring_options(args)
    # What can be said at once is not said after a long import.
    check_destination(args.out)
    check_schedule(args.schedule)
    agent = agent_options(args, args.out)
    find_egg_opt(args.egg_opt)
    check_before_import(args.chip, args.schedule, egg_opt=args.egg_opt)
    reason = "--no-time was given" if args.no_time else gpu_absent_reason()
    agent = check_session(args, agent, reason, egg_opt=args.egg_opt)
    progress = Progress()
    progress.say(f"importing {args.file}")
    imported = import_in_child(
        args.file, timeout=args.import_timeout,
        memory=args.import_memory, module=args.module,
        inputs=args.inputs, egg_opt=args.egg_opt, cache=args.cache,
        verify=not args.no_check_import,
        on_check=lambda: progress.say("checking the import on the CPU"))
    if imported.checked:
        progress.say(f"the payload: {imported.checked}")
    progress.say(f"compiling for {args.chip}" + (
        f" by {args.schedule}" if args.schedule
        else " by the agent llm, recorded in "
        f"{dict(agent)['session']}" if agent else ""))
    source = dict(imported.metadata(), file=pathlib.Path(args.file).name)
    if agent and reason is None and not args.replay:
        agent.append(("measure", attempt.command(args.file, args)))
    with told(agent, progress.say):
        compile_payload(imported.text, args.out, chip=args.chip,
                        schedule=args.schedule, agent=agent + limits(args),
                        source=source, require=args.require,
                        egg_opt=args.egg_opt, timeout=args.compile_timeout
                        or (DAY if agent else COMPILE_SECONDS))

    measurement = None
    if reason is None:
        progress.say("comparing and timing on the GPU")
        measurement = measure_artifact(args.file, args.out, args.timeout,
                                       **measuring)
    print(summarize_artifact(args.out))
    if reason is not None:
        print(f"not timed: {reason}")
    return 0 if measurement is None or is_sound(measurement) else 1


def limits(args):
    """Those of the check, as (name, value) pairs of the pass."""
    return [(name, value) for name, value in (
        ("verify-seconds", args.verify_seconds),
        ("verify-memory", args.verify_memory)) if value is not None]


class Progress:
    """Lines on standard error, so that results can be piped."""

    def __init__(self):
        self.start = time.monotonic()

    def say(self, text):
        print(f"==> [{time.monotonic() - self.start:4.0f}s] {text}",
              file=sys.stderr, flush=True)
