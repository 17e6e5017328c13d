# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Optimises a PyTorch module: the whole way from its file to timed kernels.

FILE.py follows KernelBench's convention: a class Model, get_inputs(), and
get_init_inputs() with the arguments of its constructor. The result is a
directory with payload.mlir, schedule.mlir (the decisions), plan.json,
kernels.ptx, report.json and summary.md. Where there is a GPU the result is
compared with the module and timed against PyTorch; else it says so.

Exit codes: 0 done, 1 an error or wrong results, 4 a kernel faulted, 5 out of
time.
"""

import pathlib
import sys
import time

from egg.commands.time import add_measuring_arguments

HELP = "compile a PyTorch module to verified kernels, and time them"


def add_arguments(parser):
    parser.add_argument("file", metavar="FILE.py", help="the PyTorch module")
    parser.add_argument("--out", metavar="DIR", required=True,
                        help="the directory to write; an artifact there is "
                        "replaced")
    parser.add_argument("--chip", default="sm_90a",
                        help="what to compile for (default sm_90a)")
    parser.add_argument("--compile-timeout", type=float, default=600,
                        metavar="S", help="end egg-opt after this many seconds")
    parser.add_argument("--cache", metavar="DIR",
                        help="keep imports here and use those that are there")
    parser.add_argument("--egg-opt", metavar="PATH",
                        help="the egg-opt to run (default: $EGG_OPT, or the "
                        "build's)")
    parser.add_argument("--no-check-import", action="store_true",
                        help="do not compare the payload with the module on "
                        "the CPU (large ones never are)")
    parser.add_argument("--no-time", action="store_true",
                        help="do not run anything on a GPU")
    add_measuring_arguments(parser)


def run(args):
    from egg.commands.time import measuring_options
    from egg.importer import import_file
    from egg.measure.session import gpu_absent_reason, measure_artifact
    from egg.pipeline import check_destination, compile_payload
    from egg.report import summarize_artifact
    options = measuring_options(args)
    check_destination(args.out)
    progress = Progress()
    progress.say(f"importing {args.file}")
    imported = import_file(args.file, module=args.module, inputs=args.inputs,
                           egg_opt=args.egg_opt, cache=args.cache,
                           verify=not args.no_check_import)
    if imported.checked:
        progress.say(f"the payload: {imported.checked}")
    progress.say(f"compiling for {args.chip}")
    source = dict(imported.metadata(), file=pathlib.Path(args.file).name)
    compile_payload(imported.text, args.out, chip=args.chip, source=source,
                    egg_opt=args.egg_opt, timeout=args.compile_timeout)

    reason = "--no-time was given" if args.no_time else gpu_absent_reason()
    measurement = None
    if reason is None:
        progress.say("comparing and timing on the GPU")
        measurement = measure_artifact(args.file, args.out, args.timeout,
                                       **options)
    print(summarize_artifact(args.out))
    if reason is not None:
        print(f"not timed: {reason}")
    return 0 if measurement is None or measurement["correct"] else 1


class Progress:
    """Lines on standard error, so that results can be piped."""

    def __init__(self):
        self.start = time.monotonic()

    def say(self, text):
        print(f"==> [{time.monotonic() - self.start:4.0f}s] {text}",
              file=sys.stderr)
