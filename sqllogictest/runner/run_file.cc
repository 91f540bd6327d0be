// The loop over a file's records: run, compare, report the difference or rewrite the file.
#include "sqllogictest/runner/run_file.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <regex>

#include "sqllogictest/runner/client.h"
#include "sqllogictest/runner/format.h"
#include "sqllogictest/runner/script.h"

namespace mayfly::slt {
namespace {

// Lines [first, end) of the file (1-based) give way to `lines`.
struct Edit {
  int first = 0;
  int end = 0;
  std::vector<std::string> lines;
};

class FileRun {
 public:
  FileRun(const std::string& path, const RunOptions& options)
      : options_(options), script_(ReadScript(path)), schema_(SchemaName(path)) {
    report_.path = path;
  }

  FileReport Run() {
    if (!script_.error.empty()) {
      report_.failures.push_back(script_.error);
      return std::move(report_);
    }
    Client* const first = Session("");
    if (first == nullptr) return std::move(report_);
    ChooseEngine(*first);
    for (const Record& record : script_.records) {
      if (!AppliesTo(record, engine_)) {
        ++report_.skipped;
        continue;
      }
      if (record.kind == RecordKind::kHalt) break;
      RunRecord(record);
      if (options_.fail_fast && !report_.failures.empty()) break;
    }
    Finish();
    return std::move(report_);
  }

 private:
  static std::string SchemaName(const std::string& path) {
    std::string name = "slt_";
    for (const char c : std::filesystem::path(path).replace_extension().filename().string()) {
      name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? static_cast<char>(std::tolower(c)) : '_';
    }
    return fmt::format("{}_{}_{:x}", name.substr(0, 30), getpid(), std::hash<std::string>()(path) & 0xffffff);
  }

  // The session of that name, opened at its first use; null if that fails.
  Client* Session(const std::string& name) {
    std::unique_ptr<Client>& session = sessions_[name];
    if (session) return session.get();
    session = std::make_unique<Client>(options_.conninfo);
    if (!session->ok()) {
      report_.failures.push_back(script_.path + ":1: cannot connect: " + session->error());
      session.reset();
      return nullptr;
    }
    std::string setup = sessions_.size() == 1 ? fmt::format("CREATE SCHEMA {};", schema_) : "";
    setup += fmt::format("SET search_path = {}; SET timezone = 'UTC'; SET datestyle = 'ISO, MDY'; SET intervalstyle = 'postgres'", schema_);
    const Outcome outcome = session->Run(setup);
    if (outcome.ok()) return session.get();
    report_.failures.push_back(script_.path + ":1: cannot set up: " + outcome.message);
    session.reset();
    return nullptr;
  }

  // SQLite's files know us by the dialect that we speak.
  void ChooseEngine(Client& client) {
    engine_ = options_.engine;
    if (script_.dialect == Dialect::kSqlite) engine_ = "postgresql";
    if (!engine_.empty()) return;
    const Outcome version = client.Run("SELECT version()");
    const bool ours = version.ok() && !version.rows.empty() && version.rows[0][0].value_or("").find("Mayfly") != std::string::npos;
    engine_ = ours ? "ours" : "postgresql";
  }

  void RunRecord(const Record& record) {
    Client* const session = Session(record.connection);
    if (session == nullptr) return;
    const Outcome outcome = session->Run(record.sql);
    const std::size_t failures = report_.failures.size();
    if (record.kind == RecordKind::kStatement) {
      CheckStatement(record, outcome);
    } else {
      CheckQuery(record, outcome);
    }
    if (report_.failures.size() == failures) ++report_.passed;
  }

  void CheckStatement(const Record& record, const Outcome& outcome) {
    if (record.expectation == Expectation::kError) return CheckError(record, outcome);
    if (!outcome.ok()) {
      if (options_.rewrite) return Header(record, fmt::format("statement error {} {}", outcome.sqlstate, Escape(outcome.message)));
      return Fail(record, fmt::format("unexpected error {}: {}", outcome.sqlstate, outcome.message));
    }
    if (record.expectation == Expectation::kCount && outcome.affected != record.count) {
      if (options_.rewrite) return Header(record, fmt::format("statement count {}", outcome.affected));
      Fail(record, fmt::format("expected {} rows, got {}", record.count, outcome.affected));
    }
  }

  void CheckError(const Record& record, const Outcome& outcome) {
    if (outcome.ok()) {
      if (options_.rewrite) return Header(record, "statement ok");
      return Fail(record, fmt::format("expected error {} {}, but it succeeded", record.sqlstate, record.message_regex));
    }
    bool matches = record.sqlstate.empty() || record.sqlstate == outcome.sqlstate;
    try {
      matches = matches && std::regex_search(outcome.message, std::regex(record.message_regex));
    } catch (const std::regex_error& error) {
      return Fail(record, std::string("bad regular expression: ") + error.what());
    }
    if (matches) return;
    if (options_.rewrite) return Header(record, fmt::format("statement error {} {}", outcome.sqlstate, Escape(outcome.message)));
    Fail(record, fmt::format("expected error: {} {}\n  actual error:   {} {}", record.sqlstate, record.message_regex, outcome.sqlstate,
                             outcome.message));
  }

