#include "sql/func/text_quote.h"

#include <algorithm>

#include "sql/func/lift.h"
#include "sql/func/text_result.h"

namespace mayfly::func {

namespace {

// PostgreSQL 15's keywords that are not unreserved, in byte order.
constexpr std::string_view kKeywords[] = {
    // clang-format off
    "all", "analyse", "analyze", "and", "any", "array", "as", "asc", "asymmetric",
    "authorization", "between", "bigint", "binary", "bit", "boolean", "both", "case", "cast", "char",
    "character", "check", "coalesce", "collate", "collation", "column", "concurrently", "constraint", "create", "cross",
    "current_catalog", "current_date", "current_role", "current_schema", "current_time", "current_timestamp", "current_user", "dec", "decimal", "default",
    "deferrable", "desc", "distinct", "do", "else", "end", "except", "exists", "extract", "false",
    "fetch", "float", "for", "foreign", "freeze", "from", "full", "grant", "greatest", "group",
    "grouping", "having", "ilike", "in", "initially", "inner", "inout", "int", "integer", "intersect",
    "interval", "into", "is", "isnull", "join", "lateral", "leading", "least", "left", "like",
    "limit", "localtime", "localtimestamp", "national", "natural", "nchar", "none", "normalize", "not", "notnull",
    "null", "nullif", "numeric", "offset", "on", "only", "or", "order", "out", "outer",
    "overlaps", "overlay", "placing", "position", "precision", "primary", "real", "references", "returning", "right",
    "row", "select", "session_user", "setof", "similar", "smallint", "some", "substring", "symmetric", "table",
    "tablesample", "then", "time", "timestamp", "to", "trailing", "treat", "trim", "true", "union",
    "unique", "user", "using", "values", "varchar", "variadic", "verbose", "when", "where", "window",
    "with", "xmlattributes", "xmlconcat", "xmlelement", "xmlexists", "xmlforest", "xmlnamespaces", "xmlparse", "xmlpi", "xmlroot",
    "xmlserialize", "xmltable",
    // clang-format on
};

bool IsPlainName(std::string_view name) {
  if (name.empty() || !((name[0] >= 'a' && name[0] <= 'z') || name[0] == '_')) return false;
  return std::all_of(name.begin(), name.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
}

}  // namespace

void AppendQuotedIdentifier(std::string_view name, std::string& out) {
  if (IsPlainName(name) && !std::binary_search(std::begin(kKeywords), std::end(kKeywords), name)) {
    out += name;
    return;
  }
  out += '"';
  for (const char c : name) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

void AppendQuotedLiteral(std::string_view text, std::string& out) {
  if (text.find('\\') != std::string_view::npos) out += 'E';
  out += '\'';
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += c;
    out += c;
  }
  out += '\'';
}

void QuoteIdent(const KernelCall& call) {
  std::string scratch;
  Lift<std::string_view(std::string_view)>(call, [&](std::string_view name) {
    scratch.clear();
    AppendQuotedIdentifier(name, scratch);
    return Keep(call, scratch);
  });
}

void QuoteLiteral(const KernelCall& call) {
  std::string scratch;
  Lift<std::string_view(std::string_view)>(call, [&](std::string_view text) {
    scratch.clear();
    AppendQuotedLiteral(text, scratch);
    return Keep(call, scratch);
  });
}

namespace {

// For any type: its text form, quoted. NULL is NULL, or the word where `null_word`.
void QuoteValues(const KernelCall& call, bool null_word) {
  std::string text;
  std::string quoted;
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    if (call.args[0]->IsNull(row)) {
      if (null_word) {
        call.result.SetBytes(row, "NULL");
      } else {
        call.result.SetNull(row);
      }
      continue;
    }
    text.clear();
    quoted.clear();
    AppendText(call, call.arg_types[0], call.args[0]->Get(row), text);
    AppendQuotedLiteral(text, quoted);
    call.result.SetBytes(row, quoted);
  }
}

}  // namespace

void QuoteNullable(const KernelCall& call) { QuoteValues(call, true); }
void QuoteLiteral1285(const KernelCall& call) { QuoteValues(call, false); }
void QuoteNullable1290(const KernelCall& call) { QuoteValues(call, true); }

}  // namespace mayfly::func
