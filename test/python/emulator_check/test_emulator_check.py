# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""egg emulator-check: what it prepares, how it compares, what it says where
there is no GPU."""

import json
import struct

import lit_features
import pytest

from egg.__main__ import main
from egg.emulator_check import compare, session
from egg.emulator_check.driver import takes_maps_by_value
from egg.emulator_check.kernels import hand_written
from egg.emulator_check.launch import Map
from egg.workers import TaskFailure


def floats(*values):
    return struct.pack(f"<{len(values)}f", *values)


def case(expect):
    return {"name": "k.floats", "structure": "warp", "inputs": "floats",
            "expect": expect}


def agrees(expect, dtype, expected, got):
    return compare.outcome(case(expect), [
        compare.compare_buffer(dtype, expected, got)])["agrees"]


def test_there_are_kernels_of_every_structure():
    kernels = hand_written()
    assert len(kernels) >= 80
    assert len({kernel.name for kernel in kernels}) == len(kernels)
    assert {kernel.structure for kernel in kernels} == {
        "warp", "block", "atomics", "cp.async", "cluster", "mma.sync", "tma",
        "wgmma"}
    swizzles = {argument.swizzle for kernel in kernels
                for argument in kernel.arguments if isinstance(argument, Map)}
    assert swizzles == {0, 32, 64, 128}


def test_bits_must_be_equal():
    one = floats(1, 2)
    assert agrees("bits", "f32", one, one)
    assert not agrees("bits", "f32", one, floats(1, 2.0000002))
    assert not agrees("bits", "f32", floats(0.0), floats(-0.0))
    assert not agrees("bits", "i32", b"\1\0\0\0", b"\2\0\0\0")


@pytest.mark.parametrize("expect", ["sums", "math"])
def test_other_results_have_a_limit(expect):
    assert agrees(expect, "f32", floats(8, 2), floats(8, 2.0000005))
    assert not agrees(expect, "f32", floats(8, 2), floats(8, 2.00002))
    assert not agrees(expect, "f32", floats(8, 2), floats(8, float("nan")))
    assert not agrees(expect, "f32", floats(float("nan")), floats(1))
    assert not agrees(expect, "f32", floats(8), floats(float("inf")))
    # A rounding of the result's own.
    assert agrees(expect, "bf16", b"\x80\x3f", b"\x81\x3f")
    assert not agrees(expect, "bf16", b"\x80\x3f", b"\x83\x3f")


def test_a_row_names_the_first_difference():
    row = compare.outcome(case("bits"), [compare.compare_buffer(
        "f32", floats(1, 2, 3), floats(1, 5, 4))])
    assert row["outputs"][0]["different"] == 2
    assert row["outputs"][0]["first"] == [1, "2.0", "5.0"]
    assert "warp        floats    bits           1           0      0" \
        in compare.table([row])


def test_parameters_of_128_bytes_are_maps():
    ptx = (".visible .entry k(\n .param .align 64 .b8 k_param_0[128],\n"
           " .param .u64 .ptr .global k_param_1\n)\n{ }")
    assert takes_maps_by_value(ptx) == [True, False]


def test_prepares_what_a_gpu_needs(tmp_path, capsys):
    folder = tmp_path / "cases"
    assert main(["emulator-check", "--prepare", str(folder), "--kernels",
                 "tma-store-1d", "--seeds", "1"]) == 0
    assert "1 kernels, 2 cases prepared" in capsys.readouterr().out
    names = json.loads((folder / "cases.json").read_text())["cases"]
    assert names == ["tma-store-1d.integers", "tma-store-1d.floats"]
    for name in names:
        document = json.loads((folder / name / "case.json").read_text())
        assert document["expect"] == "bits"
        assert ".entry k" in (folder / name / "kernels.ptx").read_text()
        # The store is a copy in which threads and TMA take part.
        inputs = (folder / name / "0.bin").read_bytes()
        assert inputs[:800] == (folder / name / "1.bin").read_bytes()
    assert main(["emulator-check", "--prepare", str(folder), "--kernels",
                 "tma-store-1d"]) == 1
    assert "the folder is not empty" in capsys.readouterr().err


def test_prepares_kernels_that_egg_makes(tmp_path, capsys):
    folder = tmp_path / "cases"
    assert main(["emulator-check", "--prepare", str(folder), "--kernels",
                 "softmax-0", "--seeds", "1"]) == 0
    document = json.loads(
        (folder / "softmax-0.floats" / "case.json").read_text())
    assert document["expect"] == "math"
    assert [buffer["output"] for buffer in document["buffers"][:2]] == [
        False, True]
    assert document["launches"][0]["arguments"] == [{"buffer": 0},
                                                    {"buffer": 1}]


def test_lists_cases(capsys):
    assert main(["emulator-check", "--list", "--seeds", "1"]) == 0
    names = capsys.readouterr().out.split()
    assert "wgmma-bf16-n64-a-k128-b-k128.floats" in names
    assert "votes.floats" not in names and "votes.integers" in names


def test_a_folder_that_was_not_prepared(tmp_path, capsys):
    assert main(["emulator-check", "--run", str(tmp_path)]) == 1
    assert "prepare the folder with --prepare" in capsys.readouterr().err


@pytest.mark.skipif(lit_features.has_cuda_device(), reason="there is a GPU")
def test_an_unknown_chip(tmp_path, capsys):
    assert main(["emulator-check", "--prepare", str(tmp_path / "cases"), "--chip",
                 "sm_1"]) == 2
    assert "unknown chip 'sm_1'" in capsys.readouterr().err
    assert not (tmp_path / "cases").exists()


def test_says_that_there_is_no_gpu(capsys):
    assert main(["emulator-check", "--kernels", "votes"]) == 3
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("egg: error: ") and "CUDA driver" in lines[0]
    assert "--prepare DIR prepares the cases without one" in lines[1]


class LostWorker:
    """Faults at one case; `lost` counts how often one was replaced."""
    lost = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def close(self):
        LostWorker.lost += 1

    def call(self, task, arguments, timeout):
        if task.endswith("describe"):
            return "GPU"
        if arguments["folder"].endswith("bad"):
            raise TaskFailure("fault", "CUDA error 715: an illegal instruction")
        return {**case("bits"), "name": "good", "bits_equal": True,
                "agrees": True, "outputs": []}


def test_a_fault_is_a_failure_of_its_case(tmp_path, monkeypatch, capsys):
    for name in ("bad", "good"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "case.json").write_text(json.dumps(case("bits")))
    (tmp_path / "cases.json").write_text(
        json.dumps({"chip": "sm_90a", "cases": ["bad", "good"]}))
    monkeypatch.setattr(session, "Worker", LostWorker)
    assert main(["emulator-check", "--run", str(tmp_path), "--out",
                 str(tmp_path / "rows.json")]) == 1
    printed = capsys.readouterr().out
    assert "disagrees: bad: CUDA error 715" in printed
    assert "GPU: 2 kernels, 2 cases, 1 equal bit for bit, 1 disagree" in printed
    # Once for the fault, once at the end.
    assert LostWorker.lost == 2
    rows = json.loads((tmp_path / "rows.json").read_text())["rows"]
    assert [row["agrees"] for row in rows] == [False, True]
    assert main(["emulator-check", "--run", str(tmp_path), "--kernels",
                 "other"]) == 1
    assert "no case has 'other' in its name" in capsys.readouterr().err


@pytest.mark.cuda
def test_agrees_on_a_gpu(capsys):
    assert main(["emulator-check", "--kernels", "wgmma-f16", "--seeds",
                 "1"]) == 0
    assert " 0 disagree;" in capsys.readouterr().out
