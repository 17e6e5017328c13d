// RUN: not egg-opt %s --egg-run-on-cpu=distribution=cauchy 2>&1 | FileCheck %s --check-prefix=DISTRIBUTION
// RUN: not egg-opt %s --egg-run-on-cpu=precision=quad 2>&1 | FileCheck %s --check-prefix=PRECISION
// RUN: egg-opt %s --egg-run-on-cpu="seed=1 elements=2" -o /dev/null 2> %t.1
// RUN: egg-opt %s --egg-run-on-cpu="seed=1 elements=2" -o /dev/null 2> %t.2
// RUN: egg-opt %s --egg-run-on-cpu="seed=2 elements=2" -o /dev/null 2> %t.3
// RUN: cmp %t.1 %t.2
// RUN: not cmp %t.1 %t.3
// The identity: what is dumped as its argument is its result.
// RUN: egg-opt %s --egg-run-on-cpu=dump=%t. -o /dev/null
// RUN: cmp %t.0.bin %t.1.bin
// RUN: not egg-opt %s --egg-run-on-cpu=dump=%t.absent/ 2>&1 | FileCheck %s --check-prefix=DUMP
// DUMP: absent/0.bin

// Arguments from a file, results to a file.
// RUN: %python -c "import array; array.array('f', [i / 4 for i in range(100)]).tofile(open('%t.in', 'wb'))"
// RUN: egg-opt %s --egg-run-on-cpu="inputs=%t.in outputs=%t.out elements=3" -o /dev/null 2>&1 | FileCheck %s --check-prefix=GIVEN
// RUN: cmp %t.in %t.out
// GIVEN: result 0 [0, 0.25, 0.5, ...]
// RUN: not egg-opt %s --egg-run-on-cpu=inputs=%s 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: run-on-cpu-options.mlir has {{[0-9]+}} bytes, and the arguments have 400; write the elements of each, one after the other
// RUN: not egg-opt %s --egg-run-on-cpu=inputs=%t.none 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: No such file or directory
// RUN: not egg-opt %s --egg-run-on-cpu=outputs=%t.none/out 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: No such file or directory

// DISTRIBUTION: unknown distribution 'cauchy': use uniform, normal, wide, large-mean, ties, constant or special
// PRECISION: unknown precision 'quad': use native or double
func.func @main(%x: tensor<100xf32>) -> tensor<100xf32> {
  return %x : tensor<100xf32>
}
