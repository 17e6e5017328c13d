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
    options.pop("device", None)
    return measure_on("cpu", driver, driver.describe(), **options)


def measure_for_egg(**arguments):
    """In place of egg.measure.task:measure, for the commands around it."""
    return measure_simulated(os.environ["EGG_TEST_DRIVER"], **arguments)
