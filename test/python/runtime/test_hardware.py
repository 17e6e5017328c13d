# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times that no hardware reaches, the health check of a device, and
compute-sanitizer: all of it without a GPU."""

import types

import pytest

from egg.errors import EggError
from egg.measure import hardware, sanitizer
from egg.measure.comparison import policy_match
from simulated import write_artifact

torch = pytest.importorskip("torch")

# 1 TB/s, 100 TFLOP/s and 1 MB of cache.
PEAKS = hardware.Peaks(1e12, 1e14, 1 << 20)


def properties(**changes):
    """What torch tells of an H100 SXM."""
    values = {"memory_clock_rate": 2619000, "memory_bus_width": 5120,
              "clock_rate": 1980000, "multi_processor_count": 132, "major": 9,
              "minor": 0, "L2_cache_size": 50 << 20, **changes}
    return types.SimpleNamespace(**{
        name: value for name, value in values.items() if value is not None})


def test_peaks_of_a_device():
    peaks = hardware.peaks_of(properties())
    assert peaks.bytes_per_second == pytest.approx(3.35e12, rel=1e-2)
    assert peaks.flops_per_second == pytest.approx(1.07e15, rel=1e-2)


@pytest.mark.parametrize("changes", [{"memory_clock_rate": None},
                                     {"memory_bus_width": 0}])
def test_device_that_does_not_tell(changes):
    peaks = hardware.peaks_of(properties(**changes))
    work = hardware.LeastWork(1 << 30, 1 << 30)
    assert work.least_ms(peaks) == (None, "torch does not tell the memory's "
                                          "clock")
    assert hardware.explain_impossible(1e-9, work, peaks) is None


@pytest.mark.parametrize("work, least", [
    (hardware.LeastWork(10**9, 0), 1.0),
    (hardware.LeastWork(10**9, 1 << 20), 1.0),
    (hardware.LeastWork(0, 10**9 + (1 << 20)), 1.0),
    (hardware.LeastWork(10**9, 0, 1e12), 10.0),
    (hardware.LeastWork(0, 0), 0.0)])
def test_least_time(work, least):
    assert work.least_ms(PEAKS)[0] == pytest.approx(least)
    assert hardware.explain_impossible(least * 1.001 + 1e-9, work,
                                       PEAKS) is None
    if least:
        reason = hardware.explain_impossible(least * 0.99, work, PEAKS)
        assert "beyond the hardware" in reason
        assert f"at least {least:.4g} ms" in reason


@pytest.mark.parametrize("payload, arguments", [
    ("linalg.matmul", 256), ("tensor.extract %t[%i]", 0),
    ("tensor.extract_slice", 0), ("strides = dense<2> : vector<1xi64>", 0),
    ("strides = dense<1> : vector<1xi64>", 256),
    ("affine_map<(d0, d1) -> (d0 * 2 + d1)>", 0)])
def test_what_must_be_moved(payload, arguments, tmp_path):
    """Unused arguments, and those of which a part may do, count nothing."""
    from egg.artifact import read_plan
    plan = read_plan(write_artifact(tmp_path / "artifact", state=True))
    work = hardware.least_work(plan, payload, 5.0)
    # count is copied from its argument to its result; scale is not used.
    assert work.argument_bytes == (arguments + 8 if arguments else 0)
    assert work.result_bytes == 256 + 8
    assert work.flops == 5.0


def timing(median):
    return {"runs": {"eager": {"median_ms": 1.0},
                     "egg": {"median_ms": median}}}


def test_impossible_time_is_no_result(tmp_path):
    from egg.measure.task import expect_possible
    artifact = write_artifact(tmp_path / "artifact", elements=10**9)
    (artifact / "payload.mlir").write_text("linalg.add")
    figures = timing(0.5)
    expect_possible(figures, artifact, PEAKS, ("eager",))
    assert "beyond the hardware" in figures["runs"]["egg"]["failure"]
    assert figures["headline"] is None and figures["speedup"] == 0
    assert figures["hardware_limit"]["milliseconds"] == pytest.approx(8, 0.01)
    figures = timing(9.0)
    expect_possible(figures, artifact, PEAKS, ("eager",))
    assert figures["headline"] == "egg"
    assert figures["speedup"] == pytest.approx(1 / 9)


def test_impossible_time_fails_the_command():
    from egg.measure.text import is_sound
    assert is_sound({"correct": True, "timing": timing(1.0)})
    assert not is_sound({"correct": True, "timing": {"runs": {
        "egg": {"failure": "beyond"}}}})
    assert not is_sound({"correct": True, "within_policy": False})
    assert is_sound({"correct": True, "within_policy": None})
    assert not is_sound({"correct": True, "sanitizer": {
        "memcheck": {"ok": False}}})
    assert is_sound({"correct": True, "sanitizer": {"not_run": "absent"}})


def test_device_in_order():
    from egg.measure.health import check_device
    assert check_device("cpu") is None


def test_memory_that_forgets(monkeypatch):
    from egg.measure.health import check_device
    right = torch.Tensor.cpu
    monkeypatch.setattr(torch.Tensor, "cpu", lambda self: right(self) ^ 4
                        if self.dtype == torch.int32 else right(self))
    assert check_device("cpu") == "memory does not hold what was written to it"


def test_arithmetic_that_errs(monkeypatch):
    from egg.measure.health import check_device
    right = torch.Tensor.cpu
    monkeypatch.setattr(torch.Tensor, "cpu", lambda self: right(self) + (
        1 if self.dtype == torch.float32 and self[0, 0] > 6 else 0))
    assert check_device("cpu") == "a product of small integers is wrong"


def test_unhealthy_device_gives_no_measurement(monkeypatch):
    from egg.measure import task
    monkeypatch.setattr(task, "check_device", lambda device: "it burns")
    with pytest.raises(EggError, match="not healthy afterwards: it burns"):
        task.expect_health("cpu", "afterwards")


@pytest.mark.parametrize("egg, torch_error, ok", [
    (2.0e-3, 1e-3, True), (2.1e-3, 1e-3, False), (4e-7, 0.0, True),
    (5e-7, 0.0, False), ("nan", 1e-3, False), ("inf", 1e-3, False),
    ("inf", "inf", True)])
def test_policy_match(egg, torch_error, ok):
    """Twice PyTorch's, or four units (2^-22) of the largest element: 2."""
    def errors(value):
        return {"max_abs": value, "rms": value, "largest": 2.0}
    assert policy_match(errors(egg), errors(torch_error),
                        torch.float32)["ok"] == ok


