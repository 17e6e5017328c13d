# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares and times one problem. Runs in a worker: kernels may fault or hang.
"""

import gc
import pathlib
import sys

from egg.artifact import read_plan, read_report
from egg.errors import EggError
from egg.files import read_text
from egg.measure import (baselines, comparison, correctness, hardware, timing)
from egg.measure.health import check_device
from egg.measure.sanitizer import sanitize
from egg.measure.workload import (Workload, output_tensors, tf32, trial_seeds)
from egg.words import count


def measure(file, artifact, seeds=5, compared=baselines.BASELINES,
            generate_on="gpu", device=0, module_name="Model",
            inputs_name="get_inputs", timing_options=None, fp64=True,
            sanitizer=(), sanitizer_timeout=300, alone=False):
    """The "measurement" section of a report: see docs/Running.md.

    compared names the baselines; without any, nothing is timed. With alone, EGG
    is timed without any, also where KernelBench's tolerance is missed within
    the precision policy. sanitizer names tools of compute-sanitizer.
    """
    from egg.runtime import Driver
    # First, because its message about a missing driver is better than torch's.
    driver = Driver()
    description = driver.describe(device)
    import torch
    torch_device = torch.device("cuda", device)
    torch.cuda.set_device(torch_device)
    try:
        result = measure_on(torch_device, driver, description, file, artifact,
                            seeds, compared, generate_on, module_name,
                            inputs_name, timing_options, fp64, alone)
        if sanitizer:
            result["sanitizer"] = sanitize(sanitizer, {
                "file": file, "artifact": artifact, "device": device,
                "generate_on": generate_on, "module_name": module_name,
                "inputs_name": inputs_name}, sanitizer_timeout)
        return result
    finally:
        if "torch._dynamo" in sys.modules:
            torch._dynamo.reset()
        gc.collect()
        try:
            torch.cuda.empty_cache()
        except RuntimeError:
            pass  # The context is lost; the error under way says so.


def measure_on(device, driver, description, file, artifact, seeds, compared,
               generate_on, module_name, inputs_name, timing_options, fp64,
               alone=False):
    import torch
    from egg.runtime import LoadedModule
    result = {"device": description, "torch": torch.__version__,
              "precision_policy": "match", "inputs_generated_on": generate_on,
              "tolerance": {"atol": comparison.ATOL, "rtol": comparison.RTOL}}
    expect_health(device, "before it was measured on")
    loaded = LoadedModule(artifact, device, driver)
    result["launches"] = loaded.num_launches
    result["kernels_from"] = "cubin" if loaded.uses_cubin else "ptx"
    workload = Workload(file, device, generate_on, module_name, inputs_name)
    bound = loaded.bind(workload.module)

    result["trials"] = []
    for number, seed in enumerate(trial_seeds(seeds)):
        inputs = reference = outputs = None
        figures, inputs, reference, outputs = correctness.trial(
            workload, bound, seed, first=number == 0)
        result["trials"].append(figures)
    result["correct"] = all(trial["ok"] for trial in result["trials"])
    result.update(worst_of(result["trials"]))
    if fp64:
        errors, reason = correctness.fp64_errors(workload, inputs, outputs,
                                                 reference)
        result["fp64"] = errors if errors else {"not_computed": reason}
        result["within_policy"] = all(
            match["ok"] for match in errors["match"]) if errors else None
    timed = bool(result["correct"] and compared)
    if alone and is_acceptable(result, outputs):
        timed, compared = True, ()
        # Those of the timed runs are to be what was compared.
        reference = [output.clone() for output in outputs]
    outputs = None
    if timed:
        gc.collect()
        torch.cuda.empty_cache()
        result["timing"] = time_all(bound, workload, inputs, reference,
                                    compared, timing_options)
        expect_possible(result["timing"], artifact, hardware.peaks_of(
            torch.cuda.get_device_properties(device)), compared)
    expect_health(device, "after the measurement, which therefore counts for "
                  "nothing")
    return result


def is_acceptable(result, outputs):
    """Right by KernelBench's tolerance, or by the precision policy: that asks
    for errors against fp64 no larger than twice PyTorch's, where a tolerance
    may be missed by PyTorch itself."""
    if result["correct"]:
        return True
    # The policy is about floats only.
    return bool(result.get("within_policy")) and all(
        trial["complaint"] is None
        and all(figures["ok"] for figures in trial["buffers"].values())
        and all(figures["ok"] or output.is_floating_point() for figures, output
                in zip(trial["outputs"], outputs, strict=True))
        for trial in result["trials"])


def expect_health(device, when):
    if problem := check_device(device):
        raise EggError(f"the GPU is not healthy {when}: {problem}",
                       hint="see what nvidia-smi says, and run it again; a "
                       "reset or another GPU may be needed")


def expect_possible(timing, artifact, peaks, compared):
    """Times of EGG that the hardware cannot reach become failures."""
    report = read_report(artifact)
    flops = sum(kernel.get("flops", 0) for kernel in report.get("kernels", []))
    payload = pathlib.Path(artifact, "payload.mlir")
    # Of a plan alone nothing is known about what must be read.
    text = read_text(payload) if payload.exists() else "tensor.extract"
    work = hardware.least_work(read_plan(artifact), text, flops)
    least, what = work.least_ms(peaks)
    timing["hardware_limit"] = {"not_known": what} if least is None else {
        "milliseconds": least, "needed_for": what}
    for name in ("egg", "egg_graph"):
        run = timing["runs"].get(name, {})
        if "median_ms" in run and (reason := hardware.explain_impossible(
                run["median_ms"], work, peaks)):
            timing["runs"][name] = {"failure": reason}
    timing.update(summarize(timing["runs"], compared))


def worst_of(trials):
    """The largest deviations over all trials and outputs."""
    figures = [output for trial in trials for output in trial["outputs"]]

    def largest(key):
        numbers = [float(f[key]) for f in figures if f[key] is not None]
        return comparison.finite(max(numbers)) if numbers else None

    return {"max_abs": largest("max_abs"), "max_rel": largest("max_rel")}


def time_all(bound, workload, inputs, reference, compared, options):
    """Timings of EGG and the baselines, and the speedup over the fastest."""
    import torch
    functions, failures = {}, {}
    for name in compared:
        functions[name] = baselines.baseline(name, workload.module, inputs)
    functions["egg"] = lambda: bound(*inputs)
    if bound.loaded.num_launches > 1:
        try:
            functions["egg_graph"] = baselines.captured(bound, inputs)
        except RuntimeError as error:
            failures["egg_graph"] = {"failure": timing.failure_text(error)}

    def check(name, outputs):
        # Baselines are PyTorch's own affair (TF32, reused memory).
        if not name.startswith("egg"):
            return None
        for expected, actual in zip(reference, output_tensors(outputs)):
            figures = comparison.compare(expected, actual)
            if not figures["ok"]:
                return ("the outputs of the timed runs are wrong in "
                        + count(figures["violations"], "element"))
        return None

    # torch's defaults: TF32 for convolutions, not for matmuls.
    with torch.no_grad(), tf32(None):
        results = timing.time_interleaved(
            functions, workload.device,
            timing.TimingOptions(**(options or {})), check)
    results.update(failures)
    return summarize(results, compared)


def summarize(results, compared):
    """Adds the fastest of each side, by name, and their ratio."""
    def fastest(names):
        timed = [name for name in names
                 if "median_ms" in results.get(name, {})]
        return min(timed, key=lambda name: results[name]["median_ms"],
                   default=None)

    ours, theirs = fastest(("egg", "egg_graph")), fastest(compared)
    summary = {"runs": results, "fastest_baseline": theirs, "headline": ours}
    summary["speedup"] = (
        results[theirs]["median_ms"] / results[ours]["median_ms"]
        if ours and theirs else 0.0 if theirs else None)
    return summary
