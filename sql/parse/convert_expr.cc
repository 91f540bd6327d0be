// Expressions. Operator spellings of the grammar's A_Expr become a node kind each; AND and OR chains arrive flat and stay so.
#include <string>

#include "base/check.h"
#include "sql/parse/convert.h"

namespace mayfly::parse {
namespace {

Constant ConvertConstant(const ::A_Const& constant) {
  if (constant.isnull) return {.kind = ConstantKind::kNull, .integer = 0, .text = {}};
  switch (Tag(&constant.val)) {
    case T_Integer: return {.kind = ConstantKind::kInteger, .integer = constant.val.ival.ival, .text = {}};
    case T_Float: return {.kind = ConstantKind::kFloat, .integer = 0, .text = constant.val.fval.fval};
    case T_Boolean: return {.kind = ConstantKind::kBoolean, .integer = constant.val.boolval.boolval ? 1 : 0, .text = {}};
    case T_String: return {.kind = ConstantKind::kString, .integer = 0, .text = constant.val.sval.sval};
    case T_BitString: return {.kind = ConstantKind::kBitString, .integer = 0, .text = constant.val.bsval.bsval};
    default: Unreachable();
  }
}

ColumnRef ConvertColumnRef(const ::ColumnRef& column) {
  ColumnRef out;
  const Items<::Node> fields(column.fields);
  out.fields.reserve(fields.size());
  for (const ::Node* field : fields) {
    if (Tag(field) == T_A_Star) {
      out.star = true;
    } else {
      out.fields.emplace_back(As<::String>(field).sval);
    }
  }
  return out;
}

// The operator's own name, without a schema.
std::string_view LastName(const ::A_Expr& expr) {
  const Items<::String> names(expr.name);
  return names[names.size() - 1]->sval;
}

BetweenExpr ConvertBetween(Converter& c, const ::A_Expr& expr) {
  const Items<::Node> bounds(&As<::List>(expr.rexpr));
  return {.negated = expr.kind == AEXPR_NOT_BETWEEN || expr.kind == AEXPR_NOT_BETWEEN_SYM,
          .symmetric = expr.kind == AEXPR_BETWEEN_SYM || expr.kind == AEXPR_NOT_BETWEEN_SYM,
          .arg = ConvertExpr(c, expr.lexpr),
          .low = ConvertExpr(c, bounds[0]),
          .high = ConvertExpr(c, bounds[1])};
}

LikeExpr ConvertLike(Converter& c, const ::A_Expr& expr, LikeKind kind) {
  return {.kind = kind,
          .negated = LastName(expr)[0] == '!',
          .left = ConvertExpr(c, expr.lexpr),
          .pattern = ConvertExpr(c, expr.rexpr)};
}

Expr::Node ConvertOperator(Converter& c, const ::A_Expr& expr) {
  switch (expr.kind) {
    case AEXPR_OP:
      return OperatorCall{.name = ConvertName(expr.name), .left = ConvertExpr(c, expr.lexpr), .right = ConvertExpr(c, expr.rexpr)};
    case AEXPR_OP_ANY:
    case AEXPR_OP_ALL:
      return AnyAllArray{.op = ConvertName(expr.name),
                         .all = expr.kind == AEXPR_OP_ALL,
                         .left = ConvertExpr(c, expr.lexpr),
                         .array = ConvertExpr(c, expr.rexpr)};
    case AEXPR_DISTINCT:
    case AEXPR_NOT_DISTINCT:
      return DistinctFrom{.negated = expr.kind == AEXPR_NOT_DISTINCT,
                          .left = ConvertExpr(c, expr.lexpr),
                          .right = ConvertExpr(c, expr.rexpr)};
    case AEXPR_NULLIF: return NullIf{.left = ConvertExpr(c, expr.lexpr), .right = ConvertExpr(c, expr.rexpr)};
    case AEXPR_IN:
      return InList{.left = ConvertExpr(c, expr.lexpr),
                    .items = ConvertExprs(c, &As<::List>(expr.rexpr)),
                    .negated = LastName(expr) == "<>"};
    case AEXPR_LIKE: return ConvertLike(c, expr, LikeKind::kLike);
    case AEXPR_ILIKE: return ConvertLike(c, expr, LikeKind::kIlike);
    case AEXPR_SIMILAR: return ConvertLike(c, expr, LikeKind::kSimilar);
    case AEXPR_BETWEEN:
    case AEXPR_NOT_BETWEEN:
    case AEXPR_BETWEEN_SYM:
    case AEXPR_NOT_BETWEEN_SYM: return ConvertBetween(c, expr);
  }
  Unreachable();
}

BoolExpr ConvertBool(Converter& c, const ::BoolExpr& expr) {
  const BoolOp op = expr.boolop == AND_EXPR ? BoolOp::kAnd : expr.boolop == OR_EXPR ? BoolOp::kOr : BoolOp::kNot;
  return {.op = op, .args = ConvertExprs(c, expr.args)};
}

TruthTest ConvertTruthTest(::BoolTestType test) {
  switch (test) {
    case IS_TRUE: return TruthTest::kTrue;
    case IS_NOT_TRUE: return TruthTest::kNotTrue;
    case IS_FALSE: return TruthTest::kFalse;
    case IS_NOT_FALSE: return TruthTest::kNotFalse;
    case IS_UNKNOWN: return TruthTest::kUnknown;
    case IS_NOT_UNKNOWN: return TruthTest::kNotUnknown;
  }
  Unreachable();
}

CaseExpr ConvertCase(Converter& c, const ::CaseExpr& expr) {
  CaseExpr out;
  out.arg = ConvertExpr(c, reinterpret_cast<const ::Node*>(expr.arg));
  for (const ::CaseWhen* when : Items<::CaseWhen>(expr.args)) {
    out.whens.push_back({.when = ConvertExpr(c, reinterpret_cast<const ::Node*>(when->expr)),
                         .then = ConvertExpr(c, reinterpret_cast<const ::Node*>(when->result)),
                         .pos = c.At(when->location)});
  }
  out.otherwise = ConvertExpr(c, reinterpret_cast<const ::Node*>(expr.defresult));
  return out;
}

SubqueryExpr ConvertSubquery(Converter& c, const ::SubLink& link) {
  SubqueryExpr out;
  switch (link.subLinkType) {
    case EXISTS_SUBLINK: out.kind = SubqueryKind::kExists; break;
    case ANY_SUBLINK: out.kind = SubqueryKind::kAny; break;
    case ALL_SUBLINK: out.kind = SubqueryKind::kAll; break;
    case EXPR_SUBLINK: out.kind = SubqueryKind::kScalar; break;
    case ARRAY_SUBLINK: out.kind = SubqueryKind::kArray; break;
    default: Unreachable();  // the other kinds are made after parsing
  }
  out.test = ConvertExpr(c, link.testexpr);
  out.op = ConvertName(link.operName);
  out.select = ConvertSelect(c, As<::SelectStmt>(link.subselect));
  return out;
}

[[noreturn]] void UnsupportedXml(const Converter& c, const ::XmlExpr& xml) {
  std::string_view name = "XML expression";
  switch (xml.op) {
    case IS_XMLCONCAT: name = "XMLCONCAT"; break;
    case IS_XMLELEMENT: name = "XMLELEMENT"; break;
    case IS_XMLFOREST: name = "XMLFOREST"; break;
    case IS_XMLPARSE: name = "XMLPARSE"; break;
    case IS_XMLPI: name = "XMLPI"; break;
    case IS_XMLROOT: name = "XMLROOT"; break;
    case IS_XMLSERIALIZE: name = "XMLSERIALIZE"; break;
    case IS_DOCUMENT: name = "IS DOCUMENT"; break;
  }
  Unsupported(name, c.At(xml.location));
}

ExprPtr ConvertIndirection(Converter& c, const ::A_Indirection& node) {
  ExprPtr arg = ConvertExpr(c, node.arg);
  const SourcePos pos = arg->pos;  // the raw node has no location of its own
  return MakeExpr(Indirection{.arg = std::move(arg), .steps = ConvertSteps(c, node.indirection)}, pos);
}

// The rarer kinds, apart from the hot path of ConvertExpr.
ExprPtr ConvertOtherExpr(Converter& c, const ::Node* node) {
  switch (Tag(node)) {
    case T_CollateClause: {
      const auto& n = As<::CollateClause>(node);
      return MakeExpr(CollateExpr{.arg = ConvertExpr(c, n.arg), .collation = ConvertName(n.collname)}, c.At(n.location));
    }
    case T_CaseExpr: return MakeExpr(ConvertCase(c, As<::CaseExpr>(node)), c.At(As<::CaseExpr>(node).location));
    case T_CoalesceExpr: {
      const auto& n = As<::CoalesceExpr>(node);
      return MakeExpr(CoalesceExpr{.args = ConvertExprs(c, n.args)}, c.At(n.location));
    }
    case T_MinMaxExpr: {
      const auto& n = As<::MinMaxExpr>(node);
      return MakeExpr(MinMaxExpr{.greatest = n.op == IS_GREATEST, .args = ConvertExprs(c, n.args)}, c.At(n.location));
    }
    case T_RowExpr: return MakeExpr(RowExpr{.args = ConvertExprs(c, As<::RowExpr>(node).args)}, c.At(As<::RowExpr>(node).location));
    case T_A_ArrayExpr: {
      const auto& n = As<::A_ArrayExpr>(node);
      return MakeExpr(ArrayExpr{.elements = ConvertExprs(c, n.elements)}, c.At(n.location));
    }
    case T_A_Indirection: return ConvertIndirection(c, As<::A_Indirection>(node));
    case T_SQLValueFunction: {
      const auto& n = As<::SQLValueFunction>(node);
      return MakeExpr(ConvertSqlValueFunction(n), c.At(n.location));
    }
    case T_SetToDefault: return MakeExpr(DefaultExpr{}, c.At(As<::SetToDefault>(node).location));
    case T_GroupingFunc: {
      const auto& n = As<::GroupingFunc>(node);
      return MakeExpr(GroupingFunc{.args = ConvertExprs(c, n.args)}, c.At(n.location));
    }
    case T_CurrentOfExpr: return MakeExpr(CurrentOf{.cursor = Text(As<::CurrentOfExpr>(node).cursor_name)}, {});
    case T_XmlExpr: UnsupportedXml(c, As<::XmlExpr>(node));
    case T_XmlSerialize: Unsupported("XMLSERIALIZE", c.At(As<::XmlSerialize>(node).location));
    default: Unsupported("this kind of expression", c.statement_pos);
  }
}

}  // namespace

ExprPtr MakeExpr(Expr::Node node, SourcePos pos) { return std::make_unique<Expr>(Expr{std::move(node), pos}); }

ExprPtr ConvertExpr(Converter& c, const ::Node* node) {
  if (node == nullptr) return nullptr;
  const NestingLevel level(c);
  switch (Tag(node)) {
    case T_A_Const: return MakeExpr(ConvertConstant(As<::A_Const>(node)), c.At(As<::A_Const>(node).location));
    case T_ColumnRef: return MakeExpr(ConvertColumnRef(As<::ColumnRef>(node)), c.At(As<::ColumnRef>(node).location));
    case T_ParamRef: return MakeExpr(ParameterRef{.number = As<::ParamRef>(node).number}, c.At(As<::ParamRef>(node).location));
    case T_A_Expr: return MakeExpr(ConvertOperator(c, As<::A_Expr>(node)), c.At(As<::A_Expr>(node).location));
    case T_BoolExpr: return MakeExpr(ConvertBool(c, As<::BoolExpr>(node)), c.At(As<::BoolExpr>(node).location));
    case T_NullTest: {
      const auto& n = As<::NullTest>(node);
      return MakeExpr(NullTest{.arg = ConvertExpr(c, reinterpret_cast<const ::Node*>(n.arg)), .is_not = n.nulltesttype == IS_NOT_NULL},
                      c.At(n.location));
    }
    case T_BooleanTest: {
      const auto& n = As<::BooleanTest>(node);
      return MakeExpr(
          BooleanTest{.arg = ConvertExpr(c, reinterpret_cast<const ::Node*>(n.arg)), .test = ConvertTruthTest(n.booltesttype)},
          c.At(n.location));
    }
    case T_FuncCall: return MakeExpr(ConvertFunctionCall(c, As<::FuncCall>(node)), c.At(As<::FuncCall>(node).location));
    case T_TypeCast: {
      const auto& n = As<::TypeCast>(node);
      return MakeExpr(CastExpr{.arg = ConvertExpr(c, n.arg), .type = ConvertTypeName(c, *n.typeName)}, c.At(n.location));
    }
    case T_SubLink: return MakeExpr(ConvertSubquery(c, As<::SubLink>(node)), c.At(As<::SubLink>(node).location));
    default: return ConvertOtherExpr(c, node);
  }
}

std::vector<ExprPtr> ConvertExprs(Converter& c, const ::List* list) {
  std::vector<ExprPtr> out;
  const Items<::Node> items(list);
  out.reserve(items.size());
  for (const ::Node* item : items) out.push_back(ConvertExpr(c, item));
  return out;
}

std::vector<Indirection::Step> ConvertSteps(Converter& c, const ::List* indirection) {
  std::vector<Indirection::Step> steps;
  for (const ::Node* item : Items<::Node>(indirection)) {
    Indirection::Step& step = steps.emplace_back();
    if (Tag(item) == T_A_Star) {
      step.star = true;
    } else if (Tag(item) == T_String) {
      step.field = As<::String>(item).sval;
    } else {
      const auto& indices = As<::A_Indices>(item);
      step.subscript = std::make_unique<Subscript>(Subscript{
          .is_slice = indices.is_slice, .lower = ConvertExpr(c, indices.lidx), .upper = ConvertExpr(c, indices.uidx)});
    }
  }
  return steps;
}

}  // namespace mayfly::parse
