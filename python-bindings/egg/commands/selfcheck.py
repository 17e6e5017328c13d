# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the checker: breaks kernels on purpose and counts what gets through.

For each class of workloads the expert's kernels are mutated in every way that
--list names; the check of egg-verify-schedule must accept the kernels as they
are and refuse every mutant. A mutant whose results at the workload's own
extents equal the right ones bit for bit counts as neither. Kernels with
asynchronous copies and warpgroup products are given and broken at every place.
Needs no GPU. The exit code is 1 where a mutant survives.
"""

import contextlib
import sys
import threading
import time

from egg import options

HELP = "break kernels on purpose and see that the check refuses them"


def add_arguments(parser):
    parser.add_argument("--list", action="store_true",
                        help="print the classes and mutations, and end")
    parser.add_argument("--classes", metavar="A,B",
                        help="classes of workloads (default all)")
    parser.add_argument("--mutations", metavar="A,B",
                        help="kinds of mutations (default all)")
    parser.add_argument("--mutants", type=options.positive, default=2,
                        metavar="N",
                        help="mutants of each kind for each class with a "
                        "schedule (default 2)")
    parser.add_argument("--seed", type=int, default=0,
                        help="seed of extents, places and inputs (default 0)")
    options.add_chip_option(parser)
    parser.add_argument("--out", metavar="FILE.json",
                        help="write the single mutants here (default: "
                        "nowhere)")
    options.add_limit(parser, "--timeout", 3600, "egg-opt")
    options.add_egg_opt_option(parser)


def run(args):
    import os
    import pathlib
    from egg import files
    from egg.egg_opt import run_egg_opt
    from egg.errors import EggError
    from egg.files import read_text
    from egg.pipeline import option

    def selfcheck(*settings):
        run_egg_opt([f"--egg-selfcheck={' '.join(settings)}", "-o",
                     os.devnull], "module {}\n", path=args.egg_opt,
                    timeout=args.timeout)

    if args.out:
        # What it finds in minutes shall not be lost for want of a place.
        files.check_place(args.out)
        if pathlib.Path(args.out).is_dir():
            raise EggError("is a folder", where=args.out,
                           hint="name a file to write")
    with files.temporary_directory("egg-selfcheck-") as folder:
        table = pathlib.Path(folder) / "table.txt"
        output = option("output", table)
        if args.list:
            for what in ("classes", "mutations"):
                selfcheck(f"{what}=list", output)
                print(f"{what}:\n{read_text(table)}")
            return 0
        settings = [output, option("mutants", args.mutants),
                    option("seed", args.seed), option("chip", args.chip)]
        for name in ("classes", "mutations"):
            if value := getattr(args, name):
                settings.append(option(name, value))
        if args.out:
            settings.append(option("json", pathlib.Path(args.out).absolute()))
        try:
            with working("breaking kernels of "
                         f"{args.classes or 'all classes'}"):
                selfcheck(*settings)
        except EggError as error:
            if table.exists():
                print(read_text(table), end="")
            raise explained(error) from None
        print(read_text(table), end="")
    return 0


def explained(error):
    """The compiler's message without its command line. That mutants survive is
    one of several errors: a full disk is another."""
    from egg.errors import EggError
    _, found, reason = error.message.partition("[selfcheck] ")
    if not found:
        return error
    if reason.startswith("the check lets wrong kernels through"):
        return EggError("the check lets wrong kernels through, or refuses "
                        "right ones", hint="the table names them")
    if reason.startswith("there is no"):
        return EggError(reason, hint="egg selfcheck --list names the classes "
                        "and mutations", exit_code=2)
    if reason.startswith("unknown chip"):
        return EggError(reason, hint="name another chip with --chip",
                        exit_code=2)
    return EggError(reason)


@contextlib.contextmanager
def working(what, every=30):
    """Says on standard error that it goes on, every so many seconds."""
    ended, start = threading.Event(), time.monotonic()

    def say():
        while True:
            print(f"==> [{time.monotonic() - start:4.0f}s] {what}",
                  file=sys.stderr, flush=True)
            if ended.wait(every):
                return

    thread = threading.Thread(target=say, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
