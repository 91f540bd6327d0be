// Defaults of built-in functions' parameters (proargdefaults), by function and parameter name, as input text of the parameter's
// type.
#include "sql/analyze/resolve.h"

namespace mayfly::analyze {
namespace {

struct DefaultRow {
  std::string_view function;
  std::string_view parameter;
  std::string_view text;
};
constexpr DefaultRow kDefaults[] = {
    {"make_interval", "years", "0"},
    {"make_interval", "months", "0"},
    {"make_interval", "weeks", "0"},
    {"make_interval", "days", "0"},
    {"make_interval", "hours", "0"},
    {"make_interval", "mins", "0"},
    {"make_interval", "secs", "0.0"},
    {"jsonb_set", "create_if_missing", "true"},
    {"jsonb_set_lax", "create_if_missing", "true"},
    {"jsonb_set_lax", "null_value_treatment", "use_json_null"},
    {"jsonb_insert", "insert_after", "false"},
    {"jsonb_path_exists", "vars", "{}"},
    {"jsonb_path_exists", "silent", "false"},
    {"jsonb_path_match", "vars", "{}"},
    {"jsonb_path_match", "silent", "false"},
    {"jsonb_path_query", "vars", "{}"},
    {"jsonb_path_query", "silent", "false"},
    {"jsonb_path_query_array", "vars", "{}"},
    {"jsonb_path_query_array", "silent", "false"},
    {"jsonb_path_query_first", "vars", "{}"},
    {"jsonb_path_query_first", "silent", "false"},
    {"parse_ident", "strict", "true"},
    {"pg_terminate_backend", "timeout", "0"},
    {"json_populate_record", "use_json_as_text", "false"},
    {"json_populate_recordset", "use_json_as_text", "false"},
};
// normalize(text, text) and is_normalized have unnamed parameters; the second is the form.
constexpr std::string_view kNormalForm = "NFC";

}  // namespace

ExprPtr FunctionDefault(Scope& scope, const catalog::ProcRow& proc, size_t parameter, const TypeDesc* type, SourcePos pos) {
  std::string_view text;
  bool found = false;
  if (proc.name == "normalize" || proc.name == "is_normalized") {
    text = kNormalForm;
    found = true;
  }
  for (const DefaultRow& row : kDefaults) {
    if (found || row.function != proc.name || parameter >= proc.arg_names.size() || proc.arg_names[parameter] != row.parameter)
      continue;
    text = row.text;
    found = true;
  }
  if (!found) Throw(SqlError::NotSupported(fmt::format("default argument of function {}", proc.name), pos));
  Result<types::Datum> value = type->ops->in(*type, text, -1, scope.context().io, scope.analysis.arena);
  return MakeConst(type, std::move(value).value());
}

}  // namespace mayfly::analyze
