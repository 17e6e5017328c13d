// A scan in blocks multiplies in another order than the payload: an infinity
// times what underflows there would be NaN. It is accepted.
// RUN: egg-opt %s --egg-propose=output=%t.schedule -o /dev/null
// RUN: egg-opt %s --egg-verify-schedule=schedule=%t.schedule -o /dev/null 2>&1 | FileCheck %s
// CHECK: remark: verdict: {{tested|exact}}
func.func @main(%x: tensor<16x2048xf32> {egg.kind = "input", egg.name = "x"})
    -> (tensor<16x2048xf32> {egg.kind = "output", egg.name = "y"}) {
  %0 = egg.scan <mul> %x dim = 1 {egg.name = "scan_mul_0"} : tensor<16x2048xf32>
  return %0 : tensor<16x2048xf32>
}
