// RUN: not egg-opt %s 2>&1 | FileCheck %s

// The message names the file, the line and what was expected; exit code is 1.
// CHECK: syntax-error.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: expected
func.func @broken(%arg0: tensor<4xf32> -> tensor<4xf32>
