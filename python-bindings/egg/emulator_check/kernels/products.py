# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mma.sync with operands by loads or ldmatrix, results by stmatrix."""

from egg.emulator_check.code import GLOBAL, SHARED, Code
from egg.emulator_check.launch import DTYPE_BYTES, Buffer, Kernel

ROW_LAYOUT = ("shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, "
              "eltType = #nvvm.ld_st_matrix_elt_type<b16>")


def struct(kind, count):
    return f"!llvm.struct<({', '.join([kind] * count)})>"


def lane_parts(code):
    lane = code.special("tid.x")
    return lane, code.div(lane, 4), code.rem(lane, 4)


def multiply(code, mma_type, k, a, b, c):
    """The op; operands as registers, result as four floats."""
    # f16 pairs are vectors to the op, others are integers.
    if mma_type == "f16":
        a, b = ([code.op(f"llvm.bitcast {word} : i32 to vector<2xf16>")
                 for word in words] for words in (a, b))
        kind, types = "vector<2xf16>", ""
    else:
        kind = "i32"
        types = (f", multiplicandAPtxType = #nvvm.mma_type<{mma_type}>, "
                 f"multiplicandBPtxType = #nvvm.mma_type<{mma_type}>")
    result = code.op(
        f"nvvm.mma.sync A[{', '.join(a)}] B[{', '.join(b)}] C[{', '.join(c)}] "
        "{layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>"
        f"{types}, shape = #nvvm.shape<m = 16, n = 8, k = {k}>}} : "
        f"({kind}, {kind}, f32) -> {struct('f32', 4)}")
    return [code.op(f"llvm.extractvalue {result}[{i}] : {struct('f32', 4)}")
            for i in range(4)]


