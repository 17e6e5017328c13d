# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares an artifact with its PyTorch module on the GPU and times both.

The module is built as KernelBench builds it; EGG's outputs are poisoned first
and compared for several seeds with the module's (TF32 off), then EGG is timed
in turns with PyTorch eager and torch.compile. The figures go into the
artifact's report.json. All of it runs in a child process, so that a kernel that
faults or hangs costs only the figures.
"""

from egg import options

HELP = "compare and time an artifact on the GPU"


def add_arguments(parser):
    options.add_file_argument(parser)
    options.add_artifact_argument(parser)
    options.add_name_options(parser)
    options.add_measuring_options(parser)
    parser.add_argument("--json", action="store_true",
                        help="print the measurement as JSON")


def run(args):
    import json
    from egg.measure.session import measure_artifact
    from egg.measure.text import describe_measurement, is_sound
    measurement = measure_artifact(args.file, args.artifact, args.timeout,
                                   **options.measuring_options(args))
    print(json.dumps(measurement, indent=2) if args.json
          else describe_measurement(measurement))
    return 0 if is_sound(measurement) else 1
