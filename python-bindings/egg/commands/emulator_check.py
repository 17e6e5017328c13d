# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the emulator with the GPU, kernel by kernel.

More than a hundred kernels that meet every instruction the emulator knows, and
those EGG makes of the payloads of egg selfcheck, run in the emulator and on
the GPU on the same inputs: small integers, on which all results must be equal
bit for bit, and random floats, on which sums of tensor cores and results of
libdevice may differ by the limits that the table's end states. A kernel that
faults or hangs on the GPU loses its worker and is a failure.

--prepare DIR does what needs no GPU, and --run DIR the rest, there or on
another machine. The exit code is 1 where a case disagrees.
"""

import os

from egg import options

HELP = "compare the emulator with the GPU on kernels of all structures"


def add_arguments(parser):
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--prepare", metavar="DIR",
                       help="only emulate and compile, into this folder "
                       "(default: into one that is removed)")
    group.add_argument("--run", metavar="DIR", dest="prepared",
                       help="only launch what --prepare left here (default: "
                       "prepare first)")
    group.add_argument("--list", action="store_true",
                       help="print the cases, and end")
    parser.add_argument("--kernels", metavar="TEXT", default="",
                        help="only kernels whose name has this in it "
                        "(default: all)")
    parser.add_argument("--seeds", type=options.positive, default=2,
                        metavar="N", help="draws of extents for EGG's own "
                        "kernels (default 2)")
    parser.add_argument("--jobs", type=options.positive, metavar="N",
                        help="kernels to emulate at a time (default: one a "
                        "processor)")
    parser.add_argument("--out", metavar="FILE.json",
                        help="write every case's row here (default: nowhere)")
    options.add_chip_option(parser)
    options.add_limit(parser, "--timeout", 120, "one kernel")
    options.add_egg_opt_option(parser)


def run(args):
    import pathlib
    import tempfile
    from egg.emulator_check.prepare import cases_of, prepare
    from egg.emulator_check.session import check_gpu, run_cases
    from egg.pipeline import check_before_import

    if args.prepared:
        return report(run_cases(args.prepared, args.kernels, args.timeout),
                      args)
    if not args.list:
        check_before_import(args.chip, egg_opt=args.egg_opt)
    kernels = [kernel for kernel in all_kernels(args)
               if args.kernels in kernel.name]
    cases = cases_of(kernels)
    if args.list:
        for case in cases:
            print(case.name)
        return 0
    settings = {"chip": args.chip, "jobs": args.jobs or os.cpu_count() or 1,
                "egg_opt": args.egg_opt, "timeout": args.timeout}
    if args.prepare:
        names = prepare(cases, args.prepare, **settings)
        print(f"{len(kernels)} kernels, {len(names)} cases prepared in "
              f"{args.prepare}")
        return 0
    check_gpu()
    with tempfile.TemporaryDirectory(prefix="egg-emulator-") as folder:
        folder = pathlib.Path(folder) / "cases"
        prepare(cases, folder, **settings)
        return report(run_cases(folder, "", args.timeout), args)


def all_kernels(args):
    from egg.emulator_check.kernels import hand_written
    from egg.emulator_check.own import own_kernels
    return hand_written() + own_kernels(list(range(args.seeds)), args.egg_opt,
                                        args.timeout)


def report(result, args):
    from egg import files
    from egg.emulator_check.compare import LIMITS, table
    rows = result["rows"]
    print(table(rows))
    failed = [row for row in rows if not row["agrees"]]
    for row in failed:
        print(f"disagrees: {row['name']}: "
              f"{row.get('failure') or row['outputs']}")
    kernels = len({row["name"].rsplit(".", 1)[0] for row in rows})
    print(f"{result['gpu']}: {kernels} kernels, {len(rows)} cases, "
          f"{sum(row['bits_equal'] for row in rows)} equal bit for bit, "
          f"{len(failed)} disagree; allowed relative to the largest element: "
          f"sums {LIMITS['sums']:.1e}, math {LIMITS['math']:.1e}, more for "
          "f16 and bf16 results by a rounding of theirs")
    if args.out:
        files.write_json(args.out, result)
    return 1 if failed else 0
