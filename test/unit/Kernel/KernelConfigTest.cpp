//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// KernelConfig stored on a function and read back; malformed dictionaries.
//
//===----------------------------------------------------------------------===//
#include "egg/Kernel/KernelConfig.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace egg;

namespace {

class KernelConfigTest : public ::testing::Test {
protected:
  KernelConfigTest() {
    context.loadDialect<func::FuncDialect>();
    OpBuilder builder(&context);
    Location loc = builder.getUnknownLoc();
    module = ModuleOp::create(loc);
    builder.setInsertionPointToStart(module->getBody());
    kernel = func::FuncOp::create(builder, loc, "kernel",
                                  builder.getFunctionType({}, {}));
  }

  /// Stores entries as the config, as a hand-edited file could.
  void setRawConfig(ArrayRef<NamedAttribute> entries) {
    kernel->setAttr(kConfigAttrName, DictionaryAttr::get(&context, entries));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  func::FuncOp kernel;
};

TEST_F(KernelConfigTest, DefaultsRoundTrip) {
  setKernelConfig(kernel, KernelConfig());
  FailureOr<KernelConfig> read = getKernelConfig(kernel);
  ASSERT_TRUE(succeeded(read));
  EXPECT_EQ(*read, KernelConfig());
  // Defaults are not written: a config in a dump shows only decisions.
  EXPECT_EQ(kernel->getAttrOfType<DictionaryAttr>(kConfigAttrName).size(), 1u);
}

TEST_F(KernelConfigTest, EveryFieldRoundTrips) {
  KernelConfig config;
  config.structure = Structure::Contraction;
  config.threads = 128;
  config.threadsPerRow = 32;
  config.rowsPerBlock = 4;
  config.tileM = 128;
  config.tileN = 32;
  config.vectorWidth = 4;
  config.tileK = 16;
  config.threadM = 8;
  config.threadN = 2;
  config.itemsPerThread = 7;
  config.stages = 2;
  config.sharedPadding = 1;
  setKernelConfig(kernel, config);
  FailureOr<KernelConfig> read = getKernelConfig(kernel);
  ASSERT_TRUE(succeeded(read));
  EXPECT_EQ(*read, config);
}

TEST_F(KernelConfigTest, EveryStructureRoundTrips) {
  for (Structure structure : {Structure::Map, Structure::Rows,
                              Structure::Contraction, Structure::Scan}) {
    std::optional<Structure> read =
        symbolizeStructure(stringifyStructure(structure));
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(*read, structure);
  }
  EXPECT_FALSE(symbolizeStructure("rowz").has_value());
}

TEST_F(KernelConfigTest, MissingConfigFails) {
  EXPECT_TRUE(failed(getKernelConfig(kernel)));
}

TEST_F(KernelConfigTest, UnknownFieldFails) {
  Builder b(&context);
  setRawConfig({b.getNamedAttr("structure", b.getStringAttr("map")),
                b.getNamedAttr("thraeds", b.getI64IntegerAttr(128))});
  EXPECT_TRUE(failed(getKernelConfig(kernel)));
}

TEST_F(KernelConfigTest, UnknownStructureFails) {
  Builder b(&context);
  setRawConfig({b.getNamedAttr("structure", b.getStringAttr("spiral"))});
  EXPECT_TRUE(failed(getKernelConfig(kernel)));
}

TEST_F(KernelConfigTest, FieldOfWrongTypeFails) {
  Builder b(&context);
  setRawConfig({b.getNamedAttr("structure", b.getStringAttr("map")),
                b.getNamedAttr("threads", b.getStringAttr("128"))});
  EXPECT_TRUE(failed(getKernelConfig(kernel)));
}

} // namespace
