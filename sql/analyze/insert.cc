// INSERT: one row of expressions, or the rows of an entry (VALUES lists, SELECT); a value for every live column of the table.
#include <algorithm>

#include "sql/analyze/analyze.h"
#include "sql/analyze/clauses.h"
#include "sql/analyze/expr_analyzer.h"
#include "sql/analyze/known_types.h"

namespace mayfly::analyze {
namespace {

using Columns = std::vector<const catalog::ColumnDescriptor*>;

Columns TargetColumns(const catalog::TableDescriptor& table, const parse::InsertStatement& insert) {
  Columns columns;
  if (insert.columns.empty()) {
    for (const catalog::ColumnDescriptor& column : table.columns) {
      if (!column.dropped) columns.push_back(&column);
    }
    return columns;
  }
  for (const parse::Target& target : insert.columns) {
    const catalog::ColumnDescriptor* column = table.FindColumn(target.name);
    if (column == nullptr) {
      Throw(SqlError::Make(kUndefinedColumn, "column \"{}\" of relation \"{}\" does not exist", target.name, table.name)
                .At(target.pos));
    }
    if (!target.indirection.empty()) Throw(SqlError::NotSupported("INSERT into part of a column", target.pos));
    if (std::find(columns.begin(), columns.end(), column) != columns.end()) {
      Throw(SqlError::Make(kDuplicateColumn, "column \"{}\" specified more than once", target.name).At(target.pos));
    }
    columns.push_back(column);
  }
  return columns;
}

struct InsertContext {
  Scope& scope;
  const catalog::TableDescriptor& table;
  const parse::InsertStatement& insert;
  const Columns& columns;
};

// 42601 where a row has more values than columns, or fewer than columns were named.
void CheckCount(const InsertContext& context, size_t count, SourcePos extra) {
  if (count > context.columns.size()) {
    Throw(SqlError::Make(kSyntaxError, "INSERT has more expressions than target columns").At(extra));
  }
  if (!context.insert.columns.empty() && count < context.columns.size()) {
    Throw(SqlError::Make(kSyntaxError, "INSERT has more target columns than expressions").At(context.insert.columns[count].pos));
  }
}

// The values of one VALUES list, coerced to the columns. All are analyzed before any is coerced, as PostgreSQL does.
std::vector<ExprPtr> AnalyzeRow(const InsertContext& context, const std::vector<parse::ExprPtr>& row) {
  std::vector<ExprPtr> raw;
  raw.reserve(row.size());
  for (const parse::ExprPtr& expr : row) {
    const bool is_default = std::holds_alternative<parse::DefaultExpr>(expr->node);
    raw.push_back(is_default ? nullptr : AnalyzeExprAt(context.scope, *expr, ExprPlace::kValues));
  }
  const size_t limit = context.columns.size();
  CheckCount(context, row.size(),
             row.size() <= limit     ? SourcePos{}
             : raw[limit] == nullptr ? row[limit]->pos
                                     : Location(raw[limit]));
  for (size_t i = 0; i < raw.size(); ++i) {
    const catalog::ColumnDescriptor& column = *context.columns[i];
    raw[i] =
        raw[i] == nullptr ? ColumnDefault(context.scope, column) : CoerceAssigned(context.scope, {context.table, column}, raw[i]);
  }
  return raw;
}

void AnalyzeOneRow(const InsertContext& context, const std::vector<parse::ExprPtr>& row, std::vector<ExprPtr>& values) {
  values = AnalyzeRow(context, row);
}

void AnalyzeRows(const InsertContext& context, const std::vector<std::vector<parse::ExprPtr>>& rows,
                 std::vector<ExprPtr>& values) {
  Scope& scope = context.scope;
  ValuesEntry source;
  for (const auto& row : rows) {
    if (row.size() != rows[0].size()) {
      Throw(SqlError::Make(kSyntaxError, "VALUES lists must all be the same length").At(row.empty() ? SourcePos{} : row[0]->pos));
    }
    source.rows.push_back(AnalyzeRow(context, row));
  }
  RangeTableEntry entry;
  entry.alias = "*VALUES*";
  for (size_t i = 0; i < rows[0].size(); ++i) {
    entry.columns.push_back({fmt::format("column{}", i + 1), context.columns[i]->type, context.columns[i]->typmod});
  }
  entry.visible_columns = entry.columns.size();
  entry.source = std::move(source);
  const size_t index = AddEntry(scope, std::move(entry));
  for (size_t i = 0; i < rows[0].size(); ++i) values.push_back(MakeVar(scope, index, i, 0, {}));
  scope.query->modification->source_entry = index;
  scope.query->from.push_back({FromNode::Leaf{index}});
}

// INSERT … SELECT. Literals and parameters of the select list that are still unknown take the column's type.
void AnalyzeSource(const InsertContext& context, const parse::SelectStatement& select, std::vector<ExprPtr>& values) {
  Scope& scope = context.scope;
  const std::shared_ptr<Query> source = AnalyzeSubselect(scope, select, {.lateral = false, .resolve_unknowns = false});
  std::vector<TargetEntry*> outputs;
  for (TargetEntry& target : source->targets) {
    if (!target.hidden) outputs.push_back(&target);
  }
  const size_t limit = context.columns.size();
  CheckCount(context, outputs.size(), outputs.size() > limit ? Location(outputs[limit]->expr) : SourcePos{});
  for (size_t i = 0; i < outputs.size(); ++i) {
    ExprPtr& expr = outputs[i]->expr;
    const bool open = IsUnknown(expr->type) && (expr->As<Const>() != nullptr || expr->As<Param>() != nullptr);
    if (open) expr = CoerceAssigned(scope, {context.table, *context.columns[i]}, expr);
  }
  FoldQuery(scope, *source);
  RangeTableEntry entry;
  entry.alias = "*SELECT*";
  entry.columns = OutputColumns(*source);
  entry.visible_columns = entry.columns.size();
  std::vector<SourcePos> positions;
  for (const TargetEntry* output : outputs) positions.push_back(Location(output->expr));
  entry.source = SubqueryEntry{source, false};
  const size_t index = AddEntry(scope, std::move(entry));
  for (size_t i = 0; i < positions.size(); ++i) {
    const ExprPtr var = MakeVar(scope, index, i, 0, positions[i]);
    values.push_back(CoerceAssigned(scope, {context.table, *context.columns[i]}, var));
  }
  scope.query->modification->source_entry = index;
  scope.query->from.push_back({FromNode::Leaf{index}});
}

bool IsPlainValues(const parse::SelectStatement& select) {
  return !select.values.empty() && select.order_by.empty() && select.limit == nullptr && select.offset == nullptr &&
         select.locking.empty() && select.with == nullptr;
}

}  // namespace

void AnalyzeInsert(Scope& scope, const parse::InsertStatement& insert) {
  Query& query = *scope.query;
  query.command = Command::kInsert;
  query.modification.emplace();
  AnalyzeWith(scope, insert.with.get());
  const size_t target = AddTargetTable(scope, insert.table);
  query.modification->target_entry = target;
  const catalog::TablePtr table = std::get<TableEntry>(query.range_table[target].source).table;
  const Columns columns = TargetColumns(*table, insert);
  const InsertContext context{scope, *table, insert, columns};
  std::vector<ExprPtr> values;
  if (insert.source != nullptr) {
    if (!IsPlainValues(*insert.source)) {
      AnalyzeSource(context, *insert.source, values);
    } else if (insert.source->values.size() == 1) {
      AnalyzeOneRow(context, insert.source->values[0], values);
    } else {
      AnalyzeRows(context, insert.source->values, values);
    }
  }
  for (const catalog::ColumnDescriptor& column : table->columns) {
    if (column.dropped) continue;
    size_t i = 0;
    while (i < values.size() && columns[i] != &column) ++i;
    query.modification->assignments.push_back({column.id, i < values.size() ? values[i] : ColumnDefault(scope, column)});
  }
  // From here on the target itself can be named.
  scope.names.push_back({.entry = target, .alias = {}, .columns = {}});
  if (insert.on_conflict != nullptr) AnalyzeOnConflict(scope, *insert.on_conflict);
  query.modification->returning = AnalyzeTargets(scope, insert.returning, ExprPlace::kReturning);
  ResolveUnknownTargets(scope, query.modification->returning);
  FoldQuery(scope, query);
}

size_t AddTargetTable(Scope& scope, const parse::TableRef& ref) {
  if (ref.schema.empty() && FindCommonTable(scope, ref.name).table != nullptr) {
    Throw(
        SqlError::Make(kWrongObjectType, "relation \"{}\" cannot be the target of a modifying statement", ref.name).At(ref.pos));
  }
  catalog::TablePtr table = ResolveTable(scope.context(), ref);
  if (table->kind == 'v') {
    const Command command = scope.query->command;
    const std::string_view verb = command == Command::kInsert   ? "insert into"
                                  : command == Command::kUpdate ? "update"
                                                                : "delete from";
    Throw(SqlError::Make(kObjectNotInPrerequisiteState, "cannot {} view \"{}\"", verb, table->name));
  }
  if (table->virtual_table != nullptr) {
    Throw(SqlError::Make(kInsufficientPrivilege, "permission denied: \"{}\" is a system catalog", table->name));
  }
  return AddEntry(scope, MakeTableEntry(std::move(table), ref));
}

}  // namespace mayfly::analyze
