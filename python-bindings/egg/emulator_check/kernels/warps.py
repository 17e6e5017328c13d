# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lanes and threads: shuffles, votes, barriers, atomics."""

from egg.emulator_check.code import GLOBAL, SHARED, Code
from egg.emulator_check.launch import Buffer, Kernel


def simple(name, structure, dtype, block, make, *, grid=1, floats="bits",
           count=None, outputs=1):
    """One input and outputs of an element a thread; `make` gets the code, the
    thread's place in the input and its value, and returns values."""
    code = Code()
    thread = code.special("tid.x")
    place = code.add(code.mul(code.special("ctaid.x"), block), thread)
    value = code.load("%x", place, dtype)
    results = make(code, thread, value)
    for number, (result, kind) in enumerate(results):
        code.store(result, f"%y{number}", place, kind)
    arguments = [("x", GLOBAL)] + [(f"y{number}", GLOBAL)
                                   for number in range(len(results))]
    buffers = [Buffer(dtype, (grid * block,))] + [
        Buffer(kind, (grid * block,), output=True) for _, kind in results]
    return Kernel(name, structure, code.kernel(arguments, block), block,
                  tuple(buffers), tuple(range(len(buffers))),
                  grid=(grid, 1, 1), floats=floats)


def shuffle(mode, amount, clamp, dtype):
    def make(code, thread, value):
        moved = code.op(f"nvvm.shfl.sync {mode} {code.i32(-1)}, {value}, "
                        f"{code.i32(amount)}, {code.i32(clamp)} : {dtype} -> "
                        f"{dtype}")
        add = "addf" if dtype == "f32" else "addi"
        return [(code.op(f"arith.{add} {moved}, {value} : {dtype}"), dtype)]
    return simple(f"shuffle-{mode}-{amount}-{dtype}", "warp", dtype, 64, make,
                  grid=3, floats="bits" if dtype == "f32" else None)


def reduction():
    def make(code, thread, value):
        for distance in (16, 8, 4, 2, 1):
            other = code.op(
                f"nvvm.shfl.sync bfly {code.i32(-1)}, {value}, "
                f"{code.i32(distance)}, {code.i32(31)} : f32 -> f32")
            value = code.op(f"arith.addf {value}, {other} : f32")
        return [(value, "f32")]
    return simple("warp-sum", "warp", "f32", 128, make, grid=4)


def votes():
    def make(code, thread, value):
        odd = code.op(f"arith.trunci {value} : i32 to i1")
        mask = code.i32(-1)
        results = [(code.op(f"nvvm.vote.sync ballot {mask}, {odd} -> i32"),
                    "i32")]
        for kind in ("any", "all", "uni"):
            flag = code.op(f"nvvm.vote.sync {kind} {mask}, {odd} -> i1")
            results.append((code.op(f"arith.extui {flag} : i1 to i32"), "i32"))
        return results
    return simple("votes", "warp", "i32", 96, make, floats=None)


def matches():
    def make(code, thread, value):
        return [(code.op(f"nvvm.match.sync any {code.i32(-1)}, {value} : i32 "
                         "-> i32"), "i32")]
    return simple("match-any", "warp", "i32", 64, make, floats=None)


def warp_reductions():
    def make(code, thread, value):
        return [(code.op(f"nvvm.redux.sync {kind} {value}, {code.i32(-1)} : "
                         "i32 -> i32"), "i32")
                for kind in ("add", "min", "max", "umin", "umax", "and", "or",
                             "xor")]
    return simple("redux", "warp", "i32", 64, make, floats=None)


def reversal(static):
    """Through shared memory, one barrier."""
    def make(code, thread, value):
        tile = code.variable("tile", 256, "f32") if static else code.dynamic(16)
        code.store(value, tile, thread, "f32", SHARED)
        code.barrier()
        mirror = code.binary("subi", 255, thread)
        return [(code.load(tile, mirror, "f32", SHARED), "f32")]
    kernel = simple(f"reverse-{'static' if static else 'dynamic'}", "block",
                    "f32", 256, make, grid=3)
    return kernel if static else Kernel(**{**vars(kernel), "shared": 1024})


