# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what a language model would be asked about an artifact's payload.

The messages are those that would be sent, word for word: the system prompt of
the role in the stage, and the question with the computation, the figures, the
artifact's script and what was tried. No model is asked.
"""

from egg import options

HELP = "print what a language model would be asked"
STAGES = ["algorithm", "parallel_mapping", "tensor_tiling",
          "memory_optimization"]


def add_arguments(parser):
    options.add_artifact_argument(parser)
    parser.add_argument("--role", default="coder",
                        choices=["analyst", "coder", "debugger"],
                        help="who is asked (default coder)")
    parser.add_argument("--mode", choices=["seed", "optimise", "repair"],
                        help="what the coder is asked for (default: optimise)")
    parser.add_argument("--stage", default=STAGES[0], choices=STAGES,
                        help="which stage (default algorithm)")
    parser.add_argument("--kernel", metavar="NAME",
                        help="the kernel (needed by the hardware stages; egg "
                        "show lists them)")
    parser.add_argument("--attempts", metavar="FILE",
                        help="what was tried, a JSON object a line (default: "
                        "nothing; needed by debugger and repair)")
    parser.add_argument("--handovers", metavar="FILE",
                        help="what former stages left, a JSON object a line "
                        "(default: nothing)")
    parser.add_argument("--prompts-dir", metavar="DIR",
                        help="prompts to use (default: the built-in ones)")
    parser.add_argument("--json", action="store_true",
                        help="print the request as JSON")
    options.add_limit(parser, "--timeout", 600, "egg-opt")
    options.add_egg_opt_option(parser)


def run(args):
    import os
    import pathlib
    from egg import artifact as artifacts
    from egg import files
    from egg.egg_opt import run_egg_opt
    from egg.pipeline import option
    report = artifacts.read_report(args.artifact)
    folder = pathlib.Path(args.artifact).absolute()
    payload = files.read_text(folder / "payload.mlir", hint=artifacts.HINT)
    chosen = {"role": args.role, "mode": args.mode, "stage": args.stage,
              "kernel": args.kernel, "chip": report.get("chip"),
              "author": report.get("agent"), "attempts": args.attempts,
              "handovers": args.handovers, "prompts-dir": args.prompts_dir}
    if not args.attempts:
        chosen["schedule"] = folder / "schedule.mlir"
    if args.json:
        chosen["format"] = "json"
    text = " ".join(option(name, value) for name, value in chosen.items()
                    if value)
    print(run_egg_opt([f"--egg-prompt={text}", "-o", os.devnull], payload,
                      name="payload.mlir",
                      path=args.egg_opt, timeout=args.timeout), end="")
    return 0
