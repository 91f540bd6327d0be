#include "sql/command/dependents.h"

#include "sql/command/lookup.h"

namespace mayfly::command {
namespace {

// As many as PostgreSQL lists for a client.
constexpr size_t kListedMax = 100;

std::string Listed(const std::vector<std::string>& lines) {
  std::string out;
  for (size_t i = 0; i < lines.size() && i < kListedMax; ++i) out += (i == 0 ? "" : "\n") + lines[i];
  if (lines.size() <= kListedMax) return out;
  const size_t more = lines.size() - kListedMax;
  return out + fmt::format("\nand {} other object{} (see server log for list)", more, more == 1 ? "" : "s");
}

}  // namespace

void Dependents::Add(Oid oid, std::string description, std::string on) {
  oids_.push_back(oid);
  descriptions_.push_back(std::move(description));
  on_.push_back(std::move(on));
}

void Dependents::Resolve(CommandContext& context, const std::string& dropped, bool several, bool cascade) const {
  if (oids_.empty()) return;
  std::vector<std::string> lines;
  if (!cascade) {
    for (size_t i = 0; i < oids_.size(); ++i) lines.push_back(fmt::format("{} depends on {}", descriptions_[i], on_[i]));
    Throw(SqlError::Make(kDependentObjectsStillExist, "cannot drop {} because other objects depend on {}", dropped, several ? "them" : "it")
              .Detail(Listed(lines))
              .Hint("Use DROP ... CASCADE to drop the dependent objects too."));
  }
  if (oids_.size() == 1) {
    context.host.Notice(SqlError::Make(kSuccessfulCompletion, "drop cascades to {}", descriptions_[0]).As(Severity::kNotice));
    return;
  }
  for (const std::string& description : descriptions_) lines.push_back("drop cascades to " + description);
  context.host.Notice(SqlError::Make(kSuccessfulCompletion, "drop cascades to {} other objects", oids_.size())
                          .Detail(Listed(lines))
                          .As(Severity::kNotice));
}

std::string DescribeTable(const CommandContext& context, const catalog::TableDescriptor& table) {
  const catalog::SnapshotPtr snapshot = context.snapshot();
  const Relation visible = FindRelation(context, *snapshot, {.catalog = {}, .schema = {}, .name = table.name, .pos = {}});
  if (visible && visible.index == nullptr && visible.table->oid == table.oid) return fmt::format("table {}", table.name);
  const catalog::SchemaDescriptor* schema = snapshot->FindSchema(table.schema);
  return fmt::format("table {}.{}", schema == nullptr ? "?" : schema->name, table.name);
}

}  // namespace mayfly::command
