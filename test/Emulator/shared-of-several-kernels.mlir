// RUN: not egg-opt %s --split-input-file --egg-emulate-kernel -o /dev/null 2>&1 | FileCheck %s

// A block has the shared memory that its own kernel names, directly or through
// what it calls: 30000 bytes of at most 49152 here, though the module has more
// than any chip. @both lies behind @x in @k and behind @y in @other, at one offset.
// CHECK: remark: buffer 1 [7, 9]
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
    buffers = [{dtype = "i32", shape = array<i64: 1>, fill = "ones"},
               {dtype = "i32", shape = array<i64: 2>, role = "output"}],
    arguments = [{buffer = 1 : i64}]}} {
  gpu.module @m {
    llvm.mlir.global internal @x() {addr_space = 3 : i32} : !llvm.array<7500 x i32>
    llvm.mlir.global internal @y() {addr_space = 3 : i32} : !llvm.array<12000 x i32>
    llvm.mlir.global internal @z() {addr_space = 3 : i32} : !llvm.array<48000 x i32>
    llvm.mlir.global internal @both() {addr_space = 3 : i32} : i32
    llvm.func internal @keep(%value: i32) {
      %both = llvm.mlir.addressof @both : !llvm.ptr<3>
      llvm.store %value, %both : i32, !llvm.ptr<3>
      llvm.return
    }
    llvm.func @k(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
      %7 = llvm.mlir.constant(7 : i32) : i32
      %9 = llvm.mlir.constant(9 : i32) : i32
      %x = llvm.mlir.addressof @x : !llvm.ptr<3>
      %both = llvm.mlir.addressof @both : !llvm.ptr<3>
      %last = llvm.getelementptr %x[7499] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
      llvm.store %7, %last : i32, !llvm.ptr<3>
      llvm.call @keep(%9) : (i32) -> ()
      %a = llvm.load %last : !llvm.ptr<3> -> i32
      %b = llvm.load %both : !llvm.ptr<3> -> i32
      %next = llvm.getelementptr %out[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
      llvm.store %a, %out : i32, !llvm.ptr<1>
      llvm.store %b, %next : i32, !llvm.ptr<1>
      llvm.return
    }
    llvm.func @other() attributes {nvvm.kernel} {
      %1 = llvm.mlir.constant(1 : i32) : i32
      %y = llvm.mlir.addressof @y : !llvm.ptr<3>
      llvm.store %1, %y : i32, !llvm.ptr<3>
      llvm.call @keep(%1) : (i32) -> ()
      llvm.return
    }
    llvm.func @largest() attributes {nvvm.kernel} {
      %1 = llvm.mlir.constant(1 : i32) : i32
      %z = llvm.mlir.addressof @z : !llvm.ptr<3>
      llvm.store %1, %z : i32, !llvm.ptr<3>
      llvm.return
    }
  }
}

// -----

// What another kernel has at the same place is not what this one reads.
// CHECK: reads element 0 of shared memory, which nothing has written
module attributes {egg.emulate = {kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>}} {
  gpu.module @m {
    llvm.mlir.global internal @others() {addr_space = 3 : i32} : !llvm.array<4 x i32>
    llvm.mlir.global internal @mine() {addr_space = 3 : i32} : !llvm.array<4 x i32>
    llvm.func @other() attributes {nvvm.kernel} {
      %1 = llvm.mlir.constant(1 : i32) : i32
      %others = llvm.mlir.addressof @others : !llvm.ptr<3>
      llvm.store %1, %others : i32, !llvm.ptr<3>
      llvm.return
    }
    llvm.func @k() attributes {nvvm.kernel} {
      %mine = llvm.mlir.addressof @mine : !llvm.ptr<3>
      %a = llvm.load %mine : !llvm.ptr<3> -> i32
      llvm.return
    }
  }
}
