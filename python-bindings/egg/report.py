# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An artifact as text: a summary of its report, and its schedule stage by
stage."""

import dataclasses
import pathlib
import re

from egg.artifact import read_plan, read_report
from egg.measure.text import describe_measurement
from egg.verdict import describe_verdict, paragraph
from egg.words import count

STAGES = {"algorithm": "Algorithm: what to compute",
          "parallel_mapping": "Parallel mapping",
          "tensor_tiling": "Tensor tiling",
          "memory_optimization": "Memory optimisation"}


@dataclasses.dataclass
class Sequence:
    """One named sequence of a schedule: the kernel it is for ("" for the
    algorithm), its stage, and its lines, comments included."""

    kernel: str
    stage: str
    lines: list


def read_sequences(text):
    """The named sequences of a schedule file, in order."""
    sequences, kernel, comments = [], "", []
    current, depth = None, 0
    for line in text.splitlines():
        line = line.strip()
        if current is not None:
            depth += line.count("{") - line.count("}")
            if depth <= 0:
                current = None
            elif line and line != "transform.yield":
                sequences[-1].lines.append(line)
            continue
        if line.startswith("//"):
            comments.append(line)
        elif found := re.match(r"module @\"?([\w.hmB]+)", line):
            kernel = found[1]
            sequences.append(Sequence(kernel, "", comments))
            comments = []
        elif found := re.match(r"transform\.named_sequence @(\w+)", line):
            current, depth = found[1], line.count("{") - line.count("}")
            sequences.append(Sequence(kernel, found[1], comments))
            comments = []
            if depth <= 0:
                current = None
    return sequences


def describe_schedule(text, comments="why"):
    """What was decided and why, stage by stage, kernel by kernel; comments
    names what the script's comments are."""
    lines, kernel = [], ""
    for sequence in read_sequences(text):
        if sequence.kernel != kernel:
            kernel = sequence.kernel
            lines += ["", f"Kernel {kernel}"]
        if not sequence.stage:
            lines += ["  " + line for line in decisions(sequence.lines,
                                                   comments)]
            continue
        indent = "  " if kernel else ""
        lines.append(indent + STAGES.get(sequence.stage, sequence.stage))
        body = decisions(sequence.lines, comments) or ["(nothing: the defaults hold)"]
        lines += [f"{indent}  {line}" for line in body]
    return "\n".join(lines).strip("\n")


def statements(lines):
    """Lines with what continues them: an op written over several lines, and a
    comment until its sentence ends at the end of a line."""
    joined = []
    for line in lines:
        comment = line.startswith("//")
        if comment:
            continues = (joined and joined[-1].startswith("//")
                         and not joined[-1].endswith("."))
            line = line.lstrip("/ ") if continues else line
        else:
            continues = joined and not joined[-1].startswith("//") \
                and not re.match(r"%[\w#:, %]+ = |[\w.]+\.\w+[ (]|}", line)
        if continues:
            joined[-1] += " " + line
        else:
            joined.append(line)
    return joined


def decisions(lines, comments="why"):
    """A script's lines for a reader: comments labelled; knobs, constants
    and selections stand where they are used; types and handles are gone."""
    values, text = {}, []
    for line in statements(lines):
        if line.startswith("//"):
            text.append(f"{comments}: " + line.lstrip("/ "))
        elif found := re.match(
                r'(%[\w#]+) = transform\.tune\.knob.*?> = (.+?) from options = '
                r"\[(.*?)\]", line):
            values[found[1]] = f"{found[2]} of {found[3]}"
        elif found := re.match(
                r"(%[\w#]+) = transform\.param\.constant (\S+)", line):
            values[found[1]] = found[2]
        elif found := re.match(
                r"(%[\w#]+) = transform\.egg\.select %\w+ (\[.*?\])", line):
            values[found[1]] = found[2].replace('"', "")
        else:
            line = re.sub(r"^%[\w#:, %]+ = ", "", line)
            line = re.sub(r"\s*(->|:) *\(?!transform.*$", "", line)
            line = re.sub(r"%[\w#]+", lambda m: values.get(m[0], ""), line)
            line = re.sub(r"  +", " ", line.replace("transform.egg.", ""))
            text.append(line.replace("transform.", "").strip())
    return text


