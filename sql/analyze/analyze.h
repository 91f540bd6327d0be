// From syntax tree to typed query: names, types, overload choice, coercion (PostgreSQL manual, chapter 10).
#pragma once

#include <optional>
#include <span>

#include "sql/analyze/query.h"
#include "sql/parse/ast.h"

namespace mayfly::analyze {

// Analyzes SELECT, INSERT, UPDATE or DELETE. `parameter_types`: what the client declared (null = to be inferred, OID 0 and unknown).
// With `infer_parameters` false any $n beyond them is 42P02 `there is no parameter $1`.
// Throws SqlException with PostgreSQL's codes, texts and positions: 42P01, 42703, 42702, 42883, 42725, 42804, 42803, 42P18, 0A000 ….
QueryPtr Analyze(const AnalyzeContext& context, const parse::Statement& statement,
                 std::span<const types::TypeDesc* const> parameter_types, bool infer_parameters);

// The error of a constant expression that planning the query runs into in PostgreSQL: 22012 for SELECT 1/0, also where no row is ever read.
std::optional<SqlError> FindConstantError(const AnalyzeContext& context, const Query& query);

// An expression on its own, coerced to `target` in assignment context where given: DEFAULT, EXECUTE arguments. No columns are visible.
// `clause` names the place for errors ("DEFAULT expressions": `cannot use column reference in DEFAULT expression`, aggregates, subqueries).
ExprPtr AnalyzeScalar(const AnalyzeContext& context, const parse::Expr& expr, const types::TypeDesc* target, int32_t typmod,
                      std::string_view clause);

// A type as written: 42704 `type "x" does not exist`, 0A000 for one known by name only; typmod by the type's typmod_in.
struct ResolvedType {
  const types::TypeDesc* type = nullptr;
  int32_t typmod = -1;
};
ResolvedType ResolveType(const AnalyzeContext& context, const parse::TypeName& name);

// The table that a name means under the search path; 42P01 with position, 3F000 for an unknown schema.
catalog::TablePtr ResolveTable(const AnalyzeContext& context, const parse::TableRef& ref);

// SQL text of an expression as pg_get_expr prints it: parentheses, casts such as '{}'::text[].
std::string Deparse(const Expr& expr);

// Whether an expression of `source` may be assigned to / implicitly become `target` (pg_cast and chapter 10).
bool CanCoerce(const types::TypeDesc& source, const types::TypeDesc& target, catalog::CastContext context);

}  // namespace mayfly::analyze
