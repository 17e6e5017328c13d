# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""egg show: decisions with their reasons, stage by stage."""

import json

import pytest

from egg import __main__ as command_line
from egg import files
from egg.pipeline import compile_payload
from egg.report import decisions, describe_schedule
from fake_egg_opt import complete, write_fake_egg_opt

SCHEDULE = """
module attributes {transform.with_named_sequence} {
  // One pass over the rows.
  transform.named_sequence @algorithm(%f: !transform.any_op) {
    // The exponential is cheap:
    // computed where it is used.
    // Its sum is not.
    %0 = transform.egg.select %f ["exp_0",
        "sum_1"]
        : (!transform.any_op) -> !transform.any_op
    %k = transform.egg.form_kernel %0 {name = "exp_sum"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
  module @exp_sum attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      %t = transform.tune.knob<"threads"> = 128 from options = [128, 256] -> !transform.param<i64>
      %r = transform.param.constant 2 : i64 -> !transform.param<i64>
      transform.egg.map_rows %k threads_per_row(%t) rows_per_block(%r) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @tensor_tiling(%k: !transform.any_op) {
      transform.yield
    }
  }
}
"""


def test_decisions_and_reasons():
    assert describe_schedule(SCHEDULE) == """\
Algorithm: what to compute
  why: One pass over the rows.
  why: The exponential is cheap: computed where it is used.
  why: Its sum is not.
  form_kernel [exp_0, sum_1] {name = "exp_sum"}

Kernel exp_sum
  Parallel mapping
    map_rows threads_per_row(128 of 128, 256) rows_per_block(2)
  Tensor tiling
    (nothing: the defaults hold)"""


def test_results_of_an_op_are_dropped():
    assert decisions([
        "%p, %c = transform.egg.split_reduction %k parts(%n) : "
        "(!transform.any_op) -> (!transform.any_op, !transform.any_op)"]) == [
            "split_reduction parts()"]


def test_unknown_lines_are_kept():
    assert decisions(['transform.something.new %k {a = 1}']) == [
        "something.new {a = 1}"]


