# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rebuilds an artifact's PTX from its payload and schedule, and compares.

Neither an agent nor a search takes part: schedule.mlir is applied to
payload.mlir and lowered again. The PTX must be the recorded one, byte for byte.
Exit codes: 0 the same, 1 another or an error.
"""

HELP = "rebuild an artifact's PTX and compare its hash"


def add_arguments(parser):
    parser.add_argument("artifact", metavar="DIR",
                        help="what egg optimize wrote")
    parser.add_argument("--timeout", type=float, default=600, metavar="S")
    parser.add_argument("--egg-opt", metavar="PATH",
                        help="the egg-opt to run (default: $EGG_OPT, or the "
                        "build's)")


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
