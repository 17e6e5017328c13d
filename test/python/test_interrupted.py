# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A signal ends a command with its children and temporary files, in one line,
and leaves what it has found."""

import json
import os
import pathlib
import signal
import stat
import subprocess
import sys
import time

import pytest

import egg

# A whole report of the first range of cases; all others hang.
HANGING = """#!/bin/sh
[ "$1" = --help ] && echo --egg-optimize && exit
# Whether it knows the chip is asked once, before the threads begin.
case "$1" in *egg-probe*) exit 0;; esac
cat > /dev/null
output=${1##*output=}; output=${output%% *}
case "$1" in *"first=0 "*) cp REPORT $output; exit 0;; esac
sleep 1000 &
echo $$ $! >> PIDS
wait
"""
REPORT = {"done": 20, "accepted": 19, "refused": 1, "parser_crashes": 0,
          "seconds": 1, "longest_seconds": 1, "longest_case": 2, "grades": {},
          "skipped": {}, "refusals": {}, "findings": []}


@pytest.fixture
def start(tmp_path):
    """Starts a command, its temporary files in a folder of the test."""
    (tmp_path / "temporary").mkdir()
    started = []

    def start(*arguments, entry="runpy.run_module('egg', run_name='__main__')"):
        package = str(pathlib.Path(egg.__file__).parents[1])
        environment = dict(os.environ, PYTHONPATH=package,
                           TMPDIR=str(tmp_path / "temporary"))
        # Whatever started the tests may ignore SIGINT.
        process = subprocess.Popen(
            [sys.executable, "-c",
             "import runpy, signal, sys; sys.argv[0] = 'egg'\n"
             "signal.signal(signal.SIGINT, signal.default_int_handler)\n" + entry, *arguments],
            env=environment, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()


def wait_until(holds, process):
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.05)


def is_running(pid):
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return state.rpartition(")")[2].split()[0] != "Z"


def running_with(text):
    """Processes whose command line has it."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            pid = path.parent.name
            if text.encode() in path.read_bytes() and is_running(pid):
                found.append(pid)
        except OSError:
            pass
    return found


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("command, children", [
    ("fuzz kernels --count 60 --jobs 2 --out OUT", 2),
    ("fuzz kernels --repeat FILE", 1),
    ("kernelbench --root ROOT --levels 1 --out OUT --jobs 2", 2),
    ("selfcheck", 1),
    # The self-check's payloads are asked for before the threads begin.
    ("emulator-check --prepare OUT --jobs 2", 1),
])
def test_no_child_stays(command, children, number, start, tmp_path):
    (tmp_path / "report.json").write_text(json.dumps(REPORT))
    pids = tmp_path / "pids"
    pids.touch()
    egg_opt = tmp_path / "egg-opt"
    egg_opt.write_text(HANGING.replace("REPORT", str(tmp_path / "report.json"))
                       .replace("PIDS", str(pids)))
    egg_opt.chmod(egg_opt.stat().st_mode | stat.S_IXUSR)
    (tmp_path / "file.mlir").touch()
    for name in ("1_a", "2_b", "3_c"):
        for path, text in ((f"root/level1/{name}.py", ""),
                           (f"out/payloads/level1/{name}.mlir", "module {}"),
                           (f"out/payloads/level1/{name}.json", "{}")):
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text)
    if "--prepare" in command:
        command = command.replace("OUT", str(tmp_path / "new"))
    for word, path in (("ROOT", "root"), ("OUT", "out"), ("FILE", "file.mlir")):
        command = command.replace(word, str(tmp_path / path))
    process = start(*command.split(), "--egg-opt", str(egg_opt))
    wait_until(lambda: len(pids.read_text().splitlines()) == children, process)
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert not any(map(is_running, pids.read_text().split()))
    assert process.returncode == 128 + number
    # Progress aside, which begins with an arrow.
    said = [line for line in err.splitlines() if not line.startswith("==> [")]
    assert said == ["egg: interrupted" if number == signal.SIGINT
                    else "egg: ended by SIGTERM"]
    assert list((tmp_path / "temporary").iterdir()) == []
    if "--count" in command:
        assert "20 of 60 have run\n19 accepted, 1 refused" in out
        written = json.loads((tmp_path / "out/report.json").read_text())
        assert (written["done"], written["count"]) == (20, 60)
    if "kernelbench" in command:
        assert not (tmp_path / "out/results.jsonl").exists()


def test_cases_end_with_their_compiler(start, egg_opt):
    """Each case is a child of egg-opt in a group of its own."""
    mark = f"seed={os.getpid()}123456"
    process = start("fuzz", "kernels", "--seed", mark[5:], "--count", "40",
                    "--jobs", "2", "--egg-opt", str(egg_opt))
    wait_until(lambda: len(running_with(mark)) >= 4, process)
    process.terminate()
    process.communicate(timeout=20)
    deadline = time.monotonic() + 5
    while running_with(mark) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert running_with(mark) == []


# As the program egg begins that pip installs.
INSTALLED = "from egg.__main__ import main; sys.exit(main())"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_an_import_that_sleeps(number, start, tmp_path):
    mark = tmp_path / "mark"
    (tmp_path / "m.py").write_text(
        f"import os, pathlib, time\n"
        f"pathlib.Path({str(mark)!r}).write_text(str(os.getpid()))\n"
        "time.sleep(1000)\n")
    egg_opt = tmp_path / "egg-opt"
    egg_opt.write_text("#!/bin/sh\necho --egg-optimize\n")
    egg_opt.chmod(0o755)
    process = start("optimize", str(tmp_path / "m.py"), "--out",
                    str(tmp_path / "out"), "--egg-opt", str(egg_opt),
                    entry=INSTALLED)
    wait_until(lambda: mark.exists() and mark.read_text(), process)
    process.send_signal(number)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 128 + number
    assert err.splitlines()[-1] == f"egg: ended by {number.name}"
    assert not is_running(mark.read_text())
    assert list((tmp_path / "temporary").iterdir()) == []


def test_nohup_is_respected():
    from egg.__main__ import ending_in_order
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with ending_in_order():
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
            assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGHUP, before)
