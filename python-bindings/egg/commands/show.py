# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what was decided for an artifact and why, stage by stage.

The decisions and the reasons are those of schedule.mlir, the rest comes from
plan.json and report.json. Where a schedule was given, its comments are the
script's text, which nobody checked. The exit code is 1 where a file is not the
one that report.json records. With --trajectory, DIR is a session's directory
(egg optimize --agent llm --session): what was tried, refused and why, what won.
"""

from egg import options

HELP = "print an artifact's decisions, reasons and figures"


def add_arguments(parser):
    options.add_artifact_argument(parser)
    parser.add_argument("--trajectory", action="store_true",
                        help="DIR is a session's directory, or its "
                        "trajectory.jsonl: tell its story")


def run(args):
    if args.trajectory:
        from egg.agent.trajectory import describe_trajectory, read_trajectory
        print(describe_trajectory(read_trajectory(args.artifact)))
        return 0
    import pathlib
    import sys
    from egg.files import read_text
    from egg.artifact import HINT, changed_files, read_whole_report
    from egg.errors import EggError
    from egg.report import (describe_schedule, is_users_schedule,
                            summarize_artifact)
    report = read_whole_report(args.artifact)
    summary = summarize_artifact(args.artifact)
    print(describe_schedule(read_text(
        pathlib.Path(args.artifact) / "schedule.mlir", hint=HINT),
        comments="the script says" if is_users_schedule(report) else "why"))
    print()
    print(summary)
    if changed := changed_files(args.artifact):
        schedule = pathlib.Path(args.artifact) / "schedule.mlir"
        sys.stdout.flush()
        raise EggError(
            f"{', '.join(changed)} changed since report.json was written: the "
            "figures above are not of what is there", where=args.artifact,
            hint="egg optimize FILE.py --schedule "
            f"{schedule} --out NEW_DIR checks an edited schedule; else "
            "optimize the module again")
    return 0
