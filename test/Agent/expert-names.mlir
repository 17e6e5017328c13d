// Names that are not the importer's may hold any text: the script is a script
// all the same, and its kernels are named after what the ops are.

// RUN: egg-opt %s --egg-propose=output=%t.mlir -o /dev/null
// RUN: FileCheck %s --check-prefix=SCRIPT --input-file=%t.mlir
// RUN: egg-opt %s --egg-apply-schedule="schedule=%t.mlir materialize=false" | FileCheck %s

// SCRIPT: transform.egg.select %f ["sum\22]; of\0A} all"]
// SCRIPT: // sum"]; of?} all_partial reduces
// SCRIPT: {name = "partial_reduce_add"}
// SCRIPT: {name = "reduce_add"}

// CHECK: call @partial_reduce_add
// CHECK: call @reduce_add

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @main(%x: tensor<2x1048576xf32>) -> tensor<2xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %0 = linalg.generic {egg.name = "sum\22]; of\0A} all",
      indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x1048576xf32>) outs(%f : tensor<2xf32>) {
    ^bb0(%a: f32, %acc: f32):
      %s = arith.addf %acc, %a : f32
      linalg.yield %s : f32
  } -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
