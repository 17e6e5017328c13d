func.func @main(%x: tensor<35184372088832xf32> {egg.kind = "input", egg.name = "x"})
    -> (tensor<35184372088832xf32> {egg.kind = "output", egg.name = "y"}) {
  %e = tensor.empty() : tensor<35184372088832xf32>
  %0 = linalg.exp {egg.name = "exp_0"} ins(%x : tensor<35184372088832xf32>) outs(%e : tensor<35184372088832xf32>) -> tensor<35184372088832xf32>
  return %0 : tensor<35184372088832xf32>
}
