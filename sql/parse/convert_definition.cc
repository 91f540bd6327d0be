// "name = value" items: WITH (…), and the option lists of COPY, EXPLAIN, VACUUM.
#include <string>

#include "sql/parse/convert.h"

namespace mayfly::parse {
namespace {

// An unquoted word as a value arrives as a type name: (format = csv), (x = public.y).
std::string TypeNameText(const ::TypeName& type) {
  std::string out;
  for (const ::String* part : Items<::String>(type.names)) {
    if (!out.empty()) out += '.';
    out += part->sval;
  }
  return out;
}

// OPERATOR(s.+) and the like, as one text.
std::string ListText(const ::List* list) {
  std::string out;
  for (const ::Node* item : Items<::Node>(list)) {
    if (Tag(item) != T_String) continue;
    if (!out.empty()) out += '.';
    out += As<::String>(item).sval;
  }
  return out;
}

void ConvertValue(const ::Node* arg, DefinitionItem& out) {
  switch (Tag(arg)) {
    case T_Integer: out.value = std::to_string(As<::Integer>(arg).ival); return;
    case T_Float: out.value = As<::Float>(arg).fval; return;
    case T_Boolean: out.value = As<::Boolean>(arg).boolval ? "true" : "false"; return;
    case T_String:
      out.value = As<::String>(arg).sval;
      out.value_is_string = true;
      return;
    case T_TypeName: out.value = TypeNameText(As<::TypeName>(arg)); return;
    case T_A_Star: out.star = true; return;
    case T_List:
      out.list = ConvertStrings(&As<::List>(arg));
      out.value = ListText(&As<::List>(arg));
      return;
    default: out.value = ""; return;
  }
}

}  // namespace

std::vector<DefinitionItem> ConvertDefinitions(const Converter& c, const ::List* items) {
  std::vector<DefinitionItem> out;
  for (const ::DefElem* item : Items<::DefElem>(items)) {
    DefinitionItem& definition = out.emplace_back();
    definition.name_space = Text(item->defnamespace);
    definition.name = Text(item->defname);
    definition.pos = c.At(item->location);
    if (item->arg == nullptr) continue;
    RefuseParameter(c, item->arg);
    ConvertValue(item->arg, definition);
  }
  return out;
}

}  // namespace mayfly::parse
