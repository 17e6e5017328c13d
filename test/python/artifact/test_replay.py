# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""egg replay: the same PTX, another one, a tampered artifact, a refusal."""

import json

import pytest

from egg import __main__ as command_line
from egg import files
from egg.pipeline import compile_payload
from fake_egg_opt import write_fake_egg_opt

PLAN = {"version": 1, "chip": "sm_90a", "arenaBytes": 0,
        "steps": [{"kind": "launch", "kernel": "add_one"}]}


@pytest.fixture
def artifact(tmp_path, monkeypatch):
    program = write_fake_egg_opt(tmp_path / "egg-opt", PLAN)
    monkeypatch.setenv("EGG_OPT", str(program))
    compile_payload("module {}", tmp_path / "artifact", chip="sm_90a")
    return tmp_path / "artifact"


def replay(artifact):
    return command_line.main(["replay", str(artifact)])


def test_same(artifact, capsys):
    assert replay(artifact) == 0
    assert capsys.readouterr().out.startswith("same PTX: sha256 ")


def test_path_with_a_space(artifact, tmp_path, capsys):
    moved = artifact.rename(tmp_path / "an artifact")
    assert replay(moved) == 0


def write_payload(artifact, text):
    """As if the artifact had been made of it."""
    (artifact / "payload.mlir").write_text(text)
    report = files.read_json(artifact / "report.json")
    report["payload_sha256"] = files.sha256(artifact / "payload.mlir")
    files.write_json(artifact / "report.json", report)


def test_other_ptx(artifact, capsys):
    write_payload(artifact, "module { }")
    assert replay(artifact) == 1
    err = capsys.readouterr().err
    assert "the rebuilt PTX differs" in err and "libdevice" in err


@pytest.mark.parametrize("name", ["payload", "schedule"])
def test_changed_files_are_named_first(name, artifact, capsys):
    """Else they are refused by egg-opt, in words about its command line."""
    (artifact / f"{name}.mlir").write_text("refuse")
    assert replay(artifact) == 1
    err = capsys.readouterr().err
    assert f"{name}.mlir changed since report.json was written" in err
    assert "stand-in" not in err


@pytest.mark.parametrize("command", ["replay", "show"])
@pytest.mark.parametrize("name", ["plan.json", "kernels.cubin"])
def test_what_the_runtime_loads_is_the_recorded(name, command, artifact,
                                                capsys):
    (artifact / name).write_text((artifact / name).read_text() + " ")
    assert command_line.main([command, str(artifact)]) == 1
    assert (f"{name} changed since report.json was written"
            in capsys.readouterr().err)


@pytest.mark.parametrize("command", ["replay", "show"])
def test_a_cubin_that_was_put_there(command, artifact, capsys):
    report = files.read_json(artifact / "report.json")
    files.write_json(artifact / "report.json",
                     dict(report, cubin_sha256=None))
    assert command_line.main([command, str(artifact)]) == 1
    assert "kernels.cubin changed" in capsys.readouterr().err
    (artifact / "kernels.cubin").unlink()
    assert command_line.main([command, str(artifact)]) == 0


def test_other_plan(artifact, capsys):
    """Of another version."""
    (artifact / "plan.json").write_text(json.dumps(dict(PLAN, arenaBytes=256)))
    report = files.read_json(artifact / "report.json")
    report["plan_sha256"] = files.sha256(artifact / "plan.json")
    files.write_json(artifact / "report.json", report)
    assert replay(artifact) == 1
    err = capsys.readouterr().err
    assert f"{artifact / 'plan.json'}: is another than the rebuilt plan" in err
    # Its hash has been compared before.
    assert "plan.json was edited" in err and "schedule.mlir" not in err


def test_tampered_ptx(artifact, capsys):
    (artifact / "kernels.ptx").write_text("PTX other")
    assert replay(artifact) == 1
    assert "not the PTX that the report records" in capsys.readouterr().err


def test_refused_schedule(artifact, capsys):
    write_payload(artifact, "refuse")
    assert replay(artifact) == 1
    assert "refused by the stand-in" in capsys.readouterr().err


def test_other_directories_are_not_replaced(artifact, tmp_path):
    from egg.errors import EggError
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.tex").write_text("")
    with pytest.raises(EggError, match="is not an artifact"):
        compile_payload("module {}", tmp_path / "mine", chip="sm_90a")
    assert (tmp_path / "mine/thesis.tex").exists()
