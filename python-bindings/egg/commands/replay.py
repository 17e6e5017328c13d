# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rebuilds an artifact's PTX from its payload and schedule, and compares.

Neither an agent nor a search takes part: schedule.mlir is applied to
payload.mlir and lowered again. The PTX must be the recorded one, byte for byte;
the exit code is 1 where it is not.
"""

from egg import options

HELP = "rebuild an artifact's PTX and compare its hash"


def add_arguments(parser):
    options.add_artifact_argument(parser)
    options.add_limit(parser, "--timeout", 600, "egg-opt")
    options.add_egg_opt_option(parser)


def run(args):
    from egg.errors import EggError
    from egg.pipeline import replay
    recorded, rebuilt = replay(args.artifact, egg_opt=args.egg_opt,
                               timeout=args.timeout)
    if recorded != rebuilt:
        raise EggError(
            f"the rebuilt PTX differs: sha256 {rebuilt}, recorded {recorded}",
            where=args.artifact,
            hint="another version of EGG or of libdevice gives other PTX; "
            "report.json names those that were used")
    print(f"same PTX: sha256 {rebuilt}")
    return 0
