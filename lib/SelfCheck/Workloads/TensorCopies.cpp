//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A map over tiles that tensor copies bring and take away: two stages of
// mbarriers for the loads, two buffers and groups for the stores.
//
//===----------------------------------------------------------------------===//
#include "KernelText.h"
#include "llvm/Support/MathExtras.h"

using namespace egg;
using namespace egg::selfcheck;

static constexpr llvm::StringLiteral kKernel = R"mlir(
module attributes {egg.emulate = {
    kernel = "k", grid = array<i64: 2, 1, 1>, block = array<i64: 64, 1, 1>,
    buffers = [{dtype = "f32", shape = array<i64: $R, $C>},
               {dtype = "f32", shape = array<i64: $R, $C>, role = "output"}],
    arguments = [
      {map_of = 0 : i64, dims = array<i64: $C, $R>, strides = array<i64: $pitch>, box = array<i64: 32, 8>, swizzle = 0 : i64},
      {map_of = 1 : i64, dims = array<i64: $C, $R>, strides = array<i64: $pitch>, box = array<i64: 32, 8>, swizzle = 0 : i64}]}} {
  gpu.module @m {
    llvm.mlir.global internal @given() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<512 x f32>
    llvm.mlir.global internal @made() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<512 x f32>
    llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>
    llvm.func @k(%x: !llvm.ptr, %y: !llvm.ptr) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c2 = arith.constant 2 : i32
      %c4 = arith.constant 4 : i32
      %c8 = arith.constant 8 : i32
      %c32 = arith.constant 32 : i32
      %c64 = arith.constant 64 : i32
      %c256 = arith.constant 256 : i32
      %bytes = arith.constant 1024 : i32
      %ticks = arith.constant 10000000 : i32
      %columns = arith.constant $tilesC : i32
      %tiles = arith.constant $tiles : i32
      %rounds = arith.addi %tiles, %c1 : i32
      %given = llvm.mlir.addressof @given : !llvm.ptr<3>
      %made = llvm.mlir.addressof @made : !llvm.ptr<3>
      %full = llvm.mlir.addressof @full : !llvm.ptr<3>
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %block = nvvm.read.ptx.sreg.ctaid.x : i32
      %firstTile = arith.muli %block, %tiles : i32
      %leads = arith.cmpi eq, %thread, %c0 : i32
      scf.if %leads {
        scf.for %stage = %c0 to %c2 step %c1 : i32 {
          %fullStage = llvm.getelementptr %full[%stage] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          nvvm.mbarrier.init %fullStage, %c1 : !llvm.ptr<3>, i32
        }
        nvvm.fence.mbarrier.init
      }
      nvvm.barrier0
      scf.for %round = %c0 to %rounds step %c1 : i32 {
        %loads = arith.cmpi ult, %round, %tiles : i32
        %loadsHere = arith.andi %leads, %loads : i1
        scf.if %loadsHere {
          %tile = arith.addi %firstTile, %round : i32
          %tileRow = arith.divui %tile, %columns : i32
          %tileColumn = arith.remui %tile, %columns : i32
          %row = arith.muli %tileRow, %c8 : i32
          %column = arith.muli %tileColumn, %c32 : i32
          %stage = arith.remui %round, %c2 : i32
          %start = arith.muli %stage, %c256 : i32
          %fullStage = llvm.getelementptr %full[%stage] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          %to = llvm.getelementptr %given[%start] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
          %toCluster = llvm.addrspacecast %to : !llvm.ptr<3> to !llvm.ptr<7>
          nvvm.mbarrier.arrive.expect_tx %fullStage, %bytes : !llvm.ptr<3>, i32
          nvvm.cp.async.bulk.tensor.shared.cluster.global %toCluster, %x, %fullStage, box [%column, %row] : !llvm.ptr<7>, !llvm.ptr
        }
        %uses = arith.cmpi uge, %round, %c1 : i32
        scf.if %uses {
          %used = arith.subi %round, %c1 : i32
          %stage = arith.remui %used, %c2 : i32
          %half = arith.divui %used, %c2 : i32
          %parity = arith.andi %half, %c1 : i32
          %start = arith.muli %stage, %c256 : i32
          %fullStage = llvm.getelementptr %full[%stage] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          nvvm.mbarrier.try_wait.parity %fullStage, %parity, %ticks : !llvm.ptr<3>, i32, i32
          scf.if %leads {
            nvvm.cp.async.bulk.wait_group 1 {read}
          }
          nvvm.barrier0
          scf.for %i = %c0 to %c4 step %c1 : i32 {
            %skipped = arith.muli %i, %c64 : i32
            %first = arith.addi %start, %thread : i32
            %place = arith.addi %first, %skipped : i32
            %from = llvm.getelementptr %given[%place] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
            %value = llvm.load %from : !llvm.ptr<3> -> f32
            %square = arith.mulf %value, %value : f32
            %result = arith.addf %square, %value : f32
            %to = llvm.getelementptr %made[%place] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
            llvm.store %result, %to : f32, !llvm.ptr<3>
          }
          nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
          nvvm.barrier0
          scf.if %leads {
            %tile = arith.addi %firstTile, %used : i32
            %tileRow = arith.divui %tile, %columns : i32
            %tileColumn = arith.remui %tile, %columns : i32
            %row = arith.muli %tileRow, %c8 : i32
            %column = arith.muli %tileColumn, %c32 : i32
            %from = llvm.getelementptr %made[%start] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
            nvvm.cp.async.bulk.tensor.global.shared.cta %y, %from, box [%column, %row] : !llvm.ptr, !llvm.ptr<3>
            nvvm.cp.async.bulk.commit.group
          }
        }
      }
      scf.if %leads {
        nvvm.cp.async.bulk.wait_group 0
      }
      llvm.return
    }
  }
}
)mlir";

GivenKernel egg::selfcheck::generateTensorCopies(uint64_t seed) {
  PayloadText text(seed);
  // The pitch is a multiple of 16 bytes; each of two blocks has four tiles or
  // more, so that buffers are used again.
  int64_t rows = text.draw(17, 40), columns = 4 * text.draw(17, 30);
  int64_t across = llvm::divideCeil(columns, 32);
  PayloadText::Tensor x = text.input({rows, columns});
  std::string payload =
      text.finish({text.map({rows, columns}, {{x, {0, 1}}},
                            "      %s = arith.mulf %in0, %in0 : f32\n"
                            "      %r = arith.addf %s, %in0 : f32\n"
                            "      linalg.yield %r : f32\n")});
  int64_t tiles = across * int64_t(llvm::divideCeil(rows, 8));
  return {payload, fillTemplate(kKernel, {{"R", rows},
                                          {"C", columns},
                                          {"pitch", 4 * columns},
                                          {"tilesC", across},
                                          {"tiles", (tiles + 1) / 2}})};
}
