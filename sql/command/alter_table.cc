// ALTER TABLE: each subcommand changes a copy of the descriptor; all of them together are published, or none.
//
// Subcommands run in PostgreSQL's passes, not in the order written: columns are dropped first, then added, then their attributes are set,
// then constraints are made.
#include <algorithm>
#include <string>
#include <vector>

#include "base/check.h"
#include "sql/command/column_definition.h"
#include "sql/command/column_name.h"
#include "sql/command/commands.h"
#include "sql/command/default_value.h"
#include "sql/command/lookup.h"
#include "sql/command/primary_key.h"
#include "sql/command/table_options.h"
#include "sql/command/table_rows.h"
#include "sql/plan/lower.h"
#include "sql/store/row_codec.h"

namespace mayfly::command {
namespace {

using parse::AlterTableCommand;
using Kind = parse::AlterTableCommand::Kind;

constexpr std::string_view kTimeColumnOption = "table.kv.row.ttl.time-column";

int PassOf(Kind kind) {
  switch (kind) {
    case Kind::kDropColumn: return 0;
    case Kind::kAlterType: return 1;
    case Kind::kAddColumn: return 2;
    case Kind::kSetDefault:
    case Kind::kDropDefault:
    case Kind::kSetNotNull:
    case Kind::kDropNotNull: return 3;
    case Kind::kAddConstraint: return 4;
    case Kind::kSetOptions:
    case Kind::kResetOptions:
    case Kind::kOther: return 5;
  }
  Unreachable();
}

// Applies subcommands to the descriptor. Rows are looked at in the table as it was stored before the statement: `stored`.
class TableAlterer {
 public:
  TableAlterer(CommandContext& context, catalog::TablePtr table) : context_(context), stored_(std::move(table)), table_(*stored_) {}

  void Apply(const AlterTableCommand& command);
  void Publish();

 private:
  void AddColumn(const AlterTableCommand& command);
  void FillExistingRows(NewColumn& column);
  void DropColumn(const AlterTableCommand& command);
  void SetDefault(const AlterTableCommand& command);
  void SetNotNull(const AlterTableCommand& command);
  void DropNotNull(const AlterTableCommand& command);
  void AlterType(const AlterTableCommand& command);
  void AddConstraint(const parse::Constraint& constraint);
  void AddKey(KeyDefinition key);
  void RefuseTimeColumn(std::string_view verb, const catalog::ColumnDescriptor& column) const;
  void UpdateLayout();

