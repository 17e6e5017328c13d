# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A measurement as lines for people."""

from egg.words import count

LABELS = {"eager": "PyTorch eager", "compile": "torch.compile",
          "reduce-overhead": "torch.compile, reduce-overhead", "egg": "EGG",
          "egg_graph": "EGG, one CUDA graph"}


def describe_measurement(measurement):
    lines = [f"device       {measurement['device']['name']}, "
             f"torch {measurement['torch']}"]
    trials = measurement["trials"]
    passed = sum(trial["ok"] for trial in trials)
    lines.append(
        f"correct      {'yes' if measurement['correct'] else 'NO'}: "
        f"{passed} of {count(len(trials), 'seed')} within atol = rtol = "
        f"{measurement['tolerance']['atol']:g}, largest error "
        f"{number(measurement['max_abs'])} absolute, "
        f"{number(measurement['max_rel'])} relative")
    lines += [f"             seed {trial['seed']}: {why_wrong(trial)}"
              for trial in trials if not trial["ok"]]
    fp64 = measurement.get("fp64", {})
    if fp64.get("egg"):
        lines.append("against fp64 " + ", ".join(
            f"{name} {number(fp64[key][0]['rms'])} rms"
            for key, name in (("egg", "EGG"), ("torch", "PyTorch"),
                              ("torch_without_tf32", "without TF32"))
            if fp64.get(key)))
        lines += describe_policy(measurement)
    elif "not_computed" in fp64:
        lines.append(f"against fp64 not computed: {fp64['not_computed']}")
    lines += describe_sanitizer(measurement.get("sanitizer", {}))
    lines += describe_timing(measurement)
    return "\n".join(lines)


def describe_policy(measurement):
    """A line about the policy, where it was looked at."""
    matches = measurement["fp64"].get("match")
    if not matches:
        return []
    wrong = next((i for i, match in enumerate(matches) if not match["ok"]),
                 None)
    policy = measurement["precision_policy"]
    if wrong is None:
        return [f"precision    within '{policy}': errors no larger than twice "
                "PyTorch's"]
    errors, match = measurement["fp64"]["egg"][wrong], matches[wrong]
    return [f"precision    NOT within '{policy}': output {wrong} has errors of "
            f"{number(errors.get('max_abs'))} at most and {number(errors['rms'])} "
            f"rms against fp64; {number(match['allowed_max_abs'])} and "
            f"{number(match['allowed_rms'])} are allowed"]


def describe_sanitizer(results):
    if "not_run" in results:
        return [f"sanitizer    not run: {results['not_run']}"]
    lines = []
    for tool, result in results.items():
        if "not_run" in result:
            lines.append(f"{tool:12} not run: {result['not_run']}")
        elif result["ok"]:
            lines.append(f"{tool:12} no error")
        else:
            lines.append(f"{tool:12} {count(result['errors'], 'error')}")
            lines += ["             " + line for line in result["report"]]
    return lines


def is_sound(measurement):
    """Whether nothing that was checked speaks against the kernels."""
    return (measurement["correct"]
            and measurement.get("within_policy") is not False
            and not any(result.get("ok") is False for result in
                        measurement.get("sanitizer", {}).values()
                        if isinstance(result, dict))
            and "failure" not in measurement.get("timing", {}).get(
                "runs", {}).get("egg", {}))


def describe_timing(measurement):
    timing = measurement.get("timing")
    if not timing:
        return ["timed        no" + ("" if measurement["correct"] else
                                     ": wrong results are not timed")]
    lines = []
    for name, run in timing["runs"].items():
        if "failure" in run:
            lines.append(f"{label(name):32} failed: {run['failure']}")
            continue
        low, high = run["quartiles_ms"]
        lines.append(f"{label(name):32} {run['median_ms']:10.4f} ms   "
                     f"(middle half {low:.4f} to {high:.4f}, "
                     f"{count(run['runs'], 'run')})")
    if timing["speedup"]:
        lines.append(
            f"speedup      {timing['speedup']:.3f} over "
            f"{label(timing['fastest_baseline'])}, with "
            f"{label(timing['headline'])}; precision policy "
            f"{measurement['precision_policy']}")
    return lines


def why_wrong(trial):
    """One line about a trial that failed."""
    if trial["complaint"]:
        return trial["complaint"]
    named = [(f"output {i}", f) for i, f in enumerate(trial["outputs"])]
    named += [(f"buffer {name}", f) for name, f in trial["buffers"].items()]
    name, figures = next(((n, f) for n, f in named if not f["ok"]),
                         (None, None))
    if figures is None:
        return "no reason was recorded"
    if "reason" in figures:
        return f"{name} has {figures['reason']}"
    return (f"{name} has {figures['violations']} of "
            f"{count(figures['elements'], 'element')} outside the tolerance "
            f"({figures['non_finite']} not finite), largest error {number(figures['max_abs'])}")


def label(name):
    return LABELS.get(name, str(name))


def number(value):
    return f"{value:.2e}" if isinstance(value, float) else str(value)
