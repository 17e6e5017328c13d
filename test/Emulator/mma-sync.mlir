// RUN: egg-opt %s --split-input-file --egg-emulate-kernel=elements=6 -o /dev/null 2>&1 | FileCheck %s

// Products of small integers are exact, so they have one right result: one more
// than the product of the two random matrices.

// CHECK: buffer 3 [26, -26, 6, 67, 18, 52, ...]
module attributes {egg.emulate = {
    kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 32, 1, 1>,
    buffers = [{dtype = "bf16", shape = array<i64: 16, 16>}, {dtype = "bf16", shape = array<i64: 8, 16>},
      {dtype = "f32", shape = array<i64: 16, 8>, fill = "ones"}, {dtype = "f32", shape = array<i64: 16, 8>, role = "output"}],
    arguments = [{buffer = 0 : i64}, {buffer = 1 : i64}, {buffer = 2 : i64}, {buffer = 3 : i64}]}} {
  gpu.module @m {
    llvm.func @k(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>, %d: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
      %lane = nvvm.read.ptx.sreg.laneid : i32
      %1 = llvm.mlir.constant(2 : i32) : i32
      %2 = llvm.lshr %lane, %1 : i32
      %3 = llvm.mlir.constant(3 : i32) : i32
      %4 = llvm.and %lane, %3 : i32
      %5 = llvm.mlir.constant(2 : i32) : i32
      %6 = llvm.mul %4, %5 : i32
      %7 = llvm.mlir.constant(0 : i32) : i32
      %8 = llvm.add %2, %7 : i32
      %9 = llvm.mlir.constant(0 : i32) : i32
      %10 = llvm.add %6, %9 : i32
      %11 = llvm.mlir.constant(16 : i32) : i32
      %12 = llvm.mul %8, %11 : i32
      %13 = llvm.add %12, %10 : i32
      %14 = llvm.getelementptr %a[%13] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, bf16
      %15 = llvm.load %14 {alignment = 4 : i64} : !llvm.ptr<1> -> i32
      %16 = llvm.mlir.constant(8 : i32) : i32
      %17 = llvm.add %2, %16 : i32
      %18 = llvm.mlir.constant(0 : i32) : i32
      %19 = llvm.add %6, %18 : i32
      %20 = llvm.mlir.constant(16 : i32) : i32
      %21 = llvm.mul %17, %20 : i32
      %22 = llvm.add %21, %19 : i32
      %23 = llvm.getelementptr %a[%22] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, bf16
      %24 = llvm.load %23 {alignment = 4 : i64} : !llvm.ptr<1> -> i32
      %25 = llvm.mlir.constant(0 : i32) : i32
      %26 = llvm.add %2, %25 : i32
      %27 = llvm.mlir.constant(8 : i32) : i32
      %28 = llvm.add %6, %27 : i32
      %29 = llvm.mlir.constant(16 : i32) : i32
      %30 = llvm.mul %26, %29 : i32
      %31 = llvm.add %30, %28 : i32
      %32 = llvm.getelementptr %a[%31] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, bf16
      %33 = llvm.load %32 {alignment = 4 : i64} : !llvm.ptr<1> -> i32
      %34 = llvm.mlir.constant(8 : i32) : i32
      %35 = llvm.add %2, %34 : i32
      %36 = llvm.mlir.constant(8 : i32) : i32
      %37 = llvm.add %6, %36 : i32
      %38 = llvm.mlir.constant(16 : i32) : i32
      %39 = llvm.mul %35, %38 : i32
      %40 = llvm.add %39, %37 : i32
      %41 = llvm.getelementptr %a[%40] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, bf16
      %42 = llvm.load %41 {alignment = 4 : i64} : !llvm.ptr<1> -> i32
      %43 = llvm.mlir.constant(0 : i32) : i32
      %44 = llvm.add %6, %43 : i32
      %45 = llvm.mlir.constant(16 : i32) : i32
      %46 = llvm.mul %2, %45 : i32
      %47 = llvm.add %46, %44 : i32
      %48 = llvm.getelementptr %b[%47] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, bf16
      %49 = llvm.load %48 {alignment = 4 : i64} : !llvm.ptr<1> -> i32
      %50 = llvm.mlir.constant(8 : i32) : i32
      %51 = llvm.add %6, %50 : i32
      %52 = llvm.mlir.constant(16 : i32) : i32
      %53 = llvm.mul %2, %52 : i32
      %54 = llvm.add %53, %51 : i32
      %55 = llvm.getelementptr %b[%54] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, bf16
      %56 = llvm.load %55 {alignment = 4 : i64} : !llvm.ptr<1> -> i32
      %57 = llvm.mlir.constant(2 : i32) : i32
      %58 = llvm.mul %4, %57 : i32
      %59 = llvm.mlir.constant(0 : i32) : i32
      %60 = llvm.add %2, %59 : i32
      %61 = llvm.mlir.constant(0 : i32) : i32
      %62 = llvm.add %58, %61 : i32
      %63 = llvm.mlir.constant(8 : i32) : i32
      %64 = llvm.mul %60, %63 : i32
      %65 = llvm.add %64, %62 : i32
      %66 = llvm.getelementptr %c[%65] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %67 = llvm.load %66 {alignment = 4 : i64} : !llvm.ptr<1> -> f32
      %68 = llvm.mlir.constant(0 : i32) : i32
      %69 = llvm.add %2, %68 : i32
      %70 = llvm.mlir.constant(1 : i32) : i32
      %71 = llvm.add %58, %70 : i32
      %72 = llvm.mlir.constant(8 : i32) : i32
      %73 = llvm.mul %69, %72 : i32
      %74 = llvm.add %73, %71 : i32
      %75 = llvm.getelementptr %c[%74] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %76 = llvm.load %75 {alignment = 4 : i64} : !llvm.ptr<1> -> f32
      %77 = llvm.mlir.constant(8 : i32) : i32
      %78 = llvm.add %2, %77 : i32
      %79 = llvm.mlir.constant(0 : i32) : i32
      %80 = llvm.add %58, %79 : i32
      %81 = llvm.mlir.constant(8 : i32) : i32
      %82 = llvm.mul %78, %81 : i32
      %83 = llvm.add %82, %80 : i32
      %84 = llvm.getelementptr %c[%83] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %85 = llvm.load %84 {alignment = 4 : i64} : !llvm.ptr<1> -> f32
      %86 = llvm.mlir.constant(8 : i32) : i32
      %87 = llvm.add %2, %86 : i32
      %88 = llvm.mlir.constant(1 : i32) : i32
      %89 = llvm.add %58, %88 : i32
      %90 = llvm.mlir.constant(8 : i32) : i32
      %91 = llvm.mul %87, %90 : i32
      %92 = llvm.add %91, %89 : i32
      %93 = llvm.getelementptr %c[%92] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %94 = llvm.load %93 {alignment = 4 : i64} : !llvm.ptr<1> -> f32
      %95 = nvvm.mma.sync A[%15, %24, %33, %42] B[%49, %56] C[%67, %76, %85, %94] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
      %96 = llvm.extractvalue %95[0] : !llvm.struct<(f32, f32, f32, f32)>
      %97 = llvm.mlir.constant(0 : i32) : i32
      %98 = llvm.add %2, %97 : i32
      %99 = llvm.mlir.constant(0 : i32) : i32
      %100 = llvm.add %58, %99 : i32
      %101 = llvm.mlir.constant(8 : i32) : i32
      %102 = llvm.mul %98, %101 : i32
      %103 = llvm.add %102, %100 : i32
      %104 = llvm.getelementptr %d[%103] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      llvm.store %96, %104 : f32, !llvm.ptr<1>
      %105 = llvm.extractvalue %95[1] : !llvm.struct<(f32, f32, f32, f32)>
      %106 = llvm.mlir.constant(0 : i32) : i32
      %107 = llvm.add %2, %106 : i32
      %108 = llvm.mlir.constant(1 : i32) : i32
      %109 = llvm.add %58, %108 : i32
      %110 = llvm.mlir.constant(8 : i32) : i32
      %111 = llvm.mul %107, %110 : i32
      %112 = llvm.add %111, %109 : i32
      %113 = llvm.getelementptr %d[%112] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      llvm.store %105, %113 : f32, !llvm.ptr<1>
      %114 = llvm.extractvalue %95[2] : !llvm.struct<(f32, f32, f32, f32)>
      %115 = llvm.mlir.constant(8 : i32) : i32
      %116 = llvm.add %2, %115 : i32
      %117 = llvm.mlir.constant(0 : i32) : i32
      %118 = llvm.add %58, %117 : i32
      %119 = llvm.mlir.constant(8 : i32) : i32
      %120 = llvm.mul %116, %119 : i32
      %121 = llvm.add %120, %118 : i32
      %122 = llvm.getelementptr %d[%121] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      llvm.store %114, %122 : f32, !llvm.ptr<1>
      %123 = llvm.extractvalue %95[3] : !llvm.struct<(f32, f32, f32, f32)>
      %124 = llvm.mlir.constant(8 : i32) : i32
      %125 = llvm.add %2, %124 : i32
      %126 = llvm.mlir.constant(1 : i32) : i32
      %127 = llvm.add %58, %126 : i32
      %128 = llvm.mlir.constant(8 : i32) : i32
      %129 = llvm.mul %125, %128 : i32
      %130 = llvm.add %129, %127 : i32
      %131 = llvm.getelementptr %d[%130] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      llvm.store %123, %131 : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}

// -----

// CHECK: buffer 3 [17, -30, -34, -3, 17, -20, ...]
module attributes {egg.emulate = {
    kernel = "k", grid = array<i64: 1, 1, 1>, block = array<i64: 32, 1, 1>,
    buffers = [{dtype = "f32", shape = array<i64: 16, 8>}, {dtype = "f32", shape = array<i64: 8, 8>},
      {dtype = "f32", shape = array<i64: 16, 8>, fill = "ones"}, {dtype = "f32", shape = array<i64: 16, 8>, role = "output"}],
    arguments = [{buffer = 0 : i64}, {buffer = 1 : i64}, {buffer = 2 : i64}, {buffer = 3 : i64}]}} {
  gpu.module @m {
    llvm.func @k(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>, %d: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32, 1, 1>} {
      %lane = nvvm.read.ptx.sreg.laneid : i32
      %1 = llvm.mlir.constant(2 : i32) : i32
      %2 = llvm.lshr %lane, %1 : i32
      %3 = llvm.mlir.constant(3 : i32) : i32
      %4 = llvm.and %lane, %3 : i32
      %5 = llvm.mlir.constant(1 : i32) : i32
      %6 = llvm.mul %4, %5 : i32
      %7 = llvm.mlir.constant(0 : i32) : i32
      %8 = llvm.add %2, %7 : i32
      %9 = llvm.mlir.constant(0 : i32) : i32
      %10 = llvm.add %6, %9 : i32
      %11 = llvm.mlir.constant(8 : i32) : i32
      %12 = llvm.mul %8, %11 : i32
      %13 = llvm.add %12, %10 : i32
      %14 = llvm.getelementptr %a[%13] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %15 = llvm.load %14 {alignment = 4 : i64} : !llvm.ptr<1> -> i32
      %16 = llvm.mlir.constant(8 : i32) : i32
      %17 = llvm.add %2, %16 : i32
      %18 = llvm.mlir.constant(0 : i32) : i32
      %19 = llvm.add %6, %18 : i32
      %20 = llvm.mlir.constant(8 : i32) : i32
      %21 = llvm.mul %17, %20 : i32
      %22 = llvm.add %21, %19 : i32
      %23 = llvm.getelementptr %a[%22] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %24 = llvm.load %23 {alignment = 4 : i64} : !llvm.ptr<1> -> i32
      %25 = llvm.mlir.constant(0 : i32) : i32
      %26 = llvm.add %2, %25 : i32
      %27 = llvm.mlir.constant(4 : i32) : i32
      %28 = llvm.add %6, %27 : i32
      %29 = llvm.mlir.constant(8 : i32) : i32
      %30 = llvm.mul %26, %29 : i32
      %31 = llvm.add %30, %28 : i32
      %32 = llvm.getelementptr %a[%31] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %33 = llvm.load %32 {alignment = 4 : i64} : !llvm.ptr<1> -> i32
      %34 = llvm.mlir.constant(8 : i32) : i32
      %35 = llvm.add %2, %34 : i32
      %36 = llvm.mlir.constant(4 : i32) : i32
      %37 = llvm.add %6, %36 : i32
      %38 = llvm.mlir.constant(8 : i32) : i32
      %39 = llvm.mul %35, %38 : i32
      %40 = llvm.add %39, %37 : i32
      %41 = llvm.getelementptr %a[%40] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %42 = llvm.load %41 {alignment = 4 : i64} : !llvm.ptr<1> -> i32
      %43 = llvm.mlir.constant(0 : i32) : i32
      %44 = llvm.add %6, %43 : i32
      %45 = llvm.mlir.constant(8 : i32) : i32
      %46 = llvm.mul %2, %45 : i32
      %47 = llvm.add %46, %44 : i32
      %48 = llvm.getelementptr %b[%47] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %49 = llvm.load %48 {alignment = 4 : i64} : !llvm.ptr<1> -> i32
      %50 = llvm.mlir.constant(4 : i32) : i32
      %51 = llvm.add %6, %50 : i32
      %52 = llvm.mlir.constant(8 : i32) : i32
      %53 = llvm.mul %2, %52 : i32
      %54 = llvm.add %53, %51 : i32
      %55 = llvm.getelementptr %b[%54] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %56 = llvm.load %55 {alignment = 4 : i64} : !llvm.ptr<1> -> i32
      %57 = llvm.mlir.constant(2 : i32) : i32
      %58 = llvm.mul %4, %57 : i32
      %59 = llvm.mlir.constant(0 : i32) : i32
      %60 = llvm.add %2, %59 : i32
      %61 = llvm.mlir.constant(0 : i32) : i32
      %62 = llvm.add %58, %61 : i32
      %63 = llvm.mlir.constant(8 : i32) : i32
      %64 = llvm.mul %60, %63 : i32
      %65 = llvm.add %64, %62 : i32
      %66 = llvm.getelementptr %c[%65] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %67 = llvm.load %66 {alignment = 4 : i64} : !llvm.ptr<1> -> f32
      %68 = llvm.mlir.constant(0 : i32) : i32
      %69 = llvm.add %2, %68 : i32
      %70 = llvm.mlir.constant(1 : i32) : i32
      %71 = llvm.add %58, %70 : i32
      %72 = llvm.mlir.constant(8 : i32) : i32
      %73 = llvm.mul %69, %72 : i32
      %74 = llvm.add %73, %71 : i32
      %75 = llvm.getelementptr %c[%74] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %76 = llvm.load %75 {alignment = 4 : i64} : !llvm.ptr<1> -> f32
      %77 = llvm.mlir.constant(8 : i32) : i32
      %78 = llvm.add %2, %77 : i32
      %79 = llvm.mlir.constant(0 : i32) : i32
      %80 = llvm.add %58, %79 : i32
      %81 = llvm.mlir.constant(8 : i32) : i32
      %82 = llvm.mul %78, %81 : i32
      %83 = llvm.add %82, %80 : i32
      %84 = llvm.getelementptr %c[%83] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %85 = llvm.load %84 {alignment = 4 : i64} : !llvm.ptr<1> -> f32
      %86 = llvm.mlir.constant(8 : i32) : i32
      %87 = llvm.add %2, %86 : i32
      %88 = llvm.mlir.constant(1 : i32) : i32
      %89 = llvm.add %58, %88 : i32
      %90 = llvm.mlir.constant(8 : i32) : i32
      %91 = llvm.mul %87, %90 : i32
      %92 = llvm.add %91, %89 : i32
      %93 = llvm.getelementptr %c[%92] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %94 = llvm.load %93 {alignment = 4 : i64} : !llvm.ptr<1> -> f32
      %95 = nvvm.mma.sync A[%15, %24, %33, %42] B[%49, %56] C[%67, %76, %85, %94] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<tf32>, multiplicandBPtxType = #nvvm.mma_type<tf32>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
      %96 = llvm.extractvalue %95[0] : !llvm.struct<(f32, f32, f32, f32)>
      %97 = llvm.mlir.constant(0 : i32) : i32
      %98 = llvm.add %2, %97 : i32
      %99 = llvm.mlir.constant(0 : i32) : i32
      %100 = llvm.add %58, %99 : i32
      %101 = llvm.mlir.constant(8 : i32) : i32
      %102 = llvm.mul %98, %101 : i32
      %103 = llvm.add %102, %100 : i32
      %104 = llvm.getelementptr %d[%103] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      llvm.store %96, %104 : f32, !llvm.ptr<1>
      %105 = llvm.extractvalue %95[1] : !llvm.struct<(f32, f32, f32, f32)>
      %106 = llvm.mlir.constant(0 : i32) : i32
      %107 = llvm.add %2, %106 : i32
      %108 = llvm.mlir.constant(1 : i32) : i32
      %109 = llvm.add %58, %108 : i32
      %110 = llvm.mlir.constant(8 : i32) : i32
      %111 = llvm.mul %107, %110 : i32
      %112 = llvm.add %111, %109 : i32
      %113 = llvm.getelementptr %d[%112] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      llvm.store %105, %113 : f32, !llvm.ptr<1>
      %114 = llvm.extractvalue %95[2] : !llvm.struct<(f32, f32, f32, f32)>
      %115 = llvm.mlir.constant(8 : i32) : i32
      %116 = llvm.add %2, %115 : i32
      %117 = llvm.mlir.constant(0 : i32) : i32
      %118 = llvm.add %58, %117 : i32
      %119 = llvm.mlir.constant(8 : i32) : i32
      %120 = llvm.mul %116, %119 : i32
      %121 = llvm.add %120, %118 : i32
      %122 = llvm.getelementptr %d[%121] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      llvm.store %114, %122 : f32, !llvm.ptr<1>
      %123 = llvm.extractvalue %95[3] : !llvm.struct<(f32, f32, f32, f32)>
      %124 = llvm.mlir.constant(8 : i32) : i32
      %125 = llvm.add %2, %124 : i32
      %126 = llvm.mlir.constant(1 : i32) : i32
      %127 = llvm.add %58, %126 : i32
      %128 = llvm.mlir.constant(8 : i32) : i32
      %129 = llvm.mul %125, %128 : i32
      %130 = llvm.add %129, %127 : i32
      %131 = llvm.getelementptr %d[%130] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      llvm.store %123, %131 : f32, !llvm.ptr<1>
      llvm.return
    }
  }
}
