# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""egg fuzz shares cases out to processes and reports what becomes of them."""

import json
import stat

import pytest

from egg import __main__ as command_line
from egg import fuzzing
from egg.errors import EggError

FINDING = ("// egg fuzz scripts\n//--- payload.mlir\nmodule {}\n"
           "//--- schedule.mlir\n")


def without_times(report):
    return {key: value for key, value in report.items()
            if "seconds" not in key and key not in ("jobs", "longest_case")}


def test_cases_do_not_depend_on_the_number_of_jobs(monkeypatch):
    monkeypatch.setitem(fuzzing.CASES_A_PROCESS, "scripts", 7)
    settings = fuzzing.Settings("scripts")
    one = fuzzing.fuzz(settings, seed=5, first=3, count=14, jobs=1)
    two = fuzzing.fuzz(settings, seed=5, first=3, count=14, jobs=2)
    assert without_times(one) == without_times(two)
    assert one["accepted"] + one["refused"] == 14


@pytest.fixture
def fake(tmp_path):
    """An egg-opt that does as the script says with the pass's options."""

    def make(script):
        path = tmp_path / "egg-opt"
        path.write_text("#!/bin/sh\n"
                        "[ \"$1\" = --help ] && echo --egg-optimize && exit\n"
                        "cat > /dev/null\n"
                        "output=${1##*output=}; output=${output%% *}\n"
                        + script)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    return make


def test_findings_are_written_by_kind(fake, tmp_path, capsys):
    found = [{"case": case, "step": "apply", "kind": "apply: crashed",
              "reason": "crashed: here", "seconds": 0.5,
              "file_hex": text.encode().hex()}
             for case, text in ((4, FINDING + "long"), (6, FINDING))]
    found[1]["reduction_limit"] = "300 s"
    report = {"done": 10, "accepted": 3, "refused": 5, "parser_crashes": 0,
              "seconds": 1.0, "longest_seconds": 0.5, "longest_case": 4, "grades": {},
              "skipped": {}, "refusals": {"apply: no": 5}, "findings": found}
    (tmp_path / "canned.json").write_text(json.dumps(report))
    egg_opt = fake(f"cp {tmp_path}/canned.json $output\n"
                   "echo 'x: error: [fuzz] found' >&2; exit 1\n")
    code = command_line.main(["fuzz", "scripts", "--count", "10", "--seed", "9",
                              "--egg-opt", egg_opt, "--out",
                              str(tmp_path / "out")])
    assert code == 1
    text = capsys.readouterr().out
    assert "3 accepted, 5 refused with a diagnostic, 2 findings" in text
    assert "finding in step apply, 2 times (cases 6, 4): crashed: here" in text
    assert "its reduction ended early, after 300 s\n" in text
    assert (tmp_path / "out/scripts-9-6.mlir").read_text() == FINDING
    written = json.loads((tmp_path / "out/report.json").read_text())
    assert [f["case"] for f in written["findings"]] == [4, 6]


def test_a_lost_parent_is_a_finding(fake):
    settings = fuzzing.Settings("kernels", egg_opt=fake("kill -SEGV $$\n"))
    report = fuzzing.fuzz(settings, seed=0, first=0, count=25, jobs=2)
    assert [f["case"] for f in report["findings"]] == [0, 20]
    assert "SIGSEGV" in report["findings"][0]["reason"]


def test_a_lost_parent_leaves_what_it_had_found(fake):
    script = ("echo '{\"done\": 3, \"accepted\": 3, \"refused\": 0, "
              "\"parser_crashes\": 0, \"seconds\": 1, \"longest_seconds\": 1, "
              "\"longest_case\": 2, \"grades\": {}, \"skipped\": {}, "
              "\"refusals\": {}, \"findings\": []}' > $output; kill -SEGV $$\n")
    settings = fuzzing.Settings("kernels", egg_opt=fake(script))
    report = fuzzing.fuzz(settings, seed=0, first=0, count=20)
    assert (report["done"], report["accepted"]) == (3, 3)
    assert report["findings"][0]["reason"].startswith("cases 3 to 19: ")
    assert "cases 0 to 19: 3 of 20 have run" in fuzzing.format_report(report)


def test_wrong_options_end_the_command():
    with pytest.raises(EggError, match="sm_1"):
        fuzzing.fuzz(fuzzing.Settings("scripts", chip="sm_1"), seed=0, first=0,
                     count=1)


def test_what_is_no_finding(egg_opt, tmp_path, capsys):
    assert command_line.main(["fuzz", "kernels", "--egg-opt",
                              str(tmp_path / "none")]) == 1
    captured = capsys.readouterr()
    assert captured.out == "" and "none: no such program" in captured.err
    assert command_line.main(["fuzz", "kernels", "--count", "1", "--chip", "x",
                              "--egg-opt", str(egg_opt)]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.startswith(
        "egg: error: unknown chip 'x'; ")
    assert "\n  next: name another chip with --chip\n" in captured.err
