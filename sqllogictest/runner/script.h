// A test file as a list of records, in the project's dialect (.slt) or in SQLite's original one (.test).
//
//     # what the file proves            connection NAME           onlyif ENGINE  # reason      skipif ENGINE  # reason
//     statement ok                      statement count 3         statement error 42703 column .* does not exist
//     query ITR rowsort colnames label  ... SQL lines ... ---- ... one line a row (SQLite: one line a value)
//
// A blank line ends a record. README.md describes both dialects.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mayfly::slt {

enum class Dialect : std::uint8_t { kOurs, kSqlite };
enum class RecordKind : std::uint8_t { kStatement, kQuery, kHalt };
enum class Expectation : std::uint8_t { kOk, kCount, kError };
enum class SortMode : std::uint8_t { kNone, kRows, kValues };

struct Condition {
  bool only = false;  // onlyif, else skipif
  std::string engine;
};

// One record. Line numbers are 1-based; [result_first, result_end) are the lines of the expected result, empty for statements.
struct Record {
  RecordKind kind = RecordKind::kStatement;
  std::vector<Condition> conditions;
  std::string connection;  // "" is the file's first session
  int header_line = 0;
  std::string sql;
  Expectation expectation = Expectation::kOk;
  std::int64_t count = 0;
  std::string sqlstate;       // kError; empty: any
  std::string message_regex;  // kError; empty: any
  std::string types;          // kQuery: one letter a column
  SortMode sort = SortMode::kNone;
  bool column_names = false;
  std::string label;
  int hash_threshold = 0;  // 0: results are never hashed
  bool has_separator = false;
  int result_first = 0;
  int result_end = 0;
};

struct Script {
  std::string path;
  Dialect dialect = Dialect::kOurs;
  std::vector<std::string> lines;  // as in the file, without line ends
  std::vector<Record> records;
  std::string error;  // "path:line: what" where the file is malformed
};

// Reads and parses `path`; the dialect follows from the name's end. A problem is told in Script::error.
Script ReadScript(const std::string& path);

// True if the record's onlyif and skipif lines let `engine` run it.
bool AppliesTo(const Record& record, const std::string& engine);

}  // namespace mayfly::slt
