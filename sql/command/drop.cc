// DROP TABLE, VIEW, INDEX, SEQUENCE.
#include <algorithm>
#include <string>
#include <vector>

#include "base/check.h"
#include "sql/command/commands.h"
#include "sql/command/lookup.h"

namespace mayfly::command {
namespace {

using parse::ObjectKind;

// How one kind of relation is spoken of.
struct KindWords {
  ObjectKind kind;
  std::string_view name;     // "view"
  std::string_view article;  // "a view"
  std::string_view command;  // the tag
  std::string_view hint;     // for who used another DROP
  SqlState missing;
};

constexpr KindWords kKinds[] = {
    {ObjectKind::kTable, "table", "a table", "DROP TABLE", "Use DROP TABLE to remove a table.", kUndefinedTable},
    {ObjectKind::kView, "view", "a view", "DROP VIEW", "Use DROP VIEW to remove a view.", kUndefinedTable},
    {ObjectKind::kIndex, "index", "an index", "DROP INDEX", "Use DROP INDEX to remove an index.", kUndefinedObject},
    {ObjectKind::kSequence, "sequence", "a sequence", "DROP SEQUENCE", "Use DROP SEQUENCE to remove a sequence.", kUndefinedTable},
};

const KindWords& WordsOf(ObjectKind kind) {
  for (const KindWords& words : kKinds) {
    if (words.kind == kind) return words;
  }
  Unreachable();
}

ObjectKind KindOf(const Relation& relation) {
  if (relation.index != nullptr) return ObjectKind::kIndex;
  return relation.table->kind == 'v' ? ObjectKind::kView : ObjectKind::kTable;
}

// Missing: an error, or with IF EXISTS a notice. Only the last part of the name is shown, as in PostgreSQL.
void ReportMissing(CommandContext& context, const KindWords& words, const RelationName& name, bool if_exists) {
  const bool no_schema = !name.schema.empty() && context.snapshot()->FindSchema(name.schema) == nullptr;
  std::string message = no_schema ? fmt::format("schema \"{}\" does not exist", name.schema)
                                  : fmt::format("{} \"{}\" does not exist", words.name, name.name);
  if (!if_exists) Throw(SqlError::MakeText(no_schema ? kInvalidSchemaName : words.missing, std::move(message)));
  context.host.Notice(SqlError::MakeText(kSuccessfulCompletion, message + ", skipping").As(Severity::kNotice));
}

void CheckKind(const Relation& relation, const RelationName& name, const KindWords& words) {
  const KindWords& actual = WordsOf(KindOf(relation));
  if (actual.kind == words.kind) return;
  Throw(SqlError::Make(kWrongObjectType, "\"{}\" is not {}", name.name, words.article).Hint(std::string(actual.hint)));
}

// Every index belongs to a constraint so far: a primary key.
[[noreturn]] void RefuseIndex(const Relation& relation) {
  const std::string& index = relation.index->name;
  const std::string& table = relation.table->name;
  Throw(SqlError::Make(kDependentObjectsStillExist, "cannot drop index {} because constraint {} on table {} requires it", index, index, table)
            .Hint(fmt::format("You can drop constraint {} on table {} instead.", index, table)));
}

}  // namespace

std::string_view Drop(CommandContext& context, const parse::DropStatement& statement) {
  const KindWords& words = WordsOf(statement.kind);
  std::vector<Oid> dropped;
  for (const parse::QualifiedName& parts : statement.names) {
    const RelationName name = NameOf(parts);
    const Relation relation = LockNamed(context, name, storage::LockMode::kExclusive);
    if (!relation) {
      ReportMissing(context, words, name, statement.if_exists);
      continue;
    }
    CheckKind(relation, name, words);
    if (relation.index != nullptr && IsUserTable(*relation.table)) RefuseIndex(relation);
    if (!IsUserTable(*relation.table)) {
      Throw(SqlError::Make(kInsufficientPrivilege, "permission denied: \"{}\" is a system catalog", name.name));
    }
    dropped.push_back(relation.table->oid);
  }
  std::ranges::sort(dropped);
  const auto repeated = std::ranges::unique(dropped);
  dropped.erase(repeated.begin(), repeated.end());
  for (const Oid table : dropped) context.host.catalog_transaction().DropTable(table);
  return words.command;
}

}  // namespace mayfly::command
