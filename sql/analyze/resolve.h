// Choice among overloads of functions and operators (PostgreSQL manual, 10.2 and 10.3).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sql/analyze/coerce.h"

namespace mayfly::analyze {

// One way to call something: `args` are the types as many as the call has arguments.
struct Candidate {
  const catalog::ProcRow* proc = nullptr;
  const catalog::OperatorRow* op = nullptr;
  std::vector<const TypeDesc*> args = {};
  size_t variadic_count = 0;       // how many of the last arguments go into the variadic array; 0 = not expanded
  size_t default_count = 0;        // how many arguments are filled in from defaults
  std::vector<size_t> order = {};  // named notation: order[i] is the parameter of the i-th argument given; empty = positional
  bool ambiguous = false;
};

// Keeps the candidates that the types can be coerced to implicitly.
void KeepMatching(std::span<const TypeDesc* const> actual, std::vector<Candidate>& candidates);
// func_select_candidate: rules 4.c to 4.f; null where several remain.
const Candidate* SelectCandidate(std::span<const TypeDesc* const> actual, std::vector<Candidate> candidates, Candidate& storage);

// ---- operators ----
struct OperatorName {
  const parse::QualifiedName& name;
  SourcePos pos;
};
// `left` null for a prefix operator. Throws 42883, 42725.
const catalog::OperatorRow* ResolveOperator(const Scope& scope, const OperatorName& name, const TypeDesc* left,
                                            const TypeDesc* right);
// The operator's call with coerced arguments; `left` null for a prefix operator.
ExprPtr MakeOperator(Scope& scope, const OperatorName& name, ExprPtr left, ExprPtr right);
ExprPtr MakeOperator(Scope& scope, std::string_view name, ExprPtr left, ExprPtr right, SourcePos pos);
// Its function; 0A000 where it has no body yet.
const catalog::ProcRow* OperatorFunction(const catalog::OperatorRow& op, SourcePos pos);
std::string OperatorText(const parse::QualifiedName& name, const TypeDesc* left, const TypeDesc* right);

// ---- functions ----
struct FunctionQuery {
  const parse::QualifiedName& name;
  std::span<const TypeDesc* const> types;
  std::span<const std::string> arg_names;  // empty or one each
  bool expand_variadic = true;
  SourcePos pos = {};
};
struct FunctionMatch {
  enum class Kind : uint8_t { kNone, kAmbiguous, kCast, kFound } kind = Kind::kNone;
  Candidate candidate;
  const TypeDesc* cast = nullptr;  // kCast: f(x) is a cast to type f
};
FunctionMatch ResolveFunction(const Scope& scope, const FunctionQuery& query);
// "f(integer, x => text)", for errors.
std::string FunctionText(const FunctionQuery& query);
std::string NameText(const parse::QualifiedName& name);  // dotted
// The default of a built-in function's parameter as a constant (function_defaults.cc); 0A000 where it is not known.
ExprPtr FunctionDefault(Scope& scope, const catalog::ProcRow& proc, size_t parameter, const TypeDesc* type, SourcePos pos);

}  // namespace mayfly::analyze
