// The other statements about objects: CREATE SCHEMA, DROP, RENAME, TRUNCATE, COMMENT.
#include <string>

#include "base/check.h"
#include "sql/parse/convert.h"

namespace mayfly::parse {
namespace {

ObjectKind ConvertObjectKind(::ObjectType type) {
  switch (type) {
    case OBJECT_TABLE: return ObjectKind::kTable;
    case OBJECT_VIEW: return ObjectKind::kView;
    case OBJECT_INDEX: return ObjectKind::kIndex;
    case OBJECT_SEQUENCE: return ObjectKind::kSequence;
    case OBJECT_SCHEMA: return ObjectKind::kSchema;
    case OBJECT_COLUMN: return ObjectKind::kColumn;
    case OBJECT_DATABASE: return ObjectKind::kDatabase;
    case OBJECT_ROLE: return ObjectKind::kRole;
    case OBJECT_TYPE: return ObjectKind::kType;
    case OBJECT_FUNCTION: return ObjectKind::kFunction;
    case OBJECT_TABCONSTRAINT: return ObjectKind::kConstraint;
    default: return ObjectKind::kOther;
  }
}

// DROP of these kinds is in the AST; their names are lists of strings, a schema's is a string.
bool DropsInAst(ObjectKind kind) {
  return kind == ObjectKind::kTable || kind == ObjectKind::kView || kind == ObjectKind::kIndex || kind == ObjectKind::kSequence ||
         kind == ObjectKind::kSchema;
}

bool CommentsInAst(ObjectKind kind) { return DropsInAst(kind) || kind == ObjectKind::kColumn || kind == ObjectKind::kDatabase; }

QualifiedName ConvertObjectName(const ::Node* object) {
  if (Tag(object) == T_String) return {As<::String>(object).sval};
  return ConvertName(&As<::List>(object));
}

}  // namespace

CreateSchemaStatement ConvertCreateSchema(Converter& c, const ::CreateSchemaStmt& create) {
  if (create.schemaElts != nullptr) Unsupported("CREATE SCHEMA with schema elements", c.statement_pos);
  CreateSchemaStatement out;
  out.name = Text(create.schemaname);
  out.if_not_exists = create.if_not_exists;
  if (create.authrole != nullptr) out.owner = ConvertRole(c, *create.authrole);
  out.pos = c.statement_pos;
  return out;
}

DropStatement ConvertDrop(Converter& c, const ::DropStmt& drop) {
  DropStatement out;
  out.kind = ConvertObjectKind(drop.removeType);
  if (!DropsInAst(out.kind)) Unsupported(std::string("DROP ").append(ObjectTypeName(drop.removeType)), c.statement_pos);
  if (drop.concurrent) Unsupported("DROP INDEX CONCURRENTLY", c.statement_pos);
  for (const ::Node* object : Items<::Node>(drop.objects)) out.names.push_back(ConvertObjectName(object));
  out.if_exists = drop.missing_ok;
  out.cascade = drop.behavior == DROP_CASCADE;
  return out;
}

RenameStatement ConvertRename(Converter& c, const ::RenameStmt& rename) {
  RenameStatement out;
  out.kind = ConvertObjectKind(rename.renameType);
  const bool of_table = rename.renameType != OBJECT_COLUMN || rename.relationType == OBJECT_TABLE;
  const bool in_ast = (out.kind == ObjectKind::kTable || out.kind == ObjectKind::kColumn || out.kind == ObjectKind::kSchema) && of_table;
  if (!in_ast) {
    if (rename.renameType == OBJECT_TABCONSTRAINT) Unsupported("ALTER TABLE ... RENAME CONSTRAINT", c.statement_pos);
    const ::ObjectType type = rename.renameType == OBJECT_COLUMN ? rename.relationType : rename.renameType;
    Unsupported(std::string("ALTER ").append(ObjectTypeName(type)), c.statement_pos);
  }
  if (rename.relation != nullptr) out.table = ConvertTableRef(c, *rename.relation);
  out.old_name = Text(rename.subname);
  out.new_name = Text(rename.newname);
  out.if_exists = rename.missing_ok;
  return out;
}

TruncateStatement ConvertTruncate(Converter& c, const ::TruncateStmt& truncate) {
  TruncateStatement out;
  for (const ::RangeVar* table : Items<::RangeVar>(truncate.relations)) out.tables.push_back(ConvertTableRef(c, *table));
  out.restart_identity = truncate.restart_seqs;
  out.cascade = truncate.behavior == DROP_CASCADE;
  return out;
}

CommentStatement ConvertComment(Converter& c, const ::CommentStmt& comment) {
  CommentStatement out;
  out.kind = ConvertObjectKind(comment.objtype);
  if (!CommentsInAst(out.kind)) Unsupported(std::string("COMMENT ON ").append(ObjectTypeName(comment.objtype)), c.statement_pos);
  out.name = ConvertObjectName(comment.object);
  if (comment.comment != nullptr) out.text = comment.comment;
  out.pos = c.statement_pos;
  return out;
}

}  // namespace mayfly::parse
