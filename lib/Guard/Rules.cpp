//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What is known about each upstream transform op.
//
//===----------------------------------------------------------------------===//
#include "Checks.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace egg {

static constexpr llvm::StringLiteral kMemory =
    "it moves accesses to memory without looking at what they may overlap; "
    "verify the result";
static constexpr llvm::StringLiteral kClaim =
    "it takes the script's word that the result means the same; verify it";

static constexpr auto kSound = Rule::Kind::Sound;
static constexpr auto kGuarded = Rule::Kind::Guarded;
static constexpr auto kUnknown = Rule::Kind::Unknown;

// An op in none of the lines counts as unknown.
static constexpr Rule kRules[] = {
    {"transform.structured.tile_using_for", kGuarded, checkTileUsingFor},
    {"transform.structured.tile_using_forall", kGuarded, checkTileUsingForall},
    {"transform.structured.fuse", kGuarded, checkFuse},
    {"transform.structured.fuse_into_containing_op", kGuarded,
     checkFuseIntoContaining},
    {"transform.structured.split", kGuarded, checkSplit},
    {"transform.structured.vectorize", kGuarded, checkVectorize},
    {"transform.structured.split_reduction", kGuarded, checkSplitReduction},
    {"transform.structured.tile_reduction_using_for", kGuarded,
     checkTileReductionUsingFor},
    {"transform.structured.tile_reduction_using_forall", kGuarded,
     checkTileReductionUsingForall},
    {"transform.structured.pad", kGuarded, checkPad},
    {"transform.structured.pad_tiling_interface", kGuarded,
     checkPadTilingInterface},
    {"transform.structured.pack", kGuarded, checkPack},
    {"transform.structured.pack_greedily", kGuarded, checkPackGreedily},
    {"transform.structured.winograd_conv2d", kGuarded, checkWinograd},
    {"transform.gpu.map_nested_forall_to_threads", kGuarded, checkMapToThreads},
    {"transform.gpu.map_forall_to_blocks", kGuarded, checkMapToBlocks},
    {"transform.apply_conversion_patterns", kGuarded, checkConversionPatterns},
    {"transform.loop.pipeline", kGuarded, checkOverlap},
    {"transform.loop.unroll_and_jam", kGuarded, checkOverlap},
    {"transform.loop.fuse_sibling", kGuarded, checkFuseSibling},
    {"transform.structured.hoist_redundant_vector_transfers", kUnknown, nullptr,
     kMemory},
    {"transform.memref.multibuffer", kUnknown, nullptr, kMemory},
    {"transform.memref.alloca_to_global", kUnknown, nullptr,
     "all threads and all calls would share one buffer; verify the result"},
    {"transform.nvgpu.pipeline_shared_memory_copies", kUnknown, nullptr,
     kMemory},
    {"transform.nvgpu.create_async_groups", kUnknown, nullptr, kMemory},
    {"transform.nvgpu.rewrite_copy_as_tma", kUnknown, nullptr, kMemory},
    {"transform.scf.take_assumed_branch", kUnknown, nullptr, kClaim},
    {"transform.structured.replace", kUnknown, nullptr, kClaim},
    {"transform.func.cast_and_call", kUnknown, nullptr, kClaim},
    {"transform.structured.promote", kUnknown, nullptr, kMemory},
    {"transform.apply_registered_pass", kUnknown, nullptr,
     "what a pass may do is not described here; verify the result"},
    {"transform.alternatives", kSound},
    {"transform.annotate", kSound},
    {"transform.apply_cse", kSound},
    {"transform.apply_dce", kSound},
    {"transform.apply_licm", kSound},
    {"transform.apply_patterns", kSound},
    {"transform.cast", kSound},
    {"transform.collect_matching", kSound},
    {"transform.debug.emit_param_as_remark", kSound},
    {"transform.debug.emit_remark_at", kSound},
    {"transform.foreach", kSound},
    {"transform.foreach_match", kSound},
    {"transform.get_consumers_of_result", kSound},
    {"transform.get_defining_op", kSound},
    {"transform.get_operand", kSound},
    {"transform.get_parent_op", kSound},
    {"transform.get_producer_of_operand", kSound},
    {"transform.get_result", kSound},
    {"transform.get_type", kSound},
    {"transform.include", kSound},
    {"transform.merge_handles", kSound},
    {"transform.num_associations", kSound},
    {"transform.param.constant", kSound},
    {"transform.print", kSound},
    {"transform.replicate", kSound},
    {"transform.select", kSound},
    {"transform.sequence", kSound},
    {"transform.split_handle", kSound},
    {"transform.verify", kSound},
    {"transform.pdl_match", kSound},
    {"transform.with_pdl_patterns", kSound},
    {"transform.tune.alternatives", kSound},
    {"transform.tune.knob", kSound},
    {"transform.affine.simplify_bounded_affine_ops", kSound},
    {"transform.affine.simplify_min_max_affine_ops", kSound},
    {"transform.bufferization.buffer_loop_hoisting", kSound},
    {"transform.bufferization.eliminate_empty_tensors", kSound},
    {"transform.bufferization.empty_tensor_to_alloc_tensor", kSound},
    {"transform.bufferization.one_shot_bufferize", kSound},
    {"transform.loop.coalesce", kSound},
    {"transform.loop.forall_to_for", kSound},
    {"transform.loop.forall_to_parallel", kSound},
    {"transform.loop.hoist_loop_invariant_subsets", kSound},
    {"transform.loop.outline", kSound},
    {"transform.loop.parallel_for_to_nested_fors", kSound},
    {"transform.loop.peel", kSound},
    {"transform.loop.promote_if_one_iteration", kSound},
    {"transform.loop.unroll", kSound},
    {"transform.memref.erase_dead_alloc_and_stores", kSound},
    {"transform.memref.make_loop_independent", kSound},
    {"transform.tensor.make_loop_independent", kSound},
    {"transform.structured.bufferize_to_allocation", kSound},
    {"transform.structured.continuous_tile_sizes", kGuarded, checkDivisors},
    {"transform.structured.convert_conv2d_to_img2col", kSound},
    {"transform.structured.convert_to_loops", kSound},
    {"transform.structured.decompose", kSound},
    {"transform.structured.decompose_interface", kSound},
    {"transform.structured.decompose_winograd_op", kSound},
    {"transform.structured.eliminate_empty_tensors", kSound},
    {"transform.structured.flatten_elementwise", kSound},
    {"transform.structured.generalize", kSound},
    {"transform.structured.gpu.map_copy_to_threads", kGuarded, checkDivisors},
    {"transform.structured.hoist_pad", kSound},
    {"transform.structured.hoist_pad.build_packing_loop_nest", kSound},
    {"transform.structured.hoist_redundant_vector_broadcasts", kSound},
    {"transform.structured.insert_slice_to_copy", kSound},
    {"transform.structured.interchange", kGuarded, checkInterchange},
    {"transform.structured.linalg_copy_to_memref", kSound},
    {"transform.structured.lower_pack", kSound},
    {"transform.structured.lower_unpack", kSound},
    {"transform.structured.match", kSound},
    {"transform.structured.multitile_sizes", kGuarded, checkDivisors},
    {"transform.structured.pack_transpose", kSound},
    {"transform.structured.promote_tensor", kSound},
    {"transform.structured.rewrite_in_destination_passing_style", kSound},
    {"transform.structured.scalarize", kSound},
    {"transform.structured.specialize", kSound},
    {"transform.structured.transpose_conv2d", kSound},
    {"transform.structured.transpose_matmul", kSound},
    {"transform.structured.vectorize_children_and_apply_patterns", kSound},
};

const Rule *findRule(llvm::StringRef name) {
  static const llvm::StringMap<const Rule *> byName = [] {
    llvm::StringMap<const Rule *> map;
    for (const Rule &rule : kRules)
      map[rule.name] = &rule;
    return map;
  }();
  return byName.lookup(name);
}

} // namespace egg
