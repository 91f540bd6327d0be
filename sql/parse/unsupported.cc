// Names of the SQL commands that have no place in the AST, for the 0A000 that refuses them.
#include <string>

#include "sql/parse/convert.h"

namespace mayfly::parse {
namespace {

struct TagName {
  ::NodeTag tag;
  std::string_view name;
};

constexpr TagName kStatementNames[] = {
    {T_MergeStmt, "MERGE"},
    {T_AlterDomainStmt, "ALTER DOMAIN"},
    {T_AlterDefaultPrivilegesStmt, "ALTER DEFAULT PRIVILEGES"},
    {T_ClosePortalStmt, "CLOSE"},
    {T_ClusterStmt, "CLUSTER"},
    {T_IndexStmt, "CREATE INDEX"},
    {T_DoStmt, "DO"},
    {T_RuleStmt, "CREATE RULE"},
    {T_NotifyStmt, "NOTIFY"},
    {T_ListenStmt, "LISTEN"},
    {T_UnlistenStmt, "UNLISTEN"},
    {T_ViewStmt, "CREATE VIEW"},
    {T_LoadStmt, "LOAD"},
    {T_CreateDomainStmt, "CREATE DOMAIN"},
    {T_CreatedbStmt, "CREATE DATABASE"},
    {T_DropdbStmt, "DROP DATABASE"},
    {T_CreateSeqStmt, "CREATE SEQUENCE"},
    {T_AlterSeqStmt, "ALTER SEQUENCE"},
    {T_CreateTrigStmt, "CREATE TRIGGER"},
    {T_CreatePLangStmt, "CREATE LANGUAGE"},
    {T_CreateRoleStmt, "CREATE ROLE"},
    {T_AlterRoleStmt, "ALTER ROLE"},
    {T_AlterRoleSetStmt, "ALTER ROLE ... SET"},
    {T_DropRoleStmt, "DROP ROLE"},
    {T_ConstraintsSetStmt, "SET CONSTRAINTS"},
    {T_ReindexStmt, "REINDEX"},
    {T_AlterDatabaseStmt, "ALTER DATABASE"},
    {T_AlterDatabaseRefreshCollStmt, "ALTER DATABASE ... REFRESH COLLATION VERSION"},
    {T_AlterDatabaseSetStmt, "ALTER DATABASE ... SET"},
    {T_CreateConversionStmt, "CREATE CONVERSION"},
    {T_CreateCastStmt, "CREATE CAST"},
    {T_CreateOpClassStmt, "CREATE OPERATOR CLASS"},
    {T_CreateOpFamilyStmt, "CREATE OPERATOR FAMILY"},
    {T_AlterOpFamilyStmt, "ALTER OPERATOR FAMILY"},
    {T_DeclareCursorStmt, "DECLARE CURSOR"},
    {T_CreateTableSpaceStmt, "CREATE TABLESPACE"},
    {T_DropTableSpaceStmt, "DROP TABLESPACE"},
    {T_AlterTableSpaceOptionsStmt, "ALTER TABLESPACE"},
    {T_AlterTableMoveAllStmt, "ALTER TABLE ALL IN TABLESPACE"},
    {T_AlterOperatorStmt, "ALTER OPERATOR"},
    {T_AlterTypeStmt, "ALTER TYPE"},
    {T_DropOwnedStmt, "DROP OWNED"},
    {T_ReassignOwnedStmt, "REASSIGN OWNED"},
    {T_CompositeTypeStmt, "CREATE TYPE"},
    {T_CreateEnumStmt, "CREATE TYPE"},
    {T_CreateRangeStmt, "CREATE TYPE"},
    {T_AlterEnumStmt, "ALTER TYPE"},
    {T_AlterTSDictionaryStmt, "ALTER TEXT SEARCH DICTIONARY"},
    {T_AlterTSConfigurationStmt, "ALTER TEXT SEARCH CONFIGURATION"},
    {T_CreateFdwStmt, "CREATE FOREIGN DATA WRAPPER"},
    {T_AlterFdwStmt, "ALTER FOREIGN DATA WRAPPER"},
    {T_CreateForeignServerStmt, "CREATE SERVER"},
    {T_AlterForeignServerStmt, "ALTER SERVER"},
    {T_CreateUserMappingStmt, "CREATE USER MAPPING"},
    {T_AlterUserMappingStmt, "ALTER USER MAPPING"},
    {T_DropUserMappingStmt, "DROP USER MAPPING"},
    {T_SecLabelStmt, "SECURITY LABEL"},
    {T_CreateForeignTableStmt, "CREATE FOREIGN TABLE"},
    {T_ImportForeignSchemaStmt, "IMPORT FOREIGN SCHEMA"},
    {T_CreateExtensionStmt, "CREATE EXTENSION"},
    {T_AlterExtensionStmt, "ALTER EXTENSION"},
    {T_AlterExtensionContentsStmt, "ALTER EXTENSION"},
    {T_CreateEventTrigStmt, "CREATE EVENT TRIGGER"},
    {T_AlterEventTrigStmt, "ALTER EVENT TRIGGER"},
    {T_RefreshMatViewStmt, "REFRESH MATERIALIZED VIEW"},
    {T_AlterSystemStmt, "ALTER SYSTEM"},
    {T_CreatePolicyStmt, "CREATE POLICY"},
    {T_AlterPolicyStmt, "ALTER POLICY"},
    {T_CreateTransformStmt, "CREATE TRANSFORM"},
    {T_CreateAmStmt, "CREATE ACCESS METHOD"},
    {T_CreatePublicationStmt, "CREATE PUBLICATION"},
    {T_AlterPublicationStmt, "ALTER PUBLICATION"},
    {T_CreateSubscriptionStmt, "CREATE SUBSCRIPTION"},
    {T_AlterSubscriptionStmt, "ALTER SUBSCRIPTION"},
    {T_DropSubscriptionStmt, "DROP SUBSCRIPTION"},
    {T_CreateStatsStmt, "CREATE STATISTICS"},
    {T_AlterStatsStmt, "ALTER STATISTICS"},
    {T_AlterCollationStmt, "ALTER COLLATION"},
    {T_CallStmt, "CALL"},
};

std::string Named(std::string_view verb, ::ObjectType type) { return std::string(verb).append(ObjectTypeName(type)); }

}  // namespace

std::string UnsupportedStatementName(const ::Node* node) {
  switch (Tag(node)) {
    case T_FetchStmt: return As<::FetchStmt>(node).ismove ? "MOVE" : "FETCH";
    case T_GrantStmt: return As<::GrantStmt>(node).is_grant ? "GRANT" : "REVOKE";
    case T_GrantRoleStmt: return As<::GrantRoleStmt>(node).is_grant ? "GRANT ROLE" : "REVOKE ROLE";
    case T_DefineStmt: return Named("CREATE ", As<::DefineStmt>(node).kind);
    case T_CreateFunctionStmt: return As<::CreateFunctionStmt>(node).is_procedure ? "CREATE PROCEDURE" : "CREATE FUNCTION";
    case T_AlterFunctionStmt: return Named("ALTER ", As<::AlterFunctionStmt>(node).objtype);
    case T_CreateTableAsStmt:
      return As<::CreateTableAsStmt>(node).objtype == OBJECT_MATVIEW ? "CREATE MATERIALIZED VIEW" : "CREATE TABLE AS";
    case T_AlterObjectSchemaStmt: return Named("ALTER ", As<::AlterObjectSchemaStmt>(node).objectType) + " ... SET SCHEMA";
    case T_AlterOwnerStmt: return Named("ALTER ", As<::AlterOwnerStmt>(node).objectType) + " ... OWNER TO";
    case T_AlterObjectDependsStmt: return Named("ALTER ", As<::AlterObjectDependsStmt>(node).objectType) + " ... DEPENDS ON EXTENSION";
    default: break;
  }
  for (const TagName& row : kStatementNames) {
    if (row.tag == Tag(node)) return std::string(row.name);
  }
  return "this statement";
}

std::string_view ObjectTypeName(::ObjectType type) {
  switch (type) {
    case OBJECT_ACCESS_METHOD: return "ACCESS METHOD";
    case OBJECT_AGGREGATE: return "AGGREGATE";
    case OBJECT_CAST: return "CAST";
    case OBJECT_COLUMN: return "COLUMN";
    case OBJECT_COLLATION: return "COLLATION";
    case OBJECT_CONVERSION: return "CONVERSION";
    case OBJECT_DATABASE: return "DATABASE";
    case OBJECT_DOMAIN: return "DOMAIN";
    case OBJECT_DOMCONSTRAINT: return "CONSTRAINT";
    case OBJECT_EVENT_TRIGGER: return "EVENT TRIGGER";
    case OBJECT_EXTENSION: return "EXTENSION";
    case OBJECT_FDW: return "FOREIGN DATA WRAPPER";
    case OBJECT_FOREIGN_SERVER: return "SERVER";
    case OBJECT_FOREIGN_TABLE: return "FOREIGN TABLE";
    case OBJECT_FUNCTION: return "FUNCTION";
    case OBJECT_INDEX: return "INDEX";
    case OBJECT_LANGUAGE: return "LANGUAGE";
    case OBJECT_LARGEOBJECT: return "LARGE OBJECT";
    case OBJECT_MATVIEW: return "MATERIALIZED VIEW";
    case OBJECT_OPCLASS: return "OPERATOR CLASS";
    case OBJECT_OPERATOR: return "OPERATOR";
    case OBJECT_OPFAMILY: return "OPERATOR FAMILY";
    case OBJECT_POLICY: return "POLICY";
    case OBJECT_PROCEDURE: return "PROCEDURE";
    case OBJECT_PUBLICATION: return "PUBLICATION";
    case OBJECT_ROLE: return "ROLE";
    case OBJECT_ROUTINE: return "ROUTINE";
    case OBJECT_RULE: return "RULE";
    case OBJECT_SCHEMA: return "SCHEMA";
    case OBJECT_SEQUENCE: return "SEQUENCE";
    case OBJECT_SUBSCRIPTION: return "SUBSCRIPTION";
    case OBJECT_STATISTIC_EXT: return "STATISTICS";
    case OBJECT_TABCONSTRAINT: return "CONSTRAINT";
    case OBJECT_TABLE: return "TABLE";
    case OBJECT_TABLESPACE: return "TABLESPACE";
    case OBJECT_TRANSFORM: return "TRANSFORM";
    case OBJECT_TRIGGER: return "TRIGGER";
    case OBJECT_TSCONFIGURATION: return "TEXT SEARCH CONFIGURATION";
    case OBJECT_TSDICTIONARY: return "TEXT SEARCH DICTIONARY";
    case OBJECT_TSPARSER: return "TEXT SEARCH PARSER";
    case OBJECT_TSTEMPLATE: return "TEXT SEARCH TEMPLATE";
    case OBJECT_ATTRIBUTE:
    case OBJECT_TYPE: return "TYPE";
    case OBJECT_USER_MAPPING: return "USER MAPPING";
    case OBJECT_VIEW: return "VIEW";
    default: return "object";
  }
}

}  // namespace mayfly::parse