  void CheckQuery(const Record& record, const Outcome& outcome) {
    if (!outcome.ok()) {
      if (options_.rewrite) {
        Header(record, fmt::format("statement error {} {}", outcome.sqlstate, Escape(outcome.message)));
        return DropResult(record);
      }
      return Fail(record, fmt::format("unexpected error {}: {}", outcome.sqlstate, outcome.message));
    }
    const std::vector<std::string> actual = FormatResult(record, script_.dialect, outcome);
    CheckTypes(record, outcome);
    if (!CheckLabel(record, actual)) return;
    std::vector<std::string> expected;
    for (int line = record.result_first; line < record.result_end; ++line) {
      expected.push_back(script_.lines[static_cast<std::size_t>(line - 1)]);
    }
    if (!record.has_separator && script_.dialect == Dialect::kSqlite) return;
    if (expected == actual || (expected.size() == 1 && expected[0] == Hashed(record, outcome))) return;
    if (options_.rewrite) {
      std::vector<std::string> lines = actual;
      if (!record.has_separator) lines.insert(lines.begin(), "----");
      edits_.push_back({.first = record.result_first, .end = record.result_end, .lines = std::move(lines)});
      return;
    }
    Fail(record, Difference(expected, actual));
  }

  void CheckTypes(const Record& record, const Outcome& outcome) {
    if (script_.dialect == Dialect::kSqlite) return;
    const std::string letters = TypeLetters(outcome.types);
    if (letters == record.types || (letters.empty() && record.types == "-")) return;
    if (!options_.rewrite) return Fail(record, fmt::format("expected column types {}, got {}", record.types, letters));
    std::string header = script_.lines[static_cast<std::size_t>(record.header_line - 1)];
    header.replace(header.find(record.types, 5), record.types.size(), letters.empty() ? "-" : letters);
    Header(record, header);
  }

  // Queries of one label answer the same within a file.
  bool CheckLabel(const Record& record, const std::vector<std::string>& actual) {
    if (record.label.empty()) return true;
    const auto [entry, is_new] = labels_.try_emplace(record.label, actual);
    if (is_new || entry->second == actual) return true;
    Fail(record, "the result differs from that of the earlier query labelled " + record.label + "\n" + Difference(entry->second, actual));
    return false;
  }

  std::string Hashed(const Record& record, const Outcome& outcome) const {
    if (script_.dialect != Dialect::kSqlite) return "";
    Record whole = record;
    whole.hash_threshold = 0;
    return HashLine(FormatResult(whole, Dialect::kSqlite, outcome));
  }

  static std::string Difference(const std::vector<std::string>& expected, const std::vector<std::string>& actual) {
    std::string text;
    const std::size_t count = std::max(expected.size(), actual.size());
    for (std::size_t i = 0; i < count; ++i) {
      const bool same = i < expected.size() && i < actual.size() && expected[i] == actual[i];
      if (same) {
        text += "    " + expected[i] + "\n";
        continue;
      }
      if (i < expected.size()) text += "  - " + expected[i] + "\n";
      if (i < actual.size()) text += "  + " + actual[i] + "\n";
    }
    return "the result differs (- expected, + actual)\n" + text;
  }

  static std::string Escape(const std::string& message) {
    std::string text;
    for (const char c : message) {
      if (std::string_view(R"(\^$.|?*+()[]{})").find(c) != std::string_view::npos) text += '\\';
      text += c == '\n' ? ' ' : c;
    }
    return text;
  }

  void Header(const Record& record, std::string line) {
    edits_.push_back({.first = record.header_line, .end = record.header_line + 1, .lines = {std::move(line)}});
  }

  void DropResult(const Record& record) {
    if (record.has_separator) edits_.push_back({.first = record.result_first - 1, .end = record.result_end, .lines = {}});
  }

  void Fail(const Record& record, const std::string& what) {
    report_.failures.push_back(fmt::format("{}:{}: {}\n  in: {}", script_.path, record.header_line, what, record.sql));
  }

  // Every session but the first closes before the schema goes, so that no open transaction holds it.
  void Finish() {
    std::erase_if(sessions_, [](const auto& entry) { return !entry.first.empty(); });
    if (Client* const session = sessions_[""].get(); session != nullptr) {
      session->Run("ROLLBACK");
      session->Run("DROP SCHEMA IF EXISTS " + schema_ + " CASCADE");
    }
    if (edits_.empty()) return;
    std::vector<std::string> lines = script_.lines;
    for (auto edit = edits_.rbegin(); edit != edits_.rend(); ++edit) {
      const auto at = lines.erase(lines.begin() + edit->first - 1, lines.begin() + edit->end - 1);
      lines.insert(at, edit->lines.begin(), edit->lines.end());
    }
    std::ofstream file(script_.path);
    for (const std::string& line : lines) file << line << '\n';
  }

  const RunOptions& options_;
  Script script_;
  std::string schema_;
  std::string engine_;
  FileReport report_;
  std::map<std::string, std::unique_ptr<Client>> sessions_;
  std::map<std::string, std::vector<std::string>> labels_;
  std::vector<Edit> edits_;
};

}  // namespace

FileReport RunFile(const std::string& path, const RunOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  FileReport report = FileRun(path, options).Run();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace mayfly::slt
