// Protocol scripts: what a client sends, and what it must get back, as text.
//
//   # comment
//   send
//   Query "SELECT 1"
//
//   until ReadyForQuery
//   RowDescription ["?column?" type=23 typmod=-1 format=0]
//   DataRow ["1"]
//   CommandComplete "SELECT 1"
//   ReadyForQuery I
//
// Blocks are separated by blank lines: `connect` (a new connection without a startup packet; scripts begin with one that is ready
// otherwise), `send`, `until NAME` (reads to that message, or `until Closed`), `skip NAME` (the
// same, but anything may come), `byte` (one untagged byte). A block that ends its first
// line with `only=mayfly` or `only=postgresql` is for that server alone.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mayfly::wire {

// A connection to a server, as bytes.
class ScriptTransport {
 public:
  virtual ~ScriptTransport() = default;
  virtual void Connect() = 0;
  virtual void Send(std::string_view bytes) = 0;
  // Appends what comes next to `bytes`; false where nothing will.
  virtual bool Receive(std::string& bytes) = 0;
};

struct ScriptFailure {
  int line = 0;
  std::string expected;
  std::string actual;
};

// Runs a script's text; `server` is "mayfly" or "postgresql".
std::vector<ScriptFailure> RunScript(std::string_view script, std::string_view server, ScriptTransport& transport);
// The script with what the server really answers in the place of what was expected.
std::string RewriteScript(std::string_view script, std::string_view server, ScriptTransport& transport);

// One line of a `send` block as bytes, and a backend message as its line. Exposed for their own tests.
std::string EncodeScriptLine(std::string_view line);
std::string DescribeBackendMessage(char tag, std::string_view body);

}  // namespace mayfly::wire
