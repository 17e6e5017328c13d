# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares an artifact with its PyTorch module on the GPU and times both.

The module is built as KernelBench builds it; EGG's outputs are poisoned first
and compared for several seeds with the module's (TF32 off), then EGG is timed
in turns with PyTorch eager and torch.compile. The figures go into the
artifact's report.json. All of it runs in a child process, so that a kernel that
faults or hangs costs only the figures.

Exit codes: 0 correct, 1 wrong results or an error, 3 no GPU, 4 a kernel
faulted, 5 out of time.
"""

HELP = "compare and time an artifact on the GPU"


def add_arguments(parser):
    parser.add_argument("file", metavar="FILE.py", help="the PyTorch module")
    parser.add_argument("artifact", metavar="DIR",
                        help="what egg optimize wrote")
    add_measuring_arguments(parser)
    parser.add_argument("--json", action="store_true",
                        help="print the measurement as JSON")


def add_measuring_arguments(parser):
    """The options that commands which measure have in common."""
    parser.add_argument("--seeds", type=int, default=5,
                        help="trials of the comparison (default 5)")
    parser.add_argument("--baselines", metavar="NAMES",
                        default="eager,compile,reduce-overhead",
                        help="what to time against; 'none' only compares "
                        "(default eager,compile,reduce-overhead)")
    parser.add_argument("--inputs-on", choices=("gpu", "cpu"), default="gpu",
                        help="where weights and inputs are generated: cpu "
                        "gives KernelBench's very values, slowly")
    parser.add_argument("--no-fp64", action="store_true",
                        help="leave out the errors against an fp64 reference")
    parser.add_argument("--timeout", type=float, default=900, metavar="S",
                        help="end the child process after this many seconds")
    parser.add_argument("--device", type=int, default=0, metavar="N",
                        help="number of the CUDA device")
    parser.add_argument("--module", default="Model", metavar="NAME",
                        help="the class or instance in FILE.py")
    parser.add_argument("--inputs", default="get_inputs", metavar="NAME",
                        help="the function or sequence in FILE.py")


def measuring_options(args):
    """The keyword arguments of egg.measure.task.measure."""
    from egg.errors import EggError
    from egg.measure.session import parse_baselines
    if args.seeds < 1:
        raise EggError("--seeds must be at least 1", exit_code=2)
    return {"seeds": args.seeds, "compared": parse_baselines(args.baselines),
            "generate_on": args.inputs_on, "device": args.device,
            "fp64": not args.no_fp64, "module_name": args.module,
            "inputs_name": args.inputs}


def run(args):
    import json
    from egg.measure.session import measure_artifact
    from egg.measure.text import describe_measurement
    measurement = measure_artifact(args.file, args.artifact, args.timeout,
                                   **measuring_options(args))
    print(json.dumps(measurement, indent=2) if args.json
          else describe_measurement(measurement))
    return 0 if measurement["correct"] else 1
