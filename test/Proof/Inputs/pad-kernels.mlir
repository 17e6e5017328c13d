module attributes {gpu.container_module} {
  func.func @main(%x: tensor<20x24xf32>) -> tensor<23x32xf32> {
    %0 = call @pad(%x) : (tensor<20x24xf32>) -> tensor<23x32xf32>
    return %0 : tensor<23x32xf32>
  }
  func.func private @pad(tensor<20x24xf32>) -> tensor<23x32xf32> attributes {egg.kernel, egg.launch = {block = array<i64: 256, 1, 1>, dynamic_shared_memory = 0 : i64, grid = array<i64: 3, 1, 1>, kernel = @kernels::@pad}}
  gpu.module @kernels {
    gpu.func @pad(%in: memref<480xf32>, %out: memref<736xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 3, 1, 1>} {
      %padding = arith.constant 5.000000e-01 : f32
      %c24 = arith.constant 24 : i32
      %before = arith.constant -3 : i32
      %c20 = arith.constant 20 : i32
      %above = arith.constant -1 : i32
      %c32 = arith.constant 32 : i32
      %elements = arith.constant 736 : i32
      %c256 = arith.constant 256 : i32
      %tx = gpu.thread_id x
      %t = arith.index_castui %tx : index to i32
      %bx = gpu.block_id x
      %block = arith.index_castui %bx : index to i32
      %first = arith.muli %block, %c256 : i32
      %item = arith.addi %first, %t : i32
      %runs = arith.cmpi ult, %item, %elements : i32
      scf.if %runs {
        %i = arith.divui %item, %c32 : i32
        %row = arith.addi %i, %above : i32
        %hasRow = arith.cmpi ult, %row, %c20 : i32
        %j = arith.remui %item, %c32 : i32
        %column = arith.addi %j, %before : i32
        %hasColumn = arith.cmpi ult, %column, %c24 : i32
        %inside = arith.andi %hasRow, %hasColumn : i1
        %v = scf.if %inside -> (f32) {
          %0 = arith.muli %row, %c24 : i32
          %1 = arith.addi %0, %column : i32
          %from = arith.index_castui %1 : i32 to index
          %x = memref.load %in[%from] : memref<480xf32>
          scf.yield %x : f32
        } else {
          scf.yield %padding : f32
        }
        %to = arith.index_castui %item : i32 to index
        memref.store %v, %out[%to] : memref<736xf32>
      }
      gpu.return
    }
  }
}
