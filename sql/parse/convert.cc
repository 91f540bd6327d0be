#include "sql/parse/convert.h"

#include "sql/parse/parse_error.h"

namespace mayfly::parse {

SourcePos Converter::At(int location) const {
  if (location < 0) return {};
  if (edits.empty()) return {location};
  return {static_cast<int32_t>(edits.Original(static_cast<size_t>(location)))};
}

NestingLevel::NestingLevel(Converter& converter) : converter_(converter) {
  if (converter_.nesting >= kNestingMax) Throw(StackDepthExceeded());
  ++converter_.nesting;
}

void RefuseParameter(const Converter& c, const ::Node* node) {
  if (Tag(node) != T_ParamRef) return;
  const auto& param = As<::ParamRef>(node);
  Throw(SqlError::Make(kSyntaxError, "syntax error at or near \"${}\"", param.number).At(c.At(param.location)));
}

void Unsupported(std::string_view feature, SourcePos pos) { Throw(SqlError::NotSupported(feature, pos)); }

}  // namespace mayfly::parse
