# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Damaged artifacts: whatever is dropped, retyped or cut off in report.json and
plan.json, each command works or gives one message, and never a traceback."""

import copy
import json
import re
import shutil
import subprocess

import pytest

from egg import __main__ as command_line
from egg.errors import EggError
from simulated import write_artifact, write_module

FIGURES = {"ok": True, "violations": 0, "max_abs": 1e-6, "max_rel": 1e-6}
MEASUREMENT = {
    "device": {"name": "a card"}, "torch": "2", "precision_policy": "match",
    "tolerance": {"atol": 1e-4, "rtol": 1e-4}, "correct": False,
    "max_abs": "nan", "max_rel": 0.5, "launches": 1,
    "trials": [
        {"seed": 1, "ok": True, "complaint": None, "outputs": [FIGURES],
         "buffers": {"count": FIGURES}},
        {"seed": 2, "ok": False, "complaint": None, "buffers": {}, "outputs": [
            dict(FIGURES, ok=False, violations=2, non_finite=1, elements=4)]},
        {"seed": 3, "ok": False, "complaint": None, "buffers": {}, "outputs": [
            dict(FIGURES, ok=False, reason="shape [1] instead of [2]")]}],
    "fp64": {name: [{"rms": 1e-7, "max_abs": 1.0}]
             for name in ("egg", "torch", "torch_without_tf32")},
    "timing": {"fastest_baseline": "eager", "headline": "egg", "speedup": 1.5,
               "runs": {"eager": {"median_ms": 3.0, "quartiles_ms": [2.9, 3.1],
                                  "runs": 1},
                        "compile": {"failure": "no compiler"},
                        "egg": {"median_ms": 2.0, "quartiles_ms": [1.9, 2.1],
                                "runs": 20}}}}
OTHERS = [None, True, 7, -1.5, 10**400, "text", "\ud800", [], [None], {},
          {"x": 1}]


@pytest.fixture(scope="module")
def original(tmp_path_factory, root, egg_opt):
    """An artifact of the real compiler, with a measurement of every form."""
    folder = tmp_path_factory.mktemp("malformed")
    subprocess.run(
        [egg_opt, root / "test/Session/Inputs/sums.mlir",
         f"--egg-optimize=out={folder}/art verify-seconds=60", "-o",
         "/dev/null"], check=True)
    report = json.loads((folder / "art/report.json").read_text())
    report.update(measured=True, measurement=MEASUREMENT)
    report["warnings"] = ["a warning"]
    (folder / "art/report.json").write_text(json.dumps(report))
    return folder / "art"


def changes(document):
    """The document with each field or element in turn dropped, and replaced
    by a value of each other type."""
    def places(value, path=()):
        items = (value.items() if isinstance(value, dict) else
                 enumerate(value) if isinstance(value, list) else ())
        for key, inner in items:
            yield (*path, key)
            yield from places(inner, (*path, key))

    for path in places(document):
        for other in ["drop", *OTHERS]:
            changed = copy.deepcopy(document)
            owner = changed
            for key in path[:-1]:
                owner = owner[key]
            if other == "drop":
                del owner[path[-1]]
            else:
                owner[path[-1]] = other
            yield changed


def run(capsys, *arguments):
    """The exit code; a failure must be one message with the next step."""
    code = command_line.main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    assert code in (0, 1)
    assert (captured.err == "") == (code == 0)
    if code:
        assert captured.err.startswith("egg: error: ")
        assert captured.err.count("egg: error: ") == 1
        assert "next: " in captured.err
        # A hash that is not the file's is said below what is shown.
        assert captured.out == "" or "changed since report" in captured.err
    return code


@pytest.mark.parametrize("name", ["report.json", "plan.json"])
def test_show_of_any_damage(original, name, tmp_path, capsys):
    artifact = shutil.copytree(original, tmp_path / "art")
    assert run(capsys, "show", artifact) == 0
    codes = set()
    for document in changes(json.loads((artifact / name).read_text())):
        (artifact / name).write_text(json.dumps(document))
        codes.add(run(capsys, "show", artifact))
    # Any other plan is not the recorded one.
    assert codes == ({0, 1} if name == "report.json" else {1})


@pytest.mark.parametrize("name", ["report.json", "plan.json"])
def test_replay_of_any_damage(original, name, tmp_path, capsys, monkeypatch):
    plan = json.loads((original / "plan.json").read_text())
    artifact = shutil.copytree(original, tmp_path / "art")
    monkeypatch.setattr(
        "egg.pipeline.run_egg_opt",
        lambda arguments, *_, **__: write_rebuilt(arguments, original, plan))
    assert run(capsys, "replay", artifact) == 0
    codes = set()
    for document in changes(json.loads((artifact / name).read_text())):
        (artifact / name).write_text(json.dumps(document))
        codes.add(run(capsys, "replay", artifact))
    assert codes == ({0, 1} if name == "report.json" else {1})


def write_rebuilt(arguments, original, plan):
    """What egg-opt would write, without running it a thousand times."""
    text = " ".join(arguments)
    with open(re.search(r"file=([^} ]+)", text)[1], "w") as file:
        json.dump(plan, file)
    shutil.copy(original / "kernels.ptx",
                re.search(r"dump-ptx=([^} ]+)", text)[1])


@pytest.mark.parametrize("name", ["report.json", "plan.json"])
@pytest.mark.parametrize("command", ["show", "replay", "time"])
def test_cut_off_and_foreign_text(original, name, command, tmp_path, capsys):
    artifact = shutil.copytree(original, tmp_path / "art")
    before = ["time", write_module(tmp_path / "m.py")] \
        if command == "time" else [command]
    text = (artifact / name).read_bytes().rstrip()
    cut = [text[:len(text) * part // 9] for part in range(9)] + [text[:-1]]
    for content in [*cut, b"\xff\xfe", b"[" * 100000, b"null", b"[]", b"3",
                    text + b"}", b'{"a": ' + b"1" * 5000 + b"}",
                    text.replace(b":", b": NaN, \"x\":", 1),
                    text.replace(b":", b": 1e999, \"x\":", 1)]:
        (artifact / name).write_bytes(content)
        assert run(capsys, *before, artifact) == 1


def test_time_of_a_damaged_plan(tmp_path, driver):
    """The runtime reads the rest of a plan."""
    from egg.runtime import LoadedModule
    artifact = write_artifact(tmp_path / "art", state=True, arena_bytes=512)
    plan = json.loads((artifact / "plan.json").read_text())
    refused = 0
    for document in changes(plan):
        (artifact / "plan.json").write_text(json.dumps(document))
        try:
            LoadedModule(artifact, device="cpu", driver=driver)
        except EggError as error:
            refused += 1
            assert str(artifact) in str(error)
    assert refused > 100


@pytest.mark.parametrize("command", ["show", "replay", "time"])
def test_what_is_no_artifact(command, tmp_path, capsys):
    before = ["time", write_module(tmp_path / "m.py")] \
        if command == "time" else [command]
    (tmp_path / "empty").mkdir()
    for path, message in [
            ("/nope", "/nope: no such artifact directory"),
            (tmp_path / "m.txt", "m.txt: is not a directory"),
            (tmp_path / "empty", "is not an artifact: it holds no report.json")]:
        (tmp_path / "m.txt").write_text("")
        assert command_line.main([*map(str, before), str(path)]) == 1
        err = capsys.readouterr().err
        assert message in err
        assert "next: give the directory that egg optimize wrote" in err


def test_field_is_named(original, tmp_path, capsys):
    artifact = shutil.copytree(original, tmp_path / "art")
    report = json.loads((artifact / "report.json").read_text())
    report["kernels"][0]["grid"] = [1, 2]
    (artifact / "report.json").write_text(json.dumps(report))
    run_code = command_line.main(["show", str(artifact)])
    assert run_code == 1
    assert ("report.json: the field 'kernels[0].grid' is a list of 2, not a "
            "list of 3") in capsys.readouterr().err
