# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The comparison with the module, over the simulated driver: right results
pass; wrong, partial, stray and faulting kernels do not. (Hanging ones are in
test_time.py and test_gpu.py.)"""

import pathlib

import pytest

from egg.workers import TaskFailure, Worker
from simulated import write_artifact, write_module

torch = pytest.importorskip("torch")


@pytest.fixture(scope="module")
def worker(build_dir):
    """One for all, as egg kernelbench has it; importing torch takes long."""
    with Worker(environment={
            "PYTHONPATH": str(pathlib.Path(__file__).parents[1]),
            "EGG_RUNTIME": str(build_dir / "lib/libEGGRuntimeC.so")}) as worker:
        yield worker


@pytest.fixture
def measure(tmp_path, fake, worker):
    """Measures in a worker, as egg time does."""
    def measure(step=1, timeout=120, **artifact):
        return worker.call("worker_tasks:measure_simulated", {
            "driver_path": str(fake.path),
            "file": str(write_module(tmp_path / "module.py", step)),
            "artifact": str(write_artifact(tmp_path / "artifact",
                                           **artifact))}, timeout)
    return measure


def test_right_results_pass(measure):
    result = measure()
    assert result["correct"]
    assert [trial["ok"] for trial in result["trials"]] == [True, True]
    assert result["trials"][0]["bit_identical"]
    assert result["trials"][0]["seed"] != result["trials"][1]["seed"]
    assert result["max_abs"] < 1e-6
    assert result["fp64"]["egg"][0]["max_abs"] < 1e-6


def test_wrong_results_do_not(measure):
    result = measure(step=1.001)
    assert not result["correct"]
    output = result["trials"][0]["outputs"][0]
    assert output["violations"] == output["elements"] == 64
    assert output["max_abs"] == pytest.approx(1e-3, rel=1e-2)


def test_unwritten_results_keep_their_poison(measure):
    output = measure(threads=63)["trials"][0]["outputs"][0]
    assert not output["ok"]
    assert (output["violations"], output["non_finite"]) == (1, 1)


def test_kernel_that_does_nothing(measure):
    assert measure(kernel="noop")["trials"][0]["outputs"][0]["non_finite"] == 64


def test_write_outside_the_result(measure):
    trial = measure(threads=65)["trials"][0]
    assert not trial["ok"]
    assert trial["complaint"] == "a kernel wrote outside output 'output_0'"


def test_fault(measure):
    with pytest.raises(TaskFailure, match="kernel 'fault'") as failure:
        measure(kernel="fault")
    assert failure.value.kind == "fault"
