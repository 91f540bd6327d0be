// Functions: candidates by name and number of arguments (variadic ones expanded, defaults counted, named ones matched), then the
// choice.
#include <algorithm>

#include "sql/analyze/analyze.h"
#include "sql/analyze/known_types.h"
#include "sql/analyze/resolve.h"

namespace mayfly::analyze {

using catalog::ProcRow;

std::string NameText(const parse::QualifiedName& name) {
  std::string text;
  for (const std::string& part : name) {
    if (!text.empty()) text += '.';
    text += part;
  }
  return text;
}

std::string FunctionText(const FunctionQuery& query) {
  std::string text = NameText(query.name) + "(";
  for (size_t i = 0; i < query.types.size(); ++i) {
    if (i != 0) text += ", ";
    if (!query.arg_names.empty() && !query.arg_names[i].empty()) text += query.arg_names[i] + " => ";
    text += TypeText(query.types[i]);
  }
  return text + ")";
}

namespace {

// Which parameter each given argument is for; false where a name does not fit. Positional ones come first.
bool MatchNames(const ProcRow& proc, const FunctionQuery& query, std::vector<size_t>& order) {
  const size_t parameters = proc.args.size();
  if (proc.arg_names.size() < parameters) return false;
  std::vector<bool> given(parameters, false);
  for (size_t i = 0; i < query.types.size(); ++i) {
    size_t parameter = i;
    if (!query.arg_names[i].empty()) {
      for (parameter = 0; parameter < parameters && proc.arg_names[parameter] != query.arg_names[i]; ++parameter) {
      }
    }
    if (parameter >= parameters || given[parameter]) return false;
    given[parameter] = true;
    order.push_back(parameter);
  }
  for (size_t parameter = 0; parameter < parameters; ++parameter) {
    if (!given[parameter] && parameter + proc.defaults < parameters) return false;
  }
  return true;
}

// The candidate that `proc` is for this call; nullopt where the number or the names of the arguments do not fit.
std::optional<Candidate> CandidateFor(const ProcRow& proc, const FunctionQuery& query) {
  const size_t given = query.types.size();
  const size_t parameters = proc.args.size();
  Candidate candidate{.proc = &proc};
  const auto declared = [&](size_t i) { return catalog::FindType(Oid{proc.args[i]}); };
  if (!query.arg_names.empty()) {
    if (given > parameters || !MatchNames(proc, query, candidate.order)) return std::nullopt;
    for (const size_t parameter : candidate.order) candidate.args.push_back(declared(parameter));
    candidate.default_count = parameters - given;
    return candidate;
  }
  const bool variadic = query.expand_variadic && proc.variadic.valid() && parameters <= given;
  if (parameters > given && given + proc.defaults < parameters) return std::nullopt;
  if (parameters < given && !variadic) return std::nullopt;
  for (size_t i = 0; i < std::min(given, parameters); ++i) candidate.args.push_back(declared(i));
  if (variadic) {
    candidate.variadic_count = given - parameters + 1;
    candidate.args.resize(parameters - 1);
    candidate.args.resize(given, catalog::FindType(proc.variadic));
  } else if (parameters > given) {
    candidate.default_count = parameters - given;
  }
  return candidate;
}

// Two candidates that would be called alike: one without variadic expansion or defaults is better; else neither.
void AddCandidate(std::vector<Candidate>& all, Candidate added) {
  for (Candidate& known : all) {
    if (known.args != added.args) continue;
    if ((known.variadic_count != 0) != (added.variadic_count != 0)) {
      if (known.variadic_count != 0) known = std::move(added);
    } else if ((known.default_count != 0) != (added.default_count != 0)) {
      if (known.default_count != 0) known = std::move(added);
    } else {
      known.ambiguous = true;
    }
    return;
  }
  all.push_back(std::move(added));
}

bool SchemaMayHold(const Scope& scope, const FunctionQuery& query) {
  if (query.name.size() < 2) return true;
  const std::string& schema = query.name[query.name.size() - 2];
  if (schema == "pg_catalog") return true;
  if (schema == "information_schema") return query.name.back().starts_with("_pg_");
  if (scope.context().snapshot.FindSchema(schema) == nullptr) {
    Throw(SqlError::Make(kInvalidSchemaName, "schema \"{}\" does not exist", schema).At(query.pos));
  }
  return false;
}

// f(x) where f names a type and the cast needs no function: it is a cast.
const TypeDesc* TypeOfCastCall(const FunctionQuery& query) {
  if (query.types.size() != 1 || !query.arg_names.empty()) return nullptr;
  const TypeDesc* target = catalog::FindTypeByName(query.name.back());
  if (target == nullptr) return nullptr;
  if (IsUnknown(query.types[0])) return target;
  const CoercionPath path = FindCoercion(*target, *query.types[0], CastContext::kExplicit).path;
  if (path == CoercionPath::kRelabel) return target;
  return path == CoercionPath::kIo && !(query.types[0]->oid == catalog::kOidRecord && target->category == 'S') ? target : nullptr;
}

}  // namespace

FunctionMatch ResolveFunction(const Scope& scope, const FunctionQuery& query) {
  using Kind = FunctionMatch::Kind;
  if (!SchemaMayHold(scope, query)) return {};
  std::vector<Candidate> candidates;
  for (const ProcRow* proc : catalog::FindProcsByName(query.name.back())) {
    if (proc->kind == 'p') continue;
    if (std::optional<Candidate> candidate = CandidateFor(*proc, query)) AddCandidate(candidates, std::move(*candidate));
  }
  const auto found = [](Candidate& candidate) {
    const Kind kind = candidate.ambiguous ? Kind::kAmbiguous : Kind::kFound;
    return FunctionMatch{kind, std::move(candidate), nullptr};
  };
  for (Candidate& candidate : candidates) {
    if (std::equal(candidate.args.begin(), candidate.args.end(), query.types.begin(), query.types.end())) return found(candidate);
  }
  if (const TypeDesc* target = TypeOfCastCall(query)) return {Kind::kCast, {}, target};
  KeepMatching(query.types, candidates);
  if (candidates.empty()) return {};
  if (candidates.size() == 1) return found(candidates[0]);
  Candidate best;
  if (SelectCandidate(query.types, std::move(candidates), best) == nullptr) return {Kind::kAmbiguous, {}, nullptr};
  return found(best);
}

}  // namespace mayfly::analyze
