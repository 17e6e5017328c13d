# Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Text of kernels in the LLVM, NVVM, arith and scf dialects, op by op."""

import contextlib

GLOBAL, SHARED, CLUSTER = "!llvm.ptr<1>", "!llvm.ptr<3>", "!llvm.ptr<7>"
GENERIC = "!llvm.ptr"


class Code:
    """The body of a kernel; every method that makes a value returns its name.
    Arithmetic is on i32."""

    def __init__(self):
        self.lines, self.count, self.shared = [], 0, []
        self.constants = {}

    def do(self, text):
        self.lines.append(f"      {text}")

    def op(self, text):
        self.count += 1
        self.do(f"%{self.count} = {text}")
        return f"%{self.count}"

    def i32(self, value):
        return self.op(f"llvm.mlir.constant({value} : i32) : i32")

    def i64(self, value):
        return self.op(f"llvm.mlir.constant({value} : i64) : i64")

    def number(self, value):
        return self.i32(value) if isinstance(value, int) else value

    def binary(self, name, left, right):
        left, right = self.number(left), self.number(right)
        return self.op(f"arith.{name} {left}, {right} : i32")

    def add(self, left, right):
        return self.binary("addi", left, right)

    def mul(self, left, right):
        return self.binary("muli", left, right)

    def div(self, left, right):
        return self.binary("divui", left, right)

    def rem(self, left, right):
        return self.binary("remui", left, right)

    def xor(self, left, right):
        return self.binary("xori", left, right)

    def compare(self, how, left, right):
        return self.binary(f"cmpi {how},", left, right)

    def special(self, name):
        return self.op(f"nvvm.read.ptx.sreg.{name} : i32")

    def pointer(self, base, index, element, space=GLOBAL):
        return self.op(f"llvm.getelementptr {base}[{self.number(index)}] : "
                       f"({space}, i32) -> {space}, {element}")

    def load(self, base, index, element, space=GLOBAL, kind=None):
        """Loads element `index`; `kind` is what to load from there, if another
        type than the element."""
        where = self.pointer(base, index, element, space)
        return self.op(f"llvm.load {where} : {space} -> {kind or element}")

    def store(self, value, base, index, element, space=GLOBAL, kind=None):
        where = self.pointer(base, index, element, space)
        self.do(f"llvm.store {value}, {where} : {kind or element}, {space}")

    def variable(self, name, count, element, alignment=16):
        """The address of a static variable in shared memory."""
        self.shared.append(
            f"    llvm.mlir.global internal @{name}() {{addr_space = 3 : i32, "
            f"alignment = {alignment} : i64}} : "
            f"!llvm.array<{count} x {element}>")
        return self.op(f"llvm.mlir.addressof @{name} : {SHARED}")

    def dynamic(self, alignment=1024):
        """The address of dynamic shared memory."""
        self.shared.append(
            "    llvm.mlir.global external @dyn() {addr_space = 3 : i32, "
            f"alignment = {alignment} : i64}} : !llvm.array<0 x i8>")
        return self.op(f"llvm.mlir.addressof @dyn : {SHARED}")

    @contextlib.contextmanager
    def when(self, condition):
        self.do(f"scf.if {condition} {{")
        yield
        self.do("}")

    @contextlib.contextmanager
    def repeat(self, first, end, step=1):
        """Yields the index of an scf.for."""
        first, end, step = map(self.number, (first, end, step))
        self.count += 1
        index = f"%{self.count}"
        self.do(f"scf.for {index} = {first} to {end} step {step} : i32 {{")
        yield index
        self.do("}")

    def barrier(self):
        self.do("nvvm.barrier0")

    def kernel(self, arguments, block, extra=""):
        """The gpu.module; arguments are (name, type) pairs."""
        listed = ", ".join(f"%{name}: {kind}" for name, kind in arguments)
        return "\n".join([
            "  gpu.module @m {", *self.shared,
            f"    llvm.func @k({listed}) attributes {{nvvm.kernel, "
            f"nvvm.reqntid = array<i32: {block}, 1, 1>{extra}}} {{",
            *self.lines, "      llvm.return", "    }", "  }"])


def ready_barrier(code, threads_arriving=1):
    """An mbarrier in shared memory that thread 0 has set up. Returns its
    address and the thread's number."""
    thread = code.special("tid.x")
    full = code.variable("full", 1, "i64", 8)
    with code.when(code.compare("eq", thread, 0)):
        code.do(f"nvvm.mbarrier.init {full}, {code.i32(threads_arriving)} : "
                f"{SHARED}, i32")
        code.do("nvvm.fence.mbarrier.init")
    code.barrier()
    return full, thread


def wait(code, barrier, parity=0):
    code.do(f"nvvm.mbarrier.try_wait.parity {barrier}, {code.number(parity)}, "
            f"{code.i32(10000000)} : {SHARED}, i32, i32")
