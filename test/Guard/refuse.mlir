// RUN: egg-opt %s --split-input-file --transform-interpreter --verify-diagnostics

// Scripts that upstream crashes on, or turns into wrong programs.

func.func @f(%a: tensor<8xi32>, %o: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<8xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %d = arith.addi %b, %j : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{its body reads linalg.index 0}}
    %a,%b,%c,%d = transform.structured.split_reduction %0 {split_factor=4,insert_split_dimension=0} : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xi32>, %o: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<8xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %d = arith.addi %b, %x overflow<nsw> : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{promises nsw}}
    %a,%b,%c,%d = transform.structured.split_reduction %0 {split_factor=4,insert_split_dimension=0} : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xi32>, %o: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<8xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %d = arith.muli %x, %b overflow<nuw> : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{promises nuw}}
    %a,%b,%c,%d = transform.structured.split_reduction %0 {split_factor=4,insert_split_dimension=0} : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xf32>, %o: tensor<f32>) -> tensor<f32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<8xf32>) outs(%o: tensor<f32>) {
  ^bb0(%x: f32, %b: f32):
    %d = arith.addf %b, %x fastmath<ninf> : f32
    linalg.yield %d : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{promises ninf}}
    %a,%b,%c,%d = transform.structured.split_reduction %0 {split_factor=4,insert_split_dimension=0} : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xf32>, %o: tensor<f32>) -> tensor<f32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<8xf32>) outs(%o: tensor<f32>) {
  ^bb0(%x: f32, %b: f32):
    %d = arith.maximumf %b, %x fastmath<fast> : f32
    linalg.yield %d : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{promises nnan}}
    %a,%b,%c,%d = transform.structured.split_reduction %0 {split_factor=4,insert_split_dimension=0} : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xi32>, %o: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<8xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %d = arith.subi %b, %x : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{arith.subi, which is not known to be associative}}
    %a,%b,%c,%d = transform.structured.split_reduction %0 {split_factor=4,insert_split_dimension=0} : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xi32>, %o: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<8xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %e = arith.muli %b, %b : i32
    %d = arith.addi %e, %x : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{is not combined with its accumulator by one single op}}
    %a,%b,%c,%d = transform.structured.split_reduction %0 {split_factor=4,insert_split_dimension=0} : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<0xi32>, %o: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<0xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %d = arith.addi %b, %x : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{loop 0 of its payload has extent 0}}
    %a,%b,%c,%d = transform.structured.split_reduction %0 {split_factor=4,insert_split_dimension=0} : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xi32>, %o: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<8xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %d = arith.addi %b, %j : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{its body reads linalg.index 0}}
    %a,%b,%c,%d = transform.structured.tile_reduction_using_for %0 by tile_sizes=[4] : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xi32>, %o: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<8xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %d = arith.addi %b, %x overflow<nsw> : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{promises nsw}}
    %a,%b,%c,%d = transform.structured.tile_reduction_using_for %0 by tile_sizes=[4] : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xi32>, %o: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<8xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %d = arith.muli %x, %b overflow<nuw> : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{promises nuw}}
    %a,%b,%c,%d = transform.structured.tile_reduction_using_for %0 by tile_sizes=[4] : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xf32>, %o: tensor<f32>) -> tensor<f32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<8xf32>) outs(%o: tensor<f32>) {
  ^bb0(%x: f32, %b: f32):
    %d = arith.addf %b, %x fastmath<ninf> : f32
    linalg.yield %d : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{promises ninf}}
    %a,%b,%c,%d = transform.structured.tile_reduction_using_for %0 by tile_sizes=[4] : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xf32>, %o: tensor<f32>) -> tensor<f32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<8xf32>) outs(%o: tensor<f32>) {
  ^bb0(%x: f32, %b: f32):
    %d = arith.maximumf %b, %x fastmath<fast> : f32
    linalg.yield %d : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{promises nnan}}
    %a,%b,%c,%d = transform.structured.tile_reduction_using_for %0 by tile_sizes=[4] : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xi32>, %o: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<8xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %d = arith.subi %b, %x : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{arith.subi, which is not known to be associative}}
    %a,%b,%c,%d = transform.structured.tile_reduction_using_for %0 by tile_sizes=[4] : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xi32>, %o: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<8xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %e = arith.muli %b, %b : i32
    %d = arith.addi %e, %x : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{is not combined with its accumulator by one single op}}
    %a,%b,%c,%d = transform.structured.tile_reduction_using_for %0 by tile_sizes=[4] : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<0xi32>, %o: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<0xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %d = arith.addi %b, %x : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{loop 0 of its payload has extent 0}}
    %a,%b,%c,%d = transform.structured.tile_reduction_using_for %0 by tile_sizes=[4] : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xi32>, %o: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<8xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %d = arith.addi %b, %j : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{its body reads linalg.index 0}}
    %a,%b,%c,%d = transform.structured.tile_reduction_using_forall %0 by tile_sizes=[4] : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xi32>, %o: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<8xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %d = arith.addi %b, %x overflow<nsw> : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{promises nsw}}
    %a,%b,%c,%d = transform.structured.tile_reduction_using_forall %0 by tile_sizes=[4] : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xi32>, %o: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<8xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %d = arith.muli %x, %b overflow<nuw> : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{promises nuw}}
    %a,%b,%c,%d = transform.structured.tile_reduction_using_forall %0 by tile_sizes=[4] : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xf32>, %o: tensor<f32>) -> tensor<f32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<8xf32>) outs(%o: tensor<f32>) {
  ^bb0(%x: f32, %b: f32):
    %d = arith.addf %b, %x fastmath<ninf> : f32
    linalg.yield %d : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{promises ninf}}
    %a,%b,%c,%d = transform.structured.tile_reduction_using_forall %0 by tile_sizes=[4] : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xf32>, %o: tensor<f32>) -> tensor<f32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<8xf32>) outs(%o: tensor<f32>) {
  ^bb0(%x: f32, %b: f32):
    %d = arith.maximumf %b, %x fastmath<fast> : f32
    linalg.yield %d : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{promises nnan}}
    %a,%b,%c,%d = transform.structured.tile_reduction_using_forall %0 by tile_sizes=[4] : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xi32>, %o: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<8xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %d = arith.subi %b, %x : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{arith.subi, which is not known to be associative}}
    %a,%b,%c,%d = transform.structured.tile_reduction_using_forall %0 by tile_sizes=[4] : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xi32>, %o: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<8xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %e = arith.muli %b, %b : i32
    %d = arith.addi %e, %x : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{is not combined with its accumulator by one single op}}
    %a,%b,%c,%d = transform.structured.tile_reduction_using_forall %0 by tile_sizes=[4] : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<0xi32>, %o: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<0xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %d = arith.addi %b, %x : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{loop 0 of its payload has extent 0}}
    %a,%b,%c,%d = transform.structured.tile_reduction_using_forall %0 by tile_sizes=[4] : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xi32>, %o: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<8xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %d = arith.addi %b, %x : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{makes no parts}}
    %a,%b,%c,%d = transform.structured.split_reduction %0 {split_factor=0,insert_split_dimension=0} : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xi32>, %o: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<8xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %d = arith.addi %b, %x : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{makes no parts}}
    %a,%b,%c,%d = transform.structured.split_reduction %0 {split_factor=-2,insert_split_dimension=0} : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xi32>, %o: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<8xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %d = arith.addi %b, %x : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{size -4 is negative}}
    %a,%b,%c,%d = transform.structured.tile_reduction_using_for %0 by tile_sizes=[-4] : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xi32>, %o: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<8xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %d = arith.addi %b, %x : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{size -4 is negative}}
    %a,%b,%c,%d = transform.structured.tile_reduction_using_forall %0 by num_threads=[-4] : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<f32>, %o: tensor<f32>) -> tensor<f32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<()->()>, affine_map<()->()>], iterator_types=[]} ins(%a: tensor<f32>) outs(%o: tensor<f32>) {
  ^bb0(%x: f32, %b: f32):
    %d = arith.mulf %x, %x : f32
    linalg.yield %d : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{its payload has no loops (rank 0)}}
    %a, %l = transform.structured.tile_using_forall %0 tile_sizes [4] : (!transform.any_op) -> (!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%A: tensor<4x0xf32>, %B: tensor<0x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.matmul ins(%A,%B: tensor<4x0xf32>,tensor<0x4xf32>) outs(%o: tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{loop 2 of its payload has extent 0}}
    %a, %l = transform.structured.tile_using_forall %0 tile_sizes [2,2,0] : (!transform.any_op) -> (!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%A: tensor<0x4xf32>, %B: tensor<4x4xf32>, %o: tensor<0x4xf32>) -> tensor<0x4xf32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.matmul ins(%A,%B: tensor<0x4xf32>,tensor<4x4xf32>) outs(%o: tensor<0x4xf32>) -> tensor<0x4xf32>
  return %0 : tensor<0x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{loop 0 of its payload has extent 0}}
    %a, %l = transform.structured.tile_using_forall %0 tile_sizes [2,2,0] : (!transform.any_op) -> (!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%A: tensor<4x4xf32>, %B: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.matmul ins(%A,%B: tensor<4x4xf32>,tensor<4x4xf32>) outs(%o: tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{loop 2 is a reduction}}
    %a, %l = transform.structured.tile_using_forall %0 tile_sizes [0,0,2] : (!transform.any_op) -> (!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types=["parallel"]} ins(%a: tensor<8xf32>) outs(%o: tensor<8xf32>) {
  ^bb0(%x: f32, %b: f32):
    %d = arith.mulf %x, %x : f32
    linalg.yield %d : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{size -4 of loop 0 is negative}}
    %a, %l = transform.structured.tile_using_forall %0 tile_sizes [-4] : (!transform.any_op) -> (!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types=["parallel"]} ins(%a: tensor<8xf32>) outs(%o: tensor<8xf32>) {
  ^bb0(%x: f32, %b: f32):
    %d = arith.mulf %x, %x : f32
    linalg.yield %d : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{all sizes are 0}}
    %a, %l = transform.structured.tile_using_forall %0 tile_sizes [0] : (!transform.any_op) -> (!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%A: tensor<4x0xf32>, %B: tensor<0x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.matmul ins(%A,%B: tensor<4x0xf32>,tensor<0x4xf32>) outs(%o: tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{loop 2 of its payload has extent 0}}
    %a, %l = transform.structured.tile_using_forall %0 num_threads [2,2,0] : (!transform.any_op) -> (!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%A: tensor<0x4xf32>, %B: tensor<4x4xf32>, %o: tensor<0x4xf32>) -> tensor<0x4xf32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.matmul ins(%A,%B: tensor<0x4xf32>,tensor<4x4xf32>) outs(%o: tensor<0x4xf32>) -> tensor<0x4xf32>
  return %0 : tensor<0x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{loop 0 of its payload has extent 0}}
    %a, %l = transform.structured.tile_using_forall %0 num_threads [2,2,0] : (!transform.any_op) -> (!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%A: tensor<4x4xf32>, %B: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.matmul ins(%A,%B: tensor<4x4xf32>,tensor<4x4xf32>) outs(%o: tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{loop 2 is a reduction}}
    %a, %l = transform.structured.tile_using_forall %0 num_threads [0,0,2] : (!transform.any_op) -> (!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types=["parallel"]} ins(%a: tensor<8xf32>) outs(%o: tensor<8xf32>) {
  ^bb0(%x: f32, %b: f32):
    %d = arith.mulf %x, %x : f32
    linalg.yield %d : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{size -4 of loop 0 is negative}}
    %a, %l = transform.structured.tile_using_forall %0 num_threads [-4] : (!transform.any_op) -> (!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types=["parallel"]} ins(%a: tensor<8xf32>) outs(%o: tensor<8xf32>) {
  ^bb0(%x: f32, %b: f32):
    %d = arith.mulf %x, %x : f32
    linalg.yield %d : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{all sizes are 0}}
    %a, %l = transform.structured.tile_using_forall %0 num_threads [0] : (!transform.any_op) -> (!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%A: tensor<4x0xf32>, %B: tensor<0x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.matmul ins(%A,%B: tensor<4x0xf32>,tensor<0x4xf32>) outs(%o: tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{loop 2 of its payload has extent 0}}
    %a, %l:1 = transform.structured.tile_using_for %0 tile_sizes [2] : (!transform.any_op) -> (!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%A: tensor<4x0xf32>, %B: tensor<0x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.matmul ins(%A,%B: tensor<4x0xf32>,tensor<0x4xf32>) outs(%o: tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{loop 2 of its payload has extent 0}}
    %a, %l:1 = transform.structured.fuse %0 tile_sizes [2] : (!transform.any_op) -> (!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%A: tensor<4x0xf32>, %B: tensor<0x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.matmul ins(%A,%B: tensor<4x0xf32>,tensor<0x4xf32>) outs(%o: tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{loop 2 of its payload has extent 0}}
    %a, %l:3 = transform.structured.tile_using_for %0 tile_sizes [2,2,2] : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%A: tensor<4x0xf32>, %B: tensor<0x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.matmul ins(%A,%B: tensor<4x0xf32>,tensor<0x4xf32>) outs(%o: tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{loop 2 of its payload has extent 0}}
    %a, %l:3 = transform.structured.fuse %0 tile_sizes [2,2,2] : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%A: tensor<4x4xf32>, %B: tensor<4x4xf32>, %o: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.matmul ins(%A,%B: tensor<4x4xf32>,tensor<4x4xf32>) outs(%o: tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %p = transform.param.constant 2 : i64 -> !transform.param<i64>
    // expected-error @below {{loop 2 is a reduction}}
    %a, %l = transform.structured.tile_using_forall %0 tile_sizes [0, 0, %p] : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%A: tensor<4x4xf32>, %B: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%c0: f32) outs(%e: tensor<4x4xf32>) -> tensor<4x4xf32>
  // expected-note @below {{this is its payload}}
  %0 = linalg.matmul ins(%A,%B: tensor<4x4xf32>,tensor<4x4xf32>) outs(%f: tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{it would fuse linalg.fill}}
    %t, %l:3 = transform.structured.fuse %0 tile_sizes [2,2,2] : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%A: tensor<4x4xf32>, %B: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%c0: f32) outs(%e: tensor<4x4xf32>) -> tensor<4x4xf32>
  // expected-note @below {{this is its payload}}
  %0 = linalg.matmul ins(%A,%B: tensor<4x4xf32>,tensor<4x4xf32>) outs(%f: tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{it would fuse linalg.fill}}
    %t, %l = transform.structured.fuse %0 tile_sizes [0,0,2] : (!transform.any_op) -> (!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%A: tensor<4x4xf32>, %B: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.copy ins(%A: tensor<4x4xf32>) outs(%e: tensor<4x4xf32>) -> tensor<4x4xf32>
  // expected-note @below {{this is its payload}}
  %0 = linalg.matmul ins(%A,%B: tensor<4x4xf32>,tensor<4x4xf32>) outs(%f: tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{it would fuse linalg.copy}}
    %t, %l = transform.structured.fuse %0 tile_sizes [0,0,2] : (!transform.any_op) -> (!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types=["parallel"]} ins(%a: tensor<8xf32>) outs(%o: tensor<8xf32>) {
  ^bb0(%x: f32, %b: f32):
    %d = arith.mulf %x, %x : f32
    linalg.yield %d : f32
  } -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{split after 0 elements}}
    %a = transform.structured.split %0 after 0 {dimension=0} : !transform.any_op
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<7xi32>, %o: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<7xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %d = arith.addi %b, %x : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{is not neutral for arith.addi}}
    %a,%b,%c = transform.structured.pad %0 pad_to_multiple_of [8] {padding_values=[1 : i32, 0 : i32],padding_dimensions=[0]} : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<7xi32>, %o: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<7xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %d = arith.maxsi %b, %x : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{is not neutral for arith.maxsi}}
    %a,%b,%c = transform.structured.pad %0 pad_to_multiple_of [8] {padding_values=[0 : i32, 0 : i32],padding_dimensions=[0]} : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<7xi32>, %o: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<7xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %d = arith.muli %b, %x : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{is not neutral for arith.muli}}
    %a,%b,%c = transform.structured.pad %0 pad_to_multiple_of [8] {padding_values=[0 : i32, 0 : i32],padding_dimensions=[0]} : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<7xi32>, %o: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<7xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %k = arith.constant 1 : i32
    %y = arith.addi %x, %k : i32
    %d = arith.addi %b, %y : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{is not neutral for arith.addi}}
    %a,%b,%c = transform.structured.pad %0 pad_to_multiple_of [8] {padding_values=[0 : i32, 0 : i32],padding_dimensions=[0]} : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<7xi32>, %o: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<7xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %d = arith.addi %b, %x : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{pad_to_multiple_of 0}}
    %a,%b,%c = transform.structured.pad %0 pad_to_multiple_of [0] {padding_values=[0 : i32, 0 : i32],padding_dimensions=[0]} : (!transform.any_op) -> (!transform.any_op,!transform.any_op,!transform.any_op)
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<7xi32>, %o: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<7xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %d = arith.muli %b, %x : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{is not neutral for arith.muli}}
    %a = transform.structured.pack %0 packed_sizes = [4] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @f(%a: tensor<8xi32>, %o: tensor<i32>) -> tensor<i32> {
  // expected-note @below {{this is its payload}}
  %0 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types=["reduction"]} ins(%a: tensor<8xi32>) outs(%o: tensor<i32>) {
  ^bb0(%x: i32, %b: i32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %d = arith.addi %b, %j : i32
    linalg.yield %d : i32
  } -> tensor<i32>
  return %0 : tensor<i32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{would count packs}}
    %a = transform.structured.pack %0 packed_sizes = [4] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @f(%y: memref<64xf32>, %o: memref<64xf32>, %s: !gpu.async.token) {
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %n = gpu.launch async [%s] blocks(%a, %b, %c) in (%ga=%c1, %gb=%c1, %gc=%c1) threads(%d, %e, %g) in (%ta=%c1, %tb=%c1, %tc=%c1) {
    // expected-note @below {{this is its payload}}
    scf.forall (%i) in (64) {
      %v = memref.load %o[%i] : memref<64xf32>
      memref.store %v, %y[%i] : memref<64xf32>
    } {mapping = [#gpu.thread<x>]}
    
    scf.forall (%i) in (64) {
      %r = arith.subi %c63, %i : index
      %v = memref.load %y[%r] : memref<64xf32>
      memref.store %v, %o[%i] : memref<64xf32>
    } {mapping = [#gpu.thread<x>]}
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["gpu.launch"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{a data race}}
    %1 = transform.gpu.map_nested_forall_to_threads %0 block_dims = [64, 1, 1] sync_after_distribute = false : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @f(%y: memref<64xf32>, %o: memref<64xf32>, %s: !gpu.async.token) {
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %n = gpu.launch async [%s] blocks(%a, %b, %c) in (%ga=%c1, %gb=%c1, %gc=%c1) threads(%d, %e, %g) in (%ta=%c1, %tb=%c1, %tc=%c1) {
    // expected-note @below {{this is its payload}}
    scf.forall (%i) in (64) {
      %v = memref.load %o[%i] : memref<64xf32>
      memref.store %v, %y[%i] : memref<64xf32>
    } {mapping = [#gpu.thread<x>]}
    
    %v = memref.load %y[%c63] : memref<64xf32>
    memref.store %v, %o[%c63] : memref<64xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["gpu.launch"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{a data race}}
    %1 = transform.gpu.map_nested_forall_to_threads %0 block_dims = [64, 1, 1] sync_after_distribute = false : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @f(%y: memref<64xf32>, %o: memref<64xf32>, %s: !gpu.async.token) {
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %n = gpu.launch async [%s] blocks(%a, %b, %c) in (%ga=%c1, %gb=%c1, %gc=%c1) threads(%d, %e, %g) in (%ta=%c1, %tb=%c1, %tc=%c1) {
    // expected-note @below {{this is its payload}}
    scf.forall (%i) in (64) {
      %v = memref.load %o[%i] : memref<64xf32>
      memref.store %v, %y[%i] : memref<64xf32>
    } {mapping = [#gpu.block<x>]}
    
    %v = memref.load %y[%c63] : memref<64xf32>
    memref.store %v, %o[%c63] : memref<64xf32>
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["gpu.launch"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{a data race}}
    %1 = transform.gpu.map_forall_to_blocks %0 grid_dims = [64, 1, 1] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @f(%y: memref<64xf32>, %o: memref<64xf32>, %s: !gpu.async.token) {
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %n = gpu.launch async [%s] blocks(%a, %b, %c) in (%ga=%c1, %gb=%c1, %gc=%c1) threads(%d, %e, %g) in (%ta=%c1, %tb=%c1, %tc=%c1) {
    // expected-note @below {{this is its payload}}
    scf.forall (%i) in (0) {
      %v = memref.load %o[%i] : memref<64xf32>
      memref.store %v, %y[%i] : memref<64xf32>
    } {mapping = [#gpu.block<x>]}
    

    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["gpu.launch"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{the loop has no iterations}}
    %1 = transform.gpu.map_forall_to_blocks %0 grid_dims = [64, 1, 1] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @f(%y: memref<64xf32>, %o: memref<64xf32>, %s: !gpu.async.token) {
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  %n = gpu.launch async [%s] blocks(%a, %b, %c) in (%ga=%c1, %gb=%c1, %gc=%c1) threads(%d, %e, %g) in (%ta=%c1, %tb=%c1, %tc=%c1) {
    %cond = arith.cmpi eq, %d, %c1 : index
    scf.if %cond {
    // expected-note @below {{this is its payload}}
    scf.forall (%i) in (64) {
      %v = memref.load %o[%i] : memref<64xf32>
      memref.store %v, %y[%i] : memref<64xf32>
    } {mapping = [#gpu.thread<x>]}
    

    }
    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["gpu.launch"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{not all threads run alike}}
    %1 = transform.gpu.map_nested_forall_to_threads %0 block_dims = [64, 1, 1] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @f(%y: memref<64xf32>, %o: memref<64xf32>, %s: !gpu.async.token) {
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  // expected-note @below {{this is its payload}}
  %n = gpu.launch async [%s] blocks(%a, %b, %c) in (%ga=%c1, %gb=%c1, %gc=%c1) threads(%d, %e, %g) in (%ta=%c1, %tb=%c1, %tc=%c1) {
    scf.forall (%i) in (64) {
      %v = memref.load %o[%i] : memref<64xf32>
      memref.store %v, %y[%i] : memref<64xf32>
    } {mapping = [#gpu.thread<x>]}
    

    gpu.terminator
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["gpu.launch"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{warp_size 0}}
    %1 = transform.gpu.map_nested_forall_to_threads %0 block_dims = [64, 1, 1] warp_size = 0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
