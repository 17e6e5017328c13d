# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The whole path with nothing simulated: a PyTorch file to PTX, and again."""

import json
import os
import re
import subprocess
import sys

import pytest

pytestmark = pytest.mark.torch_mlir

MODULE = """
import torch
import torch.nn as nn

class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)

    def forward(self, x):
        return torch.softmax(torch.relu(self.linear(x)), dim=1)

def get_inputs():
    return [torch.rand(48, 80)]

def get_init_inputs():
    return [80]
"""


@pytest.fixture(scope="module")
def egg(root, egg_opt):
    """Runs the command of this checkout and build in a process of its own."""

    def run(*arguments):
        environment = dict(
            os.environ, PYTHONPATH=str(root / "python-bindings"), EGG_OPT=str(egg_opt)
        )
        # A sanitizer is for what was built here, not for PyTorch.
        environment.pop("LD_PRELOAD", None)
        return subprocess.run(
            [sys.executable, "-m", "egg", *map(str, arguments)],
            capture_output=True,
            text=True,
            env=environment,
            timeout=600,
        )

    return run


@pytest.fixture(scope="module")
def artifact(egg, tmp_path_factory):
    """The artifact of MODULE, compiled once for the tests below."""
    folder = tmp_path_factory.mktemp("end-to-end")
    (folder / "module.py").write_text(MODULE)
    done = egg(
        "optimize", folder / "module.py", "--out", folder / "out", "--no-time"
    )
    assert done.returncode == 0, done.stderr
    assert "not timed" in done.stdout
    return folder / "out"


def test_artifact_is_complete(artifact):
    names = {path.name for path in artifact.iterdir()}
    assert names >= {
        "payload.mlir",
        "schedule.mlir",
        "plan.json",
        "kernels.ptx",
        "report.json",
        "summary.md",
    }
    ptx = (artifact / "kernels.ptx").read_text()
    assert ".target sm_90a" in ptx
    report = json.loads((artifact / "report.json").read_text())
    assert report["kernels"]
    for kernel in report["kernels"]:
        assert kernel["predicted_seconds"] > 0
        assert f".entry {kernel['name']}(" in ptx


@pytest.mark.ptxas
def test_ptxas_accepts_the_kernels(artifact, ptxas, tmp_path):
    subprocess.run(
        [ptxas, "-arch=sm_90a", artifact / "kernels.ptx", "-o", tmp_path / "cubin"],
        check=True,
    )


def test_replay_gives_the_same_ptx(egg, artifact):
    done = egg("replay", artifact)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("same PTX: sha256 ")


def test_edited_schedule_is_noticed(egg, artifact, tmp_path):
    copy = tmp_path / "copy"
    copy.mkdir()
    for path in artifact.iterdir():
        (copy / path.name).write_bytes(path.read_bytes())
    schedule = copy / "schedule.mlir"
    schedule.write_text(schedule.read_text().replace("egg.schedule = 1", "egg.schedule = 9"))
    done = egg("replay", copy)
    assert done.returncode != 0
    assert "schedule.mlir changed since" in done.stderr and "Traceback" not in done.stderr


def edited(artifact, path, old, new):
    text = (artifact / "schedule.mlir").read_text()
    assert re.search(old, text), text
    path.write_text(re.sub(old, new, text, count=1))
    return path


def optimize_by(egg, artifact, schedule, out, file="module.py"):
    return egg("optimize", artifact.parent / file, "--out", out, "--no-time",
               "--no-check-import", "--schedule", schedule)


