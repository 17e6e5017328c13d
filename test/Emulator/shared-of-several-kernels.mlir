// RUN: egg-opt %s --egg-emulate-kernel -o /dev/null

// Each kernel has less than the 49152 bytes of static shared memory that a block
// may have; together they have more.
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
  gpu.module @m {
    llvm.mlir.global internal @x() {addr_space = 3 : i32} : !llvm.array<30000 x i8>
    llvm.mlir.global internal @y() {addr_space = 3 : i32} : !llvm.array<30000 x i8>
    llvm.func @k() attributes {nvvm.kernel} {
      llvm.return
    }
    llvm.func @other() attributes {nvvm.kernel} {
      llvm.return
    }
  }
}
