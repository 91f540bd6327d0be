// INSERT, UPDATE, DELETE.
#include "base/check.h"
#include "sql/parse/convert.h"

namespace mayfly::parse {
namespace {

// The arbiter columns of ON CONFLICT (…).
ExprPtr ConvertArbiter(Converter& c, const ::IndexElem& element, SourcePos pos) {
  if (element.collation != nullptr) Unsupported("COLLATE in ON CONFLICT", pos);
  if (element.opclass != nullptr) Unsupported("operator class in ON CONFLICT", pos);
  if (element.expr != nullptr) return ConvertExpr(c, element.expr);
  ColumnRef column;
  column.fields.emplace_back(element.name);
  return MakeExpr(std::move(column), pos);
}

std::unique_ptr<OnConflict> ConvertOnConflict(Converter& c, const ::OnConflictClause& clause) {
  auto out = std::make_unique<OnConflict>();
  if (const ::InferClause* infer = clause.infer; infer != nullptr) {
    const SourcePos pos = c.At(infer->location);
    for (const ::IndexElem* element : Items<::IndexElem>(infer->indexElems)) out->columns.push_back(ConvertArbiter(c, *element, pos));
    out->index_where = ConvertExpr(c, infer->whereClause);
    out->constraint = Text(infer->conname);
  }
  out->update = clause.action == ONCONFLICT_UPDATE;
  out->set = ConvertTargets(c, clause.targetList);
  out->where = ConvertExpr(c, clause.whereClause);
  out->pos = c.At(clause.location);
  return out;
}

}  // namespace

InsertStatement ConvertInsert(Converter& c, const ::InsertStmt& insert) {
  InsertStatement out;
  out.with = ConvertWith(c, insert.withClause);
  out.table = ConvertTableRef(c, *insert.relation);
  out.columns = ConvertTargets(c, insert.cols);
  if (insert.selectStmt != nullptr) out.source = ConvertSelect(c, As<::SelectStmt>(insert.selectStmt));
  switch (insert.override) {
    case OVERRIDING_NOT_SET: break;
    case OVERRIDING_USER_VALUE: out.overriding = InsertStatement::Overriding::kUser; break;
    case OVERRIDING_SYSTEM_VALUE: out.overriding = InsertStatement::Overriding::kSystem; break;
  }
  if (insert.onConflictClause != nullptr) out.on_conflict = ConvertOnConflict(c, *insert.onConflictClause);
  out.returning = ConvertTargets(c, insert.returningList);
  return out;
}

UpdateStatement ConvertUpdate(Converter& c, const ::UpdateStmt& update) {
  UpdateStatement out;
  out.with = ConvertWith(c, update.withClause);
  out.table = ConvertTableRef(c, *update.relation);
  out.set = ConvertTargets(c, update.targetList);
  out.from = ConvertFrom(c, update.fromClause);
  out.where = ConvertExpr(c, update.whereClause);
  out.returning = ConvertTargets(c, update.returningList);
  return out;
}

DeleteStatement ConvertDelete(Converter& c, const ::DeleteStmt& statement) {
  DeleteStatement out;
  out.with = ConvertWith(c, statement.withClause);
  out.table = ConvertTableRef(c, *statement.relation);
  out.using_list = ConvertFrom(c, statement.usingClause);
  out.where = ConvertExpr(c, statement.whereClause);
  out.returning = ConvertTargets(c, statement.returningList);
  return out;
}

}  // namespace mayfly::parse
