// Operators: an exact match first (an unknown side is taken for the other side's type), then the general choice.
#include "base/check.h"
#include "sql/analyze/known_types.h"
#include "sql/analyze/resolve.h"

namespace mayfly::analyze {

using catalog::OperatorRow;

std::string OperatorText(const parse::QualifiedName& name, const TypeDesc* left, const TypeDesc* right) {
  std::string text = left == nullptr ? "" : TypeText(left) + " ";
  return text + NameText(name) + " " + TypeText(right);
}

namespace {

Oid OidOf(const TypeDesc* type) { return type == nullptr ? Oid{} : type->oid; }

const OperatorRow* FindExact(std::span<const OperatorRow* const> rows, Oid left, Oid right) {
  for (const OperatorRow* row : rows) {
    if (row->left == left && row->right == right) return row;
  }
  return nullptr;
}

[[noreturn]] void ThrowNoOperator(const OperatorName& name, const TypeDesc* left, const TypeDesc* right, bool ambiguous) {
  const std::string text = OperatorText(name.name, left, right);
  if (ambiguous) {
    Throw(SqlError::Make(kAmbiguousFunction, "operator is not unique: {}", text)
              .Hint("Could not choose a best candidate operator. You might need to add explicit type casts.")
              .At(name.pos));
  }
  Throw(SqlError::Make(kUndefinedFunction, "operator does not exist: {}", text)
            .Hint(left == nullptr
                      ? "No operator matches the given name and argument type. You might need to add an explicit type cast."
                      : "No operator matches the given name and argument types. You might need to add explicit type casts.")
            .At(name.pos));
}

// The operators of a name; a schema other than pg_catalog has none.
std::span<const OperatorRow* const> RowsOf(const Scope& scope, const OperatorName& name) {
  if (name.name.size() > 1 && name.name[name.name.size() - 2] != "pg_catalog") {
    const std::string& schema = name.name[name.name.size() - 2];
    if (scope.context().snapshot.FindSchema(schema) == nullptr) {
      Throw(SqlError::Make(kInvalidSchemaName, "schema \"{}\" does not exist", schema).At(name.pos));
    }
    return {};
  }
  return catalog::FindOperatorsByName(name.name.back());
}

}  // namespace

const OperatorRow* ResolveOperator(const Scope& scope, const OperatorName& name, const TypeDesc* left, const TypeDesc* right) {
  const std::span<const OperatorRow* const> rows = RowsOf(scope, name);
  Oid left_oid = OidOf(left);
  Oid right_oid = OidOf(right);
  if (left != nullptr) {
    if (IsUnknown(left)) {
      left_oid = right_oid;
    } else if (IsUnknown(right)) {
      right_oid = left_oid;
    }
  }
  if (const OperatorRow* row = FindExact(rows, left_oid, right_oid)) return row;

  std::vector<const TypeDesc*> actual;
  if (left != nullptr) actual.push_back(left);
  actual.push_back(right);
  std::vector<Candidate> candidates;
  for (const OperatorRow* row : rows) {
    if (row->left.valid() != (left != nullptr)) continue;
    Candidate candidate{.op = row};
    if (left != nullptr) candidate.args.push_back(catalog::FindType(row->left));
    candidate.args.push_back(catalog::FindType(row->right));
    if (CanCoerceAll(actual, candidate.args, CastContext::kImplicit)) candidates.push_back(std::move(candidate));
  }
  if (candidates.empty()) ThrowNoOperator(name, left, right, false);
  if (candidates.size() == 1) return candidates[0].op;
  Candidate storage;
  const Candidate* best = SelectCandidate(actual, std::move(candidates), storage);
  if (best == nullptr) ThrowNoOperator(name, left, right, true);
  return best->op;
}

const catalog::ProcRow* OperatorFunction(const OperatorRow& op, SourcePos pos) {
  const catalog::ProcRow* proc = catalog::FindProc(op.proc);
  if (proc == nullptr || !proc->implemented()) {
    const TypeDesc* left = op.left.valid() ? catalog::FindType(op.left) : nullptr;
    Throw(SqlError::NotSupported(
        fmt::format("operator {}", OperatorText({std::string(op.name)}, left, catalog::FindType(op.right))), pos));
  }
  return proc;
}

ExprPtr MakeOperator(Scope& scope, const OperatorName& name, ExprPtr left, ExprPtr right) {
  const OperatorRow* op = ResolveOperator(scope, name, left == nullptr ? nullptr : left->type, right->type);
  std::vector<const TypeDesc*> actual;
  std::vector<const TypeDesc*> declared;
  Call call{.proc = nullptr, .op = op, .args = {}, .form = CallForm::kOperator};
  call.args.reserve(2);
  if (left != nullptr) {
    actual.push_back(left->type);
    declared.push_back(catalog::FindType(op->left));
    call.args.push_back(std::move(left));
  }
  actual.push_back(right->type);
  declared.push_back(catalog::FindType(op->right));
  call.args.push_back(std::move(right));
  const TypeDesc* result = ResolvePolymorphic(actual, declared, catalog::FindType(op->result));
  for (size_t i = 0; i < call.args.size(); ++i) {
    if (actual[i] != declared[i]) call.args[i] = CoerceType(scope, call.args[i], declared[i], -1, {});
  }
  call.proc = OperatorFunction(*op, name.pos);
  return MakeExpr(std::move(call), result, -1, name.pos);
}

ExprPtr MakeOperator(Scope& scope, std::string_view name, ExprPtr left, ExprPtr right, SourcePos pos) {
  const parse::QualifiedName names{std::string(name)};
  return MakeOperator(scope, {names, pos}, std::move(left), std::move(right));
}

}  // namespace mayfly::analyze
