# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Clusters: shared memory of other blocks, mbarriers of other blocks."""

from egg.emulator_check.code import (CLUSTER, GENERIC, GLOBAL, SHARED, Code,
                                     wait)
from egg.emulator_check.launch import Buffer, Kernel

THREADS = 64


def attribute(blocks):
    return f", nvvm.cluster_dim = array<i32: {blocks}, 1, 1>"


def sync(code):
    code.do("nvvm.cluster.arrive {aligned}")
    code.do("nvvm.cluster.wait {aligned}")


def begin(code):
    """Thread, rank and the thread's place in the input."""
    thread = code.special("tid.x")
    rank = code.special("cluster.ctarank")
    place = code.add(code.mul(code.special("ctaid.x"), THREADS), thread)
    return thread, rank, place


def finish(name, code, blocks, clusters=2):
    shape = (clusters * blocks, THREADS)
    text = code.kernel([("x", GLOBAL), ("y", GLOBAL)], THREADS,
                       attribute(blocks))
    return Kernel(name, "cluster", text, THREADS,
                  (Buffer("f32", shape), Buffer("f32", shape, output=True)),
                  (0, 1), grid=(clusters * blocks, 1, 1))


def remote_loads(blocks):
    """Each block reads the tile of the next one."""
    code = Code()
    thread, rank, place = begin(code)
    tile = code.variable("tile", THREADS, "f32")
    code.store(code.load("%x", place, "f32"), tile, thread, "f32", SHARED)
    sync(code)
    neighbour = code.rem(code.add(rank, 1), blocks)
    remote = code.op(f"nvvm.mapa {tile}, {neighbour} : {SHARED} -> {CLUSTER}")
    value = code.load(remote, code.xor(thread, 5), "f32", CLUSTER)
    code.store(value, "%y", place, "f32")
    sync(code)
    return finish(f"cluster-loads-{blocks}", code, blocks)


def remote_stores(blocks):
    """Each block writes into all: a sum over the cluster."""
    code = Code()
    code.do("nvvm.cluster.arrive.relaxed {aligned}")
    thread, rank, place = begin(code)
    tile = code.variable("tile", blocks * THREADS, "f32")
    value = code.load("%x", place, "f32")
    slot = code.pointer(tile, code.add(code.mul(rank, THREADS), thread), "f32",
                        SHARED)
    code.do("nvvm.cluster.wait {aligned}")
    for block in range(blocks):
        remote = code.op(f"nvvm.mapa {slot}, {code.i32(block)} : {SHARED} -> "
                         f"{CLUSTER}")
        code.do(f"llvm.store {value}, {remote} : f32, {CLUSTER}")
    sync(code)
    total = code.load(tile, thread, "f32", SHARED)
    for block in range(1, blocks):
        other = code.load(tile, code.add(thread, block * THREADS), "f32",
                          SHARED)
        total = code.op(f"arith.addf {total}, {other} : f32")
    code.store(total, "%y", place, "f32")
    return finish(f"cluster-stores-{blocks}", code, blocks)


def remote_atomics(blocks):
    """All blocks add to the counters of the first."""
    code = Code()
    thread, rank, place = begin(code)
    tile = code.variable("tile", THREADS, "f32")
    code.store(code.op("llvm.mlir.constant(0.0 : f32) : f32"), tile, thread,
               "f32", SHARED)
    sync(code)
    remote = code.op(f"nvvm.mapa {tile}, {code.i32(0)} : {SHARED} -> {CLUSTER}")
    where = code.pointer(remote, thread, "f32", CLUSTER)
    value = code.load("%x", place, "f32")
    code.op(f"llvm.atomicrmw fadd {where}, {value} monotonic : {CLUSTER}, f32")
    sync(code)
    code.store(code.load(where, 0, "f32", CLUSTER), "%y", place, "f32")
    sync(code)
    kernel = finish(f"cluster-atomics-{blocks}", code, blocks)
    return Kernel(**{**vars(kernel), "floats": "sums"})


def bulk_share(blocks):
    """Each block sends its tile to the next in bulk, to its mbarrier."""
    code = Code()
    thread, rank, place = begin(code)
    source = code.variable("source", THREADS, "f32")
    tile = code.variable("tile", THREADS, "f32")
    full = code.variable("full", 1, "i64", 8)
    first = code.compare("eq", thread, 0)
    with code.when(first):
        code.do(f"nvvm.mbarrier.init {full}, {code.i32(1)} : {SHARED}, i32")
        code.do("nvvm.fence.mbarrier.init")
        code.do(f"nvvm.mbarrier.arrive.expect_tx {full}, "
                f"{code.i32(4 * THREADS)} : {SHARED}, i32")
    code.store(code.load("%x", place, "f32"), source, thread, "f32", SHARED)
    code.do("nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, "
            "space = #nvvm.shared_space<cta>}")
    sync(code)
    with code.when(first):
        next_rank = code.rem(code.add(rank, 1), blocks)
        to, barrier = (code.op(f"nvvm.mapa {what}, {next_rank} : {SHARED} -> "
                               f"{CLUSTER}") for what in (tile, full))
        # The op takes the barrier's address as one in the block's own memory.
        for space in (GENERIC, SHARED):
            barrier = code.op(
                f"llvm.addrspacecast {barrier} : "
                f"{CLUSTER if space == GENERIC else GENERIC} to {space}")
        code.do(f"nvvm.cp.async.bulk.shared.cluster.shared.cta {to}, {source}, "
                f"{barrier}, {code.i32(4 * THREADS)} : {CLUSTER}, {SHARED}")
    wait(code, full)
    code.store(code.load(tile, thread, "f32", SHARED), "%y", place, "f32")
    sync(code)
    return finish(f"cluster-bulk-{blocks}", code, blocks)


def remote_arrivals(blocks):
    """The mbarrier of a block opens when one thread of every block came."""
    code = Code()
    thread, rank, place = begin(code)
    tile = code.variable("tile", blocks, "f32")
    full = code.variable("full", 1, "i64", 8)
    with code.when(code.compare("eq", thread, 0)):
        code.do(f"nvvm.mbarrier.init {full}, {code.i32(blocks)} : {SHARED}, "
                "i32")
        code.do("nvvm.fence.mbarrier.init")
    sync(code)
    value = code.load("%x", place, "f32")
    with code.when(code.compare("ult", thread, blocks)):
        slot = code.pointer(tile, rank, "f32", SHARED)
        to, barrier = (code.op(f"nvvm.mapa {what}, {thread} : {SHARED} -> "
                               f"{CLUSTER}") for what in (slot, full))
        code.do(f"llvm.store {value}, {to} : f32, {CLUSTER}")
        code.do(f'nvvm.inline_ptx "mbarrier.arrive.release.cluster.shared::'
                f'cluster.b64 _, [$0];" ro({barrier} : {CLUSTER})')
    wait(code, full)
    sync(code)
    code.store(code.load(tile, code.rem(thread, blocks), "f32", SHARED), "%y",
               place, "f32")
    sync(code)
    return finish(f"cluster-arrivals-{blocks}", code, blocks)


def kernels():
    return [remote_loads(2), remote_loads(8), remote_stores(2),
            remote_stores(4), remote_atomics(4), bulk_share(2), bulk_share(4),
            remote_arrivals(2)]
