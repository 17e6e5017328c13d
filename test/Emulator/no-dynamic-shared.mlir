// Dynamic shared memory of which the launch gives none.
// RUN: not egg-opt %s --egg-emulate-kernel -o /dev/null 2>&1 | FileCheck %s
// CHECK: error: out-of-bounds in kernel 'k', block (0, 0, 0), thread (0, 0, 0): reads bytes 0 to 3 of shared memory 'dynamic', which has 0: outside
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>,
    block = array<i64: 32, 1, 1>, arguments = [{buffer = 0 : i64}],
    buffers = [{dtype = "f32", shape = array<i64: 32>, role = "output"}]}} {
  gpu.module @m {
    llvm.mlir.global external @dynamic() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x f32>
    llvm.func @k(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
      %shared = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
      %v = llvm.load %shared : !llvm.ptr<3> -> f32
      llvm.store %v, %out : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}
