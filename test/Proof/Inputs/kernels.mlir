module attributes {gpu.container_module} {
  func.func @main(%x: tensor<20x50xf32>, %b: tensor<50xf32>) -> (tensor<20x50xf32>, tensor<20x50xf32>, tensor<50x20xf32>) {
    %both:2 = call @difference(%x, %b) : (tensor<20x50xf32>, tensor<50xf32>) -> (tensor<20x50xf32>, tensor<20x50xf32>)
    %exp = call @exponential(%both#1) : (tensor<20x50xf32>) -> tensor<50x20xf32>
    return %both#0, %both#1, %exp : tensor<20x50xf32>, tensor<20x50xf32>, tensor<50x20xf32>
  }
  func.func private @difference(tensor<20x50xf32>, tensor<50xf32>) -> (tensor<20x50xf32>, tensor<20x50xf32>) attributes {egg.kernel, egg.launch = {block = array<i64: 256, 1, 1>, dynamic_shared_memory = 0 : i64, grid = array<i64: 2, 1, 1>, kernel = @kernels::@difference}}
  func.func private @exponential(tensor<20x50xf32>) -> tensor<50x20xf32> attributes {egg.kernel, egg.launch = {block = array<i64: 256, 1, 1>, dynamic_shared_memory = 0 : i64, grid = array<i64: 4, 1, 1>, kernel = @kernels::@exponential}}
  gpu.module @kernels {
    gpu.func @difference(%x: memref<1000xf32>, %b: memref<50xf32>, %diff: memref<1000xf32>, %scaled: memref<1000xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 2, 1, 1>} {
      %two = arith.constant 2.0 : f32
      %c25 = arith.constant 25 : i32
      %c2 = arith.constant 2 : i32
      %pairs = arith.constant 500 : i32
      %c256 = arith.constant 256 : i32
      %tx = gpu.thread_id x
      %t = arith.index_castui %tx : index to i32
      %bx = gpu.block_id x
      %block = arith.index_castui %bx : index to i32
      %first = arith.muli %block, %c256 : i32
      %item = arith.addi %first, %t : i32
      %runs = arith.cmpi ult, %item, %pairs : i32
      scf.if %runs {
        %0 = arith.muli %item, %c2 : i32
        %at = arith.index_castui %0 : i32 to index
        %xs = vector.load %x[%at] : memref<1000xf32>, vector<2xf32>
        %x0 = vector.extract %xs[0] : f32 from vector<2xf32>
        %x1 = vector.extract %xs[1] : f32 from vector<2xf32>
        %1 = arith.remui %item, %c25 : i32
        %2 = arith.muli %1, %c2 : i32
        %column = arith.index_castui %2 : i32 to index
        %bs = vector.load %b[%column] : memref<50xf32>, vector<2xf32>
        %b0 = vector.extract %bs[0] : f32 from vector<2xf32>
        %b1 = vector.extract %bs[1] : f32 from vector<2xf32>
        %d0 = arith.subf %x0, %b0 : f32
        %d1 = arith.subf %x1, %b1 : f32
        %ds = vector.from_elements %d0, %d1 : vector<2xf32>
        vector.store %ds, %diff[%at] : memref<1000xf32>, vector<2xf32>
        %s0 = arith.mulf %d0, %two : f32
        %s1 = arith.mulf %d1, %two : f32
        %ss = vector.from_elements %s0, %s1 : vector<2xf32>
        vector.store %ss, %scaled[%at] : memref<1000xf32>, vector<2xf32>
      }
      gpu.return
    }
    gpu.func @exponential(%in: memref<1000xf32>, %out: memref<1000xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
      %c50 = arith.constant 50 : i32
      %c20 = arith.constant 20 : i32
      %elements = arith.constant 1000 : i32
      %c256 = arith.constant 256 : i32
      %tx = gpu.thread_id x
      %t = arith.index_castui %tx : index to i32
      %bx = gpu.block_id x
      %block = arith.index_castui %bx : index to i32
      %first = arith.muli %block, %c256 : i32
      %item = arith.addi %first, %t : i32
      %runs = arith.cmpi ult, %item, %elements : i32
      scf.if %runs {
        %row = arith.remui %item, %c20 : i32
        %column = arith.divui %item, %c20 : i32
        %0 = arith.muli %row, %c50 : i32
        %1 = arith.addi %0, %column : i32
        %from = arith.index_castui %1 : i32 to index
        %v = memref.load %in[%from] : memref<1000xf32>
        %e = math.exp %v : f32
        %to = arith.index_castui %item : i32 to index
        memref.store %e, %out[%to] : memref<1000xf32>
      }
      gpu.return
    }
  }
}