  CommandContext& context_;
  catalog::TablePtr stored_;
  catalog::TableDescriptor table_;
  bool moves_rows_ = false;  // the rows get new keys
};

void TableAlterer::Apply(const AlterTableCommand& command) {
  switch (command.kind) {
    case Kind::kAddColumn: AddColumn(command); break;
    case Kind::kDropColumn: DropColumn(command); break;
    case Kind::kSetDefault: SetDefault(command); break;
    case Kind::kDropDefault: table_.columns[RequireColumn(table_, command.column, "alter")].default_sql.clear(); break;
    case Kind::kSetNotNull: SetNotNull(command); break;
    case Kind::kDropNotNull: DropNotNull(command); break;
    case Kind::kAlterType: AlterType(command); break;
    case Kind::kAddConstraint: AddConstraint(*command.constraint); break;
    case Kind::kSetOptions: CheckAlterOptions(context_, command.options, false); break;
    case Kind::kResetOptions: CheckAlterOptions(context_, command.options, true); break;
    case Kind::kOther: Unreachable();
  }
}

void TableAlterer::AddColumn(const AlterTableCommand& command) {
  const parse::ColumnDefinition& definition = *command.definition;
  if (table_.FindColumn(definition.name) != nullptr) {
    std::string message = fmt::format("column \"{}\" of relation \"{}\" already exists", definition.name, table_.name);
    if (!command.if_exists) Throw(SqlError::MakeText(kDuplicateColumn, std::move(message)));
    context_.host.Notice(SqlError::MakeText(kDuplicateColumn, message + ", skipping").As(Severity::kNotice));
    return;
  }
  CheckNotSystemColumn(table_, definition.name);
  NewColumn column = MakeColumn(context_, table_.name, definition);
  column.descriptor.id = ColumnId{static_cast<int16_t>(table_.columns.empty() ? 1 : table_.columns.back().id.value + 1)};
  if (column.descriptor.id.value > 1600) Throw(SqlError::Make(kTooManyColumns, "tables can have at most {} columns", 1600));
  FillExistingRows(column);
  table_.columns.push_back(std::move(column.descriptor));
  if (column.primary_key == nullptr) return;
  RefuseConstraint(*column.primary_key);
  AddKey({.name = column.primary_key->name, .columns = {definition.name}, .pos = {}});
}

// Rows that are there already have the default's value as it is now. A volatile one would have to be computed for each row.
void TableAlterer::FillExistingRows(NewColumn& column) {
  if (column.default_expr != nullptr && !plan::IsVolatile(column.default_expr)) {
    column.descriptor.missing_value = ComputeDefault(context_, column.descriptor, column.default_expr);
    if (column.descriptor.missing_value.has_value()) return;
  }
  const bool is_volatile = column.default_expr != nullptr && plan::IsVolatile(column.default_expr);
  if (!column.descriptor.not_null && !is_volatile) return;
  TakeNewestView(context_, "ALTER TABLE ... ADD COLUMN that looks at rows");
  if (!HasRows(context_, *stored_)) return;
  if (is_volatile) Throw(SqlError::NotSupported("ALTER TABLE ... ADD COLUMN with a volatile default on a table with rows"));
  Throw(SqlError::Make(kNotNullViolation, "column \"{}\" of relation \"{}\" contains null values", column.descriptor.name, table_.name));
}

void TableAlterer::RefuseTimeColumn(std::string_view verb, const catalog::ColumnDescriptor& column) const {
  if (!table_.ttl.has_value() || table_.ttl->time_column != column.id) return;
  Throw(SqlError::Make(kDependentObjectsStillExist, "cannot {} column {} of table {} because option \"{}\" of the table depends on it", verb,
                       column.name, table_.name, kTimeColumnOption));
}

void TableAlterer::DropColumn(const AlterTableCommand& command) {
  if (command.if_exists && table_.FindColumn(command.column) == nullptr && !IsSystemColumn(table_, command.column)) {
    context_.host.Notice(SqlError::Make(kSuccessfulCompletion, "column \"{}\" of relation \"{}\" does not exist, skipping", command.column,
                                        table_.name)
                             .As(Severity::kNotice));
    return;
  }
  catalog::ColumnDescriptor& column = table_.columns[RequireColumn(table_, command.column, "drop")];
  RefuseTimeColumn("drop", column);
  if (InPrimaryKey(table_, column.id)) Throw(SqlError::NotSupported("ALTER TABLE ... DROP COLUMN of a primary key column"));
  column.name = fmt::format("........pg.dropped.{}........", column.id.value);
  column.dropped = true;
  column.not_null = false;
  column.default_sql.clear();
  column.missing_value.reset();
  column.comment.clear();
}

// Differs: errors in the expression have their position; PostgreSQL has lost the text by the time it looks.
void TableAlterer::SetDefault(const AlterTableCommand& command) {
  catalog::ColumnDescriptor& column = table_.columns[RequireColumn(table_, command.column, "alter")];
  column.default_sql = analyze::Deparse(*AnalyzeDefault(context_, column, *command.expr));
}

void TableAlterer::SetNotNull(const AlterTableCommand& command) {
  catalog::ColumnDescriptor& column = table_.columns[RequireColumn(table_, command.column, "alter")];
  if (column.not_null) return;
  TakeNewestView(context_, "ALTER TABLE ... SET NOT NULL");
  if (stored_->FindColumn(column.id) != nullptr) CheckNoNulls(context_, *stored_, column);
  column.not_null = true;
}

void TableAlterer::DropNotNull(const AlterTableCommand& command) {
  catalog::ColumnDescriptor& column = table_.columns[RequireColumn(table_, command.column, "alter")];
  if (InPrimaryKey(table_, column.id)) {
    Throw(SqlError::Make(kInvalidTableDefinition, "column \"{}\" is in a primary key", column.name));
  }
  column.not_null = false;
}

void TableAlterer::AlterType(const AlterTableCommand& command) {
  const catalog::ColumnDescriptor& column = table_.columns[RequireColumn(table_, command.column, "alter")];
  RefuseTimeColumn("alter type of", column);
  Throw(SqlError::NotSupported("ALTER TABLE ... ALTER COLUMN ... TYPE", command.pos));
}

void TableAlterer::AddConstraint(const parse::Constraint& constraint) {
  RefuseConstraint(constraint);
  AddKey({.name = constraint.name, .columns = constraint.columns, .pos = {}});
}

void TableAlterer::AddKey(KeyDefinition key) {
  if (table_.primary_key() != nullptr) {
    Throw(SqlError::Make(kInvalidTableDefinition, "multiple primary keys for table \"{}\" are not allowed", table_.name));
  }
  AddPrimaryKey(context_, key, KeyOf::kExistingTable, table_);
  moves_rows_ = true;
}

// A new layout for new rows where the payload's columns are others now; old rows keep theirs.
void TableAlterer::UpdateLayout() {
  catalog::RowLayout layout{.version = table_.layouts.back().version + 1, .columns = store::PayloadColumns(table_)};
  if (moves_rows_) table_.layouts.clear();  // every row is written again
  if (table_.layouts.empty() || table_.layouts.back().columns != layout.columns) table_.layouts.push_back(std::move(layout));
}

void TableAlterer::Publish() {
  UpdateLayout();
  catalog::CatalogTransaction& changes = context_.host.catalog_transaction();
  if (moves_rows_) {
    TakeNewestView(context_, "ALTER TABLE ... ADD PRIMARY KEY");
    table_.storage = changes.NewStorageId();
    // Rows are read through the old layouts, under the columns as they are now.
    catalog::TableDescriptor from = table_;
    from.storage = stored_->storage;
    from.layouts = stored_->layouts;
    from.indexes = stored_->indexes;
    from.hidden_row_id = stored_->hidden_row_id;
    CopyRows(context_, from, table_);
    for (catalog::ColumnDescriptor& column : table_.columns) column.missing_value.reset();
  }
  changes.PutTable(std::move(table_));
}

std::string_view ActionName(Kind kind) {
  switch (kind) {
    case Kind::kAddColumn: return "ADD COLUMN";
    case Kind::kDropColumn: return "DROP COLUMN";
    case Kind::kSetDefault:
    case Kind::kDropDefault: return "ALTER COLUMN ... SET DEFAULT";
    case Kind::kSetNotNull: return "ALTER COLUMN ... SET NOT NULL";
    case Kind::kDropNotNull: return "ALTER COLUMN ... DROP NOT NULL";
    case Kind::kAlterType: return "ALTER COLUMN ... SET DATA TYPE";
    case Kind::kAddConstraint: return "ADD CONSTRAINT";
    case Kind::kSetOptions: return "SET";
    case Kind::kResetOptions: return "RESET";
    case Kind::kOther: return "ALTER";
  }
  Unreachable();
}

void RefuseOtherCommands(const parse::AlterTableStatement& statement) {
  for (const AlterTableCommand& command : statement.commands) {
    if (command.kind == Kind::kOther) Throw(SqlError::NotSupported(command.feature, command.pos));
  }
}

}  // namespace

std::string_view AlterTable(CommandContext& context, const parse::AlterTableStatement& statement) {
  const RelationName name = NameOf(statement.table);
  const Relation relation = LockNamed(context, name, storage::LockMode::kExclusive);
  if (!relation) {
    if (!statement.if_exists) ThrowNoRelation(context, name);
    context.host.Notice(
        SqlError::Make(kSuccessfulCompletion, "relation \"{}\" does not exist, skipping", name.name).As(Severity::kNotice));
    return "ALTER TABLE";
  }
  if (!IsUserTable(*relation.table)) {
    Throw(SqlError::Make(kInsufficientPrivilege, "permission denied: \"{}\" is a system catalog", name.name));
  }
  if (relation.index != nullptr) {
    Throw(SqlError::Make(kWrongObjectType, "ALTER action {} cannot be performed on relation \"{}\"",
                         ActionName(statement.commands.front().kind), name.name)
              .Detail("This operation is not supported for indexes."));
  }
  RefuseOtherCommands(statement);
  std::vector<const AlterTableCommand*> commands;
  for (const AlterTableCommand& command : statement.commands) commands.push_back(&command);
  std::ranges::stable_sort(commands, {}, [](const AlterTableCommand* command) { return PassOf(command->kind); });
  TableAlterer alterer(context, relation.table);
  for (const AlterTableCommand* command : commands) alterer.Apply(*command);
  alterer.Publish();
  return "ALTER TABLE";
}

}  // namespace mayfly::command
