# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What egg optimize may replace: an artifact that is nothing else. Whatever a
user may have put at --out by mistake stays."""

import json
import os
import pathlib

import pytest

from egg import artifact as artifacts
from egg import files
from egg.errors import EggError
from egg.pipeline import compile_payload
from fake_egg_opt import write_fake_egg_opt

PLAN = {"version": 1, "chip": "sm_90a", "arenaBytes": 0, "steps": []}


@pytest.fixture
def compile_to(tmp_path, monkeypatch):
    program = write_fake_egg_opt(tmp_path / "egg-opt", PLAN)
    monkeypatch.setenv("EGG_OPT", str(program))

    def run(out, payload="module {}"):
        return compile_payload(payload, out, chip="sm_90a")
    return run


def content(folder):
    return {path.relative_to(folder): path.read_bytes()
            for path in folder.rglob("*") if path.is_file()}


def test_an_artifact_is_replaced(compile_to, tmp_path):
    out = tmp_path / "out"
    compile_to(out)
    before = content(out)
    compile_to(out, "module { }")
    assert content(out).keys() == before.keys() and content(out) != before
    # Nothing is left beside it.
    assert {path.name for path in tmp_path.iterdir()} == {"egg-opt", "out"}


def test_an_empty_folder_is_replaced(compile_to, tmp_path):
    (tmp_path / "out").mkdir()
    compile_to(tmp_path / "out")
    assert (tmp_path / "out/report.json").exists()


FOREIGN = {
    "a schedule among notes": {"schedule.mlir": "module {}", "notes": "years"},
    "a schedule alone": {"schedule.mlir": "module {}"},
    "a report of something else": {"report.json": '{"findings": []}',
                                   "schedule.mlir": "module {}"},
    "a report that is no JSON": {"report.json": "all is well"},
    "a list as report": {"report.json": "[]"},
    "a thesis": {"thesis.tex": "years"}}


@pytest.mark.parametrize("what", FOREIGN)
def test_what_is_no_artifact_stays(what, compile_to, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    for name, text in FOREIGN[what].items():
        (out / name).write_text(text)
    before = content(out)
    with pytest.raises(EggError, match="is not an artifact, so it is not "):
        compile_to(out)
    assert content(out) == before


def put_file(out):
    (out / "notes").write_text("years")


def put_folder(out):
    (out / "sub").mkdir()
    (out / "sub/notes").write_text("years")


def put_link(out):
    (out / "kernels.cubin").unlink()
    (out / "kernels.cubin").symlink_to(out / "kernels.ptx")


@pytest.mark.parametrize("put, name", [(put_file, "notes"), (put_folder, "sub"),
                                       (put_link, "kernels.cubin")])
def test_an_artifact_with_something_else_stays(put, name, compile_to, tmp_path):
    out = tmp_path / "out"
    compile_to(out)
    put(out)
    before = content(out)
    with pytest.raises(EggError) as error:
        compile_to(out)
    assert f"not of an artifact: {name}, so it is not replaced" in \
        str(error.value)
    assert content(out) == before


def test_many_foreign_files_are_counted(compile_to, tmp_path):
    out = tmp_path / "out"
    compile_to(out)
    for name in "abcde":
        (out / name).write_text("")
    with pytest.raises(EggError, match="a, b, c and 2 more, so"):
        compile_to(out)


def test_a_file_that_comes_while_it_compiles_stays(tmp_path):
    """A session may take a day, in which the user goes on working."""
    out = tmp_path / "out"
    with pytest.raises(EggError, match="is not an artifact"), \
            files.whole_directory(
                out, check=refuse) as made:
        made.mkdir()
        out.mkdir()
        (out / "notes").write_text("years")
    assert (out / "notes").read_text() == "years"
    assert list(tmp_path.iterdir()) == [out]


def refuse(path):
    if reason := artifacts.reason_to_keep(path):
        raise EggError(reason)


def test_files_are_those_that_the_compiler_writes(root):
    """The list is what Session.cpp writes, no more and no less."""
    source = (root / "lib/Session/Session.cpp").read_text()
    written = source[source.index("writeArtifact"):]
    assert all(f'"{name}"' in written for name in artifacts.FILES)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_place_that_may_not_be_written(compile_to, tmp_path):
    (tmp_path / "closed").mkdir(mode=0o500)
    with pytest.raises(EggError, match="you may not write to it"):
        compile_to(tmp_path / "closed/a/out")


def test_place_below_a_file(compile_to, tmp_path):
    (tmp_path / "file").write_text("years")
    with pytest.raises(EggError, match="cannot be written: .*file: is not a f"):
        compile_to(tmp_path / "file/out")


@pytest.mark.skipif(os.geteuid() != 0, reason="to others it may not be written")
def test_place_where_root_can_write_nothing(compile_to):
    with pytest.raises(EggError, match="/proc/x: cannot be written: /proc: No s"):
        compile_to(pathlib.Path("/proc/x"))


def test_schedule_in_the_folder_to_write(tmp_path, compile_to, capsys,
                                         monkeypatch):
    """The whole command: the folder with a user's own schedule stays, and
    nothing is imported first."""
    from egg import __main__ as command_line
    work = tmp_path / "work"
    work.mkdir()
    (work / "schedule.mlir").write_text("module {}")
    (work / "notes").write_text("years")
    before = content(work)
    assert command_line.main([
        "optimize", str(tmp_path / "x.py"), "--schedule",
        str(work / "schedule.mlir"), "--out", str(work)]) == 1
    err = capsys.readouterr().err
    assert "is not an artifact, so it is not replaced" in err
    assert "importing" not in err
    assert content(work) == before


def test_report_of_an_artifact_says_so(compile_to, tmp_path):
    compile_to(tmp_path / "out")
    report = tmp_path / "out/report.json"
    assert artifacts.is_ours(report)
    document = json.loads(report.read_text())
    del document["ptx_sha256"]
    report.write_text(json.dumps(document))
    assert not artifacts.is_ours(report)
