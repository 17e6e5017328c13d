# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The `egg` command: one subcommand for each module in egg.commands."""

import argparse
import importlib
import os
import pkgutil
import signal
import sys

from egg import commands
from egg.errors import EggError
from egg.options import EXIT_CODES
from egg.terminal import printable_streams


def build_parser():
    parser = argparse.ArgumentParser(
        prog="egg", description="Makes PyTorch modules fast on NVIDIA GPUs.",
        epilog=f"egg COMMAND --help explains a command.\n\n{EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", action="store_true",
                        help="print the versions of EGG and LLVM, and end")
    subparsers = parser.add_subparsers(dest="command",
                                       metavar="COMMAND")
    for info in sorted(pkgutil.iter_modules(commands.__path__),
                       key=lambda info: info.name):
        command = importlib.import_module(f"{commands.__name__}.{info.name}")
        subparser = subparsers.add_parser(
            info.name.replace("_", "-").strip("-"), help=command.HELP,
            description=command.__doc__, epilog=EXIT_CODES,
            formatter_class=argparse.RawDescriptionHelpFormatter)
        command.add_arguments(subparser)
        subparser.set_defaults(run=command.run)
    return parser


def main(argv=None):
    """Runs the command line and returns its exit code."""
    with printable_streams():
        return run(argv)


def run(argv):
    parser = build_parser()
    args = parser.parse_args(argv)
    if not args.command and not args.version:
        parser.error("the following arguments are required: COMMAND")
    try:
        if args.version:
            from egg.pipeline import describe_versions
            print(describe_versions())
            return 0
        code = args.run(args)
        sys.stdout.flush()
        return code
    except EggError as error:
        print(f"egg: error: {error}", file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:
        # The reader (head, a pager) has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Ended as end:
        print(f"egg: ended by {signal.Signals(end.number).name}",
              file=sys.stderr)
        return end.code
    except KeyboardInterrupt:
        print("egg: interrupted", file=sys.stderr)
        return 130


class Ended(SystemExit):
    def __init__(self, number):
        super().__init__(128 + number)
        self.number = number


def end_in_order(number, _):
    """A signal handler: child processes and temporary files go first."""
    raise Ended(number)


if __name__ == "__main__":
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end_in_order)
    sys.exit(main())
