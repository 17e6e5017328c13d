//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Limits of the chip.
//
//===----------------------------------------------------------------------===//
#include "Rules.h"
#include "egg/Kernel/ElementBytes.h"
#include "egg/Target/LaunchLimits.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace egg;
using namespace egg::legality;

static constexpr std::array<llvm::StringLiteral, 3> kDimensions = {"x", "y",
                                                                   "z"};

static int64_t sharedBytesOf(gpu::GPUFuncOp kernel) {
  int64_t bytes = 0;
  for (BlockArgument memory : kernel.getWorkgroupAttributions())
    bytes += getBufferBytes(cast<MemRefType>(memory.getType())).value_or(0);
  return bytes;
}

void egg::legality::checkResources(gpu::GPUFuncOp kernel, const Launch *launch,
                                   DictionaryAttr launchAttr,
                                   const TargetInfo &target, Record &record) {
  auto limit = [&](bool kept, const llvm::Twine &reason,
                   const llvm::Twine &witness, const llvm::Twine &remedy) {
    if (kept)
      record.proved(Property::Resources);
    else
      record.violated(Property::Resources, kernel, reason.str(), witness.str(),
                      remedy.str());
  };
  int64_t fixed = sharedBytesOf(kernel), dynamic = 0;
  if (launchAttr)
    if (auto attr = launchAttr.getAs<IntegerAttr>("dynamic_shared_memory"))
      dynamic = attr.getInt();
  limit(fixed <= target.staticSharedMemoryPerBlock,
        "more static shared memory than a kernel may have",
        llvm::formatv("{0} bytes; {1} has {2}", fixed, target.chip,
                      target.staticSharedMemoryPerBlock)
            .str(),
        "use smaller tiles or fewer stages");
  limit(dynamic >= 0 && fixed + dynamic <= target.sharedMemoryPerBlock,
        "more shared memory than a block may have",
        llvm::formatv("{0} bytes static and {1} dynamic; {2} has {3}", fixed,
                      dynamic, target.chip, target.sharedMemoryPerBlock)
            .str(),
        "use smaller tiles or fewer stages");
  if (!launch)
    return;
  int64_t threads = launch->threads();
  limit(threads >= 1 && threads <= target.maxThreadsPerBlock,
        "a number of threads that no block has",
        llvm::formatv("{0} threads; {1} takes 1 to {2}", threads, target.chip,
                      target.maxThreadsPerBlock)
            .str(),
        "choose smaller blocks");
  for (size_t d = 0; d < 3; ++d) {
    limit(launch->block[d] >= 1 && launch->block[d] <= kMaxBlock[d],
          "a block that is too long",
          llvm::formatv("{0} threads along {1}; at most {2}", launch->block[d],
                        kDimensions[d], kMaxBlock[d])
              .str(),
          "spread the threads over other dimensions");
    limit(launch->grid[d] >= 1 && launch->grid[d] <= kMaxGrid[d],
          "a grid that is too long",
          llvm::formatv("{0} blocks along {1}; at most {2}", launch->grid[d],
                        kDimensions[d], kMaxGrid[d])
              .str(),
          "give each block more work, or spread the grid over x");
  }
  if (!launchAttr)
    return;
  for (auto [name, extents] :
       {std::pair{"block", launch->block}, std::pair{"grid", launch->grid}}) {
    auto attr = launchAttr.getAs<DenseI64ArrayAttr>(name);
    bool same = attr && llvm::equal(attr.asArrayRef(), extents);
    limit(same,
          llvm::Twine("the launch has another ") + name +
              " than the kernel was made for",
          attr ? llvm::formatv("{0:$[, ]} at the call, {1:$[, ]} in the kernel",
                               llvm::make_range(attr.asArrayRef().begin(),
                                                attr.asArrayRef().end()),
                               llvm::make_range(extents.begin(), extents.end()))
                     .str()
               : std::string("the call says none"),
          "materialize the kernel again");
  }
}
