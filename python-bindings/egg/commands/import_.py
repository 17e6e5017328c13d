# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Imports the module that a Python file defines and prints it as a payload.

The file follows KernelBench's convention: a class Model, get_inputs(), and
get_init_inputs() with the arguments of its constructor. Beside an output file
out.mlir goes out.json: the signature, notes, and whether it was checked.
"""

import pathlib
import sys

HELP = "turn a PyTorch module into a payload"


def add_arguments(parser):
    parser.add_argument("file", help="Python file with the module")
    parser.add_argument("-o", "--output", metavar="OUT.mlir",
                        help="where to write (default: standard output)")
    parser.add_argument("--module", default="Model", metavar="NAME",
                        help="class or instance to import (default: Model)")
    parser.add_argument("--inputs", default="get_inputs", metavar="NAME",
                        help="function or sequence with the example inputs "
                        "(default: get_inputs)")
    parser.add_argument("--verify", action="store_true",
                        help="run the payload on the CPU and compare it with "
                        "the module (for small modules)")
    parser.add_argument("--cache", metavar="DIR",
                        help="keep imports here and use those that are there")
    parser.add_argument("--egg-opt", metavar="PATH",
                        help="the egg-opt to run (default: $EGG_OPT, or the "
                        "build's)")


def run(args):
    from egg.importer import import_file
    from egg.files import write_json, write_whole
    imported = import_file(args.file, module=args.module, inputs=args.inputs,
                           egg_opt=args.egg_opt, cache=args.cache,
                           verify=args.verify)
    for note in imported.notes:
        print(f"note: {note}", file=sys.stderr)
    if imported.checked:
        print(f"checked: {imported.checked}", file=sys.stderr)
    if args.output is None:
        sys.stdout.write(imported.text)
        return 0
    output = pathlib.Path(args.output)
    write_whole(output, imported.text)
    write_json(output.with_suffix(".json"), imported.metadata())
    return 0
