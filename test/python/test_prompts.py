# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The vocabulary that prompts have is what schedules accept; the examples that
they have are tested; egg prompt renders an artifact."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from egg import __main__ as command_line
from egg.pipeline import compile_payload

STAGES = ["algorithm", "parallel_mapping", "tensor_tiling", "memory_optimization"]
EVERYWHERE = {"transform.tune.knob", "transform.param.constant"}


def vocabulary(root):
    build = Path(os.environ.get("EGG_BUILD_DIR", root / "build" / "dev"))
    path = build / "lib/TransformOps/vocabulary.json"
    return json.loads(path.read_text())["words"]


@pytest.mark.parametrize("stage", STAGES)
def test_the_vocabulary_is_what_is_accepted(egg_opt, root, stage, tmp_path):
    op = "%p = transform.get_parent_op %k : (!transform.any_op) -> !transform.any_op"
    body = lambda name: (  # noqa: E731
        f"transform.named_sequence @{name}(%k: !transform.any_op) {{\n"
        f"{op if name == stage else ''}\ntransform.yield\n}}\n")
    schedule = tmp_path / "schedule.mlir"
    schedule.write_text(
        "module attributes {transform.with_named_sequence, egg.schedule = 1 : i64, "
        'egg.target = "sm_90a", egg.payload = ""} {\n' + body("algorithm")
        + "module @k attributes {transform.with_named_sequence} {\n"
        + "".join(map(body, STAGES[1:])) + "}\n}\n")
    payload = root / "test/Schedule/Inputs/payload.mlir"
    done = subprocess.run(
        [egg_opt, payload, f"--egg-apply-schedule=schedule={schedule}"],
        capture_output=True, text=True)
    listed = re.search(rf"is not accepted in @{stage}, which holds (.*)", done.stderr)
    assert listed, done.stderr
    accepted = set(listed.group(1).strip().split(", "))
    words = {word["name"] for word in vocabulary(root) if stage in word["stages"]}
    assert words == accepted
    assert words > EVERYWHERE


def test_every_example_is_tested(root):
    folder = root / "prompts/examples"
    names = {path.parent.name for path in folder.glob("*/payload.mlir")}
    listed = json.loads((folder / "examples.json").read_text())
    assert names == {example["name"] for example in listed}
    test = (root / "test/Agent/examples.test").read_text()
    assert names == set(re.findall(r"examples/(\w+)/payload.mlir", test))
    assert len(names) >= 6


@pytest.fixture(scope="module")
def artifact(egg_opt, root, tmp_path_factory):
    out = tmp_path_factory.mktemp("prompt") / "artifact"
    payload = (root / "test/Schedule/Inputs/payload.mlir").read_text()
    compile_payload(payload, out, chip="sm_90a", egg_opt=egg_opt)
    return out


def ask(egg_opt, capsys, *arguments):
    code = command_line.main(["prompt", *map(str, arguments), "--egg-opt",
                              str(egg_opt)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_an_artifacts_prompt(egg_opt, artifact, capsys):
    code, text, _ = ask(egg_opt, capsys, artifact, "--role", "analyst")
    assert code == 0
    assert text.startswith("# System\n")
    assert "current script: predicted" in text
    # The expert's reasons are ours.
    assert "// matmul_0 is a sum of products" in text
    code, text, _ = ask(egg_opt, capsys, artifact, "--stage", "tensor_tiling",
                        "--kernel", "matmul_add_exp", "--json")
    assert code == 0
    roles = [message["role"] for message in json.loads(text)["messages"]]
    assert roles == ["system", "user"]


def test_what_cannot_be_asked_is_one_error(egg_opt, artifact, capsys):
    code, text, error = ask(egg_opt, capsys, artifact, "--stage", "tensor_tiling")
    assert (code, text) == (2, "")
    assert "--stage tensor_tiling is of one kernel\n  next: add --kernel NAME; " \
        "there are matmul_add_exp" in error
    for given, said in ((["--kernel", "k"], "--kernel: the algorithm stage is"),
                        (["--role", "debugger"], "next: give --attempts FILE"),
                        (["--mode", "repair"], "next: give --attempts FILE"),
                        (["--stage", "tensor_tiling", "--kernel", "k"],
                         "--kernel: there is no kernel 'k'\n  next: there are "
                         "matmul_add_exp")):
        code, text, error = ask(egg_opt, capsys, artifact, *given)
        assert (code, text) == (2, "") and said in error


def test_files_that_are_something_else(egg_opt, artifact, tmp_path, capsys):
    """Not a word of the compiler's command line or of a temporary file."""
    other = tmp_path / "ok.py"
    other.write_text("import torch\n")
    code, text, error = ask(egg_opt, capsys, artifact, "--attempts", other)
    assert (code, text) == (1, "")
    assert error.startswith(f"egg: error: {other}:1: no attempt: ")
    assert error.endswith("\n  next: give a file that a session wrote\n")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/notes.md").touch()
    code, text, error = ask(egg_opt, capsys, artifact, "--prompts-dir", tmp_path)
    assert (code, text) == (1, "")
    assert error.startswith(f"egg: error: {tmp_path}: holds no prompts\n  next: ")


@pytest.fixture(scope="module")
def trajectory(artifact, tmp_path_factory):
    """A session's records: an algorithm is refused, then one of a tiling."""
    script = (artifact / "schedule.mlir").read_text()
    kernel = {"kind": "tensor_tiling", "kernel": "matmul_add_exp"}
    refused = {"step": "apply", "location": "schedule.mlir:3:1", "reason": "",
               "remedy": "mend it", "notes": []}

    def attempt(number, stage, reason):
        return {"type": "attempt", "id": number, "stage": stage, "author": "m",
                "mode": "optimise", "rationale": "r", "script": script,
                "refused": dict(refused, reason=reason)}
    path = tmp_path_factory.mktemp("session") / "trajectory.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in [
        {"type": "session", "chip": "sm_90a", "options": {}},
        {"type": "stage", "stage": {"kind": "algorithm"}},
        attempt(1, {"kind": "algorithm"}, "the first reason"),
        {"type": "agent_error", "task": "seed", "error": "no JSON"},
        attempt(2, kernel, "the second reason")]))
    return path


@pytest.mark.parametrize("stage, seen, hidden", [
    ([], "the first reason", "the second reason"),
    (["--stage", "tensor_tiling", "--kernel", "matmul_add_exp"],
     "the second reason", "the first reason")])
def test_a_sessions_attempts(stage, seen, hidden, egg_opt, artifact, trajectory,
                             capsys):
    """The trajectory has records of other types, and of other stages."""
    code, text, error = ask(egg_opt, capsys, artifact, "--role", "debugger",
                            "--attempts", trajectory, *stage)
    assert code == 0, error
    assert seen in text and hidden not in text


def test_no_attempt_at_the_stage(egg_opt, artifact, trajectory, tmp_path, capsys):
    code, text, error = ask(
        egg_opt, capsys, artifact, "--role", "debugger", "--attempts",
        trajectory, "--stage", "parallel_mapping", "--kernel", "matmul_add_exp")
    assert (code, text) == (1, "") and "has no attempt at this stage" in error
    code, text, error = ask(egg_opt, capsys, artifact, "--role", "debugger",
                            "--attempts", tmp_path / "none")
    assert (code, text) == (1, "") and "none: cannot be read" in error