def test_edited_schedule_makes_another_artifact(egg, artifact, tmp_path):
    schedule = edited(artifact, tmp_path / "mine.mlir",
                      r'knob<"threads_per_row"> = \d+ from options = \[[^]]*\]',
                      'knob<"threads_per_row"> = 64 from options = [32, 64]')
    done = optimize_by(egg, artifact, schedule, tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert "verdict      exact" in done.stdout
    out = tmp_path / "out"
    assert (out / "schedule.mlir").read_text() == schedule.read_text()
    assert (out / "kernels.ptx").read_bytes() != (
        artifact / "kernels.ptx").read_bytes()
    assert json.loads((out / "report.json").read_text())["agent"] == "replay"
    assert egg("replay", out).returncode == 0
    assert "threads_per_row(64 of 32, 64)" in egg("show", out).stdout


@pytest.mark.parametrize("old, new, place, reason", [
    (r"transform\.tune\.knob", "transform.tune.knobs", "mine.mlir:{line}:",
     "unknown"),
    (r'(knob<"threads_per_row">) = \d+ ', r"\1 = 7 ", "mine.mlir:{line}:",
     "and its options are ["),
    (r"egg\.payload = .", 'egg.payload = "f', "mine.mlir:", "another payload"),
])
def test_broken_schedule_is_refused_with_its_place(
        egg, artifact, tmp_path, old, new, place, reason):
    schedule = edited(artifact, tmp_path / "mine.mlir", old, new)
    done = optimize_by(egg, artifact, schedule, tmp_path / "out")
    assert done.returncode == 1
    before, after = ((artifact / "schedule.mlir").read_text().splitlines(),
                     schedule.read_text().splitlines())
    line = 1 + next(i for i, (a, b) in enumerate(zip(before, after)) if a != b)
    message = done.stderr[done.stderr.index("egg: error: "):]
    assert f"{tmp_path}/{place.format(line=line)}" in message
    assert reason in message and "refused" in message and "next:" in message
    # What does not depend on the payload is said before the import.
    assert ("importing" in done.stderr) == (reason == "another payload")
    assert "Traceback" not in message and "-o /dev/null" not in message
    assert not (tmp_path / "out").exists()


def test_operation_left_out_has_its_places(egg, artifact, tmp_path):
    schedule = edited(artifact, tmp_path / "mine.mlir", r',\s*"div_0"', "")
    done = optimize_by(egg, artifact, schedule, tmp_path / "out")
    assert done.returncode == 1
    line = int(re.search(r"payload\.mlir:(\d+):\d+.* \"div_0\" is in no kernel",
                         done.stderr)[1])
    payload = (artifact / "payload.mlir").read_text().splitlines()
    assert '"div_0"' in "".join(payload[line - 1:line + 6])
    assert re.search(rf"{tmp_path}/mine\.mlir:\d+:3: in step @algorithm",
                     done.stderr)
    assert "<stdin>" not in done.stderr + "".join(
        file.read_text() for file in artifact.glob("*.*")
        if file.suffix in (".json", ".md"))


def test_schedule_of_another_module_is_refused(egg, artifact, tmp_path):
    (artifact.parent / "other.py").write_text(MODULE.replace("48", "40"))
    done = optimize_by(egg, artifact, artifact / "schedule.mlir",
                       tmp_path / "out", file="other.py")
    assert done.returncode == 1
    assert "the script is for another payload" in done.stderr
    assert "next: give the FILE.py it was made for" in done.stderr
    assert f"{artifact}/schedule.mlir:" in done.stderr


@pytest.mark.parametrize("chip, by_schedule, message, hint", [
    ("sm_80", True, "the script is for sm_90a", "--chip sm_90a, or"),
    ("sm_99", True, "unknown chip 'sm_99'", "name another chip with --chip"),
    ("sm_99", False, "unknown chip 'sm_99'", "name another chip with --chip"),
])
def test_wrong_chip_is_said_before_the_import(egg, artifact, tmp_path, chip,
                                              by_schedule, message, hint):
    schedule = ["--schedule", artifact / "schedule.mlir"] if by_schedule else []
    done = egg("optimize", artifact.parent / "module.py", "--out",
               tmp_path / "out", "--no-time", "--chip", chip, *schedule)
    # A script is a file's content, a chip is usage.
    assert done.returncode == (2 if "chip" in message else 1), done.stderr
    assert "importing" not in done.stderr
    assert message in done.stderr and f"next: {hint}" in done.stderr


def test_check_of_the_import_is_announced(egg, artifact, tmp_path):
    done = egg("optimize", artifact.parent / "module.py", "--out",
               tmp_path / "out", "--no-time")
    said = [done.stderr.index(text) for text in (
        "importing", "checking the import on the CPU", "the payload: on the",
        "compiling")]
    assert said == sorted(said)


def test_schedule_that_is_not_there_is_said_at_once(egg, artifact, tmp_path):
    done = optimize_by(egg, artifact, tmp_path / "none.mlir", tmp_path / "out")
    assert done.returncode == 1
    assert "none.mlir: cannot be read" in done.stderr
    assert "importing" not in done.stderr and "next:" in done.stderr


def test_show_says_why(egg, artifact):
    done = egg("show", artifact)
    assert done.returncode == 0, done.stderr
    report = json.loads((artifact / "report.json").read_text())
    for kernel in report["kernels"]:
        assert kernel["name"] in done.stdout


@pytest.mark.parametrize(
    "arguments, message, code",
    [
        ((), "usage: scripts/run.sh FILE.py", 2),
        (("examples/no_such_module.py",), "no such file", 1),
    ],
)
def test_run_script_says_what_is_wrong(root, arguments, message, code):
    done = subprocess.run(
        [root / "scripts/run.sh", *arguments], capture_output=True, text=True
    )
    assert done.returncode == code
    assert done.stderr.startswith("error: ") and message in done.stderr
    assert done.stderr.count("\n") == 1