def named_barriers():
    """The first warps produce, the others consume: bar.arrive and bar.sync in
    two directions over four rounds."""
    code = Code()
    thread = code.special("tid.x")
    tile = code.variable("tile", 64, "f32")
    full, empty, count = code.i32(1), code.i32(2), code.i32(128)
    lane = code.rem(thread, 64)
    producer = code.compare("ult", thread, 64)
    with code.when(producer):
        with code.repeat(0, 4) as row:
            place = code.add(code.mul(row, 64), lane)
            value = code.load("%x", place, "f32")
            with code.when(code.compare("ne", row, 0)):
                code.do(f"nvvm.barrier id = {empty} number_of_threads = "
                        f"{count}")
            code.store(value, tile, lane, "f32", SHARED)
            code.do(f"nvvm.barrier.arrive id = {full} number_of_threads = "
                    f"{count}")
    with code.when(code.compare("uge", thread, 64)):
        with code.repeat(0, 4) as row:
            code.do(f"nvvm.barrier id = {full} number_of_threads = {count}")
            other = code.load(tile, code.xor(lane, 33), "f32", SHARED)
            with code.when(code.compare("ne", row, 3)):
                code.do(f"nvvm.barrier.arrive id = {empty} number_of_threads "
                        f"= {count}")
            code.store(other, "%y", code.add(code.mul(row, 64), lane), "f32")
    return Kernel("named-barriers", "block",
                  code.kernel([("x", GLOBAL), ("y", GLOBAL)], 128), 128,
                  (Buffer("f32", (256,)), Buffer("f32", (256,), output=True)),
                  (0, 1))


def block_atomics(kind, dtype, name=None):
    """Each thread updates one of seven counters in shared memory, then some
    write them out."""
    code = Code()
    thread = code.special("tid.x")
    counters = code.variable("counters", 8, dtype)
    zero = code.op(f"llvm.mlir.constant(0{'.0' if dtype == 'f32' else ''} : "
                   f"{dtype}) : {dtype}")
    with code.when(code.compare("ult", thread, 8)):
        code.store(zero, counters, thread, dtype, SHARED)
    code.barrier()
    value = code.load("%x", thread, dtype)
    where = code.pointer(counters, code.rem(thread, 7), dtype, SHARED)
    code.op(f"llvm.atomicrmw {kind} {where}, {value} monotonic : {SHARED}, "
            f"{dtype}")
    code.barrier()
    with code.when(code.compare("ult", thread, 8)):
        code.store(code.load(counters, thread, dtype, SHARED), "%y", thread,
                   dtype)
    # The order of sums of floats is the machine's.
    return Kernel(name or f"atomic-{kind.strip('_')}-{dtype}", "atomics",
                  code.kernel([("x", GLOBAL), ("y", GLOBAL)], 256), 256,
                  (Buffer(dtype, (256,)), Buffer(dtype, (8,), output=True)),
                  (0, 1), floats="sums" if dtype == "f32" else None)


def compare_and_swap():
    """A maximum by compare and swap in a loop that ends when it holds."""
    code = Code()
    thread = code.special("tid.x")
    cell = code.variable("cell", 1, "i32")
    with code.when(code.compare("eq", thread, 0)):
        code.store(code.i32(-100), cell, 0, "i32", SHARED)
    code.barrier()
    value = code.add(code.load("%x", thread, "i32"), thread)
    with code.repeat(0, 64):
        old = code.op(f"llvm.atomicrmw max {cell}, {code.i32(-100)} monotonic "
                      f": {SHARED}, i32")
        with code.when(code.compare("slt", old, value)):
            code.op(f"llvm.cmpxchg {cell}, {old}, {value} monotonic monotonic "
                    f": {SHARED}, i32")
    code.op(f"llvm.atomicrmw max {cell}, {value} monotonic : {SHARED}, i32")
    code.barrier()
    code.store(code.load(cell, 0, "i32", SHARED), "%y", thread, "i32")
    return Kernel("compare-and-swap", "atomics",
                  code.kernel([("x", GLOBAL), ("y", GLOBAL)], 64), 64,
                  (Buffer("i32", (64,)), Buffer("i32", (64,), output=True)),
                  (0, 1), floats=None)


def elections():
    """One lane of each warp writes for all."""
    code = Code()
    warp = code.div(code.special("tid.x"), 32)
    total = code.op(f"nvvm.redux.sync add {code.load('%x', code.special('tid.x'), 'i32')}"
                    f", {code.i32(-1)} : i32 -> i32")
    elected = code.op("nvvm.elect.sync -> i1")
    with code.when(elected):
        code.store(total, "%y", warp, "i32")
    return Kernel("elect", "warp",
                  code.kernel([("x", GLOBAL), ("y", GLOBAL)], 128), 128,
                  (Buffer("i32", (128,)), Buffer("i32", (4,), output=True)),
                  (0, 1), floats=None)


def kernels():
    return [shuffle("bfly", 5, 31, "f32"), shuffle("up", 3, 0, "f32"),
            shuffle("down", 7, 31, "i32"), shuffle("idx", 9, 31, "f32"),
            shuffle("bfly", 1, 7199, "i32"), reduction(), votes(), matches(),
            warp_reductions(), elections(), reversal(True), reversal(False),
            named_barriers(), block_atomics("add", "i32"),
            block_atomics("fadd", "f32"), block_atomics("max", "i32"),
            block_atomics("umin", "i32"), block_atomics("_and", "i32"),
            block_atomics("_or", "i32"), block_atomics("_xor", "i32"),
            compare_and_swap()]
