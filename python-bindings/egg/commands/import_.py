# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Imports the module that a Python file defines and prints it as a payload.

The file follows KernelBench's convention: a class Model, get_inputs(), and
get_init_inputs() with the arguments of its constructor. Beside an output file
out.mlir goes out.json: the signature, notes, and whether it was checked. The
file runs in a child process; what it prints goes to standard error.
"""

import pathlib
import sys

from egg import options

HELP = "turn a PyTorch module into a payload"


def add_arguments(parser):
    options.add_file_argument(parser)
    parser.add_argument("-o", "--output", metavar="OUT.mlir",
                        help="where to write (default: standard output)")
    options.add_name_options(parser)
    parser.add_argument("--verify", action="store_true",
                        help="run the payload on the CPU and compare it with "
                        "the module (for small modules)")
    options.add_import_options(parser, timeout=600)
    options.add_egg_opt_option(parser)


def run(args):
    from egg.egg_opt import find_egg_opt
    from egg.files import write_json, write_whole
    from egg.importer.in_child import import_in_child
    find_egg_opt(args.egg_opt)
    imported = import_in_child(
        args.file, timeout=args.import_timeout,
        memory=args.import_memory, module=args.module,
        inputs=args.inputs, egg_opt=args.egg_opt, cache=args.cache,
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
