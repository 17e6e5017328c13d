//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A product of warpgroup instructions: one warp loads tiles into two stages,
// four multiply with one group in flight and give the stages back.
//
//===----------------------------------------------------------------------===//
#include "KernelText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace egg;
using namespace egg::selfcheck;

/// Of a tile of 64 x 64, by thread.
static constexpr int64_t kAccumulators = 32;

static constexpr llvm::StringLiteral kKernel = R"mlir(
module attributes {egg.emulate = {
    kernel = "k", grid = array<i64: 2, 1, 1>, block = array<i64: 160, 1, 1>,
    dynamic_shared_memory = 32768 : i64,
    buffers = [{dtype = "bf16", shape = array<i64: $M, $K>},
               {dtype = "bf16", shape = array<i64: $K, $N>},
               {dtype = "f32", shape = array<i64: $M, $N>, role = "output"}],
    arguments = [
      {map_of = 0 : i64, dims = array<i64: $K, $M>, strides = array<i64: $pitchA>, box = array<i64: 64, 64>, swizzle = 128 : i64},
      {map_of = 1 : i64, dims = array<i64: $N, $K>, strides = array<i64: $pitchB>, box = array<i64: 64, 64>, swizzle = 128 : i64},
      {buffer = 2 : i64}]}} {
  gpu.module @m {
    llvm.mlir.global external @dyn() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
    llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>
    llvm.mlir.global internal @empty() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>
    llvm.func @k(%a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 160, 1, 1>} {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c2 = arith.constant 2 : i32
      %c4 = arith.constant 4 : i32
      %c16 = arith.constant 16 : i32
      %c31 = arith.constant 31 : i32
      %c32 = arith.constant 32 : i32
      %c64 = arith.constant 64 : i32
      %c128 = arith.constant 128 : i32
      %tileBytes = arith.constant 8192 : i32
      %stageBytes = arith.constant 16384 : i32
      %ticks = arith.constant 10000000 : i32
      %M = arith.constant $M : i32
      %N = arith.constant $N : i32
      %tilesN = arith.constant $tilesN : i32
      %tilesK = arith.constant $tilesK : i32
      %tiles = arith.constant $tiles : i32
      %field = arith.constant 16383 : i32
      %layoutA = arith.constant 4611686293305360384 : i64
      %layoutB = arith.constant 4611686293338849280 : i64
      %stepA = arith.constant 2 : i64
      %stepB = arith.constant 128 : i64
      %shared = llvm.mlir.addressof @dyn : !llvm.ptr<3>
      %full = llvm.mlir.addressof @full : !llvm.ptr<3>
      %empty = llvm.mlir.addressof @empty : !llvm.ptr<3>
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      %block = nvvm.read.ptx.sreg.ctaid.x : i32
      %blocks = nvvm.read.ptx.sreg.nctaid.x : i32
      %sets = arith.cmpi eq, %thread, %c0 : i32
      scf.if %sets {
        scf.for %stage = %c0 to %c2 step %c1 : i32 {
          %fullStage = llvm.getelementptr %full[%stage] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          %emptyStage = llvm.getelementptr %empty[%stage] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
          nvvm.mbarrier.init %fullStage, %c1 : !llvm.ptr<3>, i32
          nvvm.mbarrier.init %emptyStage, %c1 : !llvm.ptr<3>, i32
        }
        nvvm.fence.mbarrier.init
      }
      nvvm.barrier0
      %warp = arith.divui %thread, %c32 : i32
      %produces = arith.cmpi eq, %warp, %c4 : i32
      scf.if %produces {
        %leads = arith.cmpi eq, %thread, %c128 : i32
        scf.if %leads {
          scf.for %tile = %block to %tiles step %blocks iter_args(%count = %c0) -> (i32) : i32 {
            %tileM = arith.divui %tile, %tilesN : i32
            %tileN = arith.remui %tile, %tilesN : i32
            %m = arith.muli %tileM, %c64 : i32
            %n = arith.muli %tileN, %c64 : i32
            %last = scf.for %tileK = %c0 to %tilesK step %c1 iter_args(%now = %count) -> (i32) : i32 {
              %stage = arith.remui %now, %c2 : i32
              %turn = arith.divui %now, %c2 : i32
              %next = arith.addi %turn, %c1 : i32
              %parity = arith.remui %next, %c2 : i32
              %fullStage = llvm.getelementptr %full[%stage] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
              %emptyStage = llvm.getelementptr %empty[%stage] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
              nvvm.mbarrier.try_wait.parity %emptyStage, %parity, %ticks : !llvm.ptr<3>, i32, i32
              nvvm.mbarrier.arrive.expect_tx %fullStage, %stageBytes : !llvm.ptr<3>, i32
              %k = arith.muli %tileK, %c64 : i32
              %start = arith.muli %stage, %stageBytes : i32
              %toA = llvm.getelementptr %shared[%start] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
              %toAInCluster = llvm.addrspacecast %toA : !llvm.ptr<3> to !llvm.ptr<7>
              nvvm.cp.async.bulk.tensor.shared.cluster.global %toAInCluster, %a, %fullStage, box [%k, %m] : !llvm.ptr<7>, !llvm.ptr
              %startB = arith.addi %start, %tileBytes : i32
              %toB = llvm.getelementptr %shared[%startB] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
              %toBInCluster = llvm.addrspacecast %toB : !llvm.ptr<3> to !llvm.ptr<7>
              nvvm.cp.async.bulk.tensor.shared.cluster.global %toBInCluster, %b, %fullStage, box [%n, %k] : !llvm.ptr<7>, !llvm.ptr
              %after = arith.addi %now, %c1 : i32
              scf.yield %after : i32
            }
            scf.yield %last : i32
          }
        }
      } else {
        %releases = arith.cmpi eq, %thread, %c0 : i32
        %address = llvm.ptrtoint %shared : !llvm.ptr<3> to i32
        %zeros = llvm.mlir.zero : !acc
        %lane = arith.andi %thread, %c31 : i32
        %quad = arith.divui %lane, %c4 : i32
        %firstRow = arith.muli %warp, %c16 : i32
        %laneRow = arith.addi %firstRow, %quad : i32
        %pair = arith.remui %lane, %c4 : i32
        %laneColumn = arith.muli %pair, %c2 : i32
        scf.for %tile = %block to %tiles step %blocks iter_args(%count = %c0) -> (i32) : i32 {
          %sum, %last = scf.for %tileK = %c0 to %tilesK step %c1 iter_args(%before = %zeros, %now = %count) -> (!acc, i32) : i32 {
            %stage = arith.remui %now, %c2 : i32
            %turn = arith.divui %now, %c2 : i32
            %parity = arith.remui %turn, %c2 : i32
            %fullStage = llvm.getelementptr %full[%stage] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
            nvvm.mbarrier.try_wait.parity %fullStage, %parity, %ticks : !llvm.ptr<3>, i32, i32
            %skipped = arith.muli %stage, %stageBytes : i32
            %startA = arith.addi %address, %skipped : i32
            %startB = arith.addi %startA, %tileBytes : i32
            %partA = arith.divui %startA, %c16 : i32
            %partB = arith.divui %startB, %c16 : i32
            %fieldA = arith.andi %partA, %field : i32
            %fieldB = arith.andi %partB, %field : i32
            %wideA = arith.extui %fieldA : i32 to i64
            %wideB = arith.extui %fieldB : i32 to i64
            %a0 = arith.ori %wideA, %layoutA : i64
            %b0 = arith.ori %wideB, %layoutB : i64
            %a1 = arith.addi %a0, %stepA : i64
            %b1 = arith.addi %b0, %stepB : i64
            %a2 = arith.addi %a1, %stepA : i64
            %b2 = arith.addi %b1, %stepB : i64
            %a3 = arith.addi %a2, %stepA : i64
            %b3 = arith.addi %b2, %stepB : i64
            nvvm.wgmma.fence.aligned
            %sum0 = nvvm.wgmma.mma_async %a0, %b0, %before, <m = 64, n = 64, k = 16>, D[<f32>, <one>], A[<bf16>, <one>, <row>], B[<bf16>, <one>, <row>] : !acc -> !acc
            %sum1 = nvvm.wgmma.mma_async %a1, %b1, %sum0, <m = 64, n = 64, k = 16>, D[<f32>, <one>], A[<bf16>, <one>, <row>], B[<bf16>, <one>, <row>] : !acc -> !acc
            %sum2 = nvvm.wgmma.mma_async %a2, %b2, %sum1, <m = 64, n = 64, k = 16>, D[<f32>, <one>], A[<bf16>, <one>, <row>], B[<bf16>, <one>, <row>] : !acc -> !acc
            %sum3 = nvvm.wgmma.mma_async %a3, %b3, %sum2, <m = 64, n = 64, k = 16>, D[<f32>, <one>], A[<bf16>, <one>, <row>], B[<bf16>, <one>, <row>] : !acc -> !acc
            nvvm.wgmma.commit.group.sync.aligned
            nvvm.wgmma.wait.group.sync.aligned 1
            %notFirst = arith.cmpi ne, %tileK, %c0 : i32
            %releasesHere = arith.andi %notFirst, %releases : i1
            scf.if %releasesHere {
              %former = arith.subi %now, %c1 : i32
              %freed = arith.remui %former, %c2 : i32
              %emptyStage = llvm.getelementptr %empty[%freed] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
              %state = nvvm.mbarrier.arrive %emptyStage : !llvm.ptr<3> -> i64
            }
            %after = arith.addi %now, %c1 : i32
            scf.yield %sum3, %after : !acc, i32
          }
          nvvm.wgmma.wait.group.sync.aligned 0
          scf.if %releases {
            %former = arith.subi %last, %c1 : i32
            %freed = arith.remui %former, %c2 : i32
            %emptyStage = llvm.getelementptr %empty[%freed] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
            %state = nvvm.mbarrier.arrive %emptyStage : !llvm.ptr<3> -> i64
          }
          %tileM = arith.divui %tile, %tilesN : i32
          %tileN = arith.remui %tile, %tilesN : i32
          %tileRow = arith.muli %tileM, %c64 : i32
          %tileColumn = arith.muli %tileN, %c64 : i32
          %row = arith.addi %tileRow, %laneRow : i32
          %column = arith.addi %tileColumn, %laneColumn : i32
)mlir";

static constexpr llvm::StringLiteral kEnd = R"mlir(
          scf.yield %last : i32
        }
      }
      llvm.return
    }
  }
}
)mlir";

