# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures what a session of the agent llm tries: egg-opt runs this for each
script that it accepts, as its option measure says.

The kernels are compared with the PyTorch module at full size, timed, and
looked at by Nsight Compute where that is installed. Standard input may name the
counters, {"counters": [NAME, ...]}; the answer is that of
include/egg/Core/Measurement.h.
"""

import argparse
import json
import pathlib
import shlex
import sys
import time

from egg import children, options
from egg.artifact import read_plan
from egg.errors import EggError
from egg.measure.counters import count_events
from egg.measure.session import explain, explain_loss
from egg.measure.text import describe_policy, why_wrong
from egg.workers import TaskFailure, Worker, WorkerFailure

TASK = "egg.measure.task:measure"


def command(file, arguments):
    """The option measure for a file and the options that the user gave."""
    return shlex.join(children.python_command(
        "egg.measure.attempt",
        "--module", arguments.module, "--inputs", arguments.inputs,
        "--inputs-on", arguments.inputs_on, "--device", str(arguments.device),
        "--timeout", str(arguments.timeout),
        str(pathlib.Path(file).absolute())))


def add_arguments(parser):
    options.add_file_argument(parser)
    options.add_artifact_argument(parser)
    options.add_name_options(parser)
    options.add_where_options(parser)


def measure_attempt(file, artifact, counters, timeout, **where):
    """The answer; EggError where nothing can be measured."""
    start = time.monotonic()
    outcome = compare_and_time(file, artifact, timeout, where)
    if "measured" in outcome:
        kernels, why = count_events(
            [step["kernel"] for step in read_plan(artifact)["steps"]
             if step["kind"] == "launch"], counters,
            dict(where, file=str(file), artifact=str(artifact)), timeout)
        outcome["measured"]["kernels"] = kernels
        if why:
            print(f"no counters: {why}", file=sys.stderr)
    return dict(outcome, gpu_seconds=time.monotonic() - start)


def compare_and_time(file, artifact, timeout, where):
    with Worker() as worker:
        try:
            result = worker.call(
                TASK, dict(where, file=str(file), artifact=str(artifact),
                           seeds=1, compared=(), alone=True),
                timeout)
        except TaskFailure as failure:
            if failure.kind != "fault":
                raise explain(failure, artifact) from None
            return refusal(f"a kernel faults on the GPU: {failure.message}",
                           "look for accesses outside the tensors and for "
                           "wrong waits")
        except WorkerFailure as failure:
            if failure.kind != "timeout":
                raise explain_loss(failure, file, artifact, "") from None
            return refusal(f"measuring {failure.message}",
                           "a kernel may wait for ever: look at its barriers "
                           "and waits, or use one that does less work")
    if "timing" not in result:
        return refusal("the results on the GPU differ from the module's: " +
                       why_wrong(result["trials"][0]) + precision(result),
                       "what the check on the CPU did not see at small extents "
                       "happens at the payload's own")
    timing = result["timing"]
    if timing["headline"] is None:
        return refusal(timing["runs"]["egg"]["failure"],
                       "look at what the kernels write, and when")
    return {"measured": {
        "seconds": timing["runs"][timing["headline"]]["median_ms"] * 1e-3}}


def precision(result):
    """What the precision policy says of results beyond the tolerance."""
    if result["within_policy"] is None:
        return "; the module in fp64: " + result["fp64"]["not_computed"]
    return "" if result["within_policy"] else (
        "; " + describe_policy(result)[0].split(None, 1)[1])


def refusal(reason, remedy):
    return {"refused": {"step": "measure", "location": "", "reason": reason,
                        "remedy": remedy, "notes": []}}


def main(arguments):
    parser = argparse.ArgumentParser(prog="egg.measure.attempt",
                                     description=__doc__)
    add_arguments(parser)
    args = parser.parse_args(arguments)
    wanted = json.loads(sys.stdin.read() or "{}").get("counters", [])
    try:
        answer = measure_attempt(
            args.file, args.artifact, wanted, args.timeout, device=args.device,
            generate_on=args.inputs_on, module_name=args.module,
            inputs_name=args.inputs)
    except EggError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    print(json.dumps(answer))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
