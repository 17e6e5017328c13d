//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Exact/ComputedInAdvance.h"
#include "VerifyTest.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace egg;

namespace {

class ComputedInAdvanceTest : public VerifyTest {
protected:
  /// Whether a third of the integer %r, that the body computes of the data %x
  /// and %y, is known without them.
  bool isKnown(StringRef body) {
    auto module = parse(llvm::formatv(R"(
      #id = affine_map<(i) -> (i)>
      #back = affine_map<(i) -> (7 - i)>
      func.func @main(%a: tensor<8xi32>, %b: tensor<8xi32>) -> tensor<8xf32> {{
        %three = arith.constant 3.0 : f32
        %zero = arith.constant 0 : i32
        %one = arith.constant 1 : i32
        %two = arith.constant 2 : i32
        %ones = arith.constant -1 : i32
        %zeros = arith.constant dense<0> : tensor<8xi32>
        %e = tensor.empty() : tensor<8xf32>
        %0 = linalg.generic {{indexing_maps = [#id, #id, #id, #id, #back,
            #id], iterator_types = ["parallel"]}
            ins(%a, %b, %zeros, %a, %a : tensor<8xi32>, tensor<8xi32>,
                tensor<8xi32>, tensor<8xi32>, tensor<8xi32>)
            outs(%e : tensor<8xf32>) {{
        ^bb0(%x: i32, %y: i32, %z: i32, %again: i32, %other: i32, %out: f32):
          {0}
          %f = arith.sitofp %r : i32 to f32
          %q = arith.divf %f, %three : f32
          linalg.yield %q : f32
        } -> tensor<8xf32>
        return %0 : tensor<8xf32>
      })",
                                      body)
                            .str());
    return findComputedInAdvance(*module) != nullptr;
  }
};

} // namespace

TEST_F(ComputedInAdvanceTest, WhatDependsOnNoDataIsKnown) {
  for (StringRef body : {
           "%r = arith.xori %x, %x : i32",
           "%r = arith.subi %x, %x : i32",
           "%r = arith.muli %x, %zero : i32",
           "%r = arith.muli %x, %z : i32",
           "%r = arith.andi %x, %zero : i32",
           "%r = arith.ori %x, %ones : i32",
           "%r = arith.remsi %x, %one : i32",
           "%r = arith.remui %x, %x : i32",
           "%r = arith.divsi %x, %x : i32",
           "%r = arith.divui %zero, %x : i32",
           "%r = arith.shli %zero, %x : i32",
           "%c = arith.cmpi sle, %x, %x : i32 "
           "%r = arith.extui %c : i1 to i32",
           "%c = arith.cmpi slt, %x, %y : i32 "
           "%r = arith.select %c, %two, %two : i32",
           "%c = arith.cmpi eq, %x, %x : i32 "
           "%r = arith.select %c, %two, %x : i32",
           // Through other values, and where they are computed twice.
           "%s = arith.subi %y, %y : i32 %r = arith.muli %x, %s : i32",
           "%s = arith.addi %x, %y : i32 %t = arith.addi %x, %y : i32 "
           "%r = arith.xori %s, %t : i32",
           "%s = arith.addi %x, %y : i32 %t = arith.addi %again, %y : i32 "
           "%r = arith.xori %s, %t : i32",
       })
    EXPECT_TRUE(isKnown(body)) << body.str();
}

TEST_F(ComputedInAdvanceTest, WhatDependsOnDataIsNot) {
  for (StringRef body : {
           "%r = arith.xori %x, %y : i32",
           "%r = arith.xori %x, %other : i32",
           "%r = arith.subi %x, %y : i32",
           "%r = arith.muli %x, %two : i32",
           "%r = arith.andi %x, %one : i32",
           "%r = arith.ori %x, %one : i32",
           "%r = arith.remsi %x, %two : i32",
           "%r = arith.divsi %x, %y : i32",
           "%r = arith.divui %x, %two : i32",
           "%r = arith.addi %x, %zero : i32",
           "%c = arith.cmpi sle, %x, %y : i32 "
           "%r = arith.extui %c : i1 to i32",
           "%c = arith.cmpi slt, %x, %y : i32 "
           "%r = arith.select %c, %two, %x : i32",
           "%c = arith.cmpi ne, %x, %x : i32 "
           "%r = arith.select %c, %two, %x : i32",
           "%s = arith.addi %x, %y : i32 %t = arith.addi %x, %two : i32 "
           "%r = arith.xori %s, %t : i32",
       })
    EXPECT_FALSE(isKnown(body)) << body.str();
}
