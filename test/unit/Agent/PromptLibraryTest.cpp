//===----------------------------------------------------------------------===//
// Part of EGG, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "egg/Agent/PromptLibrary.h"
#include "AgentTest.h"
#include "egg/TransformOps/Vocabulary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <filesystem>
#include <fstream>
#include <regex>

using namespace egg;

namespace {

constexpr const char *kFile = "---\nname: user/judge\nrole: analyst\n"
                              "stage: any\ninputs: a, b\nversion: 2\n---\n"
                              "{{{a}}}{{#b}} and {{{b}}}{{/b}}\n";

std::string errorOf(llvm::StringRef text) {
  llvm::Expected<PromptFile> file = parsePromptFile("user/judge", text);
  return file ? "accepted" : llvm::toString(file.takeError());
}

std::string with(std::string from, const std::string &to) {
  std::string text = kFile;
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, from.size(), to);
}

TEST(PromptFileTest, IsTakenApart) {
  PromptFile file = llvm::cantFail(parsePromptFile("user/judge", kFile));
  EXPECT_EQ(file.role, "analyst");
  EXPECT_EQ(file.inputs, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(file.version, 2);
  EXPECT_EQ(findPlaceholders(file.body), file.inputs);
}

TEST(PromptFileTest, SaysWhatIsWrong) {
  EXPECT_EQ(errorOf("hello"),
            "user/judge.md: no front matter; begin with a line '---', then "
            "'name: user/judge', role, stage, inputs, version, and '---'");
  EXPECT_EQ(errorOf("---\nname: x\n"),
            "user/judge.md: the front matter does not end; write a line '---' "
            "after it");
  EXPECT_EQ(errorOf(with("version: 2\n", "")),
            "user/judge.md: front matter has no 'version'");
  EXPECT_EQ(errorOf(with("version: 2", "version: two")),
            "user/judge.md: version is 'two'; write a number from 1");
  EXPECT_EQ(errorOf(with("stage: any", "stage: tiling")),
            "user/judge.md: stage is 'tiling'; write a stage or any");
  EXPECT_EQ(errorOf(with("analyst", "judge")),
            "user/judge.md: role is 'judge'; write analyst, coder, debugger "
            "or any");
  EXPECT_EQ(errorOf(with("user/judge", "judge")),
            "user/judge.md: name is 'judge'; write the path, 'user/judge'");
  EXPECT_EQ(errorOf(with("role: analyst", "role: analyst\nrole: coder")),
            "user/judge.md: front matter has 'role' twice");
  EXPECT_EQ(errorOf(with("role: analyst", "colour: red")),
            "user/judge.md: front matter has 'colour', which is none of name, "
            "role, stage, inputs, version");
  EXPECT_EQ(errorOf(with("{{/b}}", "")),
            "user/judge.md: section 'b' is not closed; write '{{/b}}'");
  EXPECT_EQ(errorOf(with("{{/b}}", "{{/c}}")),
            "user/judge.md: '{{/c}}' closes no section that is open; close "
            "'b' first");
}

class PromptLibraryTest : public testing::Test {
protected:
  PromptLibraryTest() {
    llvm::SmallString<128> path;
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("egg-prompts", path));
    directory = path.str().str();
    std::filesystem::copy(EGG_PROMPTS_DIR, directory,
                          std::filesystem::copy_options::recursive);
  }
  ~PromptLibraryTest() override { std::filesystem::remove_all(directory); }

  void append(const std::string &file, const std::string &text) {
    std::ofstream(directory + "/" + file, std::ios::app) << text;
  }
  std::string error() {
    llvm::Expected<PromptLibrary> library =
        PromptLibrary::fromDirectory(directory);
    return library ? "accepted" : llvm::toString(library.takeError());
  }

  std::string directory;
};

TEST_F(PromptLibraryTest, TheEmbeddedFilesAreThoseOfTheDirectory) {
  PromptLibrary embedded = llvm::cantFail(PromptLibrary::embedded());
  PromptLibrary read = llvm::cantFail(PromptLibrary::fromDirectory(directory));
  EXPECT_EQ(embedded.hash(), read.hash());
  EXPECT_EQ(embedded.files().size(), read.files().size());
  EXPECT_GE(embedded.examples().size(), 6u);
}

