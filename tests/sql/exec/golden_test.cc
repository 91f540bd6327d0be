// What statements do to rows, pinned by tests/golden/exec/*.txt: rows as "a|b;c|d", tags of statements without rows, errors. On
// the memory engine.
#include <gtest/gtest.h>

#include "tests/golden/golden.h"
#include "tests/harness/sql_harness.h"

namespace mayfly::exec {
namespace {

bool Mentions(std::string_view words, std::string sql) {
  for (char& c : sql) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return sql.find(words) != std::string::npos;
}

std::string Answer(harness::SqlClient& client, const std::string& sql) {
  if (!Mentions("select", sql.substr(0, 7)) && !Mentions("values", sql.substr(0, 6)) && !Mentions("returning", sql))
    return client.Tag(sql);
  return Mentions("order by", sql) ? client.Rows(sql) : client.SortedRows(sql);
}

TEST(ExecGolden, StatementsDoWhatIsPinned) {
  harness::SqlServer server(storage::EngineKind::kMemory);
  const std::unique_ptr<harness::SqlClient> client = server.Connect();
  golden::RunFolder("exec", [&](const std::string& sql) { return Answer(*client, sql); });
}

}  // namespace
}  // namespace mayfly::exec
