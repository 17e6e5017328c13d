//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What fuzzing came to, as JSON; one finding as a file.
//
//===----------------------------------------------------------------------===//
#include "egg/Fuzz/Fuzz.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace egg;

static constexpr llvm::StringLiteral kPayloadMark = "//--- payload.mlir\n";
static constexpr llvm::StringLiteral kScheduleMark = "//--- schedule.mlir\n";

llvm::StringRef egg::stringifyFuzzMode(FuzzMode mode) {
  return mode == FuzzMode::Scripts ? "scripts" : "kernels";
}

std::optional<FuzzMode> egg::symbolizeFuzzMode(llvm::StringRef name) {
  for (FuzzMode mode : {FuzzMode::Scripts, FuzzMode::Kernels})
    if (stringifyFuzzMode(mode) == name)
      return mode;
  return std::nullopt;
}

std::string egg::formatFinding(const FuzzFinding &finding,
                               const FuzzOptions &options) {
  llvm::StringRef mode = stringifyFuzzMode(options.mode);
  std::string text =
      llvm::formatv("// egg fuzz {0}, seed {1}, case {2}: found in step {3}\n",
                    mode, options.seed, finding.number, finding.outcome.step);
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(finding.outcome.reason).split(lines, '\n');
  for (llvm::StringRef line : lines)
    text += ("//   " + line + "\n").str();
  if (!finding.reductionLimit.empty())
    text += "// Its reduction ended early, after " + finding.reductionLimit +
            ": it may become smaller\n";
  text += llvm::formatv("// This file again: egg fuzz {0} --repeat FILE\n"
                        "// The case again: egg fuzz {0} --seed {1} --first "
                        "{2} --count 1\n",
                        mode, options.seed, finding.number);
  text += kPayloadMark.str() + finding.programs.payload;
  if (!llvm::StringRef(text).ends_with("\n"))
    text += '\n';
  return text + kScheduleMark.str() + finding.programs.schedule;
}

std::optional<FuzzPrograms> egg::parseFinding(llvm::StringRef text) {
  auto [head, payloadOn] = text.split(kPayloadMark);
  auto [payload, schedule] = payloadOn.split(kScheduleMark);
  if (!text.contains(kPayloadMark) || !payloadOn.contains(kScheduleMark))
    return std::nullopt;
  return FuzzPrograms{payload.str(), schedule.str()};
}

std::string egg::toJSON(const FuzzResult &result) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, 2);
  auto writeCounts = [&](llvm::StringRef name,
                         const std::map<std::string, uint64_t> &counts) {
    json.attributeObject(name, [&] {
      for (const auto &[what, count] : counts)
        json.attribute(llvm::json::fixUTF8(what), int64_t(count));
    });
  };
  json.object([&] {
    json.attribute("mode", stringifyFuzzMode(result.options.mode));
    json.attribute("seed", int64_t(result.options.seed));
    json.attribute("first", int64_t(result.options.first));
    json.attribute("count", int64_t(result.options.count));
    json.attribute("done", int64_t(result.done));
    json.attribute("accepted", int64_t(result.accepted));
    json.attribute("refused", int64_t(result.refused));
    json.attribute("parser_crashes", int64_t(result.parserCrashes));
    json.attribute("seconds", result.seconds);
    json.attribute("longest_seconds", result.longestSeconds);
    json.attribute("longest_case", int64_t(result.longestNumber));
    writeCounts("grades", result.grades);
    writeCounts("skipped", result.skipped);
    writeCounts("refusals", result.refusals);
    json.attributeArray("findings", [&] {
      for (const FuzzFinding &finding : result.findings)
        json.object([&] {
          json.attribute("case", int64_t(finding.number));
          json.attribute("step", finding.outcome.step);
          json.attribute("kind", llvm::json::fixUTF8(finding.outcome.kind()));
          json.attribute("reason", llvm::json::fixUTF8(finding.outcome.reason));
          json.attribute("seconds", finding.outcome.seconds);
          if (!finding.reductionLimit.empty())
            json.attribute("reduction_limit", finding.reductionLimit);
          // Hexadecimal: a program can hold any bytes.
          json.attribute("file_hex",
                         llvm::toHex(formatFinding(finding, result.options)));
        });
    });
  });
  os << '\n';
  return text;
}
