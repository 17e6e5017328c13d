# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""egg optimize around its parts: the import and egg-opt are stand-ins."""

import json

import pytest

from egg import __main__ as command_line
from egg.importer.values import ImportedModule
from fake_egg_opt import write_fake_egg_opt
from simulated import write_artifact, write_module


@pytest.fixture
def optimize(tmp_path, monkeypatch):
    plan = json.loads(
        (write_artifact(tmp_path / "model") / "plan.json").read_text())
    monkeypatch.setenv("EGG_OPT", str(write_fake_egg_opt(tmp_path / "egg-opt",
                                                         plan)))
    monkeypatch.setattr("egg.measure.session.gpu_absent_reason",
                        lambda: "no CUDA driver: none here")
    file = write_module(tmp_path / "module.py")

    def run(*options, payload="module {}"):
        monkeypatch.setattr(
            "egg.importer.in_child.import_in_child", lambda *arguments, **keywords:
            ImportedModule(payload, [], [], checked="agrees"))
        return command_line.main(["optimize", str(file), "--out",
                                  str(tmp_path / "out"), *options])
    return run


def test_without_a_gpu(optimize, tmp_path, capsys):
    assert optimize() == 0
    captured = capsys.readouterr()
    assert "not timed: no CUDA driver: none here" in captured.out
    assert "2.0000 ms by EGG's model" in captured.out
    assert "importing" in captured.err and "agrees" in captured.err
    report = json.loads((tmp_path / "out/report.json").read_text())
    assert report["import"]["file"] == "module.py"
    assert report["import"]["checked"] == "agrees"


def test_artifact_is_replaced(optimize, tmp_path):
    assert optimize() == 0
    (tmp_path / "out/left-over").write_text("")
    assert optimize() == 0
    assert not (tmp_path / "out/left-over").exists()


def test_refusal_leaves_nothing(optimize, tmp_path, capsys):
    assert optimize(payload="refuse") == 1
    assert "refused by the stand-in" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_hang_leaves_nothing(optimize, tmp_path, capsys):
    assert optimize("--compile-timeout", "1", payload="hang") == 5
    assert "took more than 1" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_other_directories_are_refused_first(optimize, tmp_path, capsys):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/thesis.tex").write_text("")
    assert optimize() == 1
    captured = capsys.readouterr()
    assert "is not an artifact" in captured.err
    assert "importing" not in captured.err
