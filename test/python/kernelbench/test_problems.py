# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which problems are run, and the table of what came out."""

import pytest

from egg.errors import EggError
from egg.kernelbench.problems import find_problems, parse_numbers
from egg.kernelbench.summary import summarize


@pytest.fixture
def tree(tmp_path):
    for path in ("level1/2_B.py", "level1/10_C.py", "level1/1_A.py",
                 "level2/1_D.py", "level1/README.md", "level1/helper.py"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("")
    return tmp_path


def test_problems_come_in_order_of_their_numbers(tree):
    problems = find_problems(tree, {2, 1})
    assert [(p.level, p.name) for p in problems] == [
        (1, "1_A"), (1, "2_B"), (1, "10_C"), (2, "1_D")]
    assert [p.number for p in find_problems(tree, {1}, {2, 10})] == [2, 10]


def test_root_may_be_the_repository(tree):
    inner = tree / "KernelBench"
    inner.mkdir()
    (tree / "level1").rename(inner / "level1")
    assert len(find_problems(tree, {1})) == 3


def test_level_without_problems(tree):
    with pytest.raises(EggError, match="no problems of level 3"):
        find_problems(tree, {3})


def test_numbers_without_problems(tree):
    with pytest.raises(EggError, match="no problem has one of these"):
        find_problems(tree, {1}, {77})


def test_numbers():
    assert parse_numbers("1,5-7") == {1, 5, 6, 7}
    for text in ("", "a", "3-1", "1,,2"):
        with pytest.raises(EggError, match="neither a number nor a range"):
            parse_numbers(text)


def row(problem, **fields):
    return {"level": 1, "problem": problem, "name": f"{problem}_X",
            "stage": "time", "reached": "time", "failure": None,
            "seconds": {"import": 2.0}, **fields}


def test_failures_count_as_zero():
    failure = {"stage": "compile", "kind": "error", "message": "no way"}
    text = summarize([
        row(1, speedup=4.0, correct=True), row(2, speedup=1.0, correct=True),
        row(3, reached="import", failure=failure)])
    assert "geometric mean 2.000 of 2 that ran (1 failure)" in text
    assert "median 1.000, above 1 1/3" in text
    assert "level 1 3_X: compile: error: no way" in text
    counted = next(line for line in text.splitlines()
                   if line.startswith("all "))
    assert counted.split() == ["all", "3", "3", "2", "0", "0", "2", "2", "2"]


def test_no_rows():
    assert summarize([]) == "no rows yet"


def test_root_that_is_no_folder(tmp_path):
    with pytest.raises(EggError, match="NOKB: no such folder"):
        find_problems(tmp_path / "NOKB", {1})
    (tmp_path / "file").write_text("")
    with pytest.raises(EggError, match="file: is not a folder"):
        find_problems(tmp_path / "file", {1})
