// Functions that describe catalog objects by OID: definitions, comments, visibility (PostgreSQL manual, 9.26). The session's
// catalog snapshot answers; the name of the function tells it what is asked.
#include "sql/func/lift.h"
#include "sql/func/text_result.h"
#include "sql/types/text.h"
#include "sql/types/utf8.h"

namespace mayfly::func {

namespace {

SessionInfo& Session(const KernelCall& call) {
  if (call.context.session == nullptr) Throw(SqlError::NotSupported("a function about catalog objects outside of a session"));
  return *call.context.session;
}

std::optional<std::string_view> Keep(const KernelCall& call, const std::optional<std::string>& text) {
  return text ? std::optional(call.result.heap().Copy(*text)) : std::nullopt;
}

// (oid)
void DescribeKernel(const KernelCall& call, std::string_view what) {
  Lift<std::optional<std::string_view>(uint32_t)>(
      call, [&](uint32_t oid) { return Keep(call, Session(call).DescribeObject(what, Oid{oid}, 0, false)); });
}
// (oid, pretty)
void DescribePrettyKernel(const KernelCall& call, std::string_view what) {
  Lift<std::optional<std::string_view>(uint32_t, bool)>(
      call, [&](uint32_t oid, bool pretty) { return Keep(call, Session(call).DescribeObject(what, Oid{oid}, 0, pretty)); });
}

// NULL where there is no such object.
void VisibleKernel(const KernelCall& call, std::string_view what) {
  Lift<std::optional<bool>(uint32_t)>(call, [&](uint32_t oid) { return Session(call).IsVisible(what, Oid{oid}); });
}

// (oid, catalog): asks for "obj_description:pg_class".
void CommentKernel(const KernelCall& call, std::string_view what) {
  Lift<std::optional<std::string_view>(uint32_t, std::string_view)>(call, [&](uint32_t oid, std::string_view catalog) {
    return Keep(call, Session(call).DescribeObject(fmt::format("{}:{}", what, catalog), Oid{oid}, 0, false));
  });
}

}  // namespace

void PgGetUserbyid(const KernelCall& call) {
  Lift<std::string_view(uint32_t)>(call, [&](uint32_t oid) {
    const std::optional<std::string> name = Session(call).DescribeObject("pg_get_userbyid", Oid{oid}, 0, false);
    return call.result.heap().Copy(name ? *name : fmt::format("unknown (OID={})", oid));
  });
}

// information_schema's specific_name: name_oid, cut to fit a name.
void Nameconcatoid(const KernelCall& call) {
  std::string scratch;
  Lift<std::string_view(std::string_view, uint32_t)>(call, [&](std::string_view name, uint32_t oid) {
    const std::string suffix = fmt::format("_{}", oid);
    scratch.assign(types::Utf8Clip(name, types::kNameBytesMax - suffix.size()));
    scratch += suffix;
    return Keep(call, std::optional(scratch)).value();
  });
}

// A pg_node_tree of ours is the expression's text already.
void PgGetExpr(const KernelCall& call) {
  Lift<std::string_view(std::string_view, uint32_t)>(call, [](std::string_view expression, uint32_t) { return expression; });
}
void PgGetExprExt(const KernelCall& call) { PgGetExpr(call); }

void PgGetIndexdef(const KernelCall& call) { DescribeKernel(call, "pg_get_indexdef"); }
void PgGetIndexdefExt(const KernelCall& call) {
  Lift<std::optional<std::string_view>(uint32_t, int32_t, bool)>(call, [&](uint32_t oid, int32_t column, bool pretty) {
    return Keep(call, Session(call).DescribeObject("pg_get_indexdef", Oid{oid}, column, pretty));
  });
}
void PgGetConstraintdef(const KernelCall& call) { DescribeKernel(call, "pg_get_constraintdef"); }
void PgGetConstraintdefExt(const KernelCall& call) { DescribePrettyKernel(call, "pg_get_constraintdef"); }
void PgGetViewdef(const KernelCall& call) { DescribeKernel(call, "pg_get_viewdef"); }
void PgGetViewdefExt(const KernelCall& call) { DescribePrettyKernel(call, "pg_get_viewdef"); }
// Lines are not wrapped: a column of 0, which is what clients ask for, means that.
void PgGetViewdefWrap(const KernelCall& call) {
  Lift<std::optional<std::string_view>(uint32_t, int32_t)>(
      call, [&](uint32_t oid, int32_t) { return Keep(call, Session(call).DescribeObject("pg_get_viewdef", Oid{oid}, 0, true)); });
}
void PgGetRuledef(const KernelCall& call) { DescribeKernel(call, "pg_get_ruledef"); }
void PgGetRuledefExt(const KernelCall& call) { DescribePrettyKernel(call, "pg_get_ruledef"); }
void PgGetTriggerdef(const KernelCall& call) { DescribeKernel(call, "pg_get_triggerdef"); }
void PgGetTriggerdefExt(const KernelCall& call) { DescribePrettyKernel(call, "pg_get_triggerdef"); }
void PgGetPartkeydef(const KernelCall& call) { DescribeKernel(call, "pg_get_partkeydef"); }
void PgGetPartitionConstraintdef(const KernelCall& call) { DescribeKernel(call, "pg_get_partition_constraintdef"); }
void PgGetStatisticsobjdef(const KernelCall& call) { DescribeKernel(call, "pg_get_statisticsobjdef"); }
void PgGetStatisticsobjdefColumns(const KernelCall& call) { DescribeKernel(call, "pg_get_statisticsobjdef_columns"); }
void PgGetFunctiondef(const KernelCall& call) { DescribeKernel(call, "pg_get_functiondef"); }
void PgGetFunctionArguments(const KernelCall& call) { DescribeKernel(call, "pg_get_function_arguments"); }
void PgGetFunctionIdentityArguments(const KernelCall& call) { DescribeKernel(call, "pg_get_function_identity_arguments"); }
void PgGetFunctionResult(const KernelCall& call) { DescribeKernel(call, "pg_get_function_result"); }
void PgGetFunctionSqlbody(const KernelCall& call) { DescribeKernel(call, "pg_get_function_sqlbody"); }
void PgTablespaceLocation(const KernelCall& call) { DescribeKernel(call, "pg_tablespace_location"); }

void ObjDescription1215(const KernelCall& call) { CommentKernel(call, "obj_description"); }
void ObjDescription1348(const KernelCall& call) { DescribeKernel(call, "obj_description"); }
void ShobjDescription1993(const KernelCall& call) { CommentKernel(call, "shobj_description"); }
void ColDescription1216(const KernelCall& call) {
  Lift<std::optional<std::string_view>(uint32_t, int32_t)>(call, [&](uint32_t oid, int32_t column) {
    return Keep(call, Session(call).DescribeObject("col_description", Oid{oid}, column, false));
  });
}

void PgTableIsVisible(const KernelCall& call) { VisibleKernel(call, "pg_table_is_visible"); }
void PgRelationIsPublishable(const KernelCall& call) { VisibleKernel(call, "pg_relation_is_publishable"); }
void PgTypeIsVisible(const KernelCall& call) { VisibleKernel(call, "pg_type_is_visible"); }
void PgFunctionIsVisible(const KernelCall& call) { VisibleKernel(call, "pg_function_is_visible"); }
void PgOperatorIsVisible(const KernelCall& call) { VisibleKernel(call, "pg_operator_is_visible"); }
void PgOpclassIsVisible(const KernelCall& call) { VisibleKernel(call, "pg_opclass_is_visible"); }
void PgOpfamilyIsVisible(const KernelCall& call) { VisibleKernel(call, "pg_opfamily_is_visible"); }
void PgConversionIsVisible(const KernelCall& call) { VisibleKernel(call, "pg_conversion_is_visible"); }
void PgCollationIsVisible(const KernelCall& call) { VisibleKernel(call, "pg_collation_is_visible"); }
void PgTsConfigIsVisible(const KernelCall& call) { VisibleKernel(call, "pg_ts_config_is_visible"); }
void PgTsDictIsVisible(const KernelCall& call) { VisibleKernel(call, "pg_ts_dict_is_visible"); }
void PgTsParserIsVisible(const KernelCall& call) { VisibleKernel(call, "pg_ts_parser_is_visible"); }
void PgTsTemplateIsVisible(const KernelCall& call) { VisibleKernel(call, "pg_ts_template_is_visible"); }

}  // namespace mayfly::func
