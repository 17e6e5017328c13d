//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What verifying a proposal comes to, as a value.
//
//===----------------------------------------------------------------------===//
#include "VerifyTest.h"
#include "egg/Verify/VerifyProposal.h"

using namespace mlir;
using namespace egg;

namespace {

using ProposalTest = VerifyTest;

TEST_F(ProposalTest, VerificationRoundTrip) {
  Verification accepted;
  accepted.verdict.grade = Grade::Tested;
  accepted.verdict.evidence.push_back({"numeric", "8 runs", 1e-6, 1e-7});
  auto parsed = parseVerification(toJSON(accepted));
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  EXPECT_TRUE(parsed->accepted());
  EXPECT_EQ(parsed->verdict, accepted.verdict);

  Verification refused;
  refused.rejection = Rejection{"apply", "a.mlir:1:2", "why", "how", {"note"}};
  parsed = parseVerification(toJSON(refused));
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  EXPECT_EQ(parsed->rejection, refused.rejection);

  for (const char *bad : {"", "[]", "{}", "{\"verdict\": 3}"}) {
    auto error = parseVerification(bad);
    EXPECT_FALSE(bool(error)) << bad;
    llvm::consumeError(error.takeError());
  }
}

TEST_F(ProposalTest, TextThatDoesNotParse) {
  auto verification =
      verifyProposal("not mlir", "module {}", registry, VerifyOptions());
  ASSERT_TRUE(bool(verification));
  ASSERT_FALSE(verification->accepted());
  EXPECT_EQ(verification->rejection->step, "accept");
  EXPECT_NE(verification->rejection->location.find("payload.mlir:1:1"),
            std::string::npos);
}

} // namespace
