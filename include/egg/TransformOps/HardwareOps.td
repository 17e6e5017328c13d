//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Operations of the hardware stage: they record how a kernel is mapped to the
// machine. Each fills in part of the kernel function's 'egg.config'; nothing
// is rewritten before materialization.
//
//===----------------------------------------------------------------------===//
#ifndef EGG_TRANSFORMOPS_HARDWAREOPS_TD
#define EGG_TRANSFORMOPS_HARDWAREOPS_TD

include "egg/TransformOps/ScriptWord.td"
include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"

/// A number from transform.tune.knob or transform.param.constant.
def IntegerParam : Type<
    CPred<"::llvm::isa<::mlir::transform::ParamType>($_self) && "
          "::llvm::cast<::mlir::transform::ParamType>($_self).getType()"
          ".isSignlessInteger(64)">,
    "!transform.param<i64>", "::mlir::transform::ParamType">,
  BuildableType<"::mlir::transform::ParamType::get($_builder.getContext(), "
                "$_builder.getI64Type())">;

/// An op that reads a kernel handle and numbers, and changes the kernel's
/// 'egg.config'. Apply and effects are shared: apply checks the target, then
/// calls configure(), which says what is wrong with the numbers.
class HardwareOp<string mnemonic> : Op<Transform_Dialect, "egg." # mnemonic,
    [DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let cppNamespace = "::egg";
}

