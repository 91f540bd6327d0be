// Golden files: commands and the outputs that they must give, reviewed as text.
//
//   # a comment, kept by rewriting
//   SELECT 1            the input: any number of lines up to ----
//   ----
//   (select …)          the output: up to the next blank line; outputs with blank lines in them end with a second ----
//
// MAYFLY_REWRITE=1 in the environment writes the outputs that came into the files instead of comparing; review the diff.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace mayfly::golden {

struct Case {
  std::string comments;  // lines before the input that begin with #, and blank lines
  std::string input;     // without the last newline
  std::string output;    // without the last newline
  int line = 0;          // of the input, from 1
};

inline std::vector<Case> ReadCases(std::istream& in) {
  std::vector<Case> cases;
  Case current;
  enum class Part { kBefore, kInput, kOutput, kLongOutput } part = Part::kBefore;
  const auto append = [](std::string& text, const std::string& line) { text += text.empty() ? line : "\n" + line; };
  const auto finish = [&] {
    cases.push_back(std::move(current));
    current = {};
    part = Part::kBefore;
  };
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (part == Part::kBefore) {
      if (line.empty() || line[0] == '#') {
        current.comments += line + "\n";
        continue;
      }
      part = Part::kInput;
      current.line = number;
    }
    if (part == Part::kInput) {
      if (line == "----") {
        part = Part::kOutput;
      } else {
        append(current.input, line);
      }
    } else if (part == Part::kOutput && line == "----" && current.output.empty()) {
      part = Part::kLongOutput;
    } else if ((part == Part::kOutput && line.empty()) || (part == Part::kLongOutput && line == "----")) {
      finish();
      if (line.empty()) current.comments = "\n";
    } else {
      append(current.output, line);
    }
  }
  if (part != Part::kBefore) finish();
  return cases;
}

inline std::string FormatCase(const Case& golden) {
  const bool is_long = golden.output.find("\n\n") != std::string::npos || golden.output.starts_with('\n');
  std::string out = golden.comments + golden.input + "\n----\n";
  if (is_long) out += "----\n";
  if (!golden.output.empty()) out += golden.output + "\n";
  if (is_long) out += "----\n";
  return out;
}

// Runs every case of one file.
inline void RunFile(const std::filesystem::path& path, const std::function<std::string(const std::string&)>& run) {
  std::ifstream in(path);
  ASSERT_TRUE(in.good()) << path;
  std::vector<Case> cases = ReadCases(in);
  EXPECT_FALSE(cases.empty()) << path << " has no cases";
  const bool rewrites = std::getenv("MAYFLY_REWRITE") != nullptr;
  std::string rewritten;
  for (Case& golden : cases) {
    std::string output = run(golden.input);
    while (!output.empty() && output.back() == '\n') output.pop_back();
    if (!rewrites) {
      EXPECT_EQ(output, golden.output) << path.filename().string() << ":" << golden.line << "\n" << golden.input;
    }
    golden.output = std::move(output);
    rewritten += FormatCase(golden);
  }
  if (rewrites) std::ofstream(path) << rewritten;
}

// Runs every .txt file of tests/golden/FOLDER.
inline void RunFolder(std::string_view folder, const std::function<std::string(const std::string&)>& run) {
  const std::filesystem::path directory = std::filesystem::path(MAYFLY_SOURCE_DIR) / "tests/golden" / folder;
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.path().extension() != ".txt") continue;
    ++files;
    RunFile(entry.path(), run);
  }
  EXPECT_GT(files, 0) << directory;
}

}  // namespace mayfly::golden
