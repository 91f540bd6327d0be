// Function calls with everything that may stand in and after their parentheses, and the keywords that act as functions.
#include <string>

#include "base/check.h"
#include "sql/parse/convert.h"

namespace mayfly::parse {
namespace {

std::string_view SqlValueFunctionName(::SQLValueFunctionOp op) {
  switch (op) {
    case SVFOP_CURRENT_DATE: return "current_date";
    case SVFOP_CURRENT_TIME:
    case SVFOP_CURRENT_TIME_N: return "current_time";
    case SVFOP_CURRENT_TIMESTAMP:
    case SVFOP_CURRENT_TIMESTAMP_N: return "current_timestamp";
    case SVFOP_LOCALTIME:
    case SVFOP_LOCALTIME_N: return "localtime";
    case SVFOP_LOCALTIMESTAMP:
    case SVFOP_LOCALTIMESTAMP_N: return "localtimestamp";
    case SVFOP_CURRENT_ROLE: return "current_role";
    case SVFOP_CURRENT_USER: return "current_user";
    case SVFOP_USER: return "user";
    case SVFOP_SESSION_USER: return "session_user";
    case SVFOP_CURRENT_CATALOG: return "current_catalog";
    case SVFOP_CURRENT_SCHEMA: return "current_schema";
  }
  Unreachable();
}

SortItem::Direction ConvertDirection(::SortByDir direction) {
  switch (direction) {
    case SORTBY_DEFAULT: return SortItem::Direction::kDefault;
    case SORTBY_ASC: return SortItem::Direction::kAsc;
    case SORTBY_DESC: return SortItem::Direction::kDesc;
    case SORTBY_USING: return SortItem::Direction::kUsing;
  }
  Unreachable();
}

SortItem::Nulls ConvertNulls(::SortByNulls nulls) {
  switch (nulls) {
    case SORTBY_NULLS_DEFAULT: return SortItem::Nulls::kDefault;
    case SORTBY_NULLS_FIRST: return SortItem::Nulls::kFirst;
    case SORTBY_NULLS_LAST: return SortItem::Nulls::kLast;
  }
  Unreachable();
}

std::vector<SortItem> ConvertSortItems(Converter& c, const ::List* list) {
  std::vector<SortItem> out;
  for (const ::SortBy* item : Items<::SortBy>(list)) out.push_back(ConvertSortItem(c, *item));
  return out;
}

// f(a, name => b): names are kept beside the arguments, "" for a positional one.
void ConvertArguments(Converter& c, const ::List* args, FunctionCall& out) {
  const Items<::Node> items(args);
  out.args.reserve(items.size());
  for (const ::Node* item : items) {
    if (Tag(item) != T_NamedArgExpr) {
      out.args.push_back(ConvertExpr(c, item));
      if (!out.arg_names.empty()) out.arg_names.emplace_back();
      continue;
    }
    const auto& named = As<::NamedArgExpr>(item);
    out.arg_names.resize(out.args.size());
    out.args.push_back(ConvertExpr(c, reinterpret_cast<const ::Node*>(named.arg)));
    out.arg_names.push_back(Text(named.name));
  }
}

}  // namespace

Expr::Node ConvertFunctionCall(Converter& c, const ::FuncCall& call) {
  FunctionCall out;
  out.name = ConvertName(call.funcname);
  ConvertArguments(c, call.args, out);
  out.order_by = ConvertSortItems(c, call.agg_order);
  out.filter = ConvertExpr(c, call.agg_filter);
  if (call.over != nullptr) out.over = std::make_unique<WindowSpec>(ConvertWindow(c, *call.over));
  out.star = call.agg_star;
  out.distinct = call.agg_distinct;
  out.variadic = call.func_variadic;
  out.within_group = call.agg_within_group;
  return out;
}

Expr::Node ConvertSqlValueFunction(const ::SQLValueFunction& function) {
  return SqlValueFunction{.name = std::string(SqlValueFunctionName(function.op)), .typmod = function.typmod};
}

SortItem ConvertSortItem(Converter& c, const ::SortBy& item) {
  return {.expr = ConvertExpr(c, item.node),
          .direction = ConvertDirection(item.sortby_dir),
          .nulls = ConvertNulls(item.sortby_nulls),
          .using_op = ConvertName(item.useOp),
          .pos = c.At(item.location)};
}

WindowSpec ConvertWindow(Converter& c, const ::WindowDef& window) {
  // OVER w and OVER (w …) differ in the grammar (name, refname); a name alone means "exactly that window".
  WindowSpec out;
  out.name = Text(window.name);
  out.reference = Text(window.refname);
  out.partition_by = ConvertExprs(c, window.partitionClause);
  out.order_by = ConvertSortItems(c, window.orderClause);
  out.frame_options = window.frameOptions;
  out.start_offset = ConvertExpr(c, window.startOffset);
  out.end_offset = ConvertExpr(c, window.endOffset);
  out.pos = c.At(window.location);
  return out;
}

}  // namespace mayfly::parse
