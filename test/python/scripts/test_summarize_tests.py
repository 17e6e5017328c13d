# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/summarize_tests.py: counts, names of failures, exit code."""

import subprocess
import sys

import pytest

PASSED = '<testcase classname="a" name="ok"/>'
FAILED = '<testcase classname="a" name="bad"><failure>boom</failure></testcase>'
ERROR = '<testcase classname="a" name="broken"><error>boom</error></testcase>'
SKIPPED = '<testcase classname="a" name="later"><skipped message="no GPU"/></testcase>'


@pytest.fixture
def summarize(root, tmp_path):
    """Runs the script on reports given as lists of cases."""

    def run(*reports):
        paths = []
        for i, cases in enumerate(reports):
            path = tmp_path / f"{i}.xml"
            path.write_text(
                f"<testsuites><testsuite>{''.join(cases)}</testsuite></testsuites>"
            )
            paths.append(str(path))
        return run_on(root, paths)

    return run


def run_on(root, paths):
    done = subprocess.run(
        [sys.executable, str(root / "scripts/summarize_tests.py"), *paths],
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout.splitlines()


def test_reports_are_added_up(summarize):
    code, lines = summarize([PASSED, SKIPPED], [PASSED, PASSED])
    assert (code, lines) == (0, ["3 passed, 0 failed, 1 skipped"])


def test_failures_and_errors_are_named(summarize):
    code, lines = summarize([PASSED, FAILED], [ERROR])
    assert code == 1
    assert lines == [
        "failed: a :: bad",
        "failed: a :: broken",
        "1 passed, 2 failed, 0 skipped",
    ]


def test_no_test_run_is_a_failure(summarize):
    assert summarize([SKIPPED]) == (1, ["0 passed, 0 failed, 1 skipped"])
    assert summarize([]) == (1, ["0 passed, 0 failed, 0 skipped"])


def test_missing_report_is_a_failure(root, tmp_path):
    code, lines = run_on(root, [str(tmp_path / "lit.xml")])
    assert code == 1
    assert "lit.xml: no report from this runner" in lines[0]
    assert lines[-1] == "0 passed, 1 failed, 0 skipped"


def test_truncated_report_is_a_failure(root, tmp_path):
    path = tmp_path / "pytest.xml"
    path.write_text("<testsuites><testsuite>" + PASSED)
    code, lines = run_on(root, [str(path)])
    assert (code, lines[-1]) == (1, "0 passed, 1 failed, 0 skipped")
