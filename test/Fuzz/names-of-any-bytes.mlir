// Found by egg fuzz scripts, seed 11, case 18517: a kind that is no UTF-8 broke
// the plan's JSON, in checked builds with an assertion.
// RUN: egg-opt %s --egg-emit-plan="chip=sm_90a file=%t.json" -o /dev/null
// RUN: FileCheck %s --input-file=%t.json
// CHECK: "kind":"in{{.+}}put","name":"x{{.+}}"
func.func @main(%x: tensor<1xf32> {egg.kind = "in\FF\FEput", egg.name = "x\FF"}) -> (tensor<1xf32> {egg.kind = "output", egg.name = "y"}) {
  return %x : tensor<1xf32>
}
