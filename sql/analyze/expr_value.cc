// Constants and the keywords that stand for values (CURRENT_DATE, CURRENT_USER …).
#include <charconv>

#include "sql/analyze/expr_analyzer.h"
#include "sql/analyze/known_types.h"

namespace mayfly::analyze {
namespace {

// Digits without point or exponent that fit int8 are int8, all else is numeric (manual, 4.1.2.6).
ExprPtr AnalyzeNumber(const Scope& scope, const std::string& text, SourcePos pos) {
  int64_t integer = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), integer);
  if (error == std::errc() && end == text.data() + text.size()) return MakeConst(Int8Type(), types::Datum(integer), -1, pos);
  const TypeDesc* type = NumericType();
  Result<types::Datum> value = type->ops->in(*type, text, -1, scope.context().io, scope.analysis.arena);
  if (!value.ok()) Throw(std::move(value.error()).At(pos));
  return MakeConst(type, *value, -1, pos);
}

}  // namespace

ExprPtr AnalyzeConstant(const Scope& scope, const parse::Constant& constant, SourcePos pos) {
  switch (constant.kind) {
    case parse::ConstantKind::kNull: return MakeConst(UnknownType(), types::Datum::Null(), -1, pos);
    case parse::ConstantKind::kInteger: return MakeConst(Int4Type(), types::Datum(constant.integer), -1, pos);
    case parse::ConstantKind::kFloat: return AnalyzeNumber(scope, constant.text, pos);
    case parse::ConstantKind::kString: return MakeConst(UnknownType(), types::Datum(std::string_view(constant.text)), -1, pos);
    case parse::ConstantKind::kBoolean: return MakeConst(BoolType(), types::Datum(constant.integer != 0), -1, pos);
    case parse::ConstantKind::kBitString: break;
  }
  Throw(SqlError::NotSupported("type bit", pos));
}

ExprPtr AnalyzeSqlValue(const parse::SqlValueFunction& function, SourcePos pos) {
  const std::string& name = function.name;
  const TypeDesc* type = NameType();
  if (name == "current_date") {
    type = DateType();
  } else if (name == "current_timestamp") {
    type = TimestamptzType();
  } else if (name == "localtimestamp") {
    type = TimestampType();
  } else if (name == "localtime") {
    type = TimeType();
  } else if (name == "current_time") {
    Throw(SqlError::NotSupported("type time with time zone", pos));
  }
  int32_t typmod = function.typmod;
  if (typmod > 6) {
    Throw(SqlError::Make(kInvalidParameterValue, "{}({}) precision reduced to maximum allowed, 6", name, typmod).At(pos));
  }
  return MakeExpr(SqlValue{name}, type, typmod, pos);
}

}  // namespace mayfly::analyze
