// RUN: egg-opt %s --split-input-file --egg-emulate-kernel=elements=64 -o /dev/null 2>&1 | FileCheck %s
// RUN: sed 's/box .%zero, %minus/box [%minus, %minus/' %s | not egg-opt --split-input-file --egg-emulate-kernel 2>&1 | FileCheck %s --check-prefix=INNER
// INNER: misaligned-access in kernel 'k', block (0, 0, 0), thread (0, 0, 0): starts a box at an innermost coordinate that is not a multiple of 16 bytes [nvvm.cp.async.bulk.tensor.shared.cluster.global at loc(

// An image of 3 by 4 pixels of 4 channels, loaded once as a box that begins one
// pixel to the left of it, once as 4 pixels for one tap of a convolution
// (im2col): what lies outside reads as zero.

// The first row of the box.
// CHECK: buffer 1 [0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
// CHECK-SAME: 0, 0, 0, 0, 16, 17,
// The pixels -1 to 2 of the first row.
// CHECK-SAME: 42, 43, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
module attributes {egg.emulate = {
    kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 64, 1, 1>,
    buffers = [{dtype = "f32", shape = array<i64: 1, 3, 4, 4>, fill = "iota"},
               {dtype = "f32", shape = array<i64: 64>, role = "output"}],
    arguments = [
      {map_of = 0 : i64, dims = array<i64: 4, 4, 3, 1>, strides = array<i64: 16, 64, 192>, box = array<i64: 4, 4, 3, 1>},
      {map_of = 0 : i64, dims = array<i64: 4, 4, 3, 1>, strides = array<i64: 16, 64, 192>,
       lower_corner = array<i64: -1, -1>, upper_corner = array<i64: -1, -1>, channels = 4 : i64, pixels = 4 : i64},
      {buffer = 1 : i64}]}} {
  gpu.module @m {
    llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<48 x f32>
    llvm.mlir.global internal @column() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<16 x f32>
    llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
    llvm.func @k(%box: !llvm.ptr, %taps: !llvm.ptr, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
      %zero16 = llvm.mlir.constant(0 : i16) : i16
      %one16 = llvm.mlir.constant(1 : i16) : i16
      %minus = llvm.mlir.constant(-1 : i32) : i32
      %zero = llvm.mlir.constant(0 : i32) : i32
      %one = llvm.mlir.constant(1 : i32) : i32
      %n48 = llvm.mlir.constant(48 : i32) : i32
      %bytes = llvm.mlir.constant(256 : i32) : i32
      %i = nvvm.read.ptx.sreg.tid.x : i32
      %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
      %column = llvm.mlir.addressof @column : !llvm.ptr<3>
      %bar = llvm.mlir.addressof @full : !llvm.ptr<3>
      %lead = llvm.icmp "eq" %i, %zero : i32
      llvm.cond_br %lead, ^init, ^ready
    ^init:
      nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
      llvm.br ^ready
    ^ready:
      nvvm.barrier0
      llvm.cond_br %lead, ^load, ^wait
    ^load:
      nvvm.mbarrier.arrive.expect_tx %bar, %bytes : !llvm.ptr<3>, i32
      %tile7 = llvm.addrspacecast %tile : !llvm.ptr<3> to !llvm.ptr<7>
      %column7 = llvm.addrspacecast %column : !llvm.ptr<3> to !llvm.ptr<7>
      nvvm.cp.async.bulk.tensor.shared.cluster.global %tile7, %box, %bar, box [%zero, %minus, %zero, %zero] : !llvm.ptr<7>, !llvm.ptr
      nvvm.cp.async.bulk.tensor.shared.cluster.global %column7, %taps, %bar, box [%zero, %minus, %minus, %zero] im2col [%zero16, %one16] {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr<7>, !llvm.ptr
      llvm.br ^wait
    ^wait:
      nvvm.mbarrier.try_wait.parity %bar, %zero, %bytes : !llvm.ptr<3>, i32, i32
      %inTile = llvm.icmp "ult" %i, %n48 : i32
      llvm.cond_br %inTile, ^fromTile, ^fromColumn
    ^fromTile:
      %a = llvm.getelementptr %tile[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
      %u = llvm.load %a : !llvm.ptr<3> -> f32
      llvm.br ^store(%u : f32)
    ^fromColumn:
      %j = llvm.sub %i, %n48 : i32
      %b = llvm.getelementptr %column[%j] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
      %v = llvm.load %b : !llvm.ptr<3> -> f32
      llvm.br ^store(%v : f32)
    ^store(%w: f32):
      %out = llvm.getelementptr %y[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      llvm.store %w, %out : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}

// -----

// Block 0 of a cluster loads for both.
// CHECK: buffer 1 [0, 1, 2, 3, 0, 1, 2, 3]
module attributes {egg.emulate = {
    kernel = "k", grid = array<i64: 2, 1, 1>, block = array<i64: 4, 1, 1>,
    buffers = [{dtype = "f32", shape = array<i64: 4>, fill = "iota"},
               {dtype = "f32", shape = array<i64: 8>, role = "output"}],
    arguments = [{map_of = 0 : i64, dims = array<i64: 4>, strides = array<i64>, box = array<i64: 4>},
                 {buffer = 1 : i64}]}} {
  gpu.module @m {
    llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<4 x f32>
    llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
    llvm.func @k(%map: !llvm.ptr, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 4, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
      %both = llvm.mlir.constant(3 : i16) : i16
      %zero = llvm.mlir.constant(0 : i32) : i32
      %one = llvm.mlir.constant(1 : i32) : i32
      %n4 = llvm.mlir.constant(4 : i32) : i32
      %bytes = llvm.mlir.constant(16 : i32) : i32
      %i = nvvm.read.ptx.sreg.tid.x : i32
      %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
      %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
      %bar = llvm.mlir.addressof @full : !llvm.ptr<3>
      %lead = llvm.icmp "eq" %i, %zero : i32
      %first = llvm.icmp "eq" %rank, %zero : i32
      %loads = llvm.and %lead, %first : i1
      llvm.cond_br %lead, ^init, ^ready
    ^init:
      nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
      nvvm.mbarrier.arrive.expect_tx %bar, %bytes : !llvm.ptr<3>, i32
      llvm.br ^ready
    ^ready:
      nvvm.cluster.arrive {aligned}
      nvvm.cluster.wait {aligned}
      llvm.cond_br %loads, ^load, ^wait
    ^load:
      %far = llvm.addrspacecast %tile : !llvm.ptr<3> to !llvm.ptr<7>
      nvvm.cp.async.bulk.tensor.shared.cluster.global %far, %map, %bar, box [%zero] multicast_mask = %both : !llvm.ptr<7>, !llvm.ptr
      llvm.br ^wait
    ^wait:
      nvvm.mbarrier.try_wait.parity %bar, %zero, %bytes : !llvm.ptr<3>, i32, i32
      %a = llvm.getelementptr %tile[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
      %v = llvm.load %a : !llvm.ptr<3> -> f32
      %start = llvm.mul %rank, %n4 : i32
      %at = llvm.add %start, %i : i32
      %out = llvm.getelementptr %y[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      llvm.store %v, %out : f32, !llvm.ptr<1>
      nvvm.cluster.arrive {aligned}
      nvvm.cluster.wait {aligned}
      llvm.return
    }
  }
}

// -----

// Loads of tf32 round to its ten bits, ties to even.
// CHECK: buffer 1 [2048, 2048, 2050, 2052]
module attributes {egg.emulate = {
    kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 1, 1, 1>,
    buffers = [{dtype = "f32", shape = array<i64: 2052>, fill = "iota"},
               {dtype = "f32", shape = array<i64: 4>, role = "output"}],
    arguments = [{map_of = 0 : i64, dtype = "tf32", dims = array<i64: 2052>, strides = array<i64>, box = array<i64: 4>},
                 {buffer = 1 : i64}]}} {
  gpu.module @m {
    llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<4 x f32>
    llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
    llvm.func @k(%map: !llvm.ptr, %y: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 1, 1, 1>} {
      %zero = llvm.mlir.constant(0 : i32) : i32
      %one = llvm.mlir.constant(1 : i32) : i32
      %start = llvm.mlir.constant(2048 : i32) : i32
      %bytes = llvm.mlir.constant(16 : i32) : i32
      %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
      %bar = llvm.mlir.addressof @full : !llvm.ptr<3>
      nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
      nvvm.mbarrier.arrive.expect_tx %bar, %bytes : !llvm.ptr<3>, i32
      %far = llvm.addrspacecast %tile : !llvm.ptr<3> to !llvm.ptr<7>
      nvvm.cp.async.bulk.tensor.shared.cluster.global %far, %map, %bar, box [%start] : !llvm.ptr<7>, !llvm.ptr
      nvvm.mbarrier.try_wait.parity %bar, %zero, %bytes : !llvm.ptr<3>, i32, i32
      %v = llvm.load %tile : !llvm.ptr<3> -> vector<4xf32>
      llvm.store %v, %y : vector<4xf32>, !llvm.ptr<1>
      llvm.return
    }
  }
}
