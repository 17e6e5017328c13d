# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The `egg` command: one subcommand for each module in egg.commands."""

import os
import sys

if __name__ == "__main__" and sys.path[0] in ("", os.getcwd()):
    # By `python -m` modules are looked for in the working directory first,
    # where a random.py would be taken for Python's.
    del sys.path[0]

import argparse
import contextlib
import importlib
import pkgutil
import signal
import threading

from egg import commands
from egg.errors import EggError
from egg.options import EXIT_CODES
from egg.terminal import OutputLost, give_up, printable_streams


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
    with printable_streams(), ending_in_order():
        try:
            try:
                return run(argv)
            finally:
                sys.stdout.flush()
        except BrokenPipeError:
            # The reader (head, a pager) has seen enough.
            give_up(sys.stdout)
            return 0
        except OutputLost as error:
            give_up(sys.stdout)
            return report(error)


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
    except OutputLost:
        raise
    except EggError as error:
        return report(error)
    except Ended as end:
        print(f"egg: ended by {signal.Signals(end.number).name}",
              file=sys.stderr)
        return end.code
    except KeyboardInterrupt:
        print("egg: interrupted", file=sys.stderr)
        return 130


def report(error):
    print(f"egg: error: {error}", file=sys.stderr)
    return error.exit_code


class Ended(SystemExit):
    def __init__(self, number):
        super().__init__(128 + number)
        self.number = number


def end_in_order(number, _):
    """A signal handler: child processes and temporary files go first."""
    raise Ended(number)


@contextlib.contextmanager
def ending_in_order():
    """Within it these signals end the command so; nohup's stays ignored."""
    before = {}
    if threading.current_thread() is threading.main_thread():
        before = {number: signal.getsignal(number)
                  for number in (signal.SIGTERM, signal.SIGHUP)}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, end_in_order)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


if __name__ == "__main__":
    sys.exit(main())
