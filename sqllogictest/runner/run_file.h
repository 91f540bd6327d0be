// Runs one test file against a server, in a schema of its own that is dropped afterwards.
#pragma once

#include <string>
#include <vector>

namespace mayfly::slt {

struct RunOptions {
  std::string conninfo;         // of libpq; what it leaves out comes from libpq's environment
  std::string engine;           // ours or postgresql; empty: asked of the server
  bool rewrite = false;         // write what the server answered into the file
  bool fail_fast = false;       // stop a file at its first failure
};

struct FileReport {
  std::string path;
  int passed = 0;
  int skipped = 0;
  double seconds = 0;
  std::vector<std::string> failures;  // each begins with "path:line: "
};

FileReport RunFile(const std::string& path, const RunOptions& options);

}  // namespace mayfly::slt
