// Function calls: the overload, its defaults and variadic array, and whether an aggregate or a set may stand here.
#include "sql/analyze/expr_analyzer.h"
#include "sql/analyze/known_types.h"

namespace mayfly::analyze {
namespace {

constexpr size_t kArgumentsMax = 100;

[[noreturn]] void ThrowNotAggregate(std::string_view what, const parse::FunctionCall& call, SourcePos pos) {
  Throw(SqlError::Make(kWrongObjectType, "{}, but {} is not an aggregate function", what, NameText(call.name)).At(pos));
}

// Syntax that only aggregates take.
void CheckPlainCall(const parse::FunctionCall& call, SourcePos pos) {
  if (call.star) ThrowNotAggregate(fmt::format("{}(*) specified", NameText(call.name)), call, pos);
  if (call.distinct) ThrowNotAggregate("DISTINCT specified", call, pos);
  if (call.within_group) ThrowNotAggregate("WITHIN GROUP specified", call, pos);
  if (!call.order_by.empty()) ThrowNotAggregate("ORDER BY specified", call, pos);
  if (call.filter != nullptr) ThrowNotAggregate("FILTER specified", call, pos);
  if (call.over != nullptr) {
    Throw(SqlError::Make(kWrongObjectType, "OVER specified, but {} is not a window function nor an aggregate function",
                         NameText(call.name))
              .At(pos));
  }
}

[[noreturn]] void ThrowNoFunction(const parse::FunctionCall& call, const FunctionQuery& query, bool ambiguous, SourcePos pos) {
  const std::string text = FunctionText(query);
  if (ambiguous) {
    Throw(SqlError::Make(kAmbiguousFunction, "function {} is not unique", text)
              .Hint("Could not choose a best candidate function. You might need to add explicit type casts.")
              .At(pos));
  }
  Throw(SqlError::Make(kUndefinedFunction, "function {} does not exist", text)
            .Hint(call.order_by.size() > 1 && !call.within_group
                      ? "No aggregate function matches the given name and argument types. Perhaps you misplaced ORDER BY; ORDER "
                        "BY must "
                        "appear after all regular arguments of the aggregate."
                      : "No function matches the given name and argument types. You might need to add explicit type casts.")
            .At(pos));
}

void CheckSetPlace(Scope& scope, const parse::FunctionCall& call, SourcePos pos) {
  const auto refuse = [&](std::string_view where) {
    Throw(SqlError::Make(kFeatureNotSupported, "set-returning functions are not allowed in {}", where).At(pos));
  };
  if (!scope.set_function_refused.empty()) {
    Throw(SqlError::Make(kFeatureNotSupported, "set-returning functions are not allowed in {}", scope.set_function_refused)
              .Hint("You might be able to move the set-returning function into a LATERAL FROM item.")
              .At(pos));
  }
  switch (scope.place) {
    case ExprPlace::kSelectTarget:
    case ExprPlace::kOrderBy:
    case ExprPlace::kGroupBy:
    case ExprPlace::kDistinctOn: scope.query->has_target_set_functions = true; return;
    case ExprPlace::kFromFunction:
      if (scope.from_function == &call) return;
      Throw(SqlError::Make(kFeatureNotSupported, "set-returning functions must appear at top level of FROM").At(pos));
    case ExprPlace::kJoinOn:
    case ExprPlace::kJoinUsing: refuse("JOIN conditions"); return;
    case ExprPlace::kScalarClause: refuse(scope.analysis.scalar_clause); return;
    default: refuse(PlaceName(scope.place)); return;
  }
}

// The arguments in parameter order, with defaults filled in.
std::vector<ExprPtr> ArrangeArguments(Scope& scope, const Candidate& candidate, std::vector<ExprPtr> args,
                                      std::vector<const TypeDesc*>& types, SourcePos pos) {
  const catalog::ProcRow& proc = *candidate.proc;
  types = candidate.args;
  if (candidate.default_count == 0 && candidate.order.empty()) return args;
  std::vector<ExprPtr> arranged(proc.args.size());
  types.assign(proc.args.size(), nullptr);
  for (size_t i = 0; i < args.size(); ++i) {
    const size_t parameter = candidate.order.empty() ? i : candidate.order[i];
    arranged[parameter] = std::move(args[i]);
    types[parameter] = candidate.args[i];
  }
  for (size_t i = 0; i < arranged.size(); ++i) {
    if (arranged[i] != nullptr) continue;
    types[i] = catalog::FindType(Oid{proc.args[i]});
    arranged[i] = FunctionDefault(scope, proc, i, types[i], pos);
  }
  return arranged;
}

// The last arguments of an expanded variadic call become an array (those of VARIADIC "any" stay apart).
void CollectVariadic(const Candidate& candidate, std::vector<ExprPtr>& args, SourcePos pos) {
  if (candidate.variadic_count == 0 || candidate.proc->variadic == catalog::kOidAny) return;
  const size_t first = args.size() - candidate.variadic_count;
  ArrayConstructor array;
  array.elements.assign(args.begin() + static_cast<ptrdiff_t>(first), args.end());
  const TypeDesc* element = array.elements[0]->type;
  if (element->array == nullptr) {
    Throw(SqlError::Make(kUndefinedObject, "could not find array type for data type {}", TypeText(element))
              .At(Location(array.elements[0])));
  }
  const SourcePos at = Location(array.elements[0]);
  args.resize(first);
  args.push_back(MakeExpr(std::move(array), element->array, -1, at.known() ? at : pos));
}

struct PreparedCall {
  std::vector<ExprPtr> args;
  const TypeDesc* result = nullptr;
};
PreparedCall PrepareCall(Scope& scope, const Candidate& candidate, std::vector<ExprPtr> args, SourcePos pos) {
  std::vector<const TypeDesc*> declared;
  PreparedCall call{ArrangeArguments(scope, candidate, std::move(args), declared, pos), nullptr};
  std::vector<const TypeDesc*> actual;
  for (const ExprPtr& arg : call.args) actual.push_back(arg->type);
  call.result = ResolvePolymorphic(actual, declared, catalog::FindType(candidate.proc->result));
  for (size_t i = 0; i < call.args.size(); ++i) {
    if (actual[i] != declared[i]) call.args[i] = CoerceType(scope, call.args[i], declared[i], -1, {});
  }
  CollectVariadic(candidate, call.args, pos);
  return call;
}

void CheckNotations(const parse::FunctionCall& call, const std::vector<ExprPtr>& args) {
  bool named = false;
  for (size_t i = 0; i < call.arg_names.size(); ++i) {
    if (call.arg_names[i].empty() && named) {
      Throw(SqlError::Make(kSyntaxError, "positional argument cannot follow named argument").At(Location(args[i])));
    }
    for (size_t j = 0; j < i && !call.arg_names[i].empty(); ++j) {
      if (call.arg_names[j] != call.arg_names[i]) continue;
      Throw(SqlError::Make(kSyntaxError, "argument name \"{}\" used more than once", call.arg_names[i]).At(Location(args[i])));
    }
    named = named || !call.arg_names[i].empty();
  }
}

std::vector<ExprPtr> AnalyzeArguments(Scope& scope, const parse::FunctionCall& call, SourcePos pos) {
  if (call.args.size() > kArgumentsMax) {
    Throw(SqlError::Make(kTooManyArguments, "cannot pass more than {} arguments to a function", kArgumentsMax).At(pos));
  }
  std::vector<ExprPtr> args = AnalyzeExprs(scope, call.args);
  CheckNotations(call, args);
  return args;
}

ExprPtr MakeCall(Scope& scope, const parse::FunctionCall& call, const catalog::ProcRow& proc, PreparedCall prepared,
                 SourcePos pos) {
  CheckPlainCall(call, pos);
  if (proc.returns_set) CheckSetPlace(scope, call, pos);
  if (call.variadic && proc.variadic == catalog::kOidAny) {
    Throw(SqlError::NotSupported(fmt::format("a VARIADIC array for function {}", proc.name), pos));
  }
  if (!proc.implemented()) {
    std::vector<const TypeDesc*> types;
    for (const uint32_t type : proc.args) types.push_back(catalog::FindType(Oid{type}));
    const parse::QualifiedName name{std::string(proc.name)};
    Throw(SqlError::NotSupported("function " + FunctionText({name, types, {}}), pos));
  }
  return MakeExpr(Call{.proc = &proc,
                       .op = nullptr,
                       .args = std::move(prepared.args),
                       .form = CallForm::kFunction,
                       .explicit_cast = false,
                       .variadic_array = call.variadic},
                  prepared.result, -1, pos);
}

}  // namespace

ExprPtr AnalyzeFunctionCall(Scope& scope, const parse::FunctionCall& call, SourcePos pos) {
  if (call.within_group) Throw(SqlError::NotSupported("WITHIN GROUP", pos));
  std::vector<ExprPtr> args = AnalyzeArguments(scope, call, pos);
  std::vector<const TypeDesc*> types;
  types.reserve(args.size());
  for (const ExprPtr& arg : args) types.push_back(arg->type);
  const FunctionQuery query{call.name, types, call.arg_names, !call.variadic, pos};
  FunctionMatch match = ResolveFunction(scope, query);
  switch (match.kind) {
    case FunctionMatch::Kind::kNone: ThrowNoFunction(call, query, false, pos);
    case FunctionMatch::Kind::kAmbiguous: ThrowNoFunction(call, query, true, pos);
    case FunctionMatch::Kind::kCast:
      CheckPlainCall(call, pos);
      return CoerceType(scope, args[0], match.cast, -1, {.context = CastContext::kExplicit, .written = true, .pos = pos});
    case FunctionMatch::Kind::kFound: break;
  }
  const catalog::ProcRow& proc = *match.candidate.proc;
  if (call.over != nullptr && proc.kind != 'f') Throw(SqlError::NotSupported("window function", pos));
  if (proc.kind == 'w') {
    Throw(SqlError::Make(kWrongObjectType, "window function {} requires an OVER clause", NameText(call.name)).At(pos));
  }
  if (proc.kind == 'a' && call.args.empty() && !call.star) {
    Throw(SqlError::Make(kWrongObjectType, "{}(*) must be used to call a parameterless aggregate function", NameText(call.name))
              .At(pos));
  }
  PreparedCall prepared = PrepareCall(scope, match.candidate, std::move(args), pos);
  if (proc.kind == 'a') return MakeAggregate(scope, {call, &proc, std::move(prepared.args), prepared.result, pos});
  return MakeCall(scope, call, proc, std::move(prepared), pos);
}

}  // namespace mayfly::analyze
