// The objects that must go with a dropped one: an error that lists them (RESTRICT), or a notice (CASCADE).
#pragma once

#include <string>
#include <vector>

#include "sql/command/command.h"

namespace mayfly::command {

class Dependents {
 public:
  // `description` depends on `on`: "table s.t", "schema s".
  void Add(Oid oid, std::string description, std::string on);
  const std::vector<Oid>& oids() const { return oids_; }

  // Without `cascade`: 2BP01 `cannot drop {dropped} because other objects depend on it` where there are any. With it: the notice. `several`
  // objects are dropped by the one statement: the message says "them".
  void Resolve(CommandContext& context, const std::string& dropped, bool several, bool cascade) const;

 private:
  std::vector<Oid> oids_;
  std::vector<std::string> descriptions_;
  std::vector<std::string> on_;
};

// "table t", or "table s.t" where search_path does not find it.
std::string DescribeTable(const CommandContext& context, const catalog::TableDescriptor& table);

}  // namespace mayfly::command
