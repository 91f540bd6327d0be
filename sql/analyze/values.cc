// VALUES lists that stand for a SELECT: a range table entry "*VALUES*" with columns column1, column2 …
#include "sql/analyze/clauses.h"
#include "sql/analyze/expr_analyzer.h"

namespace mayfly::analyze {

void AnalyzeValues(Scope& scope, const parse::SelectStatement& select) {
  Query& query = *scope.query;
  std::vector<std::vector<ExprPtr>> columns;
  for (size_t row = 0; row < select.values.size(); ++row) {
    const PlaceGuard guard(scope, ExprPlace::kValues);
    const std::vector<parse::ExprPtr>& exprs = select.values[row];
    if (row == 0) columns.resize(exprs.size());
    std::vector<ExprPtr> values = AnalyzeExprs(scope, exprs);
    if (values.size() != columns.size()) {
      Throw(SqlError::Make(kSyntaxError, "VALUES lists must all be the same length")
                .At(values.empty() ? SourcePos{} : Location(values[0])));
    }
    for (size_t i = 0; i < values.size(); ++i) columns[i].push_back(std::move(values[i]));
  }

  RangeTableEntry entry;
  entry.alias = "*VALUES*";
  for (std::vector<ExprPtr>& column : columns) {
    const TypeDesc* common = SelectCommonType(column, "VALUES");
    for (ExprPtr& value : column) value = CoerceToCommon(scope, value, common, "VALUES");
    entry.columns.push_back({fmt::format("column{}", entry.columns.size() + 1), common, SelectCommonTypmod(column, common)});
  }
  entry.visible_columns = columns.size();
  ValuesEntry rows;
  rows.rows.resize(select.values.size());
  for (size_t row = 0; row < select.values.size(); ++row) {
    for (std::vector<ExprPtr>& column : columns) rows.rows[row].push_back(std::move(column[row]));
  }
  entry.source = std::move(rows);
  const size_t index = AddEntry(scope, std::move(entry));
  query.from.push_back({FromNode::Leaf{index}});
  scope.names.push_back({.entry = index, .alias = {}, .columns = {}});
  AppendAllColumns(scope, query.targets, {});

  AnalyzeOrderBy(scope, select.order_by);
  AnalyzeLimit(scope, select);
  if (!select.locking.empty()) {
    Throw(SqlError::Make(kFeatureNotSupported, "{} cannot be applied to VALUES", LockText(select.locking.front().strength)));
  }
}

}  // namespace mayfly::analyze