def MapElementsOp : HardwareOp<"map_elements">,
    ScriptWord<["parallel_mapping"],
      ["threads: a multiple of 32, from 32 to 1024"]> {
  let summary = "Maps a kernel without reductions: a thread per element";
  let description = [{
    The kernel has structure `map`: each thread computes neighbouring elements
    of the result (see `transform.egg.vectorize`), blocks have `threads`
    threads: a multiple of 32, from 32 to 1024.

    Fails silenceably when the kernel has another structure, was already
    mapped, or `threads` is out of range.

    Why an op of our own: `structured.tile_using_forall` with
    `gpu.map_forall_to_blocks` maps one op at a time and does not prove the
    absence of races; this names the mapping of a whole kernel, which
    materialization then builds from its analysis.

    Example:

    ```mlir
    %threads = transform.tune.knob<"threads"> = 256 from options = [128, 256, 512]
        -> !transform.param<i64>
    transform.egg.map_elements %k threads(%threads) : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$kernel,
                       IntegerParam:$threads);
  let assemblyFormat =
      "$kernel `threads` `(` $threads `)` attr-dict `:` type($kernel)";
}

def MapRowsOp : HardwareOp<"map_rows">,
    ScriptWord<["parallel_mapping"],
      ["threads_per_row: a power of two from 1 to 1024 (1 where partial results cannot be combined)",
       "rows_per_block: from 1 to 1024",
       "threads_per_row * rows_per_block: a multiple of 32, from 32 to 1024",
       "the threads of a row are neighbours; with 1 thread a row, neighbouring threads have neighbouring rows"]> {
  let summary = "Maps a kernel of row reductions: a group of threads per row";
  let description = [{
    The kernel has structure `rows`: `threads_per_row` threads work on a row (1,
    or a power of two up to 1024; they combine through shuffles, and through
    shared memory beyond a warp), a block works on `rows_per_block` rows. The
    block, threads_per_row * rows_per_block, is a multiple of 32 and at most
    1024.

    Fails silenceably when the kernel has another structure, was already
    mapped, or a number is out of range.

    Why an op of our own: upstream maps a reduction dimension to threads only
    through `structured.tile_reduction_using_forall`, for one op, without the
    shuffles, and without a common row of several reductions.

    Example:

    ```mlir
    transform.egg.map_rows %k threads_per_row(%t) rows_per_block(%r)
        : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$kernel,
                       IntegerParam:$threads_per_row,
                       IntegerParam:$rows_per_block);
  let assemblyFormat = [{
    $kernel `threads_per_row` `(` $threads_per_row `)`
    `rows_per_block` `(` $rows_per_block `)` attr-dict `:` type($kernel)
  }];
}

def MapTilesOp : HardwareOp<"map_tiles">,
    ScriptWord<["parallel_mapping"],
      ["tile_m, tile_n: powers of two from 4 to 256"]> {
  let summary = "Maps a contraction: a block per tile of the result";
  let description = [{
    The kernel has structure `contraction`: a block computes a tile of `tile_m`
    rows and `tile_n` columns of the result. Both are powers of two from 4 to
    256.

    Fails silenceably when the kernel has another structure, was already
    mapped, or a number is out of range.

    Why an op of our own: as `transform.egg.map_elements`.

    Example:

    ```mlir
    transform.egg.map_tiles %k tile_m(%m) tile_n(%n) : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$kernel,
                       IntegerParam:$tile_m, IntegerParam:$tile_n);
  let assemblyFormat = [{
    $kernel `tile_m` `(` $tile_m `)` `tile_n` `(` $tile_n `)` attr-dict
    `:` type($kernel)
  }];
}

def MapScanOp : HardwareOp<"map_scan">,
    ScriptWord<["parallel_mapping"],
      ["threads: a multiple of 32, from 32 to 1024"]> {
  let summary = "Maps a scan: a block walks a row in chunks";
  let description = [{
    The kernel has structure `scan`: a block of `threads` threads (a multiple
    of 32, from 32 to 1024) walks one row and carries the running value from
    chunk to chunk.

    Fails silenceably when the kernel has another structure, was already
    mapped, or `threads` is out of range.

    Why an op of our own: upstream has no scan.

    Example:

    ```mlir
    transform.egg.map_scan %k threads(%t) : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$kernel,
                       IntegerParam:$threads);
  let assemblyFormat =
      "$kernel `threads` `(` $threads `)` attr-dict `:` type($kernel)";
}

def VectorizeOp : HardwareOp<"vectorize">,
    ScriptWord<["tensor_tiling"],
      ["width: a power of two, at most 16 bytes of the first result (4 for f32)"]> {
  let summary = "Elements of one memory access";
  let description = [{
    The kernel has structure `map` or `rows`: it reads and writes `width`
    neighbouring elements at a time: a power of two, at most 16 bytes of the
    kernel's first result. Accesses that cannot be proved contiguous and
    aligned stay single.

    Fails silenceably when the kernel was not mapped, has another structure, or
    `width` is out of range.

    Why an op of our own: `structured.vectorize` rewrites one op and needs its
    tile sizes; here the width is a decision about all accesses of the kernel.

    Example:

    ```mlir
    transform.egg.vectorize %k width(%w) : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$kernel,
                       IntegerParam:$width);
  let assemblyFormat =
      "$kernel `width` `(` $width `)` attr-dict `:` type($kernel)";
}

def TileContractionOp : HardwareOp<"tile_contraction">,
    ScriptWord<["tensor_tiling"],
      ["tile_k: a power of two from 1 to 64",
       "thread_m, thread_n: powers of two from 1 to 16 that divide tile_m, tile_n",
       "(tile_m / thread_m) * (tile_n / thread_n): a multiple of 32, from 32 to 1024",
       "stages * tile_k * (tile_m + tile_n + 2 * padding) elements: at most 49152 bytes"]> {
  let summary = "Depth of a contraction's tile and the piece of one thread";
  let description = [{
    The kernel has structure `contraction`: tiles are `tile_k` deep (a power of
    two from 1 to 64); a thread accumulates `thread_m` by `thread_n` elements of
    the block's tile (powers of two from 1 to 16 that divide the tile). The
    block, (tile_m / thread_m) * (tile_n / thread_n) threads, is a multiple of
    32 and at most 1024.

    Fails silenceably when the kernel was not mapped by
    `transform.egg.map_tiles`, or a number is out of range.

    Why an op of our own: as `transform.egg.map_elements`; register blocking
    upstream is tiling, vectorizing and hoisting of one op.

    Example:

    ```mlir
    transform.egg.tile_contraction %k tile_k(%d) thread_m(%m) thread_n(%n)
        : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$kernel,
                       IntegerParam:$tile_k, IntegerParam:$thread_m,
                       IntegerParam:$thread_n);
  let assemblyFormat = [{
    $kernel `tile_k` `(` $tile_k `)` `thread_m` `(` $thread_m `)`
    `thread_n` `(` $thread_n `)` attr-dict `:` type($kernel)
  }];
}

def UnrollScanOp : HardwareOp<"unroll_scan">,
    ScriptWord<["tensor_tiling"],
      ["items: from 1 to 32"]> {
  let summary = "Neighbouring elements a thread scans by itself";
  let description = [{
    The kernel has structure `scan`: each thread scans `items` neighbouring
    elements (1 to 32) before the block combines.

    Fails silenceably when the kernel was not mapped by
    `transform.egg.map_scan`, or `items` is out of range.

    Why an op of our own: upstream has no scan.

    Example:

    ```mlir
    transform.egg.unroll_scan %k items(%i) : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$kernel,
                       IntegerParam:$items);
  let assemblyFormat =
      "$kernel `items` `(` $items `)` attr-dict `:` type($kernel)";
}

def StageInSharedOp : HardwareOp<"stage_in_shared">,
    ScriptWord<["memory_optimization"],
      ["stages: 1 or 2",
       "padding: from 0 to 32, a multiple of what a thread reads at once (4 if thread_m or thread_n is a multiple of 4, else 2 or 1)",
       "stages * tile_k * (tile_m + tile_n + 2 * padding) elements: at most 49152 bytes"]> {
  let summary = "How a contraction's operands are staged in shared memory";
  let description = [{
    The kernel has structure `contraction`: `stages` tiles of both operands (1
    or 2) are in flight in shared memory, each row of a tile followed by
    `padding` elements (0 to 32) that keep the threads of a warp on different
    banks. The tiles fit 48 KiB.

    Fails silenceably when the kernel was not mapped by
    `transform.egg.map_tiles`, or a number is out of range.

    Why an op of our own: `nvgpu` and `memref` ops upstream pad and pipeline
    allocations that exist; here they do not exist yet.

    Example:

    ```mlir
    transform.egg.stage_in_shared %k stages(%s) padding(%p) : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$kernel,
                       IntegerParam:$stages, IntegerParam:$padding);
  let assemblyFormat = [{
    $kernel `stages` `(` $stages `)` `padding` `(` $padding `)` attr-dict
    `:` type($kernel)
  }];
}

#endif // EGG_TRANSFORMOPS_HARDWAREOPS_TD
