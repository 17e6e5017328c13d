# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Looks for faults with random programs. Needs no GPU.

scripts: valid schedules and payloads, broken as operations and as text, go
through acceptance, application and lowering. A refusal must say why and where,
and what is accepted must lower.
kernels: small random payloads with random legal schedules go through every step
of the check: the kernels must compute the payload.

Crashes, limits reached, refusals without a message, kernels that do not lower
or compute something else are findings: each kind is written to --out as a file
made as small as it stays of its kind, with the command that repeats it. The
exit code is then 1. Cases follow from the seed and their number alone. A run
that is interrupted writes and prints what it has found.
"""

from egg import options

HELP = "look for faults with random schedules and payloads"


def add_arguments(parser):
    parser.add_argument("mode", choices=("scripts", "kernels"),
                        help="what is fuzzed")
    parser.add_argument("--count", type=options.positive, default=200,
                        metavar="N", help="number of cases (default 200)")
    parser.add_argument("--seed", type=natural, default=0, metavar="N",
                        help="seed of all cases (default 0)")
    parser.add_argument("--first", type=natural, default=0, metavar="N",
                        help="number of the first case (default 0)")
    parser.add_argument("--jobs", type=options.positive, metavar="J",
                        help="processes at a time (default: one a core)")
    parser.add_argument("--repeat", metavar="FILE",
                        help="run a finding's file again instead of cases "
                        "(default: cases)")
    parser.add_argument("--out", metavar="DIR",
                        help="write report.json and the findings here "
                        "(default: nowhere)")
    parser.add_argument("--reduce", type=natural, default=150, metavar="N",
                        help="attempts at making a finding smaller (default "
                        "150)")
    parser.add_argument("--reduce-timeout", type=options.seconds, metavar="S",
                        help="begin none of them after this many seconds "
                        "(default: five times --case-timeout)")
    options.add_chip_option(parser)
    options.add_limit(parser, "--case-timeout", 60, "a case")
    options.add_egg_opt_option(parser)


def natural(text):
    """A number from 0, as large as a seed may be."""
    return options.natural(text, 1 << 63)


def run(args):
    from egg import fuzzing
    from egg.egg_opt import find_egg_opt
    # Without one there are no cases: that is no finding.
    find_egg_opt(args.egg_opt)
    settings = fuzzing.Settings(
        args.mode, args.chip, args.case_timeout, args.reduce,
        args.reduce_timeout or 5 * args.case_timeout, args.egg_opt)
    if args.repeat:
        print(fuzzing.repeat(settings, args.repeat, args.out))
        return 0

    def tell(report):
        if args.out:
            fuzzing.write(report, args.out)
        print(fuzzing.format_report(report, args.out), end="", flush=True)

    report = fuzzing.fuzz(settings, seed=args.seed, first=args.first,
                          count=args.count, jobs=args.jobs, interrupted=tell)
    tell(report)
    return 1 if report["findings"] else 0
