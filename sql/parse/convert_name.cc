// Names, types and aliases.
#include <string>

#include "sql/parse/convert.h"

namespace mayfly::parse {

QualifiedName ConvertName(const ::List* strings) { return ConvertStrings(strings); }

std::vector<std::string> ConvertStrings(const ::List* strings) {
  std::vector<std::string> out;
  const Items<::String> items(strings);
  out.reserve(items.size());
  for (const ::String* item : items) out.emplace_back(item->sval);
  return out;
}

TypeName ConvertTypeName(Converter& c, const ::TypeName& type) {
  if (type.pct_type) Unsupported("%TYPE", c.At(type.location));
  TypeName out;
  out.name = ConvertName(type.names);
  out.modifiers = ConvertExprs(c, type.typmods);
  out.array_dimensions = static_cast<int>(Items<::Node>(type.arrayBounds).size());
  out.set_of = type.setof;
  out.pos = c.At(type.location);
  return out;
}

TableRef ConvertTableRef(const Converter& c, const ::RangeVar& range) {
  TableRef out;
  out.catalog = Text(range.catalogname);
  out.schema = Text(range.schemaname);
  out.name = Text(range.relname);
  out.only = !range.inh;
  out.alias = ConvertAlias(range.alias);
  out.pos = c.At(range.location);
  return out;
}

Alias ConvertAlias(const ::Alias* alias) {
  if (alias == nullptr) return {};
  return {.name = Text(alias->aliasname), .columns = ConvertStrings(alias->colnames)};
}

std::string ConvertRole(const Converter& c, const ::RoleSpec& role) {
  switch (role.roletype) {
    case ROLESPEC_CSTRING: return Text(role.rolename);
    case ROLESPEC_CURRENT_ROLE: return "current_role";
    case ROLESPEC_CURRENT_USER: return "current_user";
    case ROLESPEC_SESSION_USER: return "session_user";
    case ROLESPEC_PUBLIC: break;
  }
  Throw(SqlError::Make(kReservedName, "role name \"{}\" is reserved", "public").At(c.At(role.location)));
}

}  // namespace mayfly::parse
