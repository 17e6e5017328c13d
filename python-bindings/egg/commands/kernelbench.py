# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs EGG over KernelBench's problems and keeps one row for each.

Rows go to OUT/results.jsonl, payloads and artifacts below OUT. A run that was
stopped goes on where it was; problems that failed are tried again only with
--retry. Whatever fails becomes a row with its reason. Artifacts made elsewhere
(--artifacts) are timed without importing or compiling. The exit code is 1 where
a problem that was asked for did not get through the stage; with --summary it is
0.
"""

import sys

from egg import options

HELP = "run over KernelBench's problems"


def add_arguments(parser):
    parser.add_argument("--root", metavar="DIR",
                        help="the folder that holds level1, level2, level3 "
                        "(needed save with --summary)")
    parser.add_argument("--out", metavar="DIR", required=True,
                        help="where rows, payloads and artifacts go")
    parser.add_argument("--levels", default="1,2,3", metavar="N,N-M",
                        help="levels to run (default 1,2,3)")
    parser.add_argument("--problems", metavar="N,N-M",
                        help="numbers of problems to run (default all)")
    parser.add_argument("--stage", choices=("import", "compile", "time"),
                        default="compile",
                        help="how far: import to payloads, compile to "
                        "artifacts, time on a GPU (default compile)")
    parser.add_argument("--jobs", type=options.positive, default=1,
                        metavar="N",
                        help="problems at a time (default 1; timings need 1)")
    parser.add_argument("--retry", action="store_true",
                        help="try failed problems again (default: their "
                        "rows stand)")
    parser.add_argument("--summary", action="store_true",
                        help="only print the table of the rows that are there")
    parser.add_argument("--table", metavar="FILE.md",
                        help="also write a table with a line a problem "
                        "(default: none)")
    parser.add_argument("--artifacts", metavar="DIR",
                        help="where artifacts are (default OUT/artifacts)")
    parser.add_argument("--payloads", metavar="DIR",
                        help="where payloads are (default OUT/payloads)")
    options.add_chip_option(parser)
    options.add_name_options(parser)
    options.add_import_options(parser, timeout=300)
    options.add_limit(parser, "--compile-timeout", 600, "egg-opt")
    options.add_egg_opt_option(parser)
    parser.add_argument("--check-imports", action="store_true",
                        help="compare small payloads with their module on the "
                        "CPU")
    options.add_measuring_options(parser)


def run(args):
    import pathlib
    from egg import files
    from egg.egg_opt import find_egg_opt
    from egg.errors import EggError
    from egg.kernelbench.problems import find_problems, parse_numbers
    from egg.kernelbench.rows import Rows
    from egg.kernelbench.runner import Settings, run_problems
    from egg.kernelbench.summary import got_to, summarize
    from egg.kernelbench.table import markdown_table
    from egg.measure.session import gpu_absent_reason
    from egg.pipeline import check_before_import
    failed, rows, out = False, Rows(args.out), pathlib.Path(args.out)
    if not args.summary:
        if not args.root:
            raise EggError("--root is missing", exit_code=2,
                           hint="give the folder that holds KernelBench's "
                           "levels, or --summary")
        measuring = options.measuring_options(args)
        if args.stage == "time" and args.jobs > 1 and measuring["compared"]:
            raise EggError("timings of several problems at a time disturb each "
                           "other", where="--jobs", exit_code=2,
                           hint="use --jobs 1, or --baselines none to only "
                           "compare")
        reason = gpu_absent_reason() if args.stage == "time" else None
        if reason:
            raise EggError(reason, exit_code=3)
        if args.stage != "time":
            # Once for all: as rows it would be hundreds.
            find_egg_opt(args.egg_opt)
        if args.stage == "compile":
            check_before_import(args.chip, egg_opt=args.egg_opt)
        problems = find_problems(
            args.root, parse_numbers(args.levels),
            parse_numbers(args.problems) if args.problems else None)
        settings = Settings(
            payloads=args.payloads or out / "payloads",
            artifacts=args.artifacts or out / "artifacts", chip=args.chip,
            cache=args.cache, check_imports=args.check_imports,
            egg_opt=args.egg_opt, measuring=measuring,
            import_timeout=args.import_timeout,
            import_memory=args.import_memory,
            compile_timeout=args.compile_timeout, time_timeout=args.timeout)
        run_problems(problems, args.stage, rows, settings, jobs=args.jobs,
                     retry=args.retry, report=print_progress)
        # Rows of earlier runs stand too.
        failed = not all(got_to(rows.last[problem.key], args.stage)
                         for problem in problems)
    print(summarize(list(rows.last.values())))
    if args.table:
        files.write_whole(args.table, markdown_table(rows.last.values()))
    return 1 if failed else 0


def print_progress(row, done, total):
    failure = row["failure"]
    seconds = sum(row["seconds"].values())
    result = (f"FAILED at {failure['stage']}: {failure['message'][:160]}"
              if failure else f"reached {row['reached']}")
    if row.get("speedup"):
        result += f", speedup {row['speedup']:.3f}"
    print(f"[{done}/{total}] level {row['level']} {row['name']}: {result} "
          f"({seconds:.1f} s)", file=sys.stderr, flush=True)
