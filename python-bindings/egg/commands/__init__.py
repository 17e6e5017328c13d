# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One module a subcommand of `egg`, discovered by name.

commands/foo_bar.py is `egg foo-bar`. It defines
  HELP                   one line for `egg --help`
  add_arguments(parser)  declares its arguments on an argparse parser
  run(args) -> int       does the work and returns the exit code, or raises
                         EggError
and imports anything heavy inside run().
"""
