// CREATE TABLE and ALTER TABLE.
#include <string>

#include "base/check.h"
#include "sql/parse/convert.h"
#include "sql/parse/source_text.h"

namespace mayfly::parse {
namespace {

Constraint::Kind ConvertConstraintKind(const Converter& c, const ::Constraint& constraint) {
  switch (constraint.contype) {
    case CONSTR_NULL: return Constraint::Kind::kNull;
    case CONSTR_NOTNULL: return Constraint::Kind::kNotNull;
    case CONSTR_DEFAULT: return Constraint::Kind::kDefault;
    case CONSTR_IDENTITY: return Constraint::Kind::kIdentity;
    case CONSTR_GENERATED: return Constraint::Kind::kGenerated;
    case CONSTR_CHECK: return Constraint::Kind::kCheck;
    case CONSTR_PRIMARY: return Constraint::Kind::kPrimaryKey;
    case CONSTR_UNIQUE: return Constraint::Kind::kUnique;
    case CONSTR_EXCLUSION: return Constraint::Kind::kExclusion;
    case CONSTR_FOREIGN: return Constraint::Kind::kForeignKey;
    default: Unsupported("DEFERRABLE constraint", c.At(constraint.location));
  }
}

Constraint ConvertConstraint(Converter& c, const ::Constraint& constraint) {
  const SourcePos pos = c.At(constraint.location);
  Constraint out;
  out.kind = ConvertConstraintKind(c, constraint);
  if (constraint.including != nullptr) Unsupported("INCLUDE in a constraint", pos);
  if (constraint.options != nullptr) Unsupported("WITH in a constraint", pos);
  if (constraint.indexspace != nullptr) Unsupported("USING INDEX TABLESPACE", pos);
  if (constraint.indexname != nullptr) Unsupported("USING INDEX", pos);
  out.name = Text(constraint.conname);
  // A foreign key's columns and reference stay out of the tree: the kind alone is refused by name.
  if (out.kind != Constraint::Kind::kForeignKey && out.kind != Constraint::Kind::kExclusion) out.expr = ConvertExpr(c, constraint.raw_expr);
  if (out.kind == Constraint::Kind::kDefault) {
    out.expr_text = DefaultExpressionText(c.text, static_cast<size_t>(constraint.location));
  }
  out.columns = ConvertStrings(constraint.keys);
  out.deferrable = constraint.deferrable;
  out.initially_deferred = constraint.initdeferred;
  out.pos = pos;
  return out;
}

// DEFERRABLE and INITIALLY DEFERRED after a column constraint arrive as constraints of their own.
void ConvertColumnConstraints(Converter& c, const ::List* list, std::vector<Constraint>& out) {
  for (const ::Constraint* constraint : Items<::Constraint>(list)) {
    switch (constraint->contype) {
      case CONSTR_ATTR_DEFERRABLE:
      case CONSTR_ATTR_NOT_DEFERRABLE:
      case CONSTR_ATTR_DEFERRED:
      case CONSTR_ATTR_IMMEDIATE: Unsupported("deferrable constraint", c.At(constraint->location));
      default: out.push_back(ConvertConstraint(c, *constraint));
    }
  }
}

void RefuseTableForms(const Converter& c, const ::CreateStmt& create) {
  const SourcePos pos = c.At(create.relation->location);
  if (create.partbound != nullptr) Unsupported("CREATE TABLE ... PARTITION OF", pos);
  if (create.inhRelations != nullptr) Unsupported("INHERITS", c.At(Items<::RangeVar>(create.inhRelations)[0]->location));
  if (create.partspec != nullptr) Unsupported("PARTITION BY", c.At(create.partspec->location));
  if (create.ofTypename != nullptr) Unsupported("CREATE TABLE ... OF", c.At(create.ofTypename->location));
  if (create.oncommit != ONCOMMIT_NOOP) Unsupported("ON COMMIT", pos);
  if (create.tablespacename != nullptr) Unsupported("TABLESPACE", pos);
  if (create.accessMethod != nullptr) Unsupported("CREATE TABLE ... USING", pos);
}

// Names of the ALTER TABLE subcommands without a place in the AST, as their syntax begins.
std::string_view AlterFeature(::AlterTableType type) {
  switch (type) {
    case AT_DropExpression: return "ALTER TABLE ... ALTER COLUMN ... DROP EXPRESSION";
    case AT_SetStatistics: return "ALTER TABLE ... ALTER COLUMN ... SET STATISTICS";
    case AT_SetOptions: return "ALTER TABLE ... ALTER COLUMN ... SET";
    case AT_ResetOptions: return "ALTER TABLE ... ALTER COLUMN ... RESET";
    case AT_SetStorage: return "ALTER TABLE ... ALTER COLUMN ... SET STORAGE";
    case AT_SetCompression: return "ALTER TABLE ... ALTER COLUMN ... SET COMPRESSION";
    case AT_AddIdentity: return "ALTER TABLE ... ALTER COLUMN ... ADD GENERATED";
    case AT_SetIdentity: return "ALTER TABLE ... ALTER COLUMN ... SET GENERATED";
    case AT_DropIdentity: return "ALTER TABLE ... ALTER COLUMN ... DROP IDENTITY";
    case AT_AlterConstraint: return "ALTER TABLE ... ALTER CONSTRAINT";
    case AT_ValidateConstraint: return "ALTER TABLE ... VALIDATE CONSTRAINT";
    case AT_DropConstraint: return "ALTER TABLE ... DROP CONSTRAINT";
    case AT_ChangeOwner: return "ALTER TABLE ... OWNER TO";
    case AT_ClusterOn: return "ALTER TABLE ... CLUSTER ON";
    case AT_DropCluster: return "ALTER TABLE ... SET WITHOUT CLUSTER";
    case AT_SetLogged: return "ALTER TABLE ... SET LOGGED";
    case AT_SetUnLogged: return "ALTER TABLE ... SET UNLOGGED";
    case AT_DropOids: return "ALTER TABLE ... SET WITHOUT OIDS";
    case AT_SetAccessMethod: return "ALTER TABLE ... SET ACCESS METHOD";
    case AT_SetTableSpace: return "ALTER TABLE ... SET TABLESPACE";
    case AT_AddInherit: return "ALTER TABLE ... INHERIT";
    case AT_DropInherit: return "ALTER TABLE ... NO INHERIT";
    case AT_AddOf: return "ALTER TABLE ... OF";
    case AT_DropOf: return "ALTER TABLE ... NOT OF";
    case AT_ReplicaIdentity: return "ALTER TABLE ... REPLICA IDENTITY";
    case AT_EnableRowSecurity: return "ALTER TABLE ... ENABLE ROW SECURITY";
    case AT_DisableRowSecurity: return "ALTER TABLE ... DISABLE ROW SECURITY";
    case AT_ForceRowSecurity: return "ALTER TABLE ... FORCE ROW SECURITY";
    case AT_NoForceRowSecurity: return "ALTER TABLE ... NO FORCE ROW SECURITY";
    case AT_AlterColumnGenericOptions:
    case AT_GenericOptions: return "ALTER TABLE ... OPTIONS";
    case AT_AttachPartition: return "ALTER TABLE ... ATTACH PARTITION";
    case AT_DetachPartition:
    case AT_DetachPartitionFinalize: return "ALTER TABLE ... DETACH PARTITION";
    case AT_EnableTrig:
    case AT_EnableAlwaysTrig:
    case AT_EnableReplicaTrig:
    case AT_EnableTrigAll:
    case AT_EnableTrigUser: return "ALTER TABLE ... ENABLE TRIGGER";
    case AT_DisableTrig:
    case AT_DisableTrigAll:
    case AT_DisableTrigUser: return "ALTER TABLE ... DISABLE TRIGGER";
    case AT_EnableRule:
    case AT_EnableAlwaysRule:
    case AT_EnableReplicaRule: return "ALTER TABLE ... ENABLE RULE";
    case AT_DisableRule: return "ALTER TABLE ... DISABLE RULE";
    default: return "this form of ALTER TABLE";
  }
}

// ALTER COLUMN … SET DEFAULT: the subcommand has no location, so the keyword is looked for before the expression.
std::string SetDefaultText(const Converter& c, const ::Node* expr) {
  const int location = ::exprLocation(expr);  // of its first token, but for an opening parenthesis
  if (location < 0) return {};
  return DefaultExpressionText(c.text, FindDefaultKeyword(c.text, c.statement_begin, static_cast<size_t>(location)));
}

void ConvertColumnDefault(Converter& c, const ::AlterTableCmd& raw, AlterTableCommand& out) {
  if (raw.def == nullptr) {
    out.kind = AlterTableCommand::Kind::kDropDefault;
    return;
  }
  out.kind = AlterTableCommand::Kind::kSetDefault;
  out.expr = ConvertExpr(c, raw.def);
  out.pos = out.expr->pos;
  out.expr_text = SetDefaultText(c, raw.def);
}

void ConvertAlterType(Converter& c, const ::AlterTableCmd& raw, AlterTableCommand& out) {
  const auto& column = As<::ColumnDef>(raw.def);
  out.kind = AlterTableCommand::Kind::kAlterType;
  out.definition = std::make_unique<ColumnDefinition>(ConvertColumnDefinition(c, column));
  out.definition->name = out.column;
  out.expr = ConvertExpr(c, column.raw_default);  // USING
  out.pos = out.definition->pos;
}

AlterTableCommand ConvertAlterCommand(Converter& c, const ::AlterTableCmd& raw) {
  using Kind = AlterTableCommand::Kind;
  AlterTableCommand out;
  out.column = Text(raw.name);
  out.if_exists = raw.missing_ok;
  out.cascade = raw.behavior == DROP_CASCADE;
  switch (raw.subtype) {
    case AT_AddColumn:
      out.kind = Kind::kAddColumn;
      out.definition = std::make_unique<ColumnDefinition>(ConvertColumnDefinition(c, As<::ColumnDef>(raw.def)));
      out.column = out.definition->name;
      out.pos = out.definition->pos;
      break;
    case AT_DropColumn: out.kind = Kind::kDropColumn; break;
    case AT_ColumnDefault: ConvertColumnDefault(c, raw, out); break;
    case AT_SetNotNull: out.kind = Kind::kSetNotNull; break;
    case AT_DropNotNull: out.kind = Kind::kDropNotNull; break;
    case AT_AlterColumnType: ConvertAlterType(c, raw, out); break;
    case AT_SetRelOptions:
    case AT_ResetRelOptions:
      out.kind = raw.subtype == AT_SetRelOptions ? Kind::kSetOptions : Kind::kResetOptions;
      out.options = ConvertDefinitions(c, &As<::List>(raw.def));
      break;
    case AT_AddConstraint:
      out.kind = Kind::kAddConstraint;
      out.constraint = std::make_unique<Constraint>(ConvertConstraint(c, As<::Constraint>(raw.def)));
      out.pos = out.constraint->pos;
      break;
    default:
      out.kind = Kind::kOther;
      out.feature = AlterFeature(raw.subtype);
      out.pos = c.statement_pos;
  }
  return out;
}

}  // namespace

CreateTableStatement ConvertCreateTable(Converter& c, const ::CreateStmt& create) {
  RefuseTableForms(c, create);
  CreateTableStatement out;
  out.table = ConvertTableRef(c, *create.relation);
  out.if_not_exists = create.if_not_exists;
  out.persistence = create.relation->relpersistence;
  for (const ::Node* element : Items<::Node>(create.tableElts)) {
    switch (Tag(element)) {
      case T_ColumnDef: out.columns.push_back(ConvertColumnDefinition(c, As<::ColumnDef>(element))); break;
      case T_Constraint: out.constraints.push_back(ConvertConstraint(c, As<::Constraint>(element))); break;
      case T_TableLikeClause: Unsupported("CREATE TABLE ... LIKE", c.At(As<::TableLikeClause>(element).relation->location));
      default: Unreachable();
    }
  }
  out.options = ConvertDefinitions(c, create.options);
  return out;
}

ColumnDefinition ConvertColumnDefinition(Converter& c, const ::ColumnDef& column) {
  const SourcePos pos = c.At(column.location);
  if (column.compression != nullptr) Unsupported("COMPRESSION", pos);
  if (column.fdwoptions != nullptr) Unsupported("OPTIONS of a column", pos);
  ColumnDefinition out;
  out.name = Text(column.colname);
  out.type = ConvertTypeName(c, *column.typeName);
  if (column.collClause != nullptr) {
    out.collation = ConvertStrings(column.collClause->collname).back();
    out.collation_pos = c.At(column.collClause->location);
  }
  ConvertColumnConstraints(c, column.constraints, out.constraints);
  out.pos = pos;
  return out;
}

AlterTableStatement ConvertAlterTable(Converter& c, const ::AlterTableStmt& alter) {
  if (alter.objtype != OBJECT_TABLE) Unsupported(std::string("ALTER ").append(ObjectTypeName(alter.objtype)), c.statement_pos);
  AlterTableStatement out;
  out.table = ConvertTableRef(c, *alter.relation);
  out.if_exists = alter.missing_ok;
  for (const ::AlterTableCmd* command : Items<::AlterTableCmd>(alter.cmds)) out.commands.push_back(ConvertAlterCommand(c, *command));
  return out;
}

}  // namespace mayfly::parse
