// The parser of test files: one pass over the lines, a record at a time.
#include "sqllogictest/runner/script.h"

#include <charconv>
#include <fstream>
#include <sstream>

namespace mayfly::slt {
namespace {

std::vector<std::string> Words(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word && word[0] != '#';) words.push_back(word);
  return words;
}

bool ParseNumber(const std::string& word, std::int64_t& value) {
  const char* end = word.data() + word.size();
  return !word.empty() && std::from_chars(word.data(), end, value).ptr == end;
}

class Parser {
 public:
  explicit Parser(Script& script) : script_(script) {}

  void Run() {
    while (script_.error.empty() && next_ < size()) Line();
    if (!conditions_.empty()) Fail("a condition without a record");
  }

 private:
  int size() const { return static_cast<int>(script_.lines.size()); }
  const std::string& line(int index) const { return script_.lines[static_cast<std::size_t>(index)]; }

  void Fail(const std::string& what) {
    if (script_.error.empty()) script_.error = script_.path + ":" + std::to_string(next_) + ": " + what;
  }

  void Line() {
    const std::vector<std::string> words = Words(line(next_++));
    if (words.empty()) return;
    const std::string& verb = words[0];
    if (verb == "onlyif" || verb == "skipif") {
      if (words.size() != 2) return Fail(verb + " needs one engine");
      conditions_.push_back({.only = verb == "onlyif", .engine = words[1]});
    } else if (verb == "connection") {
      if (words.size() != 2) return Fail("connection needs one name");
      connection_ = words[1];
    } else if (verb == "hash-threshold") {
      if (words.size() != 2 || !ParseNumber(words[1], threshold_)) return Fail("hash-threshold needs a number");
    } else if (verb == "halt") {
      Record record = Begin(RecordKind::kHalt);
      script_.records.push_back(std::move(record));
    } else if (verb == "statement") {
      Statement(words);
    } else if (verb == "query") {
      Query(words);
    } else {
      Fail("unknown record \"" + verb + "\"");
    }
  }

  Record Begin(RecordKind kind) {
    Record record;
    record.kind = kind;
    record.conditions.swap(conditions_);
    record.connection = connection_;
    record.header_line = next_;
    record.hash_threshold = static_cast<int>(threshold_);
    return record;
  }

  void Statement(const std::vector<std::string>& words) {
    Record record = Begin(RecordKind::kStatement);
    const std::string what = words.size() > 1 ? words[1] : "";
    if (what == "count") {
      record.expectation = Expectation::kCount;
      if (words.size() != 3 || !ParseNumber(words[2], record.count)) return Fail("statement count needs a number");
    } else if (what == "error") {
      record.expectation = Expectation::kError;
      ErrorPattern(record);
    } else if (what != "ok") {
      return Fail("statement is ok, count N or error");
    }
    Sql(record);
    script_.records.push_back(std::move(record));
  }

  // The regular expression is the rest of the line, blanks and '#' included.
  void ErrorPattern(Record& record) {
    std::istringstream stream(line(record.header_line - 1));
    std::string word;
    stream >> word >> word >> record.sqlstate;
    std::getline(stream >> std::ws, record.message_regex);
  }

  void Query(const std::vector<std::string>& words) {
    Record record = Begin(RecordKind::kQuery);
    if (words.size() < 2) return Fail("query needs its column types");
    record.types = words[1];
    for (std::size_t i = 2; i < words.size(); ++i) {
      if (words[i] == "rowsort") {
        record.sort = SortMode::kRows;
      } else if (words[i] == "valuesort") {
        record.sort = SortMode::kValues;
      } else if (words[i] == "colnames") {
        record.column_names = true;
      } else if (words[i] != "nosort") {
        record.label = words[i];
      }
    }
    Sql(record);
    record.result_first = record.result_end = next_ + 1;
    if (record.has_separator) {
      while (next_ < size() && !line(next_).empty()) ++next_;
      record.result_end = next_ + 1;
    }
    script_.records.push_back(std::move(record));
  }

  void Sql(Record& record) {
    for (; next_ < size() && !line(next_).empty(); ++next_) {
      if (line(next_) == "----") {
        record.has_separator = true;
        ++next_;
        break;
      }
      if (!record.sql.empty()) record.sql += '\n';
      record.sql += line(next_);
    }
    if (record.sql.empty()) Fail("a record without SQL");
  }

  Script& script_;
  int next_ = 0;
  std::int64_t threshold_ = 0;
  std::string connection_;
  std::vector<Condition> conditions_;
};

}  // namespace

Script ReadScript(const std::string& path) {
  Script script;
  script.path = path;
  script.dialect = path.ends_with(".test") ? Dialect::kSqlite : Dialect::kOurs;
  std::ifstream file(path);
  if (!file) {
    script.error = path + ": cannot be read";
    return script;
  }
  for (std::string line; std::getline(file, line);) {
    if (line.ends_with('\r')) line.pop_back();
    script.lines.push_back(std::move(line));
  }
  Parser(script).Run();
  return script;
}

bool AppliesTo(const Record& record, const std::string& engine) {
  for (const Condition& condition : record.conditions) {
    if (condition.only != (condition.engine == engine)) return false;
  }
  return true;
}

}  // namespace mayfly::slt
