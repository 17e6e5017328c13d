# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The whole path with nothing simulated: a PyTorch file to PTX, and again."""

import json
import os
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
    assert "9" in done.stderr and "Traceback" not in done.stderr


def test_show_says_why(egg, artifact):
    done = egg("show", artifact)
    assert done.returncode == 0, done.stderr
    report = json.loads((artifact / "report.json").read_text())
    for kernel in report["kernels"]:
        assert kernel["name"] in done.stdout


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((), "usage: scripts/run.sh FILE.py"),
        (("examples/no_such_module.py",), "no such file"),
    ],
)
def test_run_script_says_what_is_wrong(root, arguments, message):
    done = subprocess.run(
        [root / "scripts/run.sh", *arguments], capture_output=True, text=True
    )
    assert done.returncode == 1
    assert done.stderr.startswith("error: ") and message in done.stderr
    assert done.stderr.count("\n") == 1
