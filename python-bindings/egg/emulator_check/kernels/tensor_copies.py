# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TMA: boxes of all ranks and swizzles, past every edge, both ways, im2col,
and copies in bulk without a map."""

from egg.emulator_check.code import (CLUSTER, GENERIC, GLOBAL, SHARED, Code,
                                     ready_barrier, wait)
from egg.emulator_check.launch import DTYPE_BYTES, Buffer, Kernel, Map

THREADS = 64


def product(extents):
    result = 1
    for extent in extents:
        result *= extent
    return result


def dense(dtype, dims):
    """Strides of a tensor whose rows are padded to 16 bytes, and elements of
    the memory it takes."""
    size = DTYPE_BYTES[dtype]
    row = (dims[0] * size + 15) // 16 * 16
    strides, step = [], row
    for extent in dims[1:]:
        strides.append(step)
        step *= extent
    return tuple(strides), step // size


def expect_and_load(code, barrier, thread, target, coordinates, size,
                    suffix=""):
    with code.when(code.compare("eq", thread, 0)):
        code.do(f"nvvm.mbarrier.arrive.expect_tx {barrier}, {code.i32(size)} : "
                f"{SHARED}, i32")
        cluster = code.op(f"llvm.addrspacecast {target} : {SHARED} to "
                          f"{CLUSTER}")
        at = ", ".join(map(code.number, coordinates))
        code.do(f"nvvm.cp.async.bulk.tensor.shared.cluster.global {cluster}, "
                f"%map, {barrier}, box [{at}]{suffix} : {CLUSTER}, {GENERIC}")


def dump(code, target, thread, words):
    """Shared memory as it lies there."""
    with code.repeat(thread, words, THREADS) as word:
        code.store(code.load(target, word, "i32", SHARED), "%y", word, "i32")


def loaded(name, dtype, dims, box, coordinates, swizzle=0, map_dtype=None,
           floats="bits"):
    code = Code()
    target = code.dynamic()
    barrier, thread = ready_barrier(code)
    size = product(box) * DTYPE_BYTES[dtype]
    expect_and_load(code, barrier, thread, target, coordinates, size)
    wait(code, barrier)
    dump(code, target, thread, size // 4)
    strides, elements = dense(dtype, dims)
    return Kernel(name, "tma", code.kernel(
        [("map", GENERIC), ("y", GLOBAL)], THREADS), THREADS,
        (Buffer(dtype, (elements,)), Buffer("i32", (size // 4,), output=True)),
        (Map(0, dims, strides, box, swizzle, map_dtype), 1),
        shared=size + 1024, floats=floats if dtype[0] in "fb" else None)


def im2col(name, dims, lower, upper, channels, pixels, coordinates, offsets):
    code = Code()
    target = code.dynamic()
    barrier, thread = ready_barrier(code)
    size = channels * pixels * 2
    parts = ", ".join(code.op(f"llvm.mlir.constant({offset} : i16) : i16")
                      for offset in offsets)
    expect_and_load(code, barrier, thread, target, coordinates, size,
                    f" im2col [{parts}] "
                    "{mode = #nvvm.tma_load_mode<im2col>}")
    wait(code, barrier)
    dump(code, target, thread, size // 4)
    strides, elements = dense("bf16", dims)
    swizzle = channels * 2 if channels * 2 in (32, 64, 128) else 0
    return Kernel(name, "tma", code.kernel(
        [("map", GENERIC), ("y", GLOBAL)], THREADS), THREADS,
        (Buffer("bf16", (elements,)), Buffer("i32", (size // 4,), output=True)),
        (Map(0, dims, strides, (), swizzle, None, lower, upper, channels,
             pixels), 1), shared=size + 1024)


def stored(name, dims, box, swizzle=0, dtype="f32"):
    """One block a box, the last ones clipped; threads write the shared memory
    that is stored."""
    code = Code()
    tile = code.dynamic()
    thread = code.special("tid.x")
    block = code.special("ctaid.x")
    words = product(box) * DTYPE_BYTES[dtype] // 4
    with code.repeat(thread, words, THREADS) as word:
        place = code.add(code.mul(block, words), word)
        code.store(code.load("%x", place, "i32"), tile, word, "i32", SHARED)
    code.do("nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, "
            "space = #nvvm.shared_space<cta>}")
    code.barrier()
    counts = [-(-extent // step) for extent, step in zip(dims, box)]
    with code.when(code.compare("eq", thread, 0)):
        at, rest = [], block
        for count, step in zip(counts, box):
            at.append(code.mul(code.rem(rest, count), step))
            rest = code.div(rest, count)
        code.do(f"nvvm.cp.async.bulk.tensor.global.shared.cta %map, {tile}, "
                f"box [{', '.join(at)}] : {GENERIC}, {SHARED}")
        code.do("nvvm.cp.async.bulk.commit.group")
        code.do("nvvm.cp.async.bulk.wait_group 0")
    blocks = product(counts)
    strides, elements = dense(dtype, dims)
    assert elements == product(dims), "padding would stay unwritten"
    return Kernel(name, "tma", code.kernel(
        [("x", GLOBAL), ("map", GENERIC)], THREADS), THREADS,
        (Buffer(dtype, (blocks * words * 4 // DTYPE_BYTES[dtype],)),
         Buffer(dtype, (elements,), output=True)),
        (0, Map(1, dims, strides, box, swizzle)), grid=(blocks, 1, 1),
        shared=words * 4 + 1024)


def ring(stages, rounds):
    """A ring of boxes: full and empty mbarriers whose phases come round, one
    producer, results by bulk stores."""
    code = Code()
    base = code.dynamic()
    thread = code.special("tid.x")
    full = code.variable("full", stages, "i64", 8)
    empty = code.variable("empty", stages, "i64", 8)
    result = code.variable("result", THREADS, "f32")
    first = code.compare("eq", thread, 0)
    with code.when(first):
        for stage in range(stages):
            for bars, count in ((full, 1), (empty, THREADS)):
                bar = code.pointer(bars, stage, "i64", SHARED)
                code.do(f"nvvm.mbarrier.init {bar}, {code.i32(count)} : "
                        f"{SHARED}, i32")
        code.do("nvvm.fence.mbarrier.init")
    code.barrier()
    size = THREADS * 4

    def load(at):
        stage = code.rem(at, stages)
        parity = code.rem(code.add(code.div(at, stages), 1), 2)
        wait(code, code.pointer(empty, stage, "i64", SHARED), parity)
        bar = code.pointer(full, stage, "i64", SHARED)
        code.do(f"nvvm.mbarrier.arrive.expect_tx {bar}, {code.i32(size)} : "
                f"{SHARED}, i32")
        to = code.pointer(base, code.mul(stage, 256), "f32", SHARED)
        to = code.op(f"llvm.addrspacecast {to} : {SHARED} to {CLUSTER}")
        code.do(f"nvvm.cp.async.bulk.tensor.shared.cluster.global {to}, %map, "
                f"{bar}, box [{code.i32(0)}, {at}] : {CLUSTER}, {GENERIC}")

    with code.when(first):
        for at in range(stages):
            load(code.i32(at))
    with code.repeat(0, rounds) as at:
        stage = code.rem(at, stages)
        wait(code, code.pointer(full, stage, "i64", SHARED),
             code.rem(code.div(at, stages), 2))
        tile = code.pointer(base, code.mul(stage, 256), "f32", SHARED)
        value = code.load(tile, code.xor(thread, 13), "f32", SHARED)
        bar = code.pointer(empty, stage, "i64", SHARED)
        code.op(f"nvvm.mbarrier.arrive {bar} : {SHARED} -> i64")
        with code.when(first):
            code.do("nvvm.cp.async.bulk.wait_group 0 {read}")
        code.barrier()
        code.store(value, result, thread, "f32", SHARED)
        code.do("nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, "
                "space = #nvvm.shared_space<cta>}")
        code.barrier()
        with code.when(first):
            to = code.pointer("%y", code.mul(at, THREADS), "f32")
            code.do(f"nvvm.cp.async.bulk.global.shared.cta {to}, {result}, "
                    f"{code.i32(size)} : {GLOBAL}, {SHARED}")
            code.do("nvvm.cp.async.bulk.commit.group")
            ahead = code.add(at, stages)
            with code.when(code.compare("ult", ahead, rounds)):
                load(ahead)
    with code.when(first):
        code.do("nvvm.cp.async.bulk.wait_group 0")
    shape = (rounds, THREADS)
    return Kernel(f"tma-ring-{stages}-stages", "tma", code.kernel(
        [("map", GENERIC), ("y", GLOBAL)], THREADS), THREADS,
        (Buffer("f32", shape), Buffer("f32", shape, output=True)),
        (Map(0, (THREADS, rounds), (size,), (THREADS, 1)), 1),
        shared=stages * 1024 + 1024)


def multicast(blocks):
    """Each block of the cluster loads its part of a tile for all."""
    code = Code()
    thread = code.special("tid.x")
    rank = code.special("cluster.ctarank")
    target = code.dynamic()
    full = code.variable("full", 1, "i64", 8)
    part = 256
    with code.when(code.compare("eq", thread, 0)):
        code.do(f"nvvm.mbarrier.init {full}, {code.i32(1)} : {SHARED}, i32")
        code.do("nvvm.fence.mbarrier.init")
        code.do(f"nvvm.mbarrier.arrive.expect_tx {full}, "
                f"{code.i32(blocks * part)} : {SHARED}, i32")
    code.do("nvvm.cluster.arrive {aligned}")
    code.do("nvvm.cluster.wait {aligned}")
    with code.when(code.compare("eq", thread, 0)):
        to = code.pointer(target, code.mul(rank, part), "i8", SHARED)
        to = code.op(f"llvm.addrspacecast {to} : {SHARED} to {CLUSTER}")
        mask = code.op(f"llvm.mlir.constant({(1 << blocks) - 1} : i16) : i16")
        code.do(f"nvvm.cp.async.bulk.tensor.shared.cluster.global {to}, %map, "
                f"{full}, box [{code.i32(0)}, {rank}] multicast_mask = {mask} "
                f": {CLUSTER}, {GENERIC}")
    wait(code, full)
    words = blocks * part // 4
    with code.repeat(thread, words, THREADS) as word:
        place = code.add(code.mul(rank, words), word)
        code.store(code.load(target, word, "i32", SHARED), "%y", place, "i32")
    code.do("nvvm.cluster.arrive {aligned}")
    code.do("nvvm.cluster.wait {aligned}")
    return Kernel(f"tma-multicast-{blocks}", "tma", code.kernel(
        [("map", GENERIC), ("y", GLOBAL)], THREADS,
        f", nvvm.cluster_dim = array<i32: {blocks}, 1, 1>"), THREADS,
        (Buffer("f32", (blocks, 64)),
         Buffer("i32", (blocks, words), output=True)),
        (Map(0, (64, blocks), (256,), (64, 1)), 1), grid=(blocks, 1, 1),
        shared=blocks * part + 1024)


def kernels():
    return [
        loaded("tma-load-1d", "f32", (100,), (64,), (60,)),
        loaded("tma-load-2d-inside", "f32", (64, 24), (32, 16), (16, 4)),
        loaded("tma-load-2d-before", "f32", (64, 24), (32, 16), (-8, -3)),
        loaded("tma-load-2d-past", "f32", (52, 20), (32, 16), (40, 9)),
        loaded("tma-load-3d", "i32", (12, 7, 5), (8, 4, 4), (8, -2, 3)),
        loaded("tma-load-4d", "f16", (16, 6, 5, 3), (16, 4, 3, 2),
               (0, 4, -1, 2)),
        loaded("tma-load-5d", "f32", (8, 3, 3, 3, 3), (8, 2, 2, 2, 2),
               (-4, 1, 2, -1, 2)),
        loaded("tma-load-bytes", "i8", (80, 20), (64, 16), (32, 10), 64),
        loaded("tma-load-tf32", "f32", (40, 12), (32, 8), (4, 6), 128, "tf32"),
        loaded("tma-load-swizzle-32", "bf16", (40, 24), (16, 16), (8, 12), 32),
        loaded("tma-load-swizzle-64", "bf16", (72, 24), (32, 16), (16, 4), 64),
        loaded("tma-load-swizzle-128", "bf16", (136, 40), (64, 32), (64, 16),
               128),
        loaded("tma-load-swizzle-128-3d", "bf16", (64, 24, 3), (64, 16, 2),
               (0, 16, 1), 128),
        stored("tma-store-1d", (200,), (64,)),
        stored("tma-store-2d", (36, 11), (16, 4)),
        stored("tma-store-3d", (12, 5, 3), (8, 2, 2), dtype="i32"),
        stored("tma-store-swizzle-32", (24, 20), (8, 16), 32),
        stored("tma-store-swizzle-64", (72, 21), (32, 8), 64, "bf16"),
        stored("tma-store-swizzle-128", (80, 37), (64, 16), 128, "bf16"),
        im2col("tma-im2col", (64, 7, 6, 2), (-1, -1), (-1, -1), 64, 32,
               (0, -1, -1, 0), (1, 2)),
        im2col("tma-im2col-inner", (32, 9, 5, 3), (-1, 0), (-1, -2), 32, 48,
               (0, 2, 1, 1), (2, 0)),
        ring(2, 9), ring(3, 8), multicast(2), multicast(4)]
