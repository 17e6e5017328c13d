# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what was decided for an artifact and why, stage by stage.

The decisions and the reasons are those of schedule.mlir, the rest comes from
plan.json and report.json.
"""

from egg import options

HELP = "print an artifact's decisions, reasons and figures"


def add_arguments(parser):
    options.add_artifact_argument(parser)


def run(args):
    import pathlib
    from egg.files import read_text
    from egg.artifact import HINT
    from egg.report import describe_schedule, summarize_artifact
    summary = summarize_artifact(args.artifact)
    print(describe_schedule(read_text(
        pathlib.Path(args.artifact) / "schedule.mlir", hint=HINT)))
    print()
    print(summary)
    return 0