TEST_F(PromptLibraryTest, EveryOpThatAPromptNamesIsAWord) {
  PromptLibrary library = llvm::cantFail(PromptLibrary::embedded());
  std::regex op(
      "transform\\.(?!named_sequence|yield|any_op|param<)[a-z_.]*[a-z_]");
  for (const PromptFile &file : library.files())
    for (std::sregex_iterator it(file.body.begin(), file.body.end(), op), end;
         it != end; ++it) {
      std::string name = it->str();
      EXPECT_TRUE(llvm::any_of(
          scriptVocabulary(),
          [&](const ScriptWord &word) { return word.name == name; }))
          << file.name << " names " << name;
    }
}

TEST_F(PromptLibraryTest, EveryPartIsUsed) {
  PromptLibrary library = llvm::cantFail(PromptLibrary::embedded());
  for (const PromptFile &part : library.files()) {
    llvm::StringRef name = part.name;
    if (!name.consume_front("parts/"))
      continue;
    EXPECT_TRUE(llvm::any_of(library.files(), [&](const PromptFile &file) {
      return llvm::is_contained(findPlaceholders(file.body), ">" + name.str());
    })) << part.name;
  }
}

TEST_F(PromptLibraryTest, FillsTemplates) {
  PromptLibrary library = llvm::cantFail(PromptLibrary::embedded());
  std::map<std::string, std::string> inputs;
  for (const std::string &input : library.get("user/judge").inputs)
    inputs[input] = "";
  inputs["stage"] = "algorithm";
  inputs["payload"] = "<a> & \"b\" {{{stage}}} {{/x}}\n  two";
  std::string text = llvm::cantFail(library.render("user/judge", inputs));
  // As it is, and not once more.
  EXPECT_NE(text.find("\n<a> & \"b\" {{{stage}}} {{/x}}\n  two\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("Counters"), std::string::npos) << text;
  EXPECT_EQ(text.find("of kernel"), std::string::npos) << text;
  inputs.erase("stage");
  EXPECT_EQ(llvm::toString(library.render("user/judge", inputs).takeError()),
            "user/judge.md: nothing gives its input 'stage'; take it out");
}

TEST_F(PromptLibraryTest, SaysWhichFileIsMissingOrIllFormed) {
  append("user/judge.md", "{{{nothing}}}");
  EXPECT_EQ(error(), "user/judge.md: '{{nothing}}' (in user/judge.md) is not "
                     "among its inputs; add it to the front matter, or correct "
                     "it");
  std::filesystem::remove(directory + "/user/judge.md");
  EXPECT_EQ(error(), directory + "/user/judge.md is missing; copy the built-in "
                                 "prompts and change those");
}

TEST_F(PromptLibraryTest, ChecksPartsSchemasAndExamples) {
  append("user/seed.md", "{{>nobody}}");
  EXPECT_EQ(error(), "user/seed.md: there is no parts/nobody.md, which "
                     "'{{>nobody}}' names");
  std::filesystem::copy_file(EGG_PROMPTS_DIR "/user/seed.md",
                             directory + "/user/seed.md",
                             std::filesystem::copy_options::overwrite_existing);
  append("schemas/script.json", "}");
  EXPECT_TRUE(llvm::StringRef(error()).starts_with("schemas/script.json: "))
      << error();
  std::filesystem::copy_file(EGG_PROMPTS_DIR "/schemas/script.json",
                             directory + "/schemas/script.json",
                             std::filesystem::copy_options::overwrite_existing);
  std::filesystem::remove(directory + "/examples/scan/payload.mlir");
  EXPECT_EQ(error(), directory + "/examples/scan/payload.mlir is missing; "
                                 "examples.json names it");
}

TEST_F(PromptLibraryTest, SaysThatADirectoryIsNone) {
  llvm::Expected<PromptLibrary> library =
      PromptLibrary::open(directory + "/nowhere");
  ASSERT_FALSE(bool(library));
  EXPECT_TRUE(llvm::StringRef(llvm::toString(library.takeError()))
                  .contains("give a directory like prompts/"));
}

} // namespace