/// Stores one accumulator where it lies inside.
static std::string store(int64_t i) {
  return llvm::formatv(R"mlir(
          %down{0} = arith.constant {1} : i32
          %right{0} = arith.constant {2} : i32
          %row{0} = arith.addi %row, %down{0} : i32
          %column{0} = arith.addi %column, %right{0} : i32
          %rowInside{0} = arith.cmpi ult, %row{0}, %M : i32
          %columnInside{0} = arith.cmpi ult, %column{0}, %N : i32
          %inside{0} = arith.andi %rowInside{0}, %columnInside{0} : i1
          scf.if %inside{0} {{
            %value = llvm.extractvalue %sum[{0}] : !acc
            %start = arith.muli %row{0}, %N : i32
            %place = arith.addi %start, %column{0} : i32
            %to = llvm.getelementptr %c[%place] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
            llvm.store %value, %to : f32, !llvm.ptr<1>
          })mlir",
                       i, i / 2 % 2 * 8, i / 4 * 8 + i % 2);
}

GivenKernel egg::selfcheck::generateWarpSpecialized(uint64_t seed) {
  PayloadText text(seed);
  // Pitches are multiples of 16 bytes; each of two blocks has two tiles or
  // more, of three steps or more.
  int64_t m = text.draw(70, 120), n = 8 * text.draw(9, 15),
          k = 8 * text.draw(17, 30);
  std::string payload = productPayload(text, m, n, k, "bf16");
  int64_t tilesM = llvm::divideCeil(m, 64), tilesN = llvm::divideCeil(n, 64);
  std::string kernel =
      "!acc = !llvm.struct<(" +
      llvm::join(std::vector<std::string>(kAccumulators, "f32"), ", ") + ")>";
  kernel += kKernel;
  for (int64_t i = 0; i < kAccumulators; ++i)
    kernel += store(i);
  kernel += kEnd;
  return {payload,
          fillTemplate(kernel, {{"M", m},
                                {"N", n},
                                {"K", k},
                                {"pitchA", 2 * k},
                                {"pitchB", 2 * n},
                                {"tilesN", tilesN},
                                {"tilesK", int64_t(llvm::divideCeil(k, 64))},
                                {"tiles", tilesM * tilesN}})};
}
