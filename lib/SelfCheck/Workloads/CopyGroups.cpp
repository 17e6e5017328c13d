//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A product whose tiles come by cp.async, three stages of them: a group for
// each tile, waited for two tiles later.
//
//===----------------------------------------------------------------------===//
#include "KernelText.h"
#include "llvm/Support/MathExtras.h"

using namespace egg;
using namespace egg::selfcheck;

static constexpr llvm::StringLiteral kKernel = R"mlir(
module attributes {egg.emulate = {
    kernel = "k", grid = array<i64: $gridN, $gridM, 1>,
    block = array<i64: 128, 1, 1>,
    buffers = [{dtype = "f32", shape = array<i64: $M, $K>},
               {dtype = "f32", shape = array<i64: $K, $N>},
               {dtype = "f32", shape = array<i64: $M, $N>, role = "output"}],
    arguments = [{buffer = 0 : i64}, {buffer = 1 : i64}, {buffer = 2 : i64}]}} {
  gpu.module @m {
    llvm.mlir.global internal @ring() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<1152 x f32>
    llvm.func @k(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c2 = arith.constant 2 : i32
      %c3 = arith.constant 3 : i32
      %c4 = arith.constant 4 : i32
      %c8 = arith.constant 8 : i32
      %c16 = arith.constant 16 : i32
      %c128 = arith.constant 128 : i32
      %c384 = arith.constant 384 : i32
      %M = arith.constant $M : i32
      %N = arith.constant $N : i32
      %K = arith.constant $K : i32
      %tiles = arith.constant $tilesK : i32
      %rounds = arith.addi %tiles, %c2 : i32
      %zero = arith.constant 0.0 : f32
      %ring = llvm.mlir.addressof @ring : !llvm.ptr<3>
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %blockN = nvvm.read.ptx.sreg.ctaid.x : i32
      %blockM = nvvm.read.ptx.sreg.ctaid.y : i32
      %inner = arith.remui %thread, %c16 : i32
      %outer = arith.divui %thread, %c16 : i32
      %firstM = arith.muli %blockM, %c8 : i32
      %firstN = arith.muli %blockN, %c16 : i32
      %m = arith.addi %firstM, %outer : i32
      %n = arith.addi %firstN, %inner : i32
      %mInside = arith.cmpi ult, %m, %M : i32
      %nInside = arith.cmpi ult, %n, %N : i32
      %rowA = arith.muli %m, %K : i32
      %sum = scf.for %round = %c0 to %rounds step %c1 iter_args(%partial = %zero) -> (f32) : i32 {
        %uses = arith.cmpi uge, %round, %c2 : i32
        scf.if %uses {
          nvvm.cp.async.wait.group 1
          nvvm.barrier0
        }
        %copies = arith.cmpi ult, %round, %tiles : i32
        scf.if %copies {
          %stage = arith.remui %round, %c3 : i32
          %start = arith.muli %stage, %c384 : i32
          %firstK = arith.muli %round, %c16 : i32
          %kA = arith.addi %firstK, %inner : i32
          %kInside = arith.cmpi ult, %kA, %K : i32
          %insideA = arith.andi %mInside, %kInside : i1
          %indexA = arith.addi %rowA, %kA : i32
          %safeA = arith.select %insideA, %indexA, %c0 : i32
          %bytesA = arith.select %insideA, %c4, %c0 : i32
          %fromA = llvm.getelementptr %a[%safeA] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
          %atA = arith.addi %start, %thread : i32
          %toA = llvm.getelementptr %ring[%atA] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
          nvvm.cp.async.shared.global %toA, %fromA, 4, cache = ca, %bytesA : !llvm.ptr<3>, !llvm.ptr<1>, i32
          scf.for %half = %c0 to %c2 step %c1 : i32 {
            %skipped = arith.muli %half, %c8 : i32
            %k0 = arith.addi %firstK, %skipped : i32
            %kB = arith.addi %k0, %outer : i32
            %kBInside = arith.cmpi ult, %kB, %K : i32
            %insideB = arith.andi %kBInside, %nInside : i1
            %rowB = arith.muli %kB, %N : i32
            %indexB = arith.addi %rowB, %n : i32
            %safeB = arith.select %insideB, %indexB, %c0 : i32
            %bytesB = arith.select %insideB, %c4, %c0 : i32
            %fromB = llvm.getelementptr %b[%safeB] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
            %plane = arith.addi %half, %c1 : i32
            %offset = arith.muli %plane, %c128 : i32
            %atB = arith.addi %atA, %offset : i32
            %toB = llvm.getelementptr %ring[%atB] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
            nvvm.cp.async.shared.global %toB, %fromB, 4, cache = ca, %bytesB : !llvm.ptr<3>, !llvm.ptr<1>, i32
          }
        }
        nvvm.cp.async.commit.group
        %next = scf.if %uses -> (f32) {
          %tile = arith.subi %round, %c2 : i32
          %used = arith.remui %tile, %c3 : i32
          %begin = arith.muli %used, %c384 : i32
          %line = arith.muli %outer, %c16 : i32
          %lineA = arith.addi %begin, %line : i32
          %half = arith.addi %begin, %c128 : i32
          %columnB = arith.addi %half, %inner : i32
          %all = scf.for %k = %c0 to %c16 step %c1 iter_args(%before = %partial) -> (f32) : i32 {
            %placeA = arith.addi %lineA, %k : i32
            %pointerA = llvm.getelementptr %ring[%placeA] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
            %x = llvm.load %pointerA : !llvm.ptr<3> -> f32
            %down = arith.muli %k, %c16 : i32
            %placeB = arith.addi %columnB, %down : i32
            %pointerB = llvm.getelementptr %ring[%placeB] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
            %y = llvm.load %pointerB : !llvm.ptr<3> -> f32
            %product = arith.mulf %x, %y : f32
            %after = arith.addf %before, %product : f32
            scf.yield %after : f32
          }
          scf.yield %all : f32
        } else {
          scf.yield %partial : f32
        }
        scf.yield %next : f32
      }
      %inside = arith.andi %mInside, %nInside : i1
      scf.if %inside {
        %rowC = arith.muli %m, %N : i32
        %indexC = arith.addi %rowC, %n : i32
        %to = llvm.getelementptr %c[%indexC] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
        llvm.store %sum, %to : f32, !llvm.ptr<1>
      }
      llvm.return
    }
  }
}
)mlir";

GivenKernel egg::selfcheck::generateCopyGroups(uint64_t seed) {
  PayloadText text(seed);
  int64_t m = text.draw(9, 23), n = text.draw(17, 40), k = text.draw(50, 100);
  return {
      productPayload(text, m, n, k, "f32"),
      fillTemplate(kKernel, {{"M", m},
                             {"N", n},
                             {"K", k},
                             {"gridM", int64_t(llvm::divideCeil(m, 8))},
                             {"gridN", int64_t(llvm::divideCeil(n, 16))},
                             {"tilesK", int64_t(llvm::divideCeil(k, 16))}})};
}
