// RUN: egg-opt %s --egg-emulate-kernel -o /dev/null 2>&1 | FileCheck %s

// What may be fused is fused, as on the GPU, and rounded once: the squares of
// numbers just above one, less one.
// CHECK: buffer 0 [0.000488341, 0.005867, 0.005867, 0.0473633]
module attributes {egg.emulate = {
    kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
    buffers = [{dtype = "f32", shape = array<i64: 4>, role = "output"}],
    arguments = [{buffer = 0 : i64}]}} {
  gpu.module @m {
    llvm.func @k(%y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 1, 1, 1>} {
      %x = llvm.mlir.constant(1.000244140625 : f32) : f32
      %minus = llvm.mlir.constant(-1.0 : f32) : f32
      %single = llvm.intr.fmuladd(%x, %x, %minus) : (f32, f32, f32) -> f32
      llvm.store %single, %y : f32, !llvm.ptr<1>

      %xs = llvm.mlir.constant(dense<1.0029296875> : vector<2xf16>) : vector<2xf16>
      %minuses = llvm.mlir.constant(dense<-1.0> : vector<2xf16>) : vector<2xf16>
      %halves = llvm.intr.fmuladd(%xs, %xs, %minuses) : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> vector<2xf16>
      %wide = llvm.fpext %halves : vector<2xf16> to vector<2xf32>
      %y1 = llvm.getelementptr %y[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      llvm.store %wide, %y1 {alignment = 4 : i64} : vector<2xf32>, !llvm.ptr<1>

      %b = llvm.mlir.constant(1.0234375 : bf16) : bf16
      %minusB = llvm.mlir.constant(-1.0 : bf16) : bf16
      %brain = llvm.intr.fma(%b, %b, %minusB) : (bf16, bf16, bf16) -> bf16
      %wideB = llvm.fpext %brain : bf16 to f32
      %y3 = llvm.getelementptr %y[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
      llvm.store %wideB, %y3 : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}
