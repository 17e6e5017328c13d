# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The options that several commands have, each declared once."""

import argparse
import math

EXIT_CODES = """exit codes: 0 done and correct, 1 wrong results or an error, \
2 wrong usage,
3 no GPU, 4 a kernel faulted, 5 out of time, 130 interrupted
"""


def seconds(text):
    """A limit on time, for argparse."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    # Written so that NaN fails too. A wait takes no more than this.
    if not 0 < number <= 1e6:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a number of seconds above 0, at most 1000000")
    return number


def positive(text):
    """A count, for argparse."""
    if not text.isdecimal() or not 0 < int(text) < 1 << 31:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0")
    return int(text)


def natural(text, limit=1 << 31):
    """A number from 0 and below the limit, for argparse."""
    if not text.isdecimal() or not int(text) < limit:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0")
    return int(text)


def mebibytes(text):
    """A limit on memory, for argparse."""
    if not text.isdecimal() or not 64 <= int(text) < 1 << 31:
        raise argparse.ArgumentTypeError(
            f"'{text}' is not a number of MiB, at least 64")
    return int(text)


def add_limit(parser, name, default, what):
    parser.add_argument(name, type=seconds, default=default, metavar="S",
                        help=f"end {what} after this many seconds "
                        f"(default {default})")


def add_file_argument(parser):
    parser.add_argument(
        "file", metavar="FILE.py",
        help="Python file with the PyTorch module: a class Model, get_inputs(),"
        " and get_init_inputs() for the arguments of its constructor")


def add_artifact_argument(parser):
    parser.add_argument("artifact", metavar="DIR",
                        help="the directory that egg optimize wrote")


def add_name_options(parser):
    parser.add_argument("--module", default="Model", metavar="NAME",
                        help="class or instance to take from FILE.py "
                        "(default Model)")
    parser.add_argument("--inputs", default="get_inputs", metavar="NAME",
                        help="function or sequence in FILE.py with the example "
                        "inputs (default get_inputs)")


def add_import_options(parser, timeout):
    parser.add_argument("--cache", metavar="DIR",
                        help="keep imports here, by the content of the file, "
                        "and use those that are there (default: none)")
    add_limit(parser, "--import-timeout", timeout, "an import")
    parser.add_argument("--import-memory", type=mebibytes, metavar="MIB",
                        help="end an import that needs more memory (default: "
                        "four fifths of the machine's)")


def add_egg_opt_option(parser):
    parser.add_argument("--egg-opt", metavar="PATH",
                        help="the egg-opt to run (default: $EGG_OPT, or the "
                        "build's)")


def add_chip_option(parser):
    parser.add_argument("--chip", default="sm_90a", metavar="NAME",
                        help="chip to compile for, such as sm_80 or sm_90a "
                        "(default sm_90a)")


def add_measuring_options(parser):
    """For commands that compare and time; see measuring_options()."""
    parser.add_argument("--seeds", type=positive, default=5, metavar="N",
                        help="trials of the comparison, each with fresh inputs "
                        "(default 5)")
    parser.add_argument("--baselines", metavar="NAMES",
                        default="eager,compile,reduce-overhead",
                        help="what to time against, separated by commas; "
                        "'none' only compares (default "
                        "eager,compile,reduce-overhead)")
    parser.add_argument("--no-fp64", action="store_true",
                        help="leave out the errors against an fp64 reference")
    parser.add_argument("--sanitizer", metavar="TOOLS", default="none",
                        help="run one launch under these tools of NVIDIA's "
                        "compute-sanitizer, where it is installed: memcheck, "
                        "racecheck, synccheck, separated by commas, or 'all' "
                        "(default none)")
    add_where_options(parser)


def add_where_options(parser):
    """Of everything that runs on a GPU."""
    parser.add_argument("--inputs-on", choices=("gpu", "cpu"), default="gpu",
                        help="where weights and inputs are generated: cpu "
                        "gives KernelBench's very values, slowly (default gpu)")
    add_limit(parser, "--timeout", 900, "comparing and timing")
    parser.add_argument("--device", type=natural, default=0, metavar="N",
                        help="number of the CUDA device (default 0)")


def measuring_options(args):
    """The keyword arguments of egg.measure.task.measure."""
    from egg.measure.session import parse_baselines, parse_tools
    return {"seeds": args.seeds, "compared": parse_baselines(args.baselines),
            "generate_on": args.inputs_on, "device": args.device,
            "fp64": not args.no_fp64,
            "sanitizer": parse_tools(args.sanitizer), "module_name": args.module,
            "inputs_name": args.inputs}
