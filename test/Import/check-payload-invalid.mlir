// RUN: egg-opt %s --egg-check-payload --split-input-file --verify-diagnostics

// expected-error @+1 {{a payload needs a function @main}}
module {
}

// -----

// expected-error @+1 {{'func.func' is not supported in a payload: it has one function, @main}}
func.func @other() {
  return
}

// -----

// expected-error @+1 {{argument #0 needs the string attributes egg.kind and egg.name}}
func.func @main(%x: tensor<4xf32>) {
  return
}

// -----

// expected-error @+1 {{argument #0 has the unknown egg.kind "weight"}}
func.func @main(%x: tensor<4xf32> {egg.kind = "weight", egg.name = "w"}) {
  return
}

// -----

// expected-error @+1 {{argument #1 of kind "parameter" must come before those of kind "input"}}
func.func @main(%x: tensor<4xf32> {egg.kind = "input", egg.name = "x"},
                %w: tensor<4xf32> {egg.kind = "parameter", egg.name = "w"}) {
  return
}

// -----

// expected-error @+1 {{argument #0 has the dynamic shape of tensor<?xf32>; make every size a constant}}
func.func @main(%x: tensor<?xf32> {egg.kind = "input", egg.name = "x"}) {
  return
}

// -----

// expected-error @+1 {{argument #0 has the unsupported type tensor<4xcomplex<f32>>}}
func.func @main(%x: tensor<4xcomplex<f32>> {egg.kind = "input", egg.name = "x"}) {
  return
}

// -----

// expected-error @+1 {{argument #0 is not a ranked tensor but 'f32'}}
func.func @main(%x: f32 {egg.kind = "input", egg.name = "x"}) {
  return
}

// -----

func.func @main(%x: tensor<4xf32> {egg.kind = "input", egg.name = "x"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' is not supported in a payload}}
  scf.for %i = %c0 to %c1 step %c1 {
  }
  return
}

// -----

func.func @main(%x: tensor<4xf32> {egg.kind = "input", egg.name = "x"}) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{result of 'tensor.empty' has the dynamic shape of tensor<?xf32>}}
  %0 = tensor.empty(%c1) : tensor<?xf32>
  return
}

// -----

// expected-error @+1 {{argument #0 has the type tensor<4294967296x4294967296xf32>, of more bytes than 64 bits count; use smaller extents}}
func.func @main(%x: tensor<4294967296x4294967296xf32> {egg.kind = "input", egg.name = "x"}) {
  return
}

// -----

func.func @main(%x: tensor<4294967296xf32> {egg.kind = "input", egg.name = "x"}) {
  %e = tensor.empty() : tensor<4294967296x4294967296xf32>
  // expected-error @-1 {{result of 'tensor.empty' has the type tensor<4294967296x4294967296xf32>, of more bytes than 64 bits count; use smaller extents}}
  return
}

// -----

func.func @main(%x: tensor<0x4xf32> {egg.kind = "input", egg.name = "x"}) {
  // expected-error @+1 {{'math.exp' has a result without elements, and nothing computes those; run egg-import-torch, which removes it}}
  %0 = math.exp %x : tensor<0x4xf32>
  return
}

// -----

func.func @main(%x: tensor<0x4xf32> {egg.kind = "input", egg.name = "x"}) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{reads an element of a tensor that has none, of type 'tensor<0x4xf32>'; PyTorch fails here when it runs}}
  %0 = tensor.extract %x[%c0, %c0] : tensor<0x4xf32>
  return
}

// -----

func.func @main(%x: tensor<4xf32> {egg.kind = "input", egg.name = "x"})
    -> (tensor<4xf32> {egg.kind = "output", egg.name = "y"}, tensor<2x2xf32> {egg.kind = "output", egg.name = "z"}) {
  %e = tensor.empty() : tensor<4xf32>
  %r = tensor.expand_shape %e [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  // expected-error @+1 {{result #1 is a tensor.empty, whose elements nothing computes; fill it, or do not return it}}
  return %x, %r : tensor<4xf32>, tensor<2x2xf32>
}
