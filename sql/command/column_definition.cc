#include "sql/command/column_definition.h"

#include <algorithm>
#include <array>

#include "sql/command/default_value.h"
#include "sql/types/format_type.h"

namespace mayfly::command {
namespace {

using parse::Constraint;

[[noreturn]] void ThrowPseudoType(std::string_view column, const types::TypeDesc& type) {
  Throw(SqlError::Make(kInvalidTableDefinition, "column \"{}\" has pseudo-type {}", column, types::FormatType(type)));
}

// Before the type is resolved: what is only a name to the resolver, but has an error of its own as a column.
void RefuseNonColumnTypes(const parse::ColumnDefinition& definition) {
  const parse::TypeName& type = definition.type;
  if (type.set_of) Throw(SqlError::Make(kInvalidTableDefinition, "column \"{}\" cannot be declared SETOF", definition.name));
  if (type.name.size() > 1 && type.name[0] != "pg_catalog") return;
  const types::TypeDesc* known = catalog::FindTypeByName(type.name.back());
  if (known == nullptr || type.array_dimensions > 0) return;
  const catalog::TypeRow* row = catalog::FindTypeRow(known->oid);
  if (row != nullptr && row->kind == 'p') ThrowPseudoType(definition.name, *known);
}

// serial is no type: it means an integer column with a sequence behind it.
void RefuseSerial(const parse::TypeName& type) {
  constexpr std::array<std::string_view, 6> kSerials = {"serial", "serial4", "bigserial", "serial8", "smallserial", "serial2"};
  if (type.name.size() == 1 && std::ranges::count(kSerials, type.name[0]) != 0) Throw(SqlError::NotSupported(type.name[0], type.pos));
}

void CheckColumnType(const catalog::ColumnDescriptor& column, const parse::TypeName& written) {
  const catalog::TypeRow* row = catalog::FindTypeRow(column.type->oid);
  if (row != nullptr && row->kind == 'p') ThrowPseudoType(column.name, *column.type);
  if (column.type->ops == nullptr || column.type->ops->send == nullptr || column.type->ops->recv == nullptr) {
    Throw(SqlError::NotSupported(fmt::format("a column of type {}", types::FormatType(*column.type)), written.pos));
  }
}

// Text is ordered by its bytes everywhere, so the collations that mean just that are the ones there are.
void CheckCollation(const parse::ColumnDefinition& definition, const types::TypeDesc& type) {
  if (definition.collation.empty()) return;
  constexpr std::array<std::string_view, 5> kKnown = {"default", "C", "POSIX", "C.utf8", "ucs_basic"};
  const catalog::TypeRow* row = catalog::FindTypeRow(type.oid);
  if (row == nullptr || !row->collation.valid()) {
    Throw(SqlError::Make(kDatatypeMismatch, "collations are not supported by type {}", types::FormatType(type)).At(definition.collation_pos));
  }
  if (std::ranges::count(kKnown, definition.collation) != 0) return;
  Throw(SqlError::Make(kUndefinedObject, "collation \"{}\" for encoding \"UTF8\" does not exist", definition.collation)
            .At(definition.collation_pos));
}

// Which of NULL and NOT NULL was said already.
enum class Nullability : uint8_t { kUnsaid, kNull, kNotNull };

void Say(Nullability said, const Constraint& constraint, const catalog::ColumnDescriptor& column, std::string_view table_name,
         Nullability& state) {
  if (state != Nullability::kUnsaid && state != said) {
    Throw(SqlError::Make(kSyntaxError, "conflicting NULL/NOT NULL declarations for column \"{}\" of table \"{}\"", column.name, table_name)
              .At(constraint.pos));
  }
  state = said;
}

void ApplyConstraint(CommandContext& context, const Constraint& constraint, std::string_view table_name, Nullability& nullability,
                     NewColumn& column) {
  catalog::ColumnDescriptor& descriptor = column.descriptor;
  switch (constraint.kind) {
    case Constraint::Kind::kNull: Say(Nullability::kNull, constraint, descriptor, table_name, nullability); break;
    case Constraint::Kind::kNotNull: Say(Nullability::kNotNull, constraint, descriptor, table_name, nullability); break;
    case Constraint::Kind::kPrimaryKey:
      if (column.primary_key != nullptr) {
        Throw(SqlError::Make(kInvalidTableDefinition, "multiple primary keys for table \"{}\" are not allowed", table_name)
                  .At(constraint.pos));
      }
      column.primary_key = &constraint;
      break;
    case Constraint::Kind::kDefault:
      if (column.default_expr != nullptr) {
        Throw(SqlError::Make(kSyntaxError, "multiple default values specified for column \"{}\" of table \"{}\"", descriptor.name, table_name)
                  .At(constraint.pos));
      }
      column.default_expr = AnalyzeDefault(context, descriptor, *constraint.expr);
      break;
    default: RefuseConstraint(constraint);
  }
}

}  // namespace

NewColumn MakeColumn(CommandContext& context, std::string_view table_name, const parse::ColumnDefinition& definition) {
  NewColumn column;
  column.descriptor.name = definition.name;
  RefuseSerial(definition.type);
  RefuseNonColumnTypes(definition);
  const catalog::SnapshotPtr snapshot = context.snapshot();
  const analyze::ResolvedType type = analyze::ResolveType(MakeAnalyzeContext(context, *snapshot), definition.type);
  column.descriptor.type = type.type;
  column.descriptor.typmod = type.typmod;
  CheckColumnType(column.descriptor, definition.type);
  CheckCollation(definition, *type.type);
  Nullability nullability = Nullability::kUnsaid;
  for (const Constraint& constraint : definition.constraints) ApplyConstraint(context, constraint, table_name, nullability, column);
  column.descriptor.not_null = nullability == Nullability::kNotNull;
  if (column.default_expr != nullptr) column.descriptor.default_sql = analyze::Deparse(*column.default_expr);
  return column;
}

void RefuseConstraint(const Constraint& constraint) {
  switch (constraint.kind) {
    case Constraint::Kind::kUnique: Throw(SqlError::NotSupported("UNIQUE constraint", constraint.pos));
    case Constraint::Kind::kCheck: Throw(SqlError::NotSupported("CHECK constraint", constraint.pos));
    case Constraint::Kind::kForeignKey: Throw(SqlError::NotSupported("FOREIGN KEY constraint", constraint.pos));
    case Constraint::Kind::kExclusion: Throw(SqlError::NotSupported("EXCLUDE constraint", constraint.pos));
    case Constraint::Kind::kIdentity: Throw(SqlError::NotSupported("GENERATED AS IDENTITY", constraint.pos));
    case Constraint::Kind::kGenerated: Throw(SqlError::NotSupported("GENERATED ALWAYS AS (expression)", constraint.pos));
    case Constraint::Kind::kPrimaryKey:
      if (constraint.deferrable) Throw(SqlError::NotSupported("deferrable constraint", constraint.pos));
      return;
    case Constraint::Kind::kNull:
    case Constraint::Kind::kNotNull:
    case Constraint::Kind::kDefault: return;
  }
}

}  // namespace mayfly::command
