// An example for agents; test/Agent/examples.test runs it.
module attributes {transform.with_named_sequence, egg.schedule = 1 : i64,
    egg.target = "sm_90a",
    egg.payload = "5b1ba6c73d2ceda02be6f477910c2122a56ca2e2381c13a9a38651919e253713"} {
  // Arguments in the order in which the replaced ops first read them: x and the
  // first weights (matmul_0), the second weights (matmul_1). The fills are no
  // arguments.
  func.func private @in_another_order(%x: tensor<8192x1024xf32>,
      %down: tensor<1024x4096xf32>, %up: tensor<4096x512xf32>)
      -> tensor<8192x512xf32> {
    %zero = arith.constant 0.0 : f32
    %e0 = tensor.empty() : tensor<1024x512xf32>
    %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<1024x512xf32>) -> tensor<1024x512xf32>
    %weights = linalg.matmul {egg.name = "weights"}
        ins(%down, %up : tensor<1024x4096xf32>, tensor<4096x512xf32>)
        outs(%f0 : tensor<1024x512xf32>) -> tensor<1024x512xf32>
    %e1 = tensor.empty() : tensor<8192x512xf32>
    %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8192x512xf32>) -> tensor<8192x512xf32>
    %product = linalg.matmul {egg.name = "product"}
        ins(%x, %weights : tensor<8192x1024xf32>, tensor<1024x512xf32>)
        outs(%f1 : tensor<8192x512xf32>) -> tensor<8192x512xf32>
    return %product : tensor<8192x512xf32>
  }
  transform.named_sequence @substitution(%f: !transform.any_op) {
    %ops = transform.egg.select %f ["matmul_0", "matmul_1"]
        : (!transform.any_op) -> !transform.any_op
    transform.egg.substitute %ops with @in_another_order : !transform.any_op
    transform.yield
  }
  transform.named_sequence @algorithm(%f: !transform.any_op) {
    %weights_ops = transform.egg.select %f ["weights"]
        : (!transform.any_op) -> !transform.any_op
    %weights_kernel = transform.egg.form_kernel %weights_ops
        {name = "combine_weights"}
        : (!transform.any_op) -> !transform.any_op
    // add_0 was not replaced: it is the epilogue of the new product.
    %product_ops = transform.egg.select %f ["product", "add_0"]
        : (!transform.any_op) -> !transform.any_op
    %product_kernel = transform.egg.form_kernel %product_ops
        {name = "multiply"}
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }

  module @combine_weights attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      %tile_m = transform.tune.knob<"tile_m"> = 64 from options = [16, 32, 64, 128, 256] -> !transform.param<i64>
      %tile_n = transform.tune.knob<"tile_n"> = 64 from options = [16, 32, 64, 128, 256] -> !transform.param<i64>
      transform.egg.map_tiles %k tile_m(%tile_m) tile_n(%tile_n) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @tensor_tiling(%k: !transform.any_op) {
      %tile_k = transform.tune.knob<"tile_k"> = 16 from options = [8, 16, 32] -> !transform.param<i64>
      %thread_m = transform.tune.knob<"thread_m"> = 4 from options = [1, 2, 4, 8] -> !transform.param<i64>
      %thread_n = transform.tune.knob<"thread_n"> = 4 from options = [1, 2, 4, 8] -> !transform.param<i64>
      transform.egg.tile_contraction %k tile_k(%tile_k) thread_m(%thread_m) thread_n(%thread_n) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @memory_optimization(%k: !transform.any_op) {
      %stages = transform.tune.knob<"stages"> = 1 from options = [1, 2] -> !transform.param<i64>
      %padding = transform.tune.knob<"padding"> = 4 from options = [0, 4, 8] -> !transform.param<i64>
      transform.egg.stage_in_shared %k stages(%stages) padding(%padding) : !transform.any_op
      transform.yield
    }
  }

  module @multiply attributes {transform.with_named_sequence} {
    transform.named_sequence @parallel_mapping(%k: !transform.any_op) {
      %tile_m = transform.tune.knob<"tile_m"> = 128 from options = [16, 32, 64, 128, 256] -> !transform.param<i64>
      %tile_n = transform.tune.knob<"tile_n"> = 128 from options = [16, 32, 64, 128, 256] -> !transform.param<i64>
      transform.egg.map_tiles %k tile_m(%tile_m) tile_n(%tile_n) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @tensor_tiling(%k: !transform.any_op) {
      %tile_k = transform.tune.knob<"tile_k"> = 8 from options = [8, 16, 32] -> !transform.param<i64>
      %thread_m = transform.tune.knob<"thread_m"> = 8 from options = [1, 2, 4, 8] -> !transform.param<i64>
      %thread_n = transform.tune.knob<"thread_n"> = 8 from options = [1, 2, 4, 8] -> !transform.param<i64>
      transform.egg.tile_contraction %k tile_k(%tile_k) thread_m(%thread_m) thread_n(%thread_n) : !transform.any_op
      transform.yield
    }
    transform.named_sequence @memory_optimization(%k: !transform.any_op) {
      %stages = transform.tune.knob<"stages"> = 2 from options = [1, 2] -> !transform.param<i64>
      %padding = transform.tune.knob<"padding"> = 4 from options = [0, 4, 8] -> !transform.param<i64>
      transform.egg.stage_in_shared %k stages(%stages) padding(%padding) : !transform.any_op
      transform.yield
    }
  }
}
