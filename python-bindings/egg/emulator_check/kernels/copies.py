# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cp.async: rings of stages with groups, zero fill, mbarriers that track."""

from egg.emulator_check.code import GLOBAL, SHARED, Code
from egg.emulator_check.launch import Buffer, Kernel

THREADS, ROWS = 64, 7


def ring(stages, vector, cache="ca"):
    """Copies row r while row r - stages + 1 is used; a copy is `vector`
    floats. Each thread uses what another copied."""
    code = Code()
    width = THREADS * vector
    thread = code.special("tid.x")
    tile = code.variable("tile", stages * width, "f32")
    mine = code.mul(thread, vector)
    other = code.mul(code.xor(thread, 21), vector)

    def copy(row):
        stage = code.mul(code.rem(row, stages), width)
        to = code.pointer(tile, code.add(stage, mine), "f32", SHARED)
        source = code.pointer("%x", code.add(code.mul(row, width), mine), "f32")
        code.do(f"nvvm.cp.async.shared.global {to}, {source}, {4 * vector}, "
                f"cache = {cache} : {SHARED}, {GLOBAL}")

    for row in range(stages - 1):
        copy(code.i32(row))
        code.do("nvvm.cp.async.commit.group")
    with code.repeat(0, ROWS) as row:
        ahead = code.add(row, stages - 1)
        with code.when(code.compare("ult", ahead, ROWS)):
            copy(ahead)
        # An empty group keeps the count.
        code.do("nvvm.cp.async.commit.group")
        code.do(f"nvvm.cp.async.wait.group {stages - 1}")
        code.barrier()
        stage = code.mul(code.rem(row, stages), width)
        at = code.mul(row, width)
        for i in range(vector):
            value = code.load(tile, code.add(code.add(stage, other), i), "f32",
                              SHARED)
            code.store(value, "%y", code.add(code.add(at, mine), i), "f32")
        code.barrier()
    shape = (ROWS, width)
    return Kernel(f"cp-async-{stages}-stages-{4 * vector}-bytes", "cp.async",
                  code.kernel([("x", GLOBAL), ("y", GLOBAL)], THREADS), THREADS,
                  (Buffer("f32", shape), Buffer("f32", shape, output=True)),
                  (0, 1))


def zero_fill():
    """Each thread copies 16 bytes of which only the first 4 * (thread mod 5)
    are read."""
    code = Code()
    thread = code.special("tid.x")
    tile = code.variable("tile", 4 * THREADS, "f32")
    mine = code.mul(thread, 4)
    size = code.mul(code.rem(thread, 5), 4)
    to = code.pointer(tile, mine, "f32", SHARED)
    source = code.pointer("%x", mine, "f32")
    code.do(f"nvvm.cp.async.shared.global {to}, {source}, 16, cache = cg, "
            f"{size} : {SHARED}, {GLOBAL}, i32")
    code.do("nvvm.cp.async.commit.group")
    code.do("nvvm.cp.async.wait.group 0")
    code.barrier()
    for i in range(4):
        value = code.load(tile, code.add(code.xor(mine, 12), i), "f32", SHARED)
        code.store(value, "%y", code.add(mine, i), "f32")
    buffer = (4 * THREADS,)
    return Kernel("cp-async-zero-fill", "cp.async",
                  code.kernel([("x", GLOBAL), ("y", GLOBAL)], THREADS), THREADS,
                  (Buffer("f32", buffer), Buffer("f32", buffer, output=True)),
                  (0, 1))


def tracked():
    """An mbarrier opens when the copies of all threads have landed."""
    code = Code()
    thread = code.special("tid.x")
    tile = code.variable("tile", THREADS, "f32")
    full = code.variable("full", 1, "i64", 8)
    with code.when(code.compare("eq", thread, 0)):
        code.do(f"nvvm.mbarrier.init {full}, {code.i32(THREADS)} : {SHARED}, "
                "i32")
    code.barrier()
    to = code.pointer(tile, thread, "f32", SHARED)
    source = code.pointer("%x", thread, "f32")
    code.do(f"nvvm.cp.async.shared.global {to}, {source}, 4, cache = ca : "
            f"{SHARED}, {GLOBAL}")
    code.do(f"nvvm.cp.async.mbarrier.arrive {full} {{noinc = true}} : "
            f"{SHARED}")
    code.do(f"nvvm.mbarrier.try_wait.parity {full}, {code.i32(0)}, "
            f"{code.i32(10000000)} : {SHARED}, i32, i32")
    mirror = code.binary("subi", THREADS - 1, thread)
    code.store(code.load(tile, mirror, "f32", SHARED), "%y", thread, "f32")
    return Kernel("cp-async-mbarrier", "cp.async",
                  code.kernel([("x", GLOBAL), ("y", GLOBAL)], THREADS), THREADS,
                  (Buffer("f32", (THREADS,)),
                   Buffer("f32", (THREADS,), output=True)), (0, 1))


def kernels():
    return [ring(2, 1), ring(2, 4, "cg"), ring(3, 2), ring(4, 4, "cg"),
            ring(4, 1), zero_fill(), tracked()]
