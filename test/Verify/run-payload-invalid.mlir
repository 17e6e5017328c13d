// RUN: egg-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect --egg-run-on-cpu=precision=double

// expected-error @below {{the payload has no function @main}}
module {
  func.func @other() {
    return
  }
}

// -----

// expected-error @below {{@main takes or returns tensor<?xf32>; a payload has tensors of static shape}}
module {
  func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
    return %x : tensor<?xf32>
  }
}

// -----

// expected-error @below {{cannot be run in double precision; the diagnostics say why}}
module {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xi32> {
    // expected-error @+1 {{cannot be run in double precision: it reads the bits of a float}}
    %0 = arith.bitcast %x : tensor<4xf32> to tensor<4xi32>
    return %0 : tensor<4xi32>
  }
}

// -----

// expected-error @below {{cannot be lowered to loops for the CPU}}
module {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    // expected-error @+1 {{op was not bufferized}}
    %0 = "test.unknown"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
