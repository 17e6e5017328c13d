// A persistent product of 64x192 by 192x128 in tiles of 64x64: a producer warp
// loads with TMA into a ring of two stages, a warpgroup multiplies with one
// group in flight, and results leave through shared memory and a TMA store.
!acc = !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
module attributes {egg.emulate = {
    kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 160, 1, 1>,
    dynamic_shared_memory = 41216 : i64,
    buffers = [
      {dtype = "bf16", shape = array<i64: 64, 192>},
      {dtype = "bf16", shape = array<i64: 192, 128>},
      {dtype = "bf16", shape = array<i64: 64, 128>, role = "output"}],
    arguments = [
      {map_of = 0 : i64, dims = array<i64: 192, 64>, strides = array<i64: 384>, box = array<i64: 64, 64>, swizzle = 128 : i64},
      {map_of = 1 : i64, dims = array<i64: 64, 192, 2>, strides = array<i64: 256, 128>, box = array<i64: 64, 64, 1>, swizzle = 128 : i64},
      {map_of = 2 : i64, dims = array<i64: 128, 64>, strides = array<i64: 256>, box = array<i64: 64, 64>, swizzle = 128 : i64},
      {buffer = 2 : i64}]}} {
  gpu.module @m {
    llvm.mlir.global external @dyn() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
    llvm.func @k(%arg0: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}, %arg1: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}, %arg2: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}, %arg3: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 160, 1, 1>, nvvm.minctasm = 1 : i32} {
      %c6_i32 = arith.constant 6 : i32
      %c7_i32 = arith.constant 7 : i32
      %c15_i32 = arith.constant 15 : i32
      %c16_i32 = arith.constant 16 : i32
      %c32768_i32 = arith.constant 32768 : i32
      %c384_i64 = arith.constant 384 : i64
      %c6_i64 = arith.constant 6 : i64
      %c256_i64 = arith.constant 256 : i64
      %c4_i64 = arith.constant 4 : i64
      %c128_i64 = arith.constant 128 : i64
      %c2_i64 = arith.constant 2 : i64
      %c16383_i32 = arith.constant 16383 : i32
      %c4_i32 = arith.constant 4 : i32
      %0 = llvm.mlir.undef : !acc
      %1 = llvm.mlir.constant(0.000000e+00 : f32) : f32
      %c4611686293338849280_i64 = arith.constant 4611686293338849280 : i64
      %c4611686293305360384_i64 = arith.constant 4611686293305360384 : i64
      %c5_i32 = arith.constant 5 : i32
      %c127_i32 = arith.constant 127 : i32
      %c8192_i32 = arith.constant 8192 : i32
      %c16384_i32 = arith.constant 16384 : i32
      %c3_i32 = arith.constant 3 : i32
      %c64_i32 = arith.constant 64 : i32
      %c2_i32 = arith.constant 2 : i32
      %c10000000_i32 = arith.constant 10000000 : i32
      %c40976_i32 = arith.constant 40976 : i32
      %c1_i32 = arith.constant 1 : i32
      %c8_i32 = arith.constant 8 : i32
      %c40960_i32 = arith.constant 40960 : i32
      %c31_i32 = arith.constant 31 : i32
      %c0_i32 = arith.constant 0 : i32
      %c-1_i32 = arith.constant -1 : i32
      %c128_i32 = arith.constant 128 : i32
      %2 = llvm.mlir.addressof @dyn : !llvm.ptr<3>
      %3 = nvvm.read.ptx.sreg.tid.x : i32
      %4 = nvvm.read.ptx.sreg.ctaid.x : i32
      %5 = nvvm.read.ptx.sreg.nctaid.x : i32
      %6 = arith.divui %3, %c128_i32 : i32
      %7 = nvvm.shfl.sync  idx %c-1_i32, %6, %c0_i32, %c31_i32 : i32 -> i32
      %8 = arith.cmpi eq, %3, %c0_i32 : i32
      scf.if %8 {
        nvvm.prefetch tensormap, %arg0 : !llvm.ptr
        nvvm.prefetch tensormap, %arg1 : !llvm.ptr
        %10 = llvm.getelementptr %2[40960] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
        nvvm.mbarrier.init %10, %c1_i32 : !llvm.ptr<3>, i32
        %11 = llvm.getelementptr %2[40976] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
        nvvm.mbarrier.init %11, %c1_i32 : !llvm.ptr<3>, i32
        %12 = llvm.getelementptr %2[40968] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
        nvvm.mbarrier.init %12, %c1_i32 : !llvm.ptr<3>, i32
        %13 = llvm.getelementptr %2[40984] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
        nvvm.mbarrier.init %13, %c1_i32 : !llvm.ptr<3>, i32
        nvvm.fence.mbarrier.init
      }
      nvvm.barrier0
      %9 = arith.cmpi eq, %7, %c1_i32 : i32
      scf.if %9 {
        %10 = arith.cmpi eq, %3, %c128_i32 : i32
        scf.if %10 {
          %11:2 = scf.for %arg4 = %4 to %c2_i32 step %5 iter_args(%arg5 = %c0_i32, %arg6 = %c1_i32) -> (i32, i32)  : i32 {
            %12 = arith.divui %arg4, %c2_i32 : i32
            %13 = arith.remui %arg4, %c2_i32 : i32
            %14 = arith.muli %12, %c64_i32 : i32
            %15:2 = scf.for %arg7 = %c0_i32 to %c3_i32 step %c1_i32 iter_args(%arg8 = %arg5, %arg9 = %arg6) -> (i32, i32)  : i32 {
              %16 = arith.muli %arg8, %c8_i32 : i32
              %17 = arith.addi %16, %c40976_i32 : i32
              %18 = llvm.getelementptr %2[%17] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
              nvvm.mbarrier.try_wait.parity %18, %arg9, %c10000000_i32 : !llvm.ptr<3>, i32, i32
              %19 = arith.addi %16, %c40960_i32 : i32
              %20 = llvm.getelementptr %2[%19] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
              %21 = arith.muli %arg8, %c16384_i32 : i32
              %22 = arith.muli %arg7, %c64_i32 : i32
              nvvm.mbarrier.arrive.expect_tx %20, %c16384_i32 : !llvm.ptr<3>, i32
              %23 = llvm.getelementptr %2[%21] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
              %24 = llvm.addrspacecast %23 : !llvm.ptr<3> to !llvm.ptr<7>
              nvvm.cp.async.bulk.tensor.shared.cluster.global %24, %arg0, %20, box[%22, %14] : !llvm.ptr<7>, !llvm.ptr
              %25 = arith.addi %21, %c8192_i32 : i32
              %26 = llvm.getelementptr %2[%25] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
              %27 = llvm.addrspacecast %26 : !llvm.ptr<3> to !llvm.ptr<7>
              nvvm.cp.async.bulk.tensor.shared.cluster.global %27, %arg1, %20, box[%c0_i32, %22, %13] : !llvm.ptr<7>, !llvm.ptr
              %28 = arith.cmpi eq, %arg8, %c1_i32 : i32
              %29 = arith.addi %arg8, %c1_i32 : i32
              %30 = arith.select %28, %c0_i32, %29 : i32
              %31 = arith.xori %arg9, %c1_i32 : i32
              %32 = arith.select %28, %31, %arg9 : i32
              scf.yield %30, %32 : i32, i32
            }
            scf.yield %15#0, %15#1 : i32, i32
          }
        }
      } else {
        %10 = arith.andi %3, %c127_i32 : i32
        %11 = arith.shrui %10, %c5_i32 : i32
        %12 = arith.andi %10, %c31_i32 : i32
        %13 = llvm.ptrtoint %2 : !llvm.ptr<3> to i32
        %14 = arith.muli %7, %c8192_i32 : i32
        %15 = llvm.insertvalue %1, %0[0] : !acc 
        %16 = llvm.insertvalue %1, %15[1] : !acc 
        %17 = llvm.insertvalue %1, %16[2] : !acc 
        %18 = llvm.insertvalue %1, %17[3] : !acc 
        %19 = llvm.insertvalue %1, %18[4] : !acc 
        %20 = llvm.insertvalue %1, %19[5] : !acc 
        %21 = llvm.insertvalue %1, %20[6] : !acc 
        %22 = llvm.insertvalue %1, %21[7] : !acc 
        %23 = llvm.insertvalue %1, %22[8] : !acc 
        %24 = llvm.insertvalue %1, %23[9] : !acc 
        %25 = llvm.insertvalue %1, %24[10] : !acc 
        %26 = llvm.insertvalue %1, %25[11] : !acc 
        %27 = llvm.insertvalue %1, %26[12] : !acc 
        %28 = llvm.insertvalue %1, %27[13] : !acc 
        %29 = llvm.insertvalue %1, %28[14] : !acc 
        %30 = llvm.insertvalue %1, %29[15] : !acc 
        %31 = llvm.insertvalue %1, %30[16] : !acc 
        %32 = llvm.insertvalue %1, %31[17] : !acc 
        %33 = llvm.insertvalue %1, %32[18] : !acc 
        %34 = llvm.insertvalue %1, %33[19] : !acc 
        %35 = llvm.insertvalue %1, %34[20] : !acc 
        %36 = llvm.insertvalue %1, %35[21] : !acc 
        %37 = llvm.insertvalue %1, %36[22] : !acc 
        %38 = llvm.insertvalue %1, %37[23] : !acc 
        %39 = llvm.insertvalue %1, %38[24] : !acc 
        %40 = llvm.insertvalue %1, %39[25] : !acc 
        %41 = llvm.insertvalue %1, %40[26] : !acc 
        %42 = llvm.insertvalue %1, %41[27] : !acc 
        %43 = llvm.insertvalue %1, %42[28] : !acc 
        %44 = llvm.insertvalue %1, %43[29] : !acc 
        %45 = llvm.insertvalue %1, %44[30] : !acc 
        %46 = llvm.insertvalue %1, %45[31] : !acc 
        %47 = arith.cmpi eq, %10, %c0_i32 : i32
        %48:2 = scf.for %arg4 = %4 to %c2_i32 step %5 iter_args(%arg5 = %c0_i32, %arg6 = %c0_i32) -> (i32, i32)  : i32 {
          %49 = arith.divui %arg4, %c2_i32 : i32
          %50 = arith.remui %arg4, %c2_i32 : i32
          %51 = arith.muli %49, %c64_i32 : i32
          %52 = arith.muli %50, %c64_i32 : i32
          %53 = arith.muli %arg5, %c8_i32 : i32
          %54 = arith.addi %53, %c40960_i32 : i32
          %55 = llvm.getelementptr %2[%54] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
          nvvm.mbarrier.try_wait.parity %55, %arg6, %c10000000_i32 : !llvm.ptr<3>, i32, i32
          %56 = arith.muli %arg5, %c16384_i32 : i32
          %57 = arith.addi %13, %56 : i32
          %58 = arith.addi %57, %14 : i32
          %59 = arith.shrui %58, %c4_i32 : i32
          %60 = arith.andi %59, %c16383_i32 : i32
          %61 = arith.extui %60 : i32 to i64
          %62 = arith.ori %61, %c4611686293305360384_i64 : i64
          %63 = arith.addi %57, %c8192_i32 : i32
          %64 = arith.shrui %63, %c4_i32 : i32
          %65 = arith.andi %64, %c16383_i32 : i32
          %66 = arith.extui %65 : i32 to i64
          %67 = arith.ori %66, %c4611686293338849280_i64 : i64
          nvvm.wgmma.fence.aligned
          %68 = nvvm.wgmma.mma_async %62, %67, %46, <m = 64, n = 64, k = 16>, D[<f32>, <zero>], A[<bf16>, <one>, <row>], B[<bf16>, <one>, <row>] : !acc -> !acc
          %69 = arith.addi %62, %c2_i64 : i64
          %70 = arith.addi %67, %c128_i64 : i64
          %71 = nvvm.wgmma.mma_async %69, %70, %68, <m = 64, n = 64, k = 16>, D[<f32>, <one>], A[<bf16>, <one>, <row>], B[<bf16>, <one>, <row>] : !acc -> !acc
          %72 = arith.addi %62, %c4_i64 : i64
          %73 = arith.addi %67, %c256_i64 : i64
          %74 = nvvm.wgmma.mma_async %72, %73, %71, <m = 64, n = 64, k = 16>, D[<f32>, <one>], A[<bf16>, <one>, <row>], B[<bf16>, <one>, <row>] : !acc -> !acc
          %75 = arith.addi %62, %c6_i64 : i64
          %76 = arith.addi %67, %c384_i64 : i64
          %77 = nvvm.wgmma.mma_async %75, %76, %74, <m = 64, n = 64, k = 16>, D[<f32>, <one>], A[<bf16>, <one>, <row>], B[<bf16>, <one>, <row>] : !acc -> !acc
          nvvm.wgmma.commit.group.sync.aligned
          %78 = arith.cmpi eq, %arg5, %c1_i32 : i32
          %79 = arith.addi %arg5, %c1_i32 : i32
          %80 = arith.select %78, %c0_i32, %79 : i32
          %81 = arith.xori %arg6, %c1_i32 : i32
          %82 = arith.select %78, %81, %arg6 : i32
          %83:4 = scf.for %arg7 = %c1_i32 to %c3_i32 step %c1_i32 iter_args(%arg8 = %77, %arg9 = %80, %arg10 = %82, %arg11 = %arg5) -> (!acc, i32, i32, i32)  : i32 {
            %198 = arith.muli %arg9, %c8_i32 : i32
            %199 = arith.addi %198, %c40960_i32 : i32
            %200 = llvm.getelementptr %2[%199] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
            nvvm.mbarrier.try_wait.parity %200, %arg10, %c10000000_i32 : !llvm.ptr<3>, i32, i32
            %201 = arith.muli %arg9, %c16384_i32 : i32
            %202 = arith.addi %13, %201 : i32
            %203 = arith.addi %202, %14 : i32
            %204 = arith.shrui %203, %c4_i32 : i32
            %205 = arith.andi %204, %c16383_i32 : i32
            %206 = arith.extui %205 : i32 to i64
            %207 = arith.ori %206, %c4611686293305360384_i64 : i64
            %208 = arith.addi %202, %c8192_i32 : i32
            %209 = arith.shrui %208, %c4_i32 : i32
            %210 = arith.andi %209, %c16383_i32 : i32
            %211 = arith.extui %210 : i32 to i64
            %212 = arith.ori %211, %c4611686293338849280_i64 : i64
            nvvm.wgmma.fence.aligned
            %213 = nvvm.wgmma.mma_async %207, %212, %arg8, <m = 64, n = 64, k = 16>, D[<f32>, <one>], A[<bf16>, <one>, <row>], B[<bf16>, <one>, <row>] : !acc -> !acc
            %214 = arith.addi %207, %c2_i64 : i64
            %215 = arith.addi %212, %c128_i64 : i64
            %216 = nvvm.wgmma.mma_async %214, %215, %213, <m = 64, n = 64, k = 16>, D[<f32>, <one>], A[<bf16>, <one>, <row>], B[<bf16>, <one>, <row>] : !acc -> !acc
            %217 = arith.addi %207, %c4_i64 : i64
            %218 = arith.addi %212, %c256_i64 : i64
            %219 = nvvm.wgmma.mma_async %217, %218, %216, <m = 64, n = 64, k = 16>, D[<f32>, <one>], A[<bf16>, <one>, <row>], B[<bf16>, <one>, <row>] : !acc -> !acc
            %220 = arith.addi %207, %c6_i64 : i64
            %221 = arith.addi %212, %c384_i64 : i64
            %222 = nvvm.wgmma.mma_async %220, %221, %219, <m = 64, n = 64, k = 16>, D[<f32>, <one>], A[<bf16>, <one>, <row>], B[<bf16>, <one>, <row>] : !acc -> !acc
            nvvm.wgmma.commit.group.sync.aligned
            nvvm.wgmma.wait.group.sync.aligned 1
            %223 = arith.muli %arg11, %c8_i32 : i32
            %224 = arith.addi %223, %c40976_i32 : i32
            %225 = llvm.getelementptr %2[%224] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
            scf.if %47 {
              %231 = nvvm.mbarrier.arrive %225 : !llvm.ptr<3> -> i64
            }
            %226 = arith.cmpi eq, %arg9, %c1_i32 : i32
            %227 = arith.addi %arg9, %c1_i32 : i32
            %228 = arith.select %226, %c0_i32, %227 : i32
            %229 = arith.xori %arg10, %c1_i32 : i32
            %230 = arith.select %226, %229, %arg10 : i32
            scf.yield %222, %228, %230, %arg9 : !acc, i32, i32, i32
          }
          nvvm.wgmma.wait.group.sync.aligned 0
          %84 = arith.muli %83#3, %c8_i32 : i32
          %85 = arith.addi %84, %c40976_i32 : i32
          %86 = llvm.getelementptr %2[%85] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
          scf.if %47 {
            %198 = nvvm.mbarrier.arrive %86 : !llvm.ptr<3> -> i64
          }
          %87 = arith.addi %14, %c32768_i32 : i32
          %88 = arith.addi %7, %c1_i32 : i32
          %89 = arith.muli %11, %c16_i32 : i32
          %90 = arith.andi %12, %c15_i32 : i32
          %91 = arith.addi %89, %90 : i32
          %92 = arith.shrui %12, %c4_i32 : i32
          %93 = arith.andi %91, %c7_i32 : i32
          %94 = arith.muli %91, %c128_i32 : i32
          scf.if %47 {
            nvvm.cp.async.bulk.wait_group 0 {read}
          }
          nvvm.barrier id = %88 number_of_threads = %c128_i32
          %95 = llvm.extractvalue %83#0[0] : !acc 
          %96 = llvm.extractvalue %83#0[1] : !acc 
          %97 = vector.from_elements %95, %96 : vector<2xf32>
          %98 = arith.truncf %97 : vector<2xf32> to vector<2xbf16>
          %99 = llvm.extractvalue %83#0[2] : !acc 
          %100 = llvm.extractvalue %83#0[3] : !acc 
          %101 = vector.from_elements %99, %100 : vector<2xf32>
          %102 = arith.truncf %101 : vector<2xf32> to vector<2xbf16>
          %103 = llvm.extractvalue %83#0[4] : !acc 
          %104 = llvm.extractvalue %83#0[5] : !acc 
          %105 = vector.from_elements %103, %104 : vector<2xf32>
          %106 = arith.truncf %105 : vector<2xf32> to vector<2xbf16>
          %107 = llvm.extractvalue %83#0[6] : !acc 
          %108 = llvm.extractvalue %83#0[7] : !acc 
          %109 = vector.from_elements %107, %108 : vector<2xf32>
          %110 = arith.truncf %109 : vector<2xf32> to vector<2xbf16>
          %111 = llvm.bitcast %98 : vector<2xbf16> to i32
          %112 = llvm.bitcast %102 : vector<2xbf16> to i32
          %113 = llvm.bitcast %106 : vector<2xbf16> to i32
          %114 = llvm.bitcast %110 : vector<2xbf16> to i32
          %115 = arith.xori %92, %93 : i32
          %116 = arith.muli %115, %c16_i32 : i32
          %117 = arith.addi %94, %116 : i32
          %118 = arith.addi %87, %117 : i32
          %119 = llvm.getelementptr %2[%118] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
          nvvm.stmatrix %119, %111, %112, %113, %114 {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32, i32, i32, i32
          %120 = llvm.extractvalue %83#0[8] : !acc 
          %121 = llvm.extractvalue %83#0[9] : !acc 
          %122 = vector.from_elements %120, %121 : vector<2xf32>
          %123 = arith.truncf %122 : vector<2xf32> to vector<2xbf16>
          %124 = llvm.extractvalue %83#0[10] : !acc 
          %125 = llvm.extractvalue %83#0[11] : !acc 
          %126 = vector.from_elements %124, %125 : vector<2xf32>
          %127 = arith.truncf %126 : vector<2xf32> to vector<2xbf16>
          %128 = llvm.extractvalue %83#0[12] : !acc 
          %129 = llvm.extractvalue %83#0[13] : !acc 
          %130 = vector.from_elements %128, %129 : vector<2xf32>
          %131 = arith.truncf %130 : vector<2xf32> to vector<2xbf16>
          %132 = llvm.extractvalue %83#0[14] : !acc 
          %133 = llvm.extractvalue %83#0[15] : !acc 
          %134 = vector.from_elements %132, %133 : vector<2xf32>
          %135 = arith.truncf %134 : vector<2xf32> to vector<2xbf16>
          %136 = llvm.bitcast %123 : vector<2xbf16> to i32
          %137 = llvm.bitcast %127 : vector<2xbf16> to i32
          %138 = llvm.bitcast %131 : vector<2xbf16> to i32
          %139 = llvm.bitcast %135 : vector<2xbf16> to i32
          %140 = arith.addi %92, %c2_i32 : i32
          %141 = arith.xori %140, %93 : i32
          %142 = arith.muli %141, %c16_i32 : i32
          %143 = arith.addi %94, %142 : i32
          %144 = arith.addi %87, %143 : i32
          %145 = llvm.getelementptr %2[%144] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
          nvvm.stmatrix %145, %136, %137, %138, %139 {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32, i32, i32, i32
          %146 = llvm.extractvalue %83#0[16] : !acc 
          %147 = llvm.extractvalue %83#0[17] : !acc 
          %148 = vector.from_elements %146, %147 : vector<2xf32>
          %149 = arith.truncf %148 : vector<2xf32> to vector<2xbf16>
          %150 = llvm.extractvalue %83#0[18] : !acc 
          %151 = llvm.extractvalue %83#0[19] : !acc 
          %152 = vector.from_elements %150, %151 : vector<2xf32>
          %153 = arith.truncf %152 : vector<2xf32> to vector<2xbf16>
          %154 = llvm.extractvalue %83#0[20] : !acc 
          %155 = llvm.extractvalue %83#0[21] : !acc 
          %156 = vector.from_elements %154, %155 : vector<2xf32>
          %157 = arith.truncf %156 : vector<2xf32> to vector<2xbf16>
          %158 = llvm.extractvalue %83#0[22] : !acc 
          %159 = llvm.extractvalue %83#0[23] : !acc 
          %160 = vector.from_elements %158, %159 : vector<2xf32>
          %161 = arith.truncf %160 : vector<2xf32> to vector<2xbf16>
          %162 = llvm.bitcast %149 : vector<2xbf16> to i32
          %163 = llvm.bitcast %153 : vector<2xbf16> to i32
          %164 = llvm.bitcast %157 : vector<2xbf16> to i32
          %165 = llvm.bitcast %161 : vector<2xbf16> to i32
          %166 = arith.addi %92, %c4_i32 : i32
          %167 = arith.xori %166, %93 : i32
          %168 = arith.muli %167, %c16_i32 : i32
          %169 = arith.addi %94, %168 : i32
          %170 = arith.addi %87, %169 : i32
          %171 = llvm.getelementptr %2[%170] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
          nvvm.stmatrix %171, %162, %163, %164, %165 {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32, i32, i32, i32
          %172 = llvm.extractvalue %83#0[24] : !acc 
          %173 = llvm.extractvalue %83#0[25] : !acc 
          %174 = vector.from_elements %172, %173 : vector<2xf32>
          %175 = arith.truncf %174 : vector<2xf32> to vector<2xbf16>
          %176 = llvm.extractvalue %83#0[26] : !acc 
          %177 = llvm.extractvalue %83#0[27] : !acc 
          %178 = vector.from_elements %176, %177 : vector<2xf32>
          %179 = arith.truncf %178 : vector<2xf32> to vector<2xbf16>
          %180 = llvm.extractvalue %83#0[28] : !acc 
          %181 = llvm.extractvalue %83#0[29] : !acc 
          %182 = vector.from_elements %180, %181 : vector<2xf32>
          %183 = arith.truncf %182 : vector<2xf32> to vector<2xbf16>
          %184 = llvm.extractvalue %83#0[30] : !acc 
          %185 = llvm.extractvalue %83#0[31] : !acc 
          %186 = vector.from_elements %184, %185 : vector<2xf32>
          %187 = arith.truncf %186 : vector<2xf32> to vector<2xbf16>
          %188 = llvm.bitcast %175 : vector<2xbf16> to i32
          %189 = llvm.bitcast %179 : vector<2xbf16> to i32
          %190 = llvm.bitcast %183 : vector<2xbf16> to i32
          %191 = llvm.bitcast %187 : vector<2xbf16> to i32
          %192 = arith.addi %92, %c6_i32 : i32
          %193 = arith.xori %192, %93 : i32
          %194 = arith.muli %193, %c16_i32 : i32
          %195 = arith.addi %94, %194 : i32
          %196 = arith.addi %87, %195 : i32
          %197 = llvm.getelementptr %2[%196] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
          nvvm.stmatrix %197, %188, %189, %190, %191 {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : !llvm.ptr<3>, i32, i32, i32, i32
          nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
          nvvm.barrier id = %88 number_of_threads = %c128_i32
          scf.if %47 {
            %198 = arith.muli %7, %c64_i32 : i32
            %199 = arith.addi %51, %198 : i32
            %200 = llvm.getelementptr %2[%87] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
            nvvm.cp.async.bulk.tensor.global.shared.cta %arg2, %200, box[%52, %199] : !llvm.ptr, <3>
            nvvm.cp.async.bulk.commit.group
          }
          scf.yield %83#1, %83#2 : i32, i32
        }
        scf.if %47 {
          nvvm.cp.async.bulk.wait_group 0
        }
      }
      llvm.return
    }
  }
}

