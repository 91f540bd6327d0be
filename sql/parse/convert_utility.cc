// Statements about the session, the transaction and the server: SET, BEGIN, PREPARE, EXPLAIN, COPY, VACUUM, LOCK.
#include <string>

#include "base/check.h"
#include "sql/parse/convert.h"

namespace mayfly::parse {
namespace {

bool OptionIsTrue(const ::Node* arg) {
  const auto& constant = As<::A_Const>(arg);
  return Tag(&constant.val) == T_Integer ? constant.val.ival.ival != 0 : constant.val.boolval.boolval;
}

// ISOLATION LEVEL, READ ONLY, DEFERRABLE; of several the last wins, as in PostgreSQL.
TransactionModes ConvertModes(const ::List* options) {
  TransactionModes out;
  for (const ::DefElem* option : Items<::DefElem>(options)) {
    const std::string_view name = option->defname;
    if (name == "transaction_isolation") {
      out.isolation = As<::A_Const>(option->arg).val.sval.sval;
    } else if (name == "transaction_read_only") {
      out.read_only = OptionIsTrue(option->arg);
    } else if (name == "transaction_deferrable") {
      out.deferrable = OptionIsTrue(option->arg);
    }
  }
  return out;
}

TransactionStatement::Kind ConvertTransactionKind(::TransactionStmtKind kind) {
  using Kind = TransactionStatement::Kind;
  switch (kind) {
    case TRANS_STMT_BEGIN: return Kind::kBegin;
    case TRANS_STMT_START: return Kind::kStart;
    case TRANS_STMT_COMMIT: return Kind::kCommit;
    case TRANS_STMT_ROLLBACK: return Kind::kRollback;
    case TRANS_STMT_SAVEPOINT: return Kind::kSavepoint;
    case TRANS_STMT_RELEASE: return Kind::kRelease;
    case TRANS_STMT_ROLLBACK_TO: return Kind::kRollbackTo;
    case TRANS_STMT_PREPARE: return Kind::kPrepare;
    case TRANS_STMT_COMMIT_PREPARED: return Kind::kCommitPrepared;
    case TRANS_STMT_ROLLBACK_PREPARED: return Kind::kRollbackPrepared;
  }
  Unreachable();
}

// One value of SET: a constant, or INTERVAL '…' for TIME ZONE.
void ConvertSetValue(Converter& c, const ::Node* arg, SetStatement& out) {
  if (Tag(arg) == T_TypeCast) {
    out.interval_value = true;
    arg = As<::TypeCast>(arg).arg;
  }
  RefuseParameter(c, arg);
  const auto& constant = As<::A_Const>(arg);
  switch (Tag(&constant.val)) {
    case T_Integer: out.values.push_back(std::to_string(constant.val.ival.ival)); break;
    case T_Float: out.values.emplace_back(constant.val.fval.fval); break;
    case T_String: out.values.emplace_back(constant.val.sval.sval); break;
    default: Unreachable();
  }
}

void ConvertSetMulti(Converter& c, const ::VariableSetStmt& set, SetStatement& out) {
  if (out.name == "TRANSACTION SNAPSHOT") Unsupported("SET TRANSACTION SNAPSHOT", c.statement_pos);
  out.kind = out.name == "TRANSACTION" ? SetStatement::Kind::kTransaction : SetStatement::Kind::kSessionCharacteristics;
  out.name.clear();
  out.modes = ConvertModes(set.args);
}

}  // namespace

TransactionStatement ConvertTransaction(Converter&, const ::TransactionStmt& statement) {
  TransactionStatement out;
  out.kind = ConvertTransactionKind(statement.kind);
  out.modes = ConvertModes(statement.options);
  out.name = statement.savepoint_name != nullptr ? Text(statement.savepoint_name) : Text(statement.gid);
  out.chain = statement.chain;
  return out;
}

SetStatement ConvertSet(Converter& c, const ::VariableSetStmt& set) {
  SetStatement out;
  out.name = Text(set.name);
  out.is_local = set.is_local;
  switch (set.kind) {
    case VAR_SET_VALUE:
      for (const ::Node* arg : Items<::Node>(set.args)) ConvertSetValue(c, arg, out);
      break;
    case VAR_SET_DEFAULT: out.kind = SetStatement::Kind::kDefault; break;
    case VAR_SET_CURRENT: out.kind = SetStatement::Kind::kCurrent; break;
    case VAR_SET_MULTI: ConvertSetMulti(c, set, out); break;
    case VAR_RESET: out.kind = SetStatement::Kind::kReset; break;
    case VAR_RESET_ALL: out.kind = SetStatement::Kind::kResetAll; break;
  }
  return out;
}

PrepareStatement ConvertPrepare(Converter& c, const ::PrepareStmt& prepare) {
  PrepareStatement out;
  out.name = Text(prepare.name);
  for (const ::TypeName* type : Items<::TypeName>(prepare.argtypes)) out.types.push_back(ConvertTypeName(c, *type));
  out.query = ConvertStatement(c, prepare.query);
  return out;
}

ExplainStatement ConvertExplain(Converter& c, const ::ExplainStmt& explain) {
  ExplainStatement out;
  out.query = ConvertStatement(c, explain.query);
  out.options = ConvertDefinitions(c, explain.options);
  return out;
}

CopyStatement ConvertCopy(Converter& c, const ::CopyStmt& copy) {
  CopyStatement out;
  if (copy.relation != nullptr) out.table = ConvertTableRef(c, *copy.relation);
  out.columns = ConvertStrings(copy.attlist);
  if (copy.query != nullptr) out.query = ConvertStatement(c, copy.query);
  out.is_from = copy.is_from;
  out.is_program = copy.is_program;
  out.filename = Text(copy.filename);
  out.options = ConvertDefinitions(c, copy.options);
  out.where = ConvertExpr(c, copy.whereClause);
  return out;
}

VacuumStatement ConvertVacuum(Converter& c, const ::VacuumStmt& vacuum) {
  VacuumStatement out;
  out.analyze_only = !vacuum.is_vacuumcmd;
  out.options = ConvertDefinitions(c, vacuum.options);
  for (const ::VacuumRelation* relation : Items<::VacuumRelation>(vacuum.rels)) {
    out.tables.push_back(ConvertTableRef(c, *relation->relation));
    if (relation->va_cols != nullptr) Unsupported("ANALYZE of single columns", out.tables.back().pos);
  }
  return out;
}

DiscardStatement ConvertDiscard(const ::DiscardStmt& discard) {
  switch (discard.target) {
    case DISCARD_ALL: return {DiscardStatement::Target::kAll};
    case DISCARD_PLANS: return {DiscardStatement::Target::kPlans};
    case DISCARD_SEQUENCES: return {DiscardStatement::Target::kSequences};
    case DISCARD_TEMP: return {DiscardStatement::Target::kTemp};
  }
  Unreachable();
}

LockTableStatement ConvertLockTable(Converter& c, const ::LockStmt& lock) {
  LockTableStatement out;
  for (const ::RangeVar* table : Items<::RangeVar>(lock.relations)) out.tables.push_back(ConvertTableRef(c, *table));
  out.mode = lock.mode;
  out.no_wait = lock.nowait;
  return out;
}

}  // namespace mayfly::parse
