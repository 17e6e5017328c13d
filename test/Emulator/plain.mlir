// RUN: egg-opt %s --egg-emulate-kernel=elements=40 -o /dev/null 2>&1 | FileCheck %s

// Two warps of a block reverse their halves through shared memory with named
// barriers of one warp each; each lane adds what votes, shuffles and reductions
// of its warp say.

// CHECK: buffer 1 [31, 30, 29, 28,
// CHECK-SAME: 1, 0, 63, 62, 61,
// The even lanes of a warp by ballot, its sum by reduction, and the lane that
// shuffles hand on.
// CHECK: buffer 2 [1431655765, 496, 1, 1431655765, 496, 2,
module attributes {egg.emulate = {
    kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 64, 1, 1>,
    buffers = [{dtype = "f32", shape = array<i64: 64>, fill = "iota"},
               {dtype = "f32", shape = array<i64: 64>, role = "output"},
               {dtype = "i32", shape = array<i64: 64, 3>, role = "output"}],
    arguments = [{buffer = 0 : i64}, {buffer = 1 : i64}, {buffer = 2 : i64}]}} {
  gpu.module @m {
    llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x f32>
    llvm.func @k(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %z: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
      %all = llvm.mlir.constant(-1 : i32) : i32
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      %c3 = llvm.mlir.constant(3 : i32) : i32
      %c31 = llvm.mlir.constant(31 : i32) : i32
      %c32 = llvm.mlir.constant(32 : i32) : i32
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %lane = nvvm.read.ptx.sreg.laneid : i32
      %warp = nvvm.read.ptx.sreg.warpid : i32
      %px = llvm.getelementptr %x[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %v = llvm.load %px : !llvm.ptr<1> -> f32
      %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
      %mine = llvm.getelementptr %tile[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
      llvm.store %v, %mine : f32, !llvm.ptr<3>
      %id = llvm.add %warp, %c1 : i32
      nvvm.barrier id = %id number_of_threads = %c32
      %mirror = llvm.xor %t, %c31 : i32
      %theirs = llvm.getelementptr %tile[%mirror] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
      %w = llvm.load %theirs : !llvm.ptr<3> -> f32
      %py = llvm.getelementptr %y[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      llvm.store %w, %py : f32, !llvm.ptr<1>

      %low = llvm.and %lane, %c1 : i32
      %even = llvm.icmp "eq" %low, %c0 : i32
      %ballot = nvvm.vote.sync ballot %all, %even -> i32
      %sum = nvvm.redux.sync add %lane, %all : i32 -> i32
      %next = nvvm.shfl.sync down %all, %lane, %c1, %c31 : i32 -> i32
      %row = llvm.mul %t, %c3 : i32
      %p0 = llvm.getelementptr %z[%row] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      %p1 = llvm.getelementptr %p0[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
      %p2 = llvm.getelementptr %p0[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
      llvm.store %ballot, %p0 : i32, !llvm.ptr<1>
      llvm.store %sum, %p1 : i32, !llvm.ptr<1>
      llvm.store %next, %p2 : i32, !llvm.ptr<1>
      llvm.return
    }
  }
}
