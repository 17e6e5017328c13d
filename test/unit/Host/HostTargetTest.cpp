//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Host/HostTarget.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"
#include "gtest/gtest.h"

using namespace egg;
using llvm::orc::JITTargetMachineBuilder;

namespace {

llvm::StringMap<bool> featuresOf(llvm::StringRef processor) {
  llvm::SmallVector<llvm::StringRef> names;
  llvm::X86::getFeaturesForCPU(processor, names);
  llvm::StringMap<bool> features;
  for (llvm::StringRef name : names)
    features[name] = true;
  return features;
}

/// Assembly of a conversion to bf16, as a machine does it.
std::string convertToBFloat(JITTargetMachineBuilder builder) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(
      "define <8 x bfloat> @f(<8 x float> %x) {\n"
      "  %y = fptrunc <8 x float> %x to <8 x bfloat>\n"
      "  ret <8 x bfloat> %y\n"
      "}\n",
      diagnostic, context);
  auto machine = llvm::cantFail(builder.createTargetMachine());
  module->setDataLayout(machine->createDataLayout());
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  EXPECT_FALSE(machine->addPassesToEmitFile(
      passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile));
  passes.run(*module);
  return text.str().str();
}

} // namespace

TEST(HostTargetTest, ProcessorsThatFlushBFloatsAreNotUsedForThem) {
  llvm::Triple triple(llvm::sys::getProcessTriple());
  if (triple.getArch() != llvm::Triple::x86_64)
    GTEST_SKIP() << "only x86-64 has such instructions";
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  for (const char *processor : {"sapphirerapids", "cooperlake", "sierraforest",
                                "diamondrapids", "znver4", "znver5"}) {
    // The processor itself would convert so.
    JITTargetMachineBuilder whole(triple);
    whole.setCPU(processor);
    EXPECT_NE(convertToBFloat(whole).find("vcvtneps2bf16"), std::string::npos)
        << processor;

    auto target = getHostTarget(triple, featuresOf(processor));
    ASSERT_TRUE(bool(target));
    EXPECT_EQ(convertToBFloat(*target).find("bf16"), std::string::npos)
        << processor;
  }
}

TEST(HostTargetTest, ProcessorsGetALevelThatTheyHave) {
  llvm::Triple triple(llvm::sys::getProcessTriple());
  if (triple.getArch() != llvm::Triple::x86_64)
    GTEST_SKIP() << "only x86-64 has levels";
  auto levelOf = [&](llvm::StringRef processor) {
    return llvm::cantFail(getHostTarget(triple, featuresOf(processor)))
        .getCPU();
  };
  EXPECT_EQ(levelOf("haswell"), "x86-64-v3");
  EXPECT_EQ(levelOf("znver1"), "x86-64-v3");
  EXPECT_EQ(levelOf("sapphirerapids"), "x86-64-v3");
  EXPECT_EQ(levelOf("ivybridge"), "x86-64");
  EXPECT_EQ(levelOf("x86-64"), "x86-64");
  llvm::InitializeNativeTarget();
  auto here = getHostTarget();
  ASSERT_TRUE(bool(here));
  EXPECT_TRUE(bool(here->createTargetMachine()));
}
