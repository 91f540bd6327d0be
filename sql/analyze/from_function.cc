// Functions in FROM: one or several side by side (ROWS FROM, unnest of several arrays), WITH ORDINALITY. They are LATERAL by
// nature.
#include "sql/analyze/clauses.h"
#include "sql/analyze/expr_analyzer.h"
#include "sql/analyze/known_types.h"

namespace mayfly::analyze {
namespace {

ExprPtr AnalyzeTopCall(Scope& scope, const parse::Expr& expr) {
  const PlaceGuard guard(scope, ExprPlace::kFromFunction);
  const bool lateral = std::exchange(scope.lateral_active, true);
  scope.from_function = std::get_if<parse::FunctionCall>(&expr.node);
  ExprPtr result = AnalyzeExpr(scope, expr);
  scope.lateral_active = lateral;
  scope.from_function = nullptr;
  if (IsUnknown(result->type)) result = CoerceType(scope, result, TextType(), -1, {});
  return result;
}

// unnest(a, b) in FROM is ROWS FROM (unnest(a), unnest(b)).
std::vector<ExprPtr> AnalyzeCalls(Scope& scope, const parse::Expr& expr) {
  const auto* call = std::get_if<parse::FunctionCall>(&expr.node);
  const bool unnest = call != nullptr && call->name.back() == "unnest" && call->args.size() > 1 && !call->variadic &&
                      !call->distinct && call->order_by.empty() && call->filter == nullptr && call->over == nullptr &&
                      call->arg_names.empty() && (call->name.size() == 1 || call->name[0] == "pg_catalog");
  if (!unnest) return {AnalyzeTopCall(scope, expr)};
  std::vector<ExprPtr> calls;
  const PlaceGuard guard(scope, ExprPlace::kFromFunction);
  const bool lateral = std::exchange(scope.lateral_active, true);
  for (const parse::ExprPtr& arg : call->args) {
    std::vector<ExprPtr> args;
    args.push_back(AnalyzeExpr(scope, *arg));
    const TypeDesc* const types[] = {args[0]->type};
    const FunctionMatch match = ResolveFunction(scope, {call->name, types, {}, true});
    if (match.kind != FunctionMatch::Kind::kFound) {
      Throw(SqlError::Make(kUndefinedFunction, "function {} does not exist", FunctionText({call->name, types, {}}))
                .Hint("No function matches the given name and argument types. You might need to add explicit type casts.")
                .At(expr.pos));
    }
    std::vector<const TypeDesc*> declared = match.candidate.args;
    const TypeDesc* result = ResolvePolymorphic(types, declared, catalog::FindType(match.candidate.proc->result));
    calls.push_back(MakeExpr(Call{.proc = match.candidate.proc, .op = nullptr, .args = std::move(args)}, result, -1, expr.pos));
  }
  scope.lateral_active = lateral;
  return calls;
}

// The columns that one call yields; a single one is named by the alias, else by the function.
void AddColumns(const Expr& call, const std::string& function, const std::string& alias, bool single,
                std::vector<RteColumn>& out) {
  const auto* node = call.As<Call>();
  if (node != nullptr && !node->proc->out_types.empty()) {
    for (size_t i = 0; i < node->proc->out_types.size(); ++i) {
      const TypeDesc* type = catalog::FindType(Oid{node->proc->out_types[i]});
      std::string name = i < node->proc->out_names.size() ? std::string(node->proc->out_names[i]) : std::string();
      // OUT types may be polymorphic: they follow the arguments.
      if (IsPolymorphic(type->oid)) {
        std::vector<const TypeDesc*> actual;
        std::vector<const TypeDesc*> declared;
        for (size_t j = 0; j < node->args.size() && j < node->proc->args.size(); ++j) {
          actual.push_back(node->args[j]->type);
          declared.push_back(catalog::FindType(Oid{node->proc->args[j]}));
        }
        type = ResolvePolymorphic(actual, declared, type);
      }
      if (name.empty()) name = fmt::format("column{}", i + 1);
      // A single OUT column of a function is not a row: it is named as a scalar result is.
      if (node->proc->out_types.size() == 1 && node->proc->result != catalog::kOidRecord && single && !alias.empty())
        name = alias;
      out.push_back({std::move(name), type, -1});
    }
    return;
  }
  if (call.type->oid == catalog::kOidRecord) {
    Throw(SqlError::Make(kSyntaxError, "a column definition list is required for functions returning \"record\"").At(call.pos));
  }
  if (call.type->oid.value == 2278 && node != nullptr) {  // void is a column like any other
    out.push_back({single && !alias.empty() ? alias : function, call.type, -1});
    return;
  }
  out.push_back({single && !alias.empty() ? alias : function, call.type, call.typmod});
}

}  // namespace

AnalyzedFrom AnalyzeFromFunction(Scope& scope, const parse::FunctionRef& function, SourcePos pos) {
  FunctionEntry source{.calls = {}, .lateral = function.lateral, .with_ordinality = function.with_ordinality};
  RangeTableEntry entry;
  std::vector<std::string> names;
  if (!function.column_definitions.empty()) {
    Throw(SqlError::NotSupported("column definition list of a function", pos));
  }
  for (const parse::ExprPtr& syntax : function.calls) {
    for (ExprPtr& call : AnalyzeCalls(scope, *syntax)) {
      names.push_back(OutputName(*syntax));
      source.calls.push_back(std::move(call));
    }
  }
  entry.alias = function.alias.name.empty() ? names[0] : function.alias.name;
  for (size_t i = 0; i < source.calls.size(); ++i) {
    AddColumns(*source.calls[i], names[i], function.alias.name, source.calls.size() == 1, entry.columns);
  }
  if (function.with_ordinality) entry.columns.push_back({"ordinality", Int8Type(), -1});
  entry.visible_columns = entry.columns.size();
  ApplyColumnAliases(entry.columns, entry.visible_columns, function.alias, entry.alias);
  entry.source = std::move(source);
  return AddFromEntry(scope, std::move(entry));
}

}  // namespace mayfly::analyze
