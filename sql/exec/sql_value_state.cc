// CURRENT_DATE and its kin: each is a function of the statement's times and names, with a cast where its type asks for one.
#include "sql/exec/expr_states.h"

namespace mayfly::exec {

namespace {

using analyze::ExprPtr;

// What each name stands for: a function without arguments, then a cast of its timestamptz, then the cast to a precision.
struct Meaning {
  std::string_view name;
  uint32_t function;
  uint32_t cast;       // 0 = none
  uint32_t precision;  // 0 = none
};
constexpr uint32_t kNow = 1299;
constexpr uint32_t kCurrentUser = 745;
constexpr Meaning kMeanings[] = {
    {"current_date", kNow, 1178, 0},      {"current_timestamp", kNow, 0, 1967}, {"localtimestamp", kNow, 2027, 1961},
    {"localtime", kNow, 2019, 1968},      {"current_user", kCurrentUser, 0, 0}, {"user", kCurrentUser, 0, 0},
    {"current_role", kCurrentUser, 0, 0}, {"session_user", 746, 0, 0},          {"current_catalog", 861, 0, 0},
    {"current_schema", 1402, 0, 0},
};

ExprPtr MakeCall(uint32_t proc_oid, std::vector<ExprPtr> args) {
  const catalog::ProcRow* proc = catalog::FindProc(Oid{proc_oid});
  return analyze::MakeExpr(analyze::Call{proc, nullptr, std::move(args), analyze::CallForm::kFunction, false, false},
                           catalog::FindType(proc->result));
}

}  // namespace

ExprStatePtr MakeSqlValueState(const analyze::Expr& expr, const BuildContext& build) {
  const auto* value = expr.As<analyze::SqlValue>();
  if (value == nullptr) return nullptr;
  for (const Meaning& meaning : kMeanings) {
    if (meaning.name != value->name) continue;
    ExprPtr call = MakeCall(meaning.function, {});
    if (meaning.cast != 0) call = MakeCall(meaning.cast, {std::move(call)});
    if (expr.typmod >= 0 && meaning.precision != 0) {
      call = MakeCall(meaning.precision,
                      {std::move(call), analyze::MakeConst(catalog::FindType(catalog::kOidInt4), types::Datum(expr.typmod))});
    }
    return MakeExprState(*call, build);
  }
  Throw(SqlError::NotSupported(value->name, expr.pos));
}

}  // namespace mayfly::exec
