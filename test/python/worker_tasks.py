# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tasks that test_workers.py and test_measure.py run in workers."""

import os
import sys
import time

from egg.errors import EggError


def echo(value):
    print("noise on standard output")
    return {"value": value, "process": os.getpid()}


def refuse():
    raise EggError("not this one", where="here")


def raise_bug():
    raise ValueError("a bug")


class Unprintable(Exception):

    def __str__(self):
        raise RuntimeError("no text")


def raise_unprintable():
    raise Unprintable


def kernel_fault():
    raise RuntimeError("CUDA error: an illegal memory access")


def hang():
    time.sleep(1000)


def die():
    print("last words", file=sys.stderr)
    sys.stderr.flush()
    os.abort()


def measure_simulated(driver_path, **arguments):
    """measure() on the CPU over the simulated driver, comparing only."""
    from egg.measure.task import measure_on
    from egg.runtime import Driver
    driver = Driver(driver_path)
    options = {"module_name": "Model", "inputs_name": "get_inputs",
               "seeds": 2, "fp64": True, **arguments}
    options.update(compared=(), generate_on="cpu", timing_options=None)
    for name in ("device", "sanitizer"):
        options.pop(name, None)
    return measure_on("cpu", driver, driver.describe(), **options)


def probe_simulated(device=0):
    """In place of egg.measure.health:probe."""
    from egg.measure.health import check_device
    return check_device("cpu") or os.environ.get("EGG_TEST_GPU_PROBLEM")


def measure_for_egg(**arguments):
    """In place of egg.measure.task:measure, for the commands around it."""
    return measure_simulated(os.environ["EGG_TEST_DRIVER"], **arguments)


def leave_processes(own_session, ends):
    """Forks a child and a grandchild that sleep; the task ends its process, or
    answers with theirs."""
    import subprocess
    child = ("import os, subprocess, sys, time\n"
             "if {0}: os.setsid()\n"
             "other = subprocess.Popen([sys.executable, '-c', "
             "'import time; time.sleep(1000)'], start_new_session={0})\n"
             "print(other.pid, flush=True)\n"
             "time.sleep(1000)\n").format(own_session)
    process = subprocess.Popen([sys.executable, "-c", child],
                               stdout=subprocess.PIPE, text=True)
    processes = [process.pid, int(process.stdout.readline())]
    print("left", *processes, flush=True)
    if ends:
        os._exit(7)
    return processes


def print_much(mebibytes):
    os.write(1, b"the start\n")
    for _ in range(mebibytes):
        os.write(1, b"x" * (1 << 20))
    os.write(2, b"\nthe end\n")


def allocate(mebibytes):
    """Memory that is asked for, and none of it used."""
    return len(bytearray(mebibytes << 20))


def use_memory(mebibytes):
    """Memory that is used, in pieces, half of it in another process."""
    held = []
    if os.fork() == 0:
        mebibytes *= 2
    for _ in range(mebibytes):
        held.append(os.urandom(1 << 20))
    time.sleep(1000)


def start_processes(number):
    for _ in range(number):
        if os.fork() == 0:
            time.sleep(1000)
    time.sleep(1000)


def write_file(path, mebibytes):
    with open(path, "wb") as file:
        for _ in range(mebibytes):
            file.write(b"x" * (1 << 20))


def fill_disk():
    import errno
    try:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/tmp/some")
    except OSError as error:
        raise EggError("cannot be written", where="some") from error


def attempt_simulated(driver_path, seconds=0, **arguments):
    """measure() for an attempt on the CPU over the simulated driver, which has
    no clock: right results take 2 ms, or a graph of them 1 ms."""
    time.sleep(seconds)
    arguments.pop("alone")
    result = measure_simulated(driver_path, **arguments)
    if result["correct"]:
        result["timing"] = {"headline": "egg_graph", "runs": {
            "egg": {"median_ms": 2}, "egg_graph": {"median_ms": 1}}}
    return result