def summarize_artifact(artifact):
    """Kernels, resources, verdict, prediction, measurement: what a user wants
    to know at the end."""
    artifact = pathlib.Path(artifact)
    report, plan = read_report(artifact), read_plan(artifact)
    launches = [step["kernel"] for step in plan["steps"]
                if step["kind"] == "launch"]
    lines = [f"artifact     {artifact}",
             f"chip         {plan['chip']}",
             *describe_origin(report),
             f"kernels      {count(len(launches), 'launch')}, "
             f"{plan['arenaBytes'] / 2**20:.1f} MiB of temporaries"]
    lines += describe_kernels(report)
    if "import" in report:
        lines += paragraph("import", describe_import(report["import"]))
    if verdict := report.get("verdict"):
        lines += describe_verdict(verdict)
    # Copies alone take no kernel, and time that is not predicted.
    if launches and (seconds := report.get("predicted_seconds")) is not None:
        lines.append(f"predicted    {seconds * 1e3:.4f} ms by EGG's model")
    if "measurement" in report:
        lines.append(describe_measurement(report["measurement"]))
    return "\n".join(lines)


def describe_import(source):
    """Whether the payload is known to compute what the module does: every
    verdict is about the payload."""
    checked = source.get("checked", "")
    if checked and not checked.startswith("not checked"):
        return f"compared {checked}"
    reason = checked.partition(": ")[2] or "the check was left out"
    return (f"not compared with PyTorch: {reason}; that the payload computes "
            "what the module does is not part of the verdict")


def describe_origin(report):
    """A line about where the schedule comes from, where that is known."""
    if is_users_schedule(report):
        file = report.get("schedule_file", "")
        return [f"schedule     your schedule {file}".rstrip()]
    if agent := report.get("agent"):
        # A session's rationale begins with whose script is the best.
        story = report.get("rationale", "")
        if agent == "llm" and story.startswith("The expert's script"):
            return paragraph("schedule", "the expert's, after a session of the "
                             f"agent llm: {story.partition(': ')[2]}")
        return [f"schedule     by the agent {agent}"]
    return []


def is_users_schedule(report):
    """Whether a file was given, whose comments nobody checks."""
    return report.get("agent") == "replay"


def describe_kernels(report):
    """Two lines a kernel: how it is launched and what bounds it, and what
    ptxas said of it."""
    resources = {r["kernel"]: r for r in report.get("resources", [])}
    lines = []
    for kernel in report.get("kernels", []):
        lines.append(
            f"  {kernel['name']}: {kernel['structure']}, "
            f"{boxes(kernel['grid'], 'block')} of "
            f"{boxes(kernel['block'], 'thread')}, predicted {kernel['predicted_seconds'] * 1e3:.4f} ms "
            f"({kernel['bound']})")
        if used := resources.get(kernel["name"]):
            text = (f"    {count(used['registers'], 'register')}, "
                    f"{count(used['shared_memory'], 'byte')} of shared memory")
            if used["spill_stores"] or used["spill_loads"]:
                text += (f", SPILLS {count(used['spill_stores'], 'byte')} "
                         f"stored, {used['spill_loads']} loaded")
            lines.append(text)
    if report.get("ptxas") == "absent" and report.get("kernels"):
        lines.append("ptxas        was not found: resources are unknown")
    lines += [f"ptxas        warning: {warning}"
              for warning in report.get("warnings", [])]
    return lines


def boxes(sizes, noun):
    """[4, 2, 1] as "4 x 2 blocks"."""
    while len(sizes) > 1 and sizes[-1] == 1:
        sizes = sizes[:-1]
    if len(sizes) == 1:
        return count(sizes[0], noun)
    return " x ".join(str(size) for size in sizes) + f" {noun}s"
