// pg_index and pg_constraint: the keys of tables. pg_depend: what holds what.
#include "catalog/tables/generators.h"
#include "catalog/tables/row_writer.h"

namespace mayfly::catalog {

namespace {

std::vector<int16_t> Numbers(const std::vector<ColumnId>& columns) {
  std::vector<int16_t> numbers;
  for (const ColumnId id : columns) numbers.push_back(id.value);
  return numbers;
}

void WriteDependency(RowWriter& row, std::pair<Oid, Oid> object, std::pair<Oid, Oid> on, int32_t on_column, char kind) {
  row.Id(object.first).Id(object.second).Int4(0).Id(on.first).Id(on.second).Int4(on_column).Char(kind).Emit();
}

}  // namespace

const OperatorClassRow* DefaultBtreeClass(Oid type) {
  const OperatorClassRow* found = nullptr;
  const Oid less = FindBtreeOperators(type).less;
  for (const OperatorClassRow& row : AllOperatorClasses()) {
    if (!row.is_default) continue;
    if (row.input == type) return &row;
    // A type that is binary coercible to the class's input uses the same operators (varchar those of text).
    if (found == nullptr && less.valid() && FindBtreeOperators(row.input).less == less) found = &row;
  }
  return found;
}

void GeneratePgIndex(const GenerateContext& context, VirtualRowFn emit) {
  RowWriter row(emit);
  for (const TablePtr& table : context.snapshot.Tables()) {
    for (const IndexDescriptor& index : table->indexes) {
      const int count = static_cast<int>(index.columns.size());
      std::vector<uint32_t> collations;
      std::vector<uint32_t> classes;
      for (const ColumnId id : index.columns) {
        const Oid type = table->FindColumn(id)->type->oid;
        const OperatorClassRow* operator_class = DefaultBtreeClass(type);
        collations.push_back(FindTypeRow(type)->collation.value);
        classes.push_back(operator_class == nullptr ? 0 : operator_class->oid.value);
      }
      const std::vector<int16_t> numbers = Numbers(index.columns);
      const std::vector<int16_t> options(index.columns.size(), 0);
      row.Id(index.oid)
          .Id(table->oid)
          .Int2(count)
          .Int2(count)
          .Bool(index.unique)
          .Bool(false)
          .Bool(index.primary)
          .Bool(false)
          .Bool(true);
      row.Bool(false).Bool(true).Bool(false).Bool(true).Bool(true).Bool(
          false);  // clustered, valid, checkxmin, ready, live, replica identity
      row.Vector<int16_t>(kOidInt2, numbers).Vector<uint32_t>(kOidOid, collations).Vector<uint32_t>(kOidOid, classes);
      row.Vector<int16_t>(kOidInt2, options).Null(2).Emit();
    }
  }
}

void GeneratePgConstraint(const GenerateContext& context, VirtualRowFn emit) {
  RowWriter row(emit);
  for (const TablePtr& table : context.snapshot.Tables()) {
    for (const IndexDescriptor& index : table->indexes) {
      if (!index.constraint_oid.valid()) continue;
      const std::vector<int16_t> numbers = Numbers(index.columns);
      row.Id(index.constraint_oid)
          .Text(index.name)
          .Id(table->schema)
          .Char(index.primary ? 'p' : 'u')
          .Bool(false)
          .Bool(false)
          .Bool(true);
      row.Id(table->oid).Id(0u).Id(index.oid).Id(0u).Id(0u).Char(' ').Char(' ').Char(' ').Bool(true).Int4(0).Bool(true);
      row.Array<int16_t>(kOidInt2, numbers).Null(7).Emit();
    }
  }
}

void GeneratePgDepend(const GenerateContext& context, VirtualRowFn emit) {
  RowWriter row(emit);
  for (const TablePtr& table : context.snapshot.Tables()) {
    if (table->oid.value < kFirstUserOid) continue;
    const std::pair relation{kClassCatalog, table->oid};
    if (table->type_oid.valid()) WriteDependency(row, {kTypeCatalog, table->type_oid}, relation, 0, 'i');
    WriteDependency(row, relation, {kNamespaceCatalog, table->schema}, 0, 'n');
    for (const ColumnDescriptor& column : table->columns) {
      if (column.dropped || column.default_sql.empty()) continue;
      WriteDependency(row, {kAttrdefCatalog, DefaultOid(*table, column.id)}, relation, column.id.value, 'a');
    }
    for (const IndexDescriptor& index : table->indexes) {
      const bool constraint = index.constraint_oid.valid();
      const std::pair holder =
          constraint ? std::pair{kConstraintCatalog, index.constraint_oid} : std::pair{kClassCatalog, index.oid};
      for (const ColumnId id : index.columns) WriteDependency(row, holder, relation, id.value, 'a');
      if (constraint) WriteDependency(row, {kClassCatalog, index.oid}, holder, 0, 'i');
    }
  }
}

}  // namespace mayfly::catalog
