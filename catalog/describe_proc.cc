// pg_get_function_arguments and its kin.
#include "catalog/describe_proc.h"

#include <algorithm>

#include "sql/func/text_quote.h"
#include "sql/types/format_type.h"

namespace mayfly::catalog {

namespace {

void AppendArgument(std::string_view mode, std::string_view name, Oid type, std::string& out) {
  if (!out.empty()) out += ", ";
  out += mode;
  if (!name.empty()) {
    func::AppendQuotedIdentifier(name, out);
    out += ' ';
  }
  out += TypeNameOf(type);
}

std::string Arguments(const ProcRow& proc, bool for_identity) {
  std::string out;
  for (size_t i = 0; i < proc.args.size(); ++i) {
    const bool variadic = proc.variadic.valid() && i + 1 == proc.args.size();
    AppendArgument(variadic ? "VARIADIC " : "", i < proc.arg_names.size() ? proc.arg_names[i] : std::string_view(),
                   Oid{proc.args[i]}, out);
    const size_t first_default = proc.args.size() - proc.default_sql.size();
    if (!for_identity && i >= first_default) {
      out += " DEFAULT ";
      out += proc.default_sql[i - first_default];
    }
  }
  if (for_identity) return out;
  for (size_t i = 0; i < proc.out_types.size(); ++i) AppendArgument("OUT ", proc.out_names[i], Oid{proc.out_types[i]}, out);
  return out;
}

std::string ResultText(const ProcRow& proc) { return (proc.returns_set ? "SETOF " : "") + TypeNameOf(proc.result); }

std::string Definition(const ProcRow& proc) {
  std::string out = "CREATE OR REPLACE ";
  out += proc.kind == 'p' ? "PROCEDURE pg_catalog." : "FUNCTION pg_catalog.";
  func::AppendQuotedIdentifier(proc.name, out);
  out += '(' + Arguments(proc, false) + ")\n";
  if (proc.kind != 'p') out += " RETURNS " + ResultText(proc) + '\n';
  out += " LANGUAGE internal\n";
  if (proc.kind == 'w') out += " WINDOW";
  if (proc.volatility == Volatility::kImmutable) out += " IMMUTABLE";
  if (proc.volatility == Volatility::kStable) out += " STABLE";
  out += " PARALLEL SAFE";
  if (proc.strict) out += " STRICT";
  return out + "\nAS $function$" + std::string(proc.source) + "$function$\n";
}

}  // namespace

std::string TypeNameOf(Oid type) {
  const types::TypeDesc* desc = FindType(type);
  return desc == nullptr ? std::to_string(type.value) : types::FormatType(*desc);
}

std::optional<std::string> DescribeProc(const ProcRow& proc, std::string_view what) {
  if (what == "pg_get_function_arguments") return Arguments(proc, false);
  if (what == "pg_get_function_identity_arguments") return Arguments(proc, true);
  if (what == "pg_get_function_result") return proc.kind == 'p' ? std::nullopt : std::optional(ResultText(proc));
  if (what != "pg_get_functiondef") return std::nullopt;
  if (proc.kind == 'a') Throw(SqlError::Make(kWrongObjectType, "\"{}\" is an aggregate function", proc.name));
  return Definition(proc);
}

}  // namespace mayfly::catalog
