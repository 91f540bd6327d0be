// The FROM clause: tables, subqueries, functions, joins.
#include "base/check.h"
#include "sql/parse/convert.h"

namespace mayfly::parse {
namespace {

TableExprPtr ConvertTableExpr(Converter& c, const ::Node* node);

TableExprPtr MakeTableExpr(decltype(TableExpr::node) node, SourcePos pos) {
  return std::make_unique<TableExpr>(TableExpr{std::move(node), pos});
}

std::vector<FunctionRef::ColumnDefinition> ConvertColumnDefinitions(Converter& c, const ::List* list) {
  std::vector<FunctionRef::ColumnDefinition> out;
  for (const ::ColumnDef* column : Items<::ColumnDef>(list)) {
    out.push_back({.name = Text(column->colname), .type = ConvertTypeName(c, *column->typeName)});
  }
  return out;
}

TableExprPtr ConvertRangeFunction(Converter& c, const ::RangeFunction& function) {
  FunctionRef out;
  out.lateral = function.lateral;
  out.with_ordinality = function.ordinality;
  out.rows_from = function.is_rowsfrom;
  // Each element is a list of two: the call, and the column definitions that ROWS FROM may attach to it.
  for (const ::List* pair : Items<::List>(function.functions)) {
    const Items<::Node> call_and_columns(pair);
    out.calls.push_back(ConvertExpr(c, call_and_columns[0]));
    if (call_and_columns[1] != nullptr) Unsupported("column definition list in ROWS FROM", out.calls.back()->pos);
  }
  out.alias = ConvertAlias(function.alias);
  out.column_definitions = ConvertColumnDefinitions(c, function.coldeflist);
  const SourcePos pos = out.calls.front()->pos;
  return MakeTableExpr(std::move(out), pos);
}

JoinType ConvertJoinType(::JoinType type) {
  switch (type) {
    case JOIN_INNER: return JoinType::kInner;
    case JOIN_LEFT: return JoinType::kLeft;
    case JOIN_RIGHT: return JoinType::kRight;
    case JOIN_FULL: return JoinType::kFull;
    default: Unreachable();  // the other kinds are the planner's
  }
}

TableExprPtr ConvertJoin(Converter& c, const ::JoinExpr& join) {
  JoinRef out;
  out.type = ConvertJoinType(join.jointype);
  out.natural = join.isNatural;
  out.left = ConvertTableExpr(c, join.larg);
  out.right = ConvertTableExpr(c, join.rarg);
  out.using_columns = ConvertStrings(join.usingClause);
  out.on = ConvertExpr(c, join.quals);
  out.alias = ConvertAlias(join.alias);
  out.using_alias = ConvertAlias(join.join_using_alias);
  const SourcePos pos = out.left->pos;  // the raw node has no location
  return MakeTableExpr(std::move(out), pos);
}

TableExprPtr ConvertTableExpr(Converter& c, const ::Node* node) {
  const NestingLevel level(c);
  switch (Tag(node)) {
    case T_RangeVar: {
      TableRef table = ConvertTableRef(c, As<::RangeVar>(node));
      const SourcePos pos = table.pos;
      return MakeTableExpr(std::move(table), pos);
    }
    case T_RangeSubselect: {
      const auto& n = As<::RangeSubselect>(node);
      return MakeTableExpr(SubqueryRef{.lateral = n.lateral,
                                       .select = ConvertSelect(c, As<::SelectStmt>(n.subquery)),
                                       .alias = ConvertAlias(n.alias)},
                           {});
    }
    case T_RangeFunction: return ConvertRangeFunction(c, As<::RangeFunction>(node));
    case T_JoinExpr: return ConvertJoin(c, As<::JoinExpr>(node));
    case T_RangeTableSample: Unsupported("TABLESAMPLE", c.At(As<::RangeTableSample>(node).location));
    case T_RangeTableFunc: Unsupported("XMLTABLE", c.At(As<::RangeTableFunc>(node).location));
    default: Unsupported("this kind of FROM item", c.statement_pos);
  }
}

}  // namespace

std::vector<TableExprPtr> ConvertFrom(Converter& c, const ::List* list) {
  std::vector<TableExprPtr> out;
  const Items<::Node> items(list);
  out.reserve(items.size());
  for (const ::Node* item : items) out.push_back(ConvertTableExpr(c, item));
  return out;
}

}  // namespace mayfly::parse
