# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""wgmma on tiles that TMA brings, in every layout of both factors."""

from egg.emulator_check.code import (CLUSTER, GENERIC, GLOBAL, SHARED, Code,
                                     wait)
from egg.emulator_check.kernels.products import struct
from egg.emulator_check.launch import DTYPE_BYTES, Buffer, Kernel, Map

THREADS, ROWS = 128, 64
# The code of a swizzle in a matrix descriptor.
MODES = {0: 0, 128: 1, 64: 2, 32: 3}


class Factor:
    """A factor's tile in shared memory: `rows` by `depth` elements of the
    product, stored in memory with k innermost (K-major) or rows innermost."""

    def __init__(self, dtype, rows, depth, k_major, swizzle):
        self.size = DTYPE_BYTES["f32" if dtype == "tf32" else dtype]
        self.rows, self.depth = rows, depth
        self.k_major, self.swizzle = k_major, swizzle
        # A box is one row of the swizzle's pattern wide.
        self.width = (swizzle or 16) // self.size
        inner, self.outer = (depth, rows) if k_major else (rows, depth)
        self.boxes = -(-inner // self.width)
        self.box_bytes = self.width * self.outer * self.size
        self.bytes = self.boxes * self.box_bytes
        self.inner = inner

    def shape(self):
        return (self.outer, self.inner)

    def map(self, buffer, dtype):
        return Map(buffer, (self.inner, self.outer),
                   (self.inner * self.size,), (self.width, self.outer),
                   self.swizzle, dtype)

    def descriptor(self):
        """The constant bits: leading and stride offsets, and the mode."""
        if self.swizzle == 0:
            # Core matrices of 8 rows by 16 bytes.
            leading, stride = (self.box_bytes, 128) if self.k_major \
                else (128, self.box_bytes)
        else:
            leading = 16 if self.k_major else self.box_bytes
            stride = 8 * self.swizzle
        bits = leading >> 4 << 16 | stride >> 4 << 32
        bits |= MODES[self.swizzle] << 62
        return bits - (1 << 64) if bits >> 63 else bits

    def advance(self, step):
        """Bytes from the tile's start to the k elements of one step."""
        k_elements = 32 // self.size
        if not self.k_major:
            return step * k_elements * (self.swizzle or 16)
        if self.swizzle == 0:
            return step * 2 * self.box_bytes
        per_box = self.swizzle // 32
        return step // per_box * self.box_bytes + step % per_box * 32


def load(code, factor, name, base, offset, barrier):
    for box in range(factor.boxes):
        to = code.pointer(base, offset + box * factor.box_bytes, "i8", SHARED)
        to = code.op(f"llvm.addrspacecast {to} : {SHARED} to {CLUSTER}")
        code.do(f"nvvm.cp.async.bulk.tensor.shared.cluster.global {to}, "
                f"%{name}, {barrier}, box [{code.i32(box * factor.width)}, "
                f"{code.i32(0)}] : {CLUSTER}, {GENERIC}")


def descriptors(code, factor, base, offset):
    """A function from the step to the descriptor."""
    address = code.add(code.op(f"llvm.ptrtoint {base} : {SHARED} to i32"),
                       offset)
    field = code.binary("andi", code.binary("shrui", address, 4), 0x3FFF)
    wide = code.op(f"arith.extui {field} : i32 to i64")
    start = code.op(f"arith.ori {wide}, {code.i64(factor.descriptor())} : i64")

    def at(step):
        return code.op(f"arith.addi {start}, "
                       f"{code.i64(factor.advance(step) >> 4)} : i64")
    return at


def fragments(code, base, offset, factor, step, thread):
    """A of one step in registers, read from a K-major tile without swizzle."""
    warp = code.div(thread, 32)
    lane = code.rem(thread, 32)
    row = code.add(code.mul(warp, 16), code.div(lane, 4))
    words = []
    for i in range(4):
        # Boxes are 16 bytes wide.
        box = step * 2 + i // 2
        place = code.add(code.mul(code.add(row, i % 2 * 8), 4),
                         code.rem(lane, 4))
        words.append(code.load(
            code.pointer(base, offset + box * factor.box_bytes, "i8", SHARED),
            place, "i32", SHARED))
    return words


def register_product(code, dtype, n, words, descriptor, acc, k_major):
    count = n // 2
    kind = struct("f32", count)
    parts = [code.op(f"llvm.extractvalue {acc}[{i}] : {kind}")
             for i in range(count)]
    registers = ", ".join(f"${i}" for i in range(count))
    a = ", ".join(f"${2 * count + i}" for i in range(4))
    depth = 8 if dtype == "tf32" else 16
    transpose = "" if dtype == "tf32" else f", {0 if k_major else 1}"
    text = (f"wgmma.mma_async.sync.aligned.m64n{n}k{depth}.f32.{dtype}.{dtype} "
            f"{{{registers}}}, {{{a}}}, ${2 * count + 4}, 1, 1, 1{transpose};")
    ties = ",".join(["=f"] * count + [str(i) for i in range(count)]
                    + ["r"] * 4 + ["l"])
    types = ", ".join(["f32"] * count + ["i32"] * 4 + ["i64"])
    return code.op(
        f'llvm.inline_asm has_side_effects asm_dialect = att "{text}", '
        f'"{ties}" {", ".join(parts + words)}, {descriptor} : ({types}) -> '
        f"{kind}")


def product(dtype, n, a_layout=("k", 128), b_layout=("k", 128), steps=4,
            registers=False, groups=1):
    """D = A B over `steps` instructions in `groups` commit groups."""
    size = DTYPE_BYTES["f32" if dtype == "tf32" else dtype]
    depth = steps * 32 // size
    a = Factor(dtype, ROWS, depth, a_layout[0] == "k", a_layout[1])
    b = Factor(dtype, n, depth, b_layout[0] == "k", b_layout[1])
    b_start = -(-a.bytes // 1024) * 1024
    code = Code()
    thread = code.special("tid.x")
    base = code.dynamic()
    full = code.variable("full", 1, "i64", 8)
    first = code.compare("eq", thread, 0)
    with code.when(first):
        code.do(f"nvvm.mbarrier.init {full}, {code.i32(1)} : {SHARED}, i32")
        code.do("nvvm.fence.mbarrier.init")
    code.barrier()
    with code.when(first):
        code.do(f"nvvm.mbarrier.arrive.expect_tx {full}, "
                f"{code.i32(a.bytes + b.bytes)} : {SHARED}, i32")
        load(code, a, "ma", base, 0, full)
        load(code, b, "mb", base, b_start, full)
    wait(code, full)
    count = n // 2
    kind = struct("f32", count)
    zero = code.op("llvm.mlir.constant(0.0 : f32) : f32")
    acc = code.op(f"llvm.mlir.undef : {kind}")
    for i in range(count):
        acc = code.op(f"llvm.insertvalue {zero}, {acc}[{i}] : {kind}")
    at_a, at_b = descriptors(code, a, base, 0), descriptors(code, b, base,
                                                            b_start)
    words = [fragments(code, base, 0, a, step, thread)
             for step in range(steps)] if registers else None
    code.do("nvvm.wgmma.fence.aligned")
    for step in range(steps):
        if registers:
            acc = register_product(code, dtype, n, words[step], at_b(step),
                                   acc, b.k_major)
        else:
            acc = code.op(
                f"nvvm.wgmma.mma_async {at_a(step)}, {at_b(step)}, {acc}, "
                f"#nvvm.shape<m = 64, n = {n}, k = {32 // size}>, D[<f32>, "
                f"<{'one' if step else 'zero'}>], A[<{dtype}>, <one>, "
                f"<{'row' if a.k_major else 'col'}>], B[<{dtype}>, <one>, "
                f"<{'col' if b.k_major else 'row'}>] : {kind} -> {kind}")
        if (step + 1) % (steps // groups) == 0:
            code.do("nvvm.wgmma.commit.group.sync.aligned")
    for left in reversed(range(groups)):
        code.do(f"nvvm.wgmma.wait.group.sync.aligned {left}")
    warp, lane = code.div(thread, 32), code.rem(thread, 32)
    row = code.add(code.mul(warp, 16), code.div(lane, 4))
    column = code.mul(code.rem(lane, 4), 2)
    for i in range(count):
        place = code.add(
            code.mul(code.add(row, i // 2 % 2 * 8), n),
            code.add(column, i // 4 * 8 + i % 2))
        value = code.op(f"llvm.extractvalue {acc}[{i}] : {kind}")
        code.store(value, "%d", place, "f32")
    memory = "f32" if dtype == "tf32" else dtype
    tag = "registers" if registers else f"{a_layout[0]}{a_layout[1]}"
    name = (f"wgmma-{dtype}-n{n}-a-{tag}-b-{b_layout[0]}{b_layout[1]}"
            + (f"-groups{groups}" if groups > 1 else ""))
    return Kernel(name, "wgmma", code.kernel(
        [("ma", GENERIC), ("mb", GENERIC), ("d", GLOBAL)], THREADS), THREADS,
        (Buffer(memory, a.shape()), Buffer(memory, b.shape()),
         Buffer("f32", (ROWS, n), output=True)),
        (a.map(0, dtype if dtype == "tf32" else None),
         b.map(1, dtype if dtype == "tf32" else None), 2),
        shared=b_start + b.bytes + 1024, floats="sums")


def kernels():
    layouts = [(major, swizzle) for major in "km"
               for swizzle in (128, 64, 32, 0)]
    result = [product("bf16", n) for n in (8, 24, 64, 128, 256)]
    result += [product("bf16", 32, a_layout=layout) for layout in layouts[1:]]
    result += [product("bf16", 72, b_layout=layout) for layout in layouts[1:]]
    result += [product("f16", 40, ("m", 128), ("m", 64)),
               product("f16", 96, ("m", 32), ("k", 0)),
               product("f16", 16, ("k", 64), ("m", 0)),
               product("tf32", 16), product("tf32", 64, ("k", 64), ("k", 32)),
               product("tf32", 128, ("k", 0), ("k", 128)),
               product("bf16", 64, ("k", 0), ("m", 128), registers=True),
               product("f16", 48, ("k", 0), ("k", 64), registers=True),
               product("tf32", 24, ("k", 0), ("k", 128), registers=True),
               product("bf16", 64, groups=2, steps=8),
               product("tf32", 32, groups=4)]
    return result
