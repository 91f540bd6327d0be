// slt: runs sqllogictest files against a server that speaks PostgreSQL's protocol. The exit code is 0 if all agree, 1 if some
// record does not, 2 for a wrong command line.
#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "sqllogictest/runner/run_file.h"

namespace mayfly::slt {
namespace {

constexpr const char* kUsage =
    "usage: slt [OPTION]... FILE|FOLDER...\n"
    "  --against HOST:PORT/DB?USER  the server; else libpq's environment (PGHOST, PGPORT, PGDATABASE, PGUSER)\n"
    "  --engine ours|postgresql     what onlyif and skipif compare with; else asked of the server\n"
    "  -j N                         run N files at once\n"
    "  --rewrite                    write the server's answers into the files\n"
    "  --junit FILE                 write a report in JUnit's form\n"
    "  --fail-fast                  stop at the first failure\n"
    "  --quiet                      print failures and the sum only\n";

struct CommandLine {
  RunOptions run;
  std::vector<std::string> files;
  std::string junit;
  int jobs = 1;
  bool quiet = false;
};

// HOST:PORT/DB?USER, each part but the host optional, as a libpq connection string.
std::string ConnectionString(std::string text) {
  std::string info;
  const auto cut = [&](char mark, const char* key) {
    const std::size_t at = text.rfind(mark);
    if (at == std::string::npos) return;
    info += fmt::format("{}='{}' ", key, text.substr(at + 1));
    text.resize(at);
  };
  cut('?', "user");
  if (!text.starts_with('/')) cut('/', "dbname");
  cut(':', "port");
  return info + fmt::format("host='{}'", text);
}

void AddFiles(const std::string& path, std::vector<std::string>& files) {
  if (!std::filesystem::is_directory(path)) {
    files.push_back(path);
    return;
  }
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    const std::string name = entry.path().string();
    if (name.ends_with(".slt") || name.ends_with(".test")) files.push_back(name);
  }
}

bool ParseCommandLine(int argc, char** argv, CommandLine& line) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&]() -> std::string { return i + 1 < argc ? argv[++i] : ""; };
    if (word == "--against") {
      line.run.conninfo = ConnectionString(value());
    } else if (word == "--engine") {
      line.run.engine = value();
    } else if (word == "-j") {
      line.jobs = static_cast<int>(std::strtol(value().c_str(), nullptr, 10));
    } else if (word == "--junit") {
      line.junit = value();
    } else if (word == "--rewrite") {
      line.run.rewrite = true;
    } else if (word == "--fail-fast") {
      line.run.fail_fast = true;
    } else if (word == "--quiet") {
      line.quiet = true;
    } else if (word.starts_with('-')) {
      return false;
    } else {
      AddFiles(word, line.files);
    }
  }
  std::ranges::sort(line.files);
  return !line.files.empty() && line.jobs > 0;
}

std::string XmlText(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else if (c == '"') {
      escaped += "&quot;";
    } else {
      escaped += static_cast<unsigned char>(c) < 0x20 && c != '\n' ? '?' : c;
    }
  }
  return escaped;
}

void WriteJunit(const std::string& path, const std::vector<FileReport>& reports) {
  std::ofstream file(path);
  file << "<testsuite name=\"sqllogictest\" tests=\"" << reports.size() << "\">\n";
  for (const FileReport& report : reports) {
    file << fmt::format("<testcase name=\"{}\" time=\"{:.3f}\">", XmlText(report.path), report.seconds);
    for (const std::string& failure : report.failures) file << "<failure>" << XmlText(failure) << "</failure>";
    file << "</testcase>\n";
  }
  file << "</testsuite>\n";
}

void Print(const FileReport& report, bool quiet) {
  for (const std::string& failure : report.failures) std::printf("%s\n", failure.c_str());
  if (quiet && report.failures.empty()) return;
  std::printf("%s %s: %d passed, %d skipped, %zu failed (%.2f s)\n", report.failures.empty() ? "ok  " : "FAIL", report.path.c_str(),
              report.passed, report.skipped, report.failures.size(), report.seconds);
  std::fflush(stdout);
}

std::vector<FileReport> RunAll(const CommandLine& line) {
  std::vector<FileReport> reports(line.files.size());
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stop = false;
  std::mutex output;
  const auto work = [&] {
    for (std::size_t i = next++; i < line.files.size() && !stop; i = next++) {
      reports[i] = RunFile(line.files[i], line.run);
      if (line.run.fail_fast && !reports[i].failures.empty()) stop = true;
      const std::lock_guard guard(output);
      Print(reports[i], line.quiet);
    }
  };
  std::vector<std::jthread> threads;
  for (int i = 1; i < line.jobs; ++i) threads.emplace_back(work);
  work();
  threads.clear();
  return reports;
}

int Main(int argc, char** argv) {
  CommandLine line;
  if (!ParseCommandLine(argc, argv, line)) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  const std::vector<FileReport> reports = RunAll(line);
  std::size_t failures = 0;
  int passed = 0;
  int skipped = 0;
  for (const FileReport& report : reports) {
    failures += report.failures.size();
    passed += report.passed;
    skipped += report.skipped;
  }
  if (!line.junit.empty()) WriteJunit(line.junit, reports);
  std::printf("%zu files: %d passed, %d skipped, %zu failed\n", reports.size(), passed, skipped, failures);
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace mayfly::slt

int main(int argc, char** argv) { return mayfly::slt::Main(argc, argv); }
