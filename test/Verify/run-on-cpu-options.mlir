// RUN: not egg-opt %s --egg-run-on-cpu=distribution=cauchy 2>&1 | FileCheck %s --check-prefix=DISTRIBUTION
// RUN: not egg-opt %s --egg-run-on-cpu=precision=quad 2>&1 | FileCheck %s --check-prefix=PRECISION
// RUN: egg-opt %s --egg-run-on-cpu="seed=1 elements=2" -o /dev/null 2> %t.1
// RUN: egg-opt %s --egg-run-on-cpu="seed=1 elements=2" -o /dev/null 2> %t.2
// RUN: egg-opt %s --egg-run-on-cpu="seed=2 elements=2" -o /dev/null 2> %t.3
// RUN: cmp %t.1 %t.2
// RUN: not cmp %t.1 %t.3

// DISTRIBUTION: unknown distribution 'cauchy': use uniform, normal, wide, large-mean, ties or special
// PRECISION: unknown precision 'quad': use native or double
func.func @main(%x: tensor<100xf32>) -> tensor<100xf32> {
  return %x : tensor<100xf32>
}
