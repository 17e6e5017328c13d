// A product of 256x192 by 192x256 in the nvgpu dialect, one warpgroup a tile of
// 128x128: thread 0 loads a stage with TMA, all multiply it and wait, and it is
// loaded again.
!a = !nvgpu.tensormap.descriptor<tensor = memref<128x64xbf16, #gpu.address_space<workgroup>>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!b = !nvgpu.tensormap.descriptor<tensor = memref<64x64xbf16, #gpu.address_space<workgroup>>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!bar = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
!acc = !nvgpu.warpgroup.accumulator<fragmented = vector<128x128xf32>>
!da = !nvgpu.warpgroup.descriptor<tensor = memref<128x64xbf16, #gpu.address_space<workgroup>>>
!db = !nvgpu.warpgroup.descriptor<tensor = memref<64x128xbf16, #gpu.address_space<workgroup>>>
module attributes {egg.emulate = {
    kernel = "k", grid = array<i64: 2, 2, 1>, block = array<i64: 128, 1, 1>,
    buffers = [{dtype = "bf16", shape = array<i64: 256, 192>, fill = "random"},
               {dtype = "bf16", shape = array<i64: 192, 256>, fill = "random"},
               {dtype = "f32", shape = array<i64: 256, 256>, role = "output"}],
    arguments = [
      {map_of = 0 : i64, dims = array<i64: 192, 256>, strides = array<i64: 384>, box = array<i64: 64, 128>, swizzle = 128 : i64},
      {map_of = 1 : i64, dims = array<i64: 256, 192>, strides = array<i64: 512>, box = array<i64: 64, 64>, swizzle = 128 : i64},
      {buffer = 2 : i64}]}} {
  gpu.module @m {
    memref.global "private" @tiles : memref<32768xi8, #gpu.address_space<workgroup>> {alignment = 1024 : i64}
    gpu.func @k(%pa: !llvm.ptr, %pb: !llvm.ptr, %c: memref<256x256xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %ta = builtin.unrealized_conversion_cast %pa : !llvm.ptr to !a
      %tb = builtin.unrealized_conversion_cast %pb : !llvm.ptr to !b
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c64 = arith.constant 64 : index
      %c128 = arith.constant 128 : index
      %bytes = arith.constant 32768 : index
      %limit = arith.constant 10000000 : index
      %startB = arith.constant 16384 : index
      %startB1 = arith.constant 24576 : index
      %false = arith.constant false
      %true = arith.constant true
      %t = gpu.thread_id x
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %m = arith.muli %bx, %c128 : index
      %n = arith.muli %by, %c128 : index
      %n1 = arith.addi %n, %c64 : index
      %lead = arith.cmpi eq, %t, %c0 : index
      %arrives = arith.cmpi eq, %t, %c64 : index
      %tiles = memref.get_global @tiles : memref<32768xi8, #gpu.address_space<workgroup>>
      %sa = memref.view %tiles[%c0][] : memref<32768xi8, #gpu.address_space<workgroup>> to memref<128x64xbf16, #gpu.address_space<workgroup>>
      %sb = memref.view %tiles[%startB][] : memref<32768xi8, #gpu.address_space<workgroup>> to memref<64x128xbf16, #gpu.address_space<workgroup>>
      %sb0 = memref.view %tiles[%startB][] : memref<32768xi8, #gpu.address_space<workgroup>> to memref<64x64xbf16, #gpu.address_space<workgroup>>
      %sb1 = memref.view %tiles[%startB1][] : memref<32768xi8, #gpu.address_space<workgroup>> to memref<64x64xbf16, #gpu.address_space<workgroup>>
      %full = nvgpu.mbarrier.create -> !bar
      %empty = nvgpu.mbarrier.create -> !bar
      scf.if %lead {
        nvgpu.mbarrier.init %full[%c0], %c1 : !bar
        nvgpu.mbarrier.init %empty[%c0], %c1 : !bar
        nvvm.fence.mbarrier.init
      }
      gpu.barrier
      %zero = nvgpu.warpgroup.mma.init.accumulator -> !acc
      %sum, %last = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %zero, %odd = %false) -> (!acc, i1) {
        scf.if %lead {
          %k = arith.muli %i, %c64 : index
          nvgpu.mbarrier.arrive.expect_tx %full[%c0], %bytes : !bar
          nvgpu.tma.async.load %ta[%k, %m], %full[%c0] to %sa : !a, !bar -> memref<128x64xbf16, #gpu.address_space<workgroup>>
          nvgpu.tma.async.load %tb[%n, %k], %full[%c0] to %sb0 : !b, !bar -> memref<64x64xbf16, #gpu.address_space<workgroup>>
          nvgpu.tma.async.load %tb[%n1, %k], %full[%c0] to %sb1 : !b, !bar -> memref<64x64xbf16, #gpu.address_space<workgroup>>
        }
        nvgpu.mbarrier.try_wait.parity %full[%c0], %odd, %limit : !bar
        %da = nvgpu.warpgroup.generate.descriptor %sa, %ta : memref<128x64xbf16, #gpu.address_space<workgroup>>, !a -> !da
        %db = nvgpu.warpgroup.generate.descriptor %sb, %tb : memref<64x128xbf16, #gpu.address_space<workgroup>>, !b -> !db
        %next = nvgpu.warpgroup.mma %da, %db, %acc {transposeB, waitGroup = 0 : i64} : !da, !db, !acc -> !acc
        // Before thread 0 loads the next tiles over these.
        gpu.barrier
        %next_odd = arith.xori %odd, %true : i1
        scf.yield %next, %next_odd : !acc, i1
      }
      %out = memref.subview %c[%m, %n] [128, 128] [1, 1] : memref<256x256xf32> to memref<128x128xf32, strided<[256, 1], offset: ?>>
      nvgpu.warpgroup.mma.store %sum, %out : !acc to memref<128x128xf32, strided<[256, 1], offset: ?>>
      gpu.return
    }
  }
}
