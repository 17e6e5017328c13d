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
                        help="what was tried: a session's trajectory.jsonl, of "
                        "which the stage's attempts count, or a file of "
                        "attempts, a JSON object a line (default: nothing; "
                        "needed by debugger and repair)")
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
    from egg.agent.early import check_prompts
    from egg.egg_opt import run_egg_opt
    from egg.errors import EggError
    from egg.pipeline import option
    report = artifacts.read_report(args.artifact)
    check_stage(args, report)
    if args.prompts_dir:
        check_prompts(args.prompts_dir)
    folder = pathlib.Path(args.artifact).absolute()
    payload = files.read_text(folder / "payload.mlir", hint=artifacts.HINT)
    chosen = {"role": args.role, "mode": args.mode, "stage": args.stage,
              "kernel": args.kernel, "chip": report.get("chip"),
              "author": report.get("agent"), "handovers": args.handovers,
              "prompts-dir": args.prompts_dir}
    if args.json:
        chosen["format"] = "json"
    with files.temporary_directory("egg-prompt-") as temporary:
        if args.attempts:
            chosen["attempts"] = temporary / "attempts.jsonl"
            files.write_whole(chosen["attempts"], attempts_of(args))
        else:
            chosen["schedule"] = folder / "schedule.mlir"
        text = " ".join(option(name, value) for name, value in chosen.items()
                        if value)
        try:
            said = run_egg_opt([f"--egg-prompt={text}", "-o", os.devnull],
                               payload, name="payload.mlir",
                               path=args.egg_opt, timeout=args.timeout)
        except EggError as error:
            raise explained(error, chosen.get("attempts"), args) from None
    print(said, end="")
    return 0


def explained(error, copy, args):
    """The compiler's message without its command line, and the file that was
    given in place of its copy."""
    from egg.errors import EggError
    _, found, reason = error.message.partition("[prompt] ")
    if not found:
        return error
    if copy:
        reason = reason.replace(str(copy), args.attempts)
    reason, _, hint = reason.strip().partition("; ")
    return EggError(reason, hint=hint or None)


def check_stage(args, report):
    from egg.errors import EggError
    needs = args.stage != STAGES[0]
    names = ", ".join(kernel["name"] for kernel in report.get("kernels", []))
    if needs and not args.kernel:
        raise EggError(f"--stage {args.stage} is of one kernel",
                       hint="add --kernel NAME"
                       + (f"; there are {names}" if names else ""), exit_code=2)
    if args.kernel and not needs:
        raise EggError("the algorithm stage is of no kernel", where="--kernel",
                       hint="leave it out, or name another --stage",
                       exit_code=2)
    # Attempts may form other kernels.
    if args.kernel and not args.attempts and args.kernel not in names.split(", "):
        raise EggError(f"there is no kernel '{args.kernel}'", where="--kernel",
                       hint=f"there are {names}" if names else
                       "the artifact has none", exit_code=2)
    if not args.attempts and (args.role == "debugger"
                              or args.mode == "repair"):
        raise EggError("a debugger and a repair are about a refused attempt",
                       hint="give --attempts FILE, such as a session's "
                       "trajectory.jsonl", exit_code=2)


def attempts_of(args):
    """The attempts as egg-opt reads them. Of a trajectory they are those of the
    stage, and the best script that there was before it."""
    import json
    from egg import files
    from egg.agent.trajectory import read_trajectory, seconds_of
    from egg.errors import EggError
    text = files.read_text(args.attempts, hint="name a session's "
                           "trajectory.jsonl, or a file of attempts")
    if '"type":"session"' not in text.partition("\n")[0].replace(" ", ""):
        # egg-opt reads it and says which line is no attempt.
        return text
    stage = {"kind": args.stage}
    if args.kernel:
        stage["kernel"] = args.kernel
    before, tried = [], []
    for record in read_trajectory(args.attempts):
        if record["type"] != "attempt":
            continue
        found = record.get("stage")
        if found == stage and record.get("mode") != "start":
            tried.append(record)
        elif "accepted" in record and not tried:
            before.append(record)
    if not tried:
        raise EggError("has no attempt at this stage", where=args.attempts,
                       hint="egg show --trajectory tells what was tried where")
    if (args.role == "debugger" or args.mode == "repair") and not any(
            "refused" in record for record in tried):
        raise EggError("has no refused attempt at this stage",
                       where=args.attempts, hint="egg show --trajectory tells "
                       "what was refused where")
    best = sorted(before, key=seconds_of)[:1]
    return "".join(json.dumps(record) + "\n" for record in best + tried)