def test_command(tmp_path, capsys):
    plan = {"version": 1, "chip": "sm_90a", "arenaBytes": 1 << 20, "steps": [
        {"kind": "launch", "kernel": "exp_sum"}, {"kind": "copy"}]}
    report = {"predicted_seconds": 0.001, "ptxas": "accepted", "kernels": [
        {"name": "exp_sum", "structure": "rows", "grid": [64, 2, 1],
         "block": [128, 1, 1], "predicted_seconds": 0.001, "bound": "memory"}],
        "resources": [{"kernel": "exp_sum", "registers": 255,
                       "shared_memory": 0, "spill_stores": 8,
                       "spill_loads": 4}],
        "verdict": {"grade": "tested", "evidence": [
            {"step": "numeric", "statement": "3 shapes agree"}]}}
    (tmp_path / "schedule.mlir").write_text(SCHEDULE)
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    (tmp_path / "report.json").write_text(json.dumps(report))
    complete(tmp_path)
    assert command_line.main(["show", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "1 launch, 1.0 MiB of temporaries" in out
    assert "exp_sum: rows, 64 x 2 blocks of 128 threads" in out
    assert "255 registers" in out and "SPILLS 8 bytes stored, 4 loaded" in out
    assert "  numeric    3 shapes agree" in out
    assert "1.0000 ms by EGG's model" in out


FULL_VERDICT = {
    "grade": "exact", "meaning": "the kernels compute the payload's formulas",
    "evidence": [
        {"step": "apply", "statement": "the script applies", "extents": [
            {"variant": "own", "arguments": [
                {"name": "x", "kind": "input", "shape": [4096, 4096],
                 "dtype": "f32"}]}]},
        {"step": "numeric", "statement": "18 runs agree", "runs": 18,
         "seeds": [0, 1], "distributions": ["uniform", "wide"], "errors": [
             {"result": 0, "name": "y", "variant": variant, "inputs": inputs,
              "maxAbsolute": largest, "maxRelative": 1e-7, "own": own,
              "allowed": allowed}
             for variant, inputs, largest, own, allowed in (
                 ("aligned", "uniform", 1e-7, 2e-7, 4e-7),
                 ("odd", "uniform", 3e-7, 2e-7, 4e-7),
                 ("odd", "wide", "inf", "inf", "inf"))]},
        {"step": "exact", "statement": "4 runs agree", "bound": {
            "primes": [65267, 32633], "degree": 4, "inOneField": 1.2e-4,
            "inBoth": 7.5e-9}}],
    "skipped": ["launch: no GPU"],
    "versions": {"commit": "0123456789abcdef", "egg": "0.1.0"}}


def show(folder, capsys, verdict):
    plan = {"version": 1, "chip": "sm_90a", "arenaBytes": 0, "steps": []}
    (folder / "schedule.mlir").write_text("module {}")
    (folder / "plan.json").write_text(json.dumps(plan))
    (folder / "report.json").write_text(json.dumps({"verdict": verdict}))
    complete(folder)
    code = command_line.main(["show", str(folder)])
    return code, capsys.readouterr()


def test_evidence_is_a_table(tmp_path, capsys):
    code, captured = show(tmp_path, capsys, FULL_VERDICT)
    assert code == 0
    assert """\
verdict      exact: the kernels compute the payload's formulas
  apply      the script applies
  numeric    18 runs agree
             result  inputs   largest error  the payload's  allowed   at extents
             0 y     uniform  3.00e-07       2.00e-07       4.00e-07  odd
             0 y     wide     inf            inf            inf       odd
  exact      4 runs agree
             fields modulo 65267 and 32633, degree 4: a wrong element passes \
one run with probability at most 7.5e-09
             (1.2e-04 where one field is known)
  skipped    launch: no GPU
  versions   commit 0123456789abcdef, egg 0.1.0
""" in captured.out


def test_long_statements_are_wrapped(tmp_path, capsys):
    statement = " ".join(["word"] * 60)
    code, captured = show(tmp_path, capsys, {"grade": "tested", "evidence": [
        {"step": "numeric", "statement": statement}]})
    assert code == 0 and "verdict      tested\n" in captured.out
    lines = captured.out.splitlines()
    assert max(map(len, lines)) <= 100
    assert sum(line.count("word") for line in lines) == 60


@pytest.mark.parametrize("path, value, message", [
    (("evidence", 1, "errors", 0, "own"), None,
     "'verdict.evidence[1].errors[0].own' is null"),
    (("evidence", 0, "extents", 0, "arguments"), 3,
     "'verdict.evidence[0].extents[0].arguments' is an integer"),
    (("evidence", 2, "bound", "primes"), ["two"],
     "'verdict.evidence[2].bound.primes[0]' is a string"),
    (("versions", "egg"), 1, "'verdict.versions.egg' is an integer"),
    (("meaning",), [], "'verdict.meaning' is a list")])
def test_damaged_evidence_is_named(path, value, message, tmp_path, capsys):
    verdict = json.loads(json.dumps(FULL_VERDICT))
    inner = verdict
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    code, captured = show(tmp_path, capsys, verdict)
    assert code == 1 and message in captured.err


@pytest.fixture
def artifact(tmp_path, monkeypatch):
    """Made by the stand-in, with the hashes of what it wrote."""
    plan = {"version": 1, "chip": "sm_90a", "arenaBytes": 0,
            "steps": [{"kind": "launch", "kernel": "exp_sum"}]}
    monkeypatch.setenv("EGG_OPT", str(write_fake_egg_opt(tmp_path / "egg-opt",
                                                         plan)))
    (tmp_path / "mine.mlir").write_text(SCHEDULE)

    def make(**options):
        out = tmp_path / "artifact"
        compile_payload("module {}", out, chip="sm_90a", **options)
        (out / "schedule.mlir").write_text(SCHEDULE)
        add_to_report(out, **{
            f"{key}_sha256": files.sha256(out / name) for key, name in (
                ("payload", "payload.mlir"), ("schedule", "schedule.mlir"),
                ("ptx", "kernels.ptx"))})
        return out
    return make


def add_to_report(out, **fields):
    report = files.read_json(out / "report.json")
    files.write_json(out / "report.json", dict(report, **fields))


@pytest.mark.parametrize("name", ["schedule.mlir", "kernels.ptx",
                                  "payload.mlir"])
def test_changed_file_is_said(artifact, name, capsys):
    out = artifact()
    assert command_line.main(["show", str(out)]) == 0
    with open(out / name, "a") as file:
        file.write("// mine\n")
    assert command_line.main(["show", str(out)]) == 1
    captured = capsys.readouterr()
    assert f"{out}: {name} changed since report.json" in captured.err
    assert "\n  next: " in captured.err and "form_kernel" in captured.out


def test_comments_of_a_given_script_are_the_scripts(artifact, tmp_path, capsys):
    out = artifact(schedule=tmp_path / "mine.mlir")
    add_to_report(out, agent="replay")
    assert command_line.main(["show", str(out)]) == 0
    text = capsys.readouterr().out
    assert "the script says: One pass over the rows." in text
    assert "why:" not in text and "your schedule mine.mlir" in text
    add_to_report(out, agent="expert")
    assert command_line.main(["show", str(out)]) == 0
    text = capsys.readouterr().out
    assert "why: One pass" in text and "by the agent expert" in text


@pytest.mark.parametrize("checked, said", [
    ("on the CPU against the module, 1 result",
     "compared on the CPU against the module, 1 result"),
    ("not checked: one pass takes more than 20 s",
     "not compared with PyTorch: one pass takes more than 20 s; that the"),
    ("", "not compared with PyTorch: the check was left out; that the")])
def test_whether_the_import_was_compared(checked, said, artifact, capsys):
    """Else "exact" reads as if the module's own results had been checked."""
    out = artifact(source={"file": "m.py", "checked": checked})
    assert command_line.main(["show", str(out)]) == 0
    assert f"import       {said}" in capsys.readouterr().out
    summary = (out / "summary.md").read_text()
    assert f"\nImport: {said}" in summary
    assert summary.index("Import: ") < summary.index("Verdict: exact")
    assert summary.startswith("# What EGG made") and summary.endswith("\n- why\n")


def test_an_import_that_is_not_known_is_not_spoken_of(artifact, capsys):
    out = artifact()
    assert command_line.main(["show", str(out)]) == 0
    assert "import  " not in capsys.readouterr().out
    assert "Import" not in (out / "summary.md").read_text()
    add_to_report(out, **{"import": {"checked": 3}})
    assert command_line.main(["show", str(out)]) == 1
    assert "'import.checked' is an integer" in capsys.readouterr().err


def test_the_experts_script_after_a_session_is_the_experts(artifact, capsys):
    out = artifact()
    story = "none of 2 proposals was faster. The session spent 4 calls."
    add_to_report(out, agent="llm", rationale=f"The expert's script: {story}")
    assert command_line.main(["show", str(out)]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert f"schedule the expert's, after a session of the agent llm: {story}" \
        in text and "by the agent" not in text
    add_to_report(out, rationale="Attempt 1 of 2 proposals; 1 were accepted.")
    assert command_line.main(["show", str(out)]) == 0
    assert "schedule     by the agent llm" in capsys.readouterr().out


def test_no_launch_needs_no_ptxas_and_no_prediction(tmp_path, capsys):
    plan = {"version": 1, "chip": "sm_90a", "arenaBytes": 0,
            "steps": [{"kind": "copy"}]}
    report = {"predicted_seconds": 0.0, "ptxas": "absent", "kernels": []}
    (tmp_path / "schedule.mlir").write_text("module {}")
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    (tmp_path / "report.json").write_text(json.dumps(report))
    complete(tmp_path)
    assert command_line.main(["show", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "0 launches" in out
    assert "ptxas  " not in out and "predicted  " not in out


def test_control_sequences_are_shown_not_sent(tmp_path, capsys):
    """They could retitle, recolour or type into the reader's terminal."""
    bad = "\x1b]0;owned\x07\x9b31m\u202e"
    plan = {"version": 1, "chip": bad, "arenaBytes": 0,
            "steps": [{"kind": "launch", "kernel": "k"}]}
    report = {"kernels": [{"name": bad, "structure": bad, "grid": [1, 1, 1],
                           "block": [1, 1, 1], "predicted_seconds": 1,
                           "bound": bad}],
              "agent": bad, "warnings": [bad],
              "verdict": {"grade": "tested", "skipped": [bad], "evidence": [
                  {"step": bad, "statement": bad}]}}
    (tmp_path / "schedule.mlir").write_text(SCHEDULE.replace("One pass", bad))
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    (tmp_path / "report.json").write_text(json.dumps(report))
    complete(tmp_path)
    assert command_line.main(["show", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert out.count(r"\x1b]0;owned\x07\x9b31m\u202e") == 10
    assert out.replace("\n", "").isprintable()
    missing = tmp_path / bad
    assert command_line.main(["show", str(missing)]) == 1
    err = capsys.readouterr().err
    assert r"\x1b]0;owned" in err and "\x1b" not in err


def test_a_report_without_what_it_was_written_with(artifact, capsys):
    """It was shown with exit code 0, and replayed as the same PTX."""
    out = artifact()
    whole = files.read_json(out / "report.json")
    files.write_json(out / "report.json", {})
    for command in ("show", "replay"):
        assert command_line.main([command, str(out)]) == 1
        captured = capsys.readouterr()
        assert captured.out == "" and captured.err.startswith(
            f"egg: error: {out / 'report.json'}: lacks chip, payload_sha256, "
            "schedule_sha256, ptx_sha256, verdict, kernels, predicted_seconds"
            "\n  next: ")
    del whole["ptx_sha256"]
    files.write_json(out / "report.json", whole)
    for command in ("show", "replay"):
        assert command_line.main([command, str(out)]) == 1
        assert "report.json: lacks ptx_sha256\n" in capsys.readouterr().err
