// Which generator makes which system table.
#include "catalog/tables/generators.h"

#include <algorithm>

#include "catalog/system_tables.h"

namespace mayfly::catalog {

namespace {

struct Generator {
  std::string_view name;
  VirtualTable table;
};

constexpr Generator kGenerators[] = {
    {"pg_aggregate", {GeneratePgAggregate}},
    {"pg_am", {GeneratePgAm}},
    {"pg_attrdef", {GeneratePgAttrdef}},
    {"pg_attribute", {GeneratePgAttribute}},
    {"pg_authid", {GeneratePgAuthid}},
    {"pg_cast", {GeneratePgCast}},
    {"pg_class", {GeneratePgClass}},
    {"pg_collation", {GeneratePgCollation}},
    {"pg_constraint", {GeneratePgConstraint}},
    {"pg_database", {GeneratePgDatabase}},
    {"pg_depend", {GeneratePgDepend}},
    {"pg_description", {GeneratePgDescription}},
    {"pg_index", {GeneratePgIndex}},
    {"pg_language", {GeneratePgLanguage}},
    {"pg_namespace", {GeneratePgNamespace}},
    {"pg_opclass", {GeneratePgOpclass}},
    {"pg_operator", {GeneratePgOperator}},
    {"pg_opfamily", {GeneratePgOpfamily}},
    {"pg_proc", {GeneratePgProc}},
    {"pg_settings", {GeneratePgSettings}},
    {"pg_shdescription", {GeneratePgShdescription}},
    {"pg_tablespace", {GeneratePgTablespace}},
    {"pg_type", {GeneratePgType}},
};

}  // namespace

const VirtualTable* FindGenerator(std::string_view name) {
  const auto* at =
      std::find_if(std::begin(kGenerators), std::end(kGenerators), [&](const Generator& g) { return g.name == name; });
  return at == std::end(kGenerators) ? nullptr : &at->table;
}

}  // namespace mayfly::catalog
