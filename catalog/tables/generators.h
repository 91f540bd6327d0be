// The generators of the system tables that have rows; one file a table or group. Each writes its columns in PostgreSQL's order
// (catalog/data/system_columns.def), and PostgreSQL's values wherever the thing exists here too.
#pragma once

#include <string>
#include <vector>

#include "catalog/facts.h"
#include "catalog/virtual_table.h"

namespace mayfly::catalog {

// OIDs of catalogs, as pg_depend and pg_description name them.
inline constexpr Oid kTypeCatalog{1247}, kProcCatalog{1255}, kClassCatalog{1259}, kDatabaseCatalog{1262},
    kConstraintCatalog{2606}, kOperatorCatalog{2617}, kNamespaceCatalog{2615}, kAttrdefCatalog{2604}, kCollationCatalog{3456},
    kLanguageCatalog{2612}, kAmCatalog{2601};
inline constexpr Oid kHeapAm{2}, kBtreeAm{403};

void GeneratePgAggregate(const GenerateContext& context, VirtualRowFn emit);
void GeneratePgAm(const GenerateContext& context, VirtualRowFn emit);
void GeneratePgAttrdef(const GenerateContext& context, VirtualRowFn emit);
void GeneratePgAttribute(const GenerateContext& context, VirtualRowFn emit);
void GeneratePgAuthid(const GenerateContext& context, VirtualRowFn emit);
void GeneratePgCast(const GenerateContext& context, VirtualRowFn emit);
void GeneratePgClass(const GenerateContext& context, VirtualRowFn emit);
void GeneratePgCollation(const GenerateContext& context, VirtualRowFn emit);
void GeneratePgConstraint(const GenerateContext& context, VirtualRowFn emit);
void GeneratePgDatabase(const GenerateContext& context, VirtualRowFn emit);
void GeneratePgDepend(const GenerateContext& context, VirtualRowFn emit);
void GeneratePgDescription(const GenerateContext& context, VirtualRowFn emit);
void GeneratePgIndex(const GenerateContext& context, VirtualRowFn emit);
void GeneratePgLanguage(const GenerateContext& context, VirtualRowFn emit);
void GeneratePgNamespace(const GenerateContext& context, VirtualRowFn emit);
void GeneratePgOpclass(const GenerateContext& context, VirtualRowFn emit);
void GeneratePgOperator(const GenerateContext& context, VirtualRowFn emit);
void GeneratePgOpfamily(const GenerateContext& context, VirtualRowFn emit);
void GeneratePgProc(const GenerateContext& context, VirtualRowFn emit);
void GeneratePgSettings(const GenerateContext& context, VirtualRowFn emit);
void GeneratePgShdescription(const GenerateContext& context, VirtualRowFn emit);
void GeneratePgTablespace(const GenerateContext& context, VirtualRowFn emit);
void GeneratePgType(const GenerateContext& context, VirtualRowFn emit);

// The operator class that an index on a column of this type uses; null where there is none.
const OperatorClassRow* DefaultBtreeClass(Oid type);
// {table.kv.row.ttl=1h,table.kv.row.ttl.time-column=ts}: the options as stored in reloptions; empty for a table without.
std::vector<std::string> TableOptionTexts(const TableDescriptor& table);
// The OID under which a column's default is known. Defaults have none of their own here: made of table and column.
Oid DefaultOid(const TableDescriptor& table, ColumnId column);

}  // namespace mayfly::catalog
