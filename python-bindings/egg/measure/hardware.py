# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the device cannot do: a time below what the memory or the arithmetic
units need at their peaks is no result but an error of the timing, or a kernel
that does not do its work."""

import dataclasses
import math
import re

# Multiplications and additions a clock of one multiprocessor's tensor cores,
# dense fp16 or bf16, by compute capability: nothing on the chip that computes
# floats of 16 bits or more is faster.
TENSOR_FLOPS = {(7, 0): 1024, (7, 5): 1024, (8, 0): 2048, (8, 6): 1024,
                (8, 9): 1024, (9, 0): 4096, (10, 0): 8192}


@dataclasses.dataclass(frozen=True)
class Peaks:
    """bytes_per_second and flops_per_second are what the clocks allow; None
    where the driver does not tell. cache_bytes may stay in the L2 cache."""

    bytes_per_second: float = None
    flops_per_second: float = None
    cache_bytes: int = 0


def peaks_of(properties):
    """From torch's properties of a CUDA device. Older releases of torch do not
    have the clocks."""
    memory_khz = getattr(properties, "memory_clock_rate", 0)
    bus_bits = getattr(properties, "memory_bus_width", 0)
    core_khz = getattr(properties, "clock_rate", 0)
    tensor = TENSOR_FLOPS.get((properties.major, properties.minor), 0)
    return Peaks(
        # Two transfers a clock.
        2e3 * memory_khz * bus_bits / 8 or None,
        1e3 * core_khz * tensor * properties.multi_processor_count or None,
        getattr(properties, "L2_cache_size", 0))


@dataclasses.dataclass(frozen=True)
class LeastWork:
    """What any kernels for a payload do: read the arguments' bytes, write the
    results', and some operations on floats."""

    argument_bytes: int
    result_bytes: int
    flops: float = 0

    def least_ms(self, peaks):
        """Milliseconds below which no run with a cold cache can be, and what
        needs them; (None, reason) where that is unknown."""
        if not peaks.bytes_per_second:
            return None, "torch does not tell the memory's clock"
        # Results may still be in the cache when the time is taken.
        moved = self.argument_bytes + max(
            0, self.result_bytes - peaks.cache_bytes)
        memory = 1e3 * moved / peaks.bytes_per_second
        compute = 0 if not peaks.flops_per_second else (
            1e3 * self.flops / peaks.flops_per_second)
        if compute > memory:
            return compute, f"{self.flops / 1e9:.3g} GFLOP"
        return memory, f"{moved / 1e6:.3g} MB of arguments and results"


def least_work(plan, payload, flops=0):
    """From a plan's document, its payload's text and the operations that its
    kernels do. What may read only a part of its arguments (gathers, slices,
    strides) has no least number of bytes to read."""
    partial = re.search(r"tensor\.extract|strides = dense<(?!1>)|\bd\d+ \* \d",
                        payload)

    def size(specs):
        return sum(math.prod(spec["shape"]) * BYTES[spec["dtype"]]
                   for spec in specs)

    used = [] if partial else plan["arguments"]
    # An argument that nothing uses is passed but not read.
    used = [spec for number, spec in enumerate(plan["arguments"])
            if spec in used and is_read(plan, number)]
    return LeastWork(size(used), size(written(plan)), flops)


BYTES = {"f64": 8, "i64": 8, "f32": 4, "i32": 4, "f16": 2, "bf16": 2,
         "i16": 2, "i8": 1, "i1": 1}


def buffers_of(plan, kind, number):
    return {index for index, buffer in enumerate(plan["buffers"])
            if buffer["kind"] == kind and buffer["index"] == number}


def is_read(plan, number):
    """Whether a step has the argument's buffer."""
    buffers = buffers_of(plan, "argument", number)
    return any(buffers & set(step["arguments"]) for step in plan["steps"])


def written(plan):
    """The results that a step writes."""
    return [spec for number, spec in enumerate(plan["results"])
            if any(buffers_of(plan, "result", number) & set(step["arguments"])
                   for step in plan["steps"])]


def explain_impossible(median_ms, work, peaks):
    """Why a time cannot be, or None."""
    least, what = work.least_ms(peaks)
    if least is None or median_ms >= least:
        return None
    return (f"the time of {median_ms:.4g} ms is beyond the hardware: {what} "
            f"take at least {least:.4g} ms at its peak; the timing is wrong, or "
            "the kernels do not do their work")