MEMCHECK = """========= COMPUTE-SANITIZER
========= Invalid __global__ write of size 4 bytes
=========     at add_one+0x70
========= ERROR SUMMARY: 3 errors
"""


@pytest.fixture
def fake_sanitizer(fake_tool):
    """compute-sanitizer that prints and ends as told."""
    def fake(does):
        fake_tool("compute-sanitizer", does)
        return sanitizer.sanitize(["memcheck"], {"file": "x"}, 3)["memcheck"]
    return fake


def test_sanitizer_that_finds_nothing(fake_sanitizer, tmp_path):
    result = fake_sanitizer(
        "open(os.environ['OUT'], 'w').write(' '.join(sys.argv[1:]))\n"
        "print('========= ERROR SUMMARY: 0 errors')".replace(
            "os.environ['OUT']", repr(str(tmp_path / "command"))))
    assert result == {"ok": True, "errors": 0, "report": []}
    command = (tmp_path / "command").read_text()
    assert command.startswith("--tool memcheck --error-exitcode 99 ")
    assert "-m egg.measure.one_launch {" in command


def test_sanitizer_that_finds_errors(fake_sanitizer):
    result = fake_sanitizer(f"print({MEMCHECK!r}); sys.exit(99)")
    assert not result["ok"] and result["errors"] == 3
    assert result["report"] == [
        "Invalid __global__ write of size 4 bytes", "at add_one+0x70"]


def test_races_are_errors(fake_sanitizer):
    result = fake_sanitizer(
        "print('========= RACECHECK SUMMARY: 1 hazard displayed'); sys.exit(99)")
    assert not result["ok"] and result["errors"] == 1


@pytest.mark.parametrize("does, reason", [
    ("sys.exit('no permission')", "it gave no summary (exit code 1): no perm"),
    ("os.abort()", "it gave no summary (signal SIGABRT)"),
    ("print('========= ERROR SUMMARY: 0 errors'); sys.exit('no module')",
     "the launch under it failed (exit code 1)"),
    ("time.sleep(100)", "took more than 3 s")])
def test_sanitizer_that_does_not_run(fake_sanitizer, does, reason):
    assert reason in fake_sanitizer(does)["not_run"]


def test_sanitizer_that_is_absent(monkeypatch):
    monkeypatch.setattr(sanitizer, "find_sanitizer", lambda: None)
    result = sanitizer.sanitize(["memcheck"], {}, 3)
    assert "not found on the PATH" in result["not_run"]
    from egg.measure.text import describe_sanitizer
    assert describe_sanitizer(result)[0].startswith("sanitizer    not run: comp")


def test_sanitizers_results_as_lines():
    from egg.measure.text import describe_sanitizer
    assert describe_sanitizer({
        "memcheck": {"ok": False, "errors": 2, "report": ["bad", "at x"]},
        "racecheck": {"ok": True, "errors": 0, "report": []},
        "synccheck": {"not_run": "slow"}}) == [
            "memcheck     2 errors", "             bad", "             at x",
            "racecheck    no error", "synccheck    not run: slow"]


def test_unknown_tool():
    from egg.measure.session import parse_tools
    assert parse_tools("memcheck, racecheck") == ("memcheck", "racecheck")
    assert parse_tools("none") == ()
    assert parse_tools("all") == ("memcheck", "racecheck", "synccheck")
    with pytest.raises(EggError, match="unknown tool 'leakcheck'"):
        parse_tools("leakcheck")
