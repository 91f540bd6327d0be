// Types as written: names, modifiers, array brackets.
#include <charconv>

#include "sql/analyze/analyze.h"
#include "sql/analyze/coerce.h"
#include "sql/analyze/resolve.h"

namespace mayfly::analyze {
namespace {

[[noreturn]] void ThrowNoType(const parse::TypeName& name) {
  std::string text = NameText(name.name);
  for (int i = 0; i < name.array_dimensions; ++i) text += "[]";
  Throw(SqlError::Make(kUndefinedObject, "type \"{}\" does not exist", text).At(name.pos));
}

int32_t Modifier(const parse::Expr& expr, SourcePos pos) {
  const auto* constant = std::get_if<parse::Constant>(&expr.node);
  if (constant != nullptr && constant->kind == parse::ConstantKind::kInteger) return constant->integer;
  // Modifiers are read as text and converted by the type: a literal that is no number fails there.
  if (constant != nullptr && (constant->kind == parse::ConstantKind::kFloat || constant->kind == parse::ConstantKind::kString)) {
    int32_t value = 0;
    const std::string& text = constant->text;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size()) return value;
    Throw(SqlError::Make(kInvalidTextRepresentation, "invalid input syntax for type integer: \"{}\"", text).At(pos));
  }
  if (const auto* operation = std::get_if<parse::OperatorCall>(&expr.node);
      operation != nullptr && operation->left == nullptr && operation->name.back() == "-") {
    return -Modifier(*operation->right, pos);
  }
  Throw(SqlError::Make(kSyntaxError, "type modifiers must be simple constants or identifiers").At(pos));
}

int32_t ResolveTypmod(const parse::TypeName& name, const TypeDesc& type) {
  if (name.modifiers.empty()) return -1;
  if (type.ops->typmod_in == nullptr) {
    Throw(SqlError::Make(kSyntaxError, "type modifier is not allowed for type \"{}\"", NameText(name.name)).At(name.pos));
  }
  std::vector<int32_t> modifiers;
  for (const parse::ExprPtr& modifier : name.modifiers) modifiers.push_back(Modifier(*modifier, name.pos));
  Result<int32_t> typmod = type.ops->typmod_in(modifiers);
  if (!typmod.ok()) {
    if (!typmod.error().position.known()) typmod.error().position = name.pos;
    Throw(std::move(typmod.error()));
  }
  return *typmod;
}

}  // namespace

ResolvedType ResolveType(const AnalyzeContext& context, const parse::TypeName& name) {
  if (name.set_of) Throw(SqlError::NotSupported("SETOF type", name.pos));
  if (name.name.size() > 1) {
    const std::string& schema = name.name[name.name.size() - 2];
    if (context.snapshot.FindSchema(schema) == nullptr && schema != "pg_catalog") {
      Throw(SqlError::Make(kInvalidSchemaName, "schema \"{}\" does not exist", schema).At(name.pos));
    }
    if (schema != "pg_catalog") ThrowNoType(name);
  }
  const TypeDesc* type = catalog::FindTypeByName(name.name.back());
  if (type == nullptr) ThrowNoType(name);
  if (type->ops == nullptr) Throw(SqlError::NotSupported(fmt::format("type {}", TypeText(type)), name.pos));
  const int32_t typmod = ResolveTypmod(name, *type);
  if (name.array_dimensions > 0) {
    if (type->array == nullptr) ThrowNoType(name);
    type = type->array;
  }
  return {type, typmod};
}

}  // namespace mayfly::analyze
