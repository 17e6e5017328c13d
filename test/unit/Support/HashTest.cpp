//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// SHA-256 against the vectors of FIPS 180-4.
//
//===----------------------------------------------------------------------===//
#include "egg/Support/Hash.h"
#include "gtest/gtest.h"

using namespace egg;

namespace {

TEST(HashTest, StandardVectors) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb924"
                        "27ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223"
                           "b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039"
            "a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67"
            "f1809a48a497200e046d39ccc7112cd0");
}

TEST(HashTest, MissingFileIsAnError) {
  llvm::Expected<std::string> hash = sha256OfFile("/nonexistent/file");
  ASSERT_FALSE(bool(hash));
  std::string message = llvm::toString(hash.takeError());
  EXPECT_NE(message.find("'/nonexistent/file'"), std::string::npos) << message;
}

} // namespace
