# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The runtime and the measurement on a real GPU, with kernels small enough to
be written by hand: everything around the compiler."""

import pytest

from egg.workers import TaskFailure, Worker, WorkerFailure
from simulated import write_artifact, write_module

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.cuda

PTX = """
.version 7.0
.target sm_70
.address_size 64
.extern .shared .align 16 .b8 dynamic[];

.visible .entry add_one(.param .u64 in, .param .u64 out) {
  .reg .u64 %a<4>;
  .reg .u32 %i<4>;
  .reg .f32 %x;
  ld.param.u64 %a0, [in];
  ld.param.u64 %a1, [out];
  mov.u32 %i0, %ctaid.x;
  mov.u32 %i1, %ntid.x;
  mov.u32 %i2, %tid.x;
  mad.lo.u32 %i0, %i0, %i1, %i2;
  mul.wide.u32 %a2, %i0, 4;
  add.u64 %a0, %a0, %a2;
  add.u64 %a1, %a1, %a2;
  ld.global.f32 %x, [%a0];
  add.f32 %x, %x, 0f3F800000;
  st.global.f32 [%a1], %x;
  ret;
}
// The same through the last bytes of 64 KiB of dynamic shared memory.
.visible .entry add_one_shared(.param .u64 in, .param .u64 out) {
  .reg .u64 %a<4>;
  .reg .u32 %i<4>;
  .reg .f32 %x;
  ld.param.u64 %a0, [in];
  ld.param.u64 %a1, [out];
  mov.u32 %i2, %tid.x;
  mul.wide.u32 %a2, %i2, 4;
  add.u64 %a0, %a0, %a2;
  add.u64 %a1, %a1, %a2;
  ld.global.f32 %x, [%a0];
  add.f32 %x, %x, 0f3F800000;
  mov.u32 %i3, dynamic;
  mad.lo.u32 %i3, %i2, 4, %i3;
  add.u32 %i3, %i3, 65280;
  st.shared.f32 [%i3], %x;
  ld.shared.f32 %x, [%i3];
  st.global.f32 [%a1], %x;
  ret;
}
.visible .entry fault(.param .u64 in, .param .u64 out) {
  .reg .u64 %a;
  .reg .f32 %x;
  mov.u64 %a, 64;
  mov.f32 %x, 0f3F800000;
  st.global.f32 [%a], %x;
  ret;
}
.visible .entry hang(.param .u64 in, .param .u64 out) {
again:
  bra again;
}
"""


@pytest.fixture
def artifact(tmp_path):
    def artifact(**options):
        major, minor = torch.cuda.get_device_capability()
        directory = write_artifact(tmp_path / "artifact",
                                   chip=f"sm_{major}{minor}", **options)
        (directory / "kernels.ptx").write_text(PTX)
        return directory
    return artifact


@pytest.fixture
def measure(artifact, tmp_path):
    def measure(step=1, timeout=300, timed=(), **options):
        with Worker() as worker:
            return worker.call("egg.measure.task:measure", {
                "file": str(write_module(tmp_path / "module.py", step)),
                "artifact": str(artifact(**options)),
                "compared": timed}, timeout)
    return measure


def test_runs_on_the_current_stream(artifact):
    from egg.runtime import LoadedModule
    module = LoadedModule(artifact(arena_bytes=4096))
    x = torch.rand(64, device="cuda")
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        (y,) = module(x)
    torch.cuda.current_stream().wait_stream(stream)
    assert torch.equal(y, x + 1)


def test_a_cuda_graph_captures_it(artifact):
    from egg.measure.baselines import captured
    from egg.runtime import LoadedModule
    bound = LoadedModule(artifact()).bind(torch.nn.Module())
    x = torch.rand(64, device="cuda")
    run = captured(bound, (x,))
    x.fill_(41)
    assert torch.equal(run(), torch.full_like(x, 42))


def test_more_than_48_kib_of_shared_memory(artifact):
    from egg.runtime import LoadedModule
    module = LoadedModule(artifact(kernel="add_one_shared",
                                   dynamic_shared_memory=65536))
    x = torch.rand(64, device="cuda")
    assert torch.equal(module(x)[0], x + 1)


def test_wrong_device(artifact):
    from egg.errors import EggError
    from egg.runtime import LoadedModule
    with pytest.raises(EggError, match="is on cpu, the module is on cuda:0"):
        LoadedModule(artifact())(torch.rand(64))


def test_broken_ptx_gives_the_drivers_message(artifact):
    from egg.errors import EggError
    from egg.runtime import LoadedModule
    directory = artifact()
    (directory / "kernels.ptx").write_text(PTX.replace("add.f32", "odd.f32"))
    with pytest.raises(EggError, match="INVALID_PTX.*line"):
        LoadedModule(directory)


def test_compares_and_times(measure):
    result = measure(timed=("eager", "compile", "reduce-overhead"))
    assert result["correct"] and result["trials"][0]["bit_identical"]
    runs = result["timing"]["runs"]
    assert set(runs) == {"eager", "compile", "reduce-overhead", "egg"}
    assert all(0 < run["median_ms"] < 10 for run in runs.values()), runs
    assert result["timing"]["speedup"] > 0


def test_wrong_results_are_found_and_not_timed(measure):
    result = measure(step=1.001, timed=("eager",))
    assert not result["correct"] and "timing" not in result


def test_write_outside_the_result(measure):
    trial = measure(threads=65)["trials"][0]
    assert trial["complaint"] == "a kernel wrote outside output 'output_0'"


def test_fault(measure):
    with pytest.raises(TaskFailure, match="kernel 'fault'") as failure:
        measure(kernel="fault")
    assert failure.value.kind == "fault"


def test_hang(measure):
    with pytest.raises(WorkerFailure) as failure:
        measure(kernel="hang", timeout=60)
    assert failure.value.kind == "timeout"


def test_a_fault_costs_one_measurement(artifact, tmp_path):
    """The worker is replaced, the device works, and the session goes on."""
    file = str(write_module(tmp_path / "module.py"))

    def task(**options):
        return {"file": file, "artifact": str(artifact(**options)),
                "compared": (), "seeds": 2}
    with Worker() as worker:
        with pytest.raises(TaskFailure) as failure:
            worker.call("egg.measure.task:measure", task(kernel="fault"), 300)
        assert failure.value.kind == "fault"
        assert worker.call("egg.measure.health:probe", {}, 120) is None
        result = worker.call("egg.measure.task:measure", task(), 300)
    assert result["correct"] and result["within_policy"]


def test_an_attempt_of_a_session(artifact, tmp_path):
    """Timed, and counted where Nsight Compute may."""
    from egg.measure.attempt import measure_attempt
    file = write_module(tmp_path / "module.py")
    where = {"device": 0, "generate_on": "gpu", "module_name": "Model",
             "inputs_name": "get_inputs"}

    def attempt(timeout=300, **options):
        return measure_attempt(file, artifact(**options),
                               ["launch__grid_size"], timeout, **where)
    answer = attempt()
    assert 0 < answer["measured"]["seconds"] < 1e-3
    assert answer["gpu_seconds"] > 0
    if kernels := answer["measured"]["kernels"]:
        assert 0 < kernels["add_one"]["seconds"] < 1e-3
        assert kernels["add_one"]["counters"] == {"launch__grid_size": 1}
    assert "a kernel faults on the GPU" in attempt(
        kernel="fault")["refused"]["reason"]
    assert "took more than 60 s" in attempt(
        kernel="hang", timeout=60)["refused"]["reason"]


def test_peaks_of_this_device():
    from egg.measure.hardware import peaks_of
    properties = torch.cuda.get_device_properties(0)
    peaks = peaks_of(properties)
    if "H100" in properties.name or "H200" in properties.name:
        assert 1.5e12 < peaks.bytes_per_second < 6e12
        assert 5e14 < peaks.flops_per_second < 1.5e15
        assert peaks.cache_bytes > 30 << 20
    # What was really moved took longer than the peaks allow.
    source = torch.empty(1 << 28, device="cuda")
    target = torch.empty_like(source)
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    for _ in range(3):
        start.record()
        target.copy_(source)
        end.record()
    torch.cuda.synchronize()
    from egg.measure.hardware import LeastWork, explain_impossible
    work = LeastWork(source.nbytes, target.nbytes)
    assert explain_impossible(start.elapsed_time(end), work, peaks) is None
    if peaks.bytes_per_second:
        least = work.least_ms(peaks)[0]
        assert start.elapsed_time(end) < 3 * least
        assert explain_impossible(0.9 * least, work, peaks)


def test_sanitizer_finds_the_fault(artifact, tmp_path):
    from egg.measure import sanitizer
    arguments = {"file": str(write_module(tmp_path / "module.py")),
                 "artifact": str(artifact(kernel="fault")), "device": 0,
                 "generate_on": "gpu", "module_name": "Model",
                 "inputs_name": "get_inputs"}
    result = sanitizer.sanitize(("memcheck",), arguments, 300)
    if sanitizer.find_sanitizer() is None:
        assert result == {"not_run": sanitizer.NOT_FOUND}
        pytest.skip(sanitizer.NOT_FOUND)
    assert result["memcheck"]["errors"] >= 1, result
    arguments["artifact"] = str(artifact())
    assert sanitizer.sanitize(sanitizer.TOOLS, arguments, 300) == {
        tool: {"ok": True, "errors": 0, "report": []}
        for tool in sanitizer.TOOLS}