def store_accumulators(code, values, group, member):
    for i, value in enumerate(values):
        row = code.add(group, i // 2 * 8)
        column = code.add(code.mul(member, 2), i % 2)
        code.store(value, "%d", code.add(code.mul(row, 8), column), "f32")


def plain(mma_type, k, steps=2, promote=0):
    """Registers straight from memory; B is stored [n, k]. With `promote` the
    accumulators start again after so many steps and are added in f32."""
    dtype = "f32" if mma_type == "tf32" else mma_type
    pack = 4 // DTYPE_BYTES[dtype]
    code = Code()
    _, group, member = lane_parts(code)
    total = k * steps
    zeros = [code.op("llvm.mlir.constant(0.0 : f32) : f32")] * 4
    values = sums = zeros
    for step in range(steps):
        def word(base, row, half):
            column = code.add(code.mul(member, pack),
                              step * k + half * 4 * pack)
            return code.load(base, code.add(code.mul(row, total), column),
                             dtype, kind="i32")
        halves = k // (4 * pack)
        a = [word("%a", code.add(group, side * 8), half)
             for half in range(halves) for side in range(2)]
        b = [word("%b", group, half) for half in range(halves)]
        values = multiply(code, mma_type, k, a, b, values)
        if promote and (step + 1) % promote == 0:
            sums = [code.op(f"arith.addf {x}, {y} : f32")
                    for x, y in zip(sums, values)]
            values = zeros
    store_accumulators(code, sums if promote else values, group, member)
    return Kernel(f"mma-{mma_type}-k{k}", "mma.sync", code.kernel(
        [("a", GLOBAL), ("b", GLOBAL), ("d", GLOBAL)], 32), 32,
        (Buffer(dtype, (16, total)), Buffer(dtype, (8, total)),
         Buffer("f32", (16, 8), output=True)), (0, 1, 2), floats="sums")


def by_matrices(mma_type, transposed, steps=3):
    """A and B by ldmatrix from shared memory; B is stored [k, n] and
    transposed on the way, or [n, k]."""
    code = Code()
    lane, group, member = lane_parts(code)
    total = 16 * steps
    a_tile = code.variable("a_tile", 16 * total, mma_type)
    b_tile = code.variable("b_tile", 8 * total, mma_type)
    for base, tile, words in (("%a", a_tile, 8 * total), ("%b", b_tile,
                                                          4 * total)):
        with code.repeat(lane, words, 32) as word:
            code.store(code.load(base, word, "i32"), tile, word, "i32", SHARED)
    code.barrier()
    values = [code.op("llvm.mlir.constant(0.0 : f32) : f32")] * 4

    def load(pointer, count, layout):
        result = code.op(
            f"nvvm.ldmatrix {pointer} {{num = {count} : i32, layout = "
            f"#nvvm.mma_layout<{layout}>, {ROW_LAYOUT}}} : ({SHARED}) -> "
            f"{struct('i32', count)}")
        return [code.op(f"llvm.extractvalue {result}[{i}] : "
                        f"{struct('i32', count)}") for i in range(count)]

    for step in range(steps):
        row = code.rem(lane, 16)
        column = code.add(code.mul(code.div(lane, 16), 8), step * 16)
        a = load(code.pointer(a_tile, code.add(code.mul(row, total), column),
                              mma_type, SHARED), 4, "row")
        if transposed:
            place = code.mul(code.add(row, step * 16), 8)
        else:
            half = code.rem(code.div(lane, 8), 2)
            place = code.add(
                code.mul(code.rem(lane, 8), total),
                code.add(code.mul(half, 8), step * 16))
        b = load(code.pointer(b_tile, place, mma_type, SHARED), 2,
                 "col" if transposed else "row")
        values = multiply(code, mma_type, 16, a, b, values)
    store_accumulators(code, values, group, member)
    shape = (total, 8) if transposed else (8, total)
    return Kernel(
        f"mma-{mma_type}-ldmatrix{'-trans' if transposed else ''}", "mma.sync",
        code.kernel([("a", GLOBAL), ("b", GLOBAL), ("d", GLOBAL)], 32), 32,
        (Buffer(mma_type, (16, total)), Buffer(mma_type, shape),
         Buffer("f32", (16, 8), output=True)), (0, 1, 2), floats="sums")


def round_trip(count, load_layout, store_layout):
    """ldmatrix, stmatrix: matrices moved, perhaps transposed."""
    code = Code()
    lane, _, _ = lane_parts(code)
    words = 32 * count
    tile = code.variable("tile", words, "i32")
    other = code.variable("other", words, "i32")
    with code.repeat(lane, words, 32) as word:
        code.store(code.load("%x", word, "i32"), tile, word, "i32", SHARED)
    code.barrier()
    row = code.mul(code.rem(lane, 8 * count), 4)
    kind = "i32" if count == 1 else struct("i32", count)
    moved = code.op(
        f"nvvm.ldmatrix {code.pointer(tile, row, 'i32', SHARED)} {{num = "
        f"{count} : i32, layout = #nvvm.mma_layout<{load_layout}>, "
        f"{ROW_LAYOUT}}} : ({SHARED}) -> {kind}")
    values = [moved] if count == 1 else [
        code.op(f"llvm.extractvalue {moved}[{i}] : {kind}")
        for i in range(count)]
    code.do(f"nvvm.stmatrix {code.pointer(other, row, 'i32', SHARED)}, "
            f"{', '.join(values)} {{layout = #nvvm.mma_layout<{store_layout}>, "
            f"{ROW_LAYOUT}}} : {', '.join([SHARED] + ['i32'] * count)}")
    code.barrier()
    with code.repeat(lane, words, 32) as word:
        code.store(code.load(other, word, "i32", SHARED), "%y", word, "i32")
    return Kernel(f"matrices-{count}-{load_layout}-{store_layout}", "mma.sync",
                  code.kernel([("x", GLOBAL), ("y", GLOBAL)], 32), 32,
                  (Buffer("i16", (words, 2)),
                   Buffer("i16", (words, 2), output=True)), (0, 1),
                  floats=None)


def kernels():
    return [plain("bf16", 8), plain("bf16", 16), plain("f16", 8),
            plain("f16", 16), plain("tf32", 4), plain("tf32", 8),
            by_matrices("bf16", False), by_matrices("bf16", True),
            by_matrices("f16", True), round_trip(1, "row", "row"),
            round_trip(2, "col", "row"), round_trip(4, "row", "col"),
            round_trip(4, "col", "col")]
