// Descriptions, visibility, and names as values. Expected texts are PostgreSQL 15's.
#include "catalog/describe.h"

#include "catalog/name_resolver.h"
#include "catalog/type_name.h"
#include "tests/catalog/catalog_harness.h"

namespace mayfly::catalog {
namespace {

class DescribeTest : public CatalogTest {
 protected:
  DescribeTest() {
    oid_ = CreateTable("t");
    const auto txn = catalog_->Begin();
    const Oid schema = txn->NewOid();
    txn->PutSchema({.oid = schema, .name = "S x", .owner = kBootstrapRole, .comment = {}});
    txn->PutTable(MakeTable(*txn, "T y", schema));
    Commit(*txn);
    snapshot_ = catalog_->Current();
    table_ = snapshot_->FindTable(oid_);
    hidden_ = snapshot_->FindTable(schema, "T y");
  }
  std::string Describe(std::string_view what, Oid oid, int32_t sub_id = 0, bool pretty = false) {
    return DescribeObject(*snapshot_, path_, what, oid, sub_id, pretty).value_or("NULL");
  }
  Result<Oid> Resolve(std::string_view kind, std::string_view text) {
    return MakeNameResolver(*snapshot_, path_)->ResolveName(kind, text);
  }
  std::string Name(std::string_view kind, uint32_t oid) {
    std::string out;
    MakeNameResolver(*snapshot_, path_)->AppendName(kind, Oid{oid}, out);
    return out;
  }

  std::vector<std::string> path_ = {"postgres", "public"};
  Oid oid_;
  SnapshotPtr snapshot_;
  TablePtr table_, hidden_;
};

TEST_F(DescribeTest, Definitions) {
  const IndexDescriptor& key = table_->indexes[0];
  EXPECT_EQ(Describe("pg_get_indexdef", key.oid), "CREATE UNIQUE INDEX t_pkey ON public.t USING btree (id)");
  EXPECT_EQ(Describe("pg_get_indexdef", key.oid, 0, true), "CREATE UNIQUE INDEX t_pkey ON t USING btree (id)");
  EXPECT_EQ(Describe("pg_get_indexdef", key.oid, 1, true), "id");
  EXPECT_EQ(Describe("pg_get_indexdef", key.oid, 3), "");
  EXPECT_EQ(Describe("pg_get_indexdef", oid_), "NULL");
  EXPECT_EQ(Describe("pg_get_indexdef", hidden_->indexes[0].oid, 0, true),
            "CREATE UNIQUE INDEX \"T y_pkey\" ON \"S x\".\"T y\" USING btree (id)");
  EXPECT_EQ(Describe("pg_get_constraintdef", key.constraint_oid), "PRIMARY KEY (id)");
  EXPECT_EQ(Describe("pg_get_constraintdef", Oid{1}), "NULL");
  EXPECT_EQ(Describe("pg_get_userbyid", kBootstrapRole), "postgres");
  EXPECT_EQ(Describe("pg_get_userbyid", Oid{12345}), "NULL");
}

TEST_F(DescribeTest, Comments) {
  EXPECT_EQ(Describe("obj_description:pg_class", oid_), "a table");
  EXPECT_EQ(Describe("obj_description:pg_type", oid_), "NULL");
  EXPECT_EQ(Describe("obj_description", oid_), "a table");
  EXPECT_EQ(Describe("col_description", oid_, 2), "what it is called");
  EXPECT_EQ(Describe("col_description", oid_, 1), "NULL");
  EXPECT_EQ(Describe("col_description", oid_, 99999), "NULL");
  EXPECT_EQ(Describe("obj_description:pg_proc", Oid{177}), "implementation of + operator");
  EXPECT_EQ(Describe("obj_description:pg_namespace", kPublicSchema), "standard public schema");
}

TEST_F(DescribeTest, Functions) {
  EXPECT_EQ(Describe("pg_get_function_arguments", Oid{177}), "integer, integer");
  EXPECT_EQ(Describe("pg_get_function_result", Oid{1067}), "SETOF integer");
  EXPECT_EQ(Describe("pg_get_function_arguments", FindProcsByName("jsonb_set")[0]->oid),
            "jsonb_in jsonb, path text[], replacement jsonb, create_if_missing boolean DEFAULT true");
  EXPECT_EQ(Describe("pg_get_function_identity_arguments", FindProcsByName("jsonb_set")[0]->oid),
            "jsonb_in jsonb, path text[], replacement jsonb, create_if_missing boolean");
  EXPECT_EQ(Describe("pg_get_function_arguments", FindProcsByName("json_each")[0]->oid),
            "from_json json, OUT key text, OUT value json");
  EXPECT_EQ(Describe("pg_get_functiondef", Oid{177}),
            "CREATE OR REPLACE FUNCTION pg_catalog.int4pl(integer, integer)\n RETURNS integer\n LANGUAGE internal\n IMMUTABLE "
            "PARALLEL SAFE "
            "STRICT\nAS $function$int4pl$function$\n");
  EXPECT_THROW(Describe("pg_get_functiondef", Oid{2108}), SqlException);
}

TEST_F(DescribeTest, Visibility) {
  const auto visible = [&](std::string_view what, Oid oid) { return IsVisible(*snapshot_, path_, what, oid); };
  EXPECT_EQ(visible("pg_table_is_visible", oid_), true);
  EXPECT_EQ(visible("pg_table_is_visible", table_->indexes[0].oid), true);
  EXPECT_EQ(visible("pg_table_is_visible", hidden_->oid), false);
  EXPECT_EQ(visible("pg_table_is_visible", Oid{1259}), true);
  EXPECT_EQ(visible("pg_table_is_visible", Oid{99999}), std::nullopt);
  EXPECT_EQ(visible("pg_type_is_visible", table_->type_oid), true);
  EXPECT_EQ(visible("pg_function_is_visible", Oid{177}), true);
  EXPECT_EQ(visible("pg_relation_is_publishable", oid_), true);
  EXPECT_EQ(visible("pg_relation_is_publishable", Oid{1259}), false);
  EXPECT_EQ(visible("pg_relation_is_publishable", table_->indexes[0].oid), false);
  EXPECT_EQ(visible("pg_relation_is_publishable", Oid{99999}), std::nullopt);
  // A user's table in a schema after pg_catalog is hidden by a system table.
  const Oid user_class = CreateTable("pg_class");
  snapshot_ = catalog_->Current();
  EXPECT_EQ(IsVisible(*snapshot_, path_, "pg_table_is_visible", user_class), false);
  const std::vector<std::string> catalog_last = {"public", "pg_catalog"};
  EXPECT_EQ(IsVisible(*snapshot_, catalog_last, "pg_table_is_visible", user_class), true);
}

TEST_F(DescribeTest, NamesOfOids) {
  EXPECT_EQ(Name("regclass", oid_.value), "t");
  EXPECT_EQ(Name("regclass", 1259), "pg_class");
  EXPECT_EQ(Name("regclass", hidden_->oid.value), "\"S x\".\"T y\"");
  EXPECT_EQ(Name("regclass", 99999), "99999");
  EXPECT_EQ(Name("regtype", 1184), "timestamp with time zone");
  EXPECT_EQ(Name("regtype", table_->type_oid.value), "t");
  EXPECT_EQ(Name("regproc", 177), "int4pl");
  EXPECT_EQ(Name("regproc", 2108), "pg_catalog.sum");
  EXPECT_EQ(Name("regprocedure", 177), "int4pl(integer,integer)");
  EXPECT_EQ(Name("regoper", 551), "pg_catalog.+");
  EXPECT_EQ(Name("regoperator", 551), "+(integer,integer)");
  EXPECT_EQ(Name("regoperator", 484), "-(NONE,bigint)");
  EXPECT_EQ(Name("regnamespace", 11), "pg_catalog");
  EXPECT_EQ(Name("regrole", 10), "postgres");
  EXPECT_EQ(Name("regrole", 999999), "999999");
}

TEST_F(DescribeTest, OidsOfNames) {
  EXPECT_EQ(Resolve("regclass", "t").value(), oid_);
  EXPECT_EQ(Resolve("regclass", " Public . T ").value(), oid_);
  EXPECT_EQ(Resolve("regclass", "mayfly.public.t").value(), oid_);
  EXPECT_EQ(Resolve("regclass", "t_pkey").value(), table_->indexes[0].oid);
  EXPECT_EQ(Resolve("regclass", "\"S x\".\"T y\"").value(), hidden_->oid);
  EXPECT_EQ(Resolve("regclass", "pg_catalog.pg_class").value(), Oid{1259});
  EXPECT_EQ(Resolve("regtype", "double precision").value(), Oid{701});
  EXPECT_EQ(Resolve("regtype", "t").value(), table_->type_oid);
  EXPECT_EQ(Resolve("regproc", "int4pl").value(), Oid{177});
  EXPECT_EQ(Resolve("regproc", "pg_catalog.int4pl").value(), Oid{177});
  EXPECT_EQ(Resolve("regprocedure", "sum(int)").value(), Oid{2108});
  EXPECT_EQ(Resolve("regprocedure", "now()").value(), Oid{1299});
  EXPECT_EQ(Resolve("regoperator", "+(int4,integer)").value(), Oid{551});
  EXPECT_EQ(Resolve("regoperator", "-(NONE, bigint)").value(), Oid{484});
  EXPECT_EQ(Resolve("regnamespace", "public").value(), kPublicSchema);
  EXPECT_EQ(Resolve("regrole", "postgres").value(), kBootstrapRole);
}

TEST_F(DescribeTest, NamesOfNothing) {
  const struct {
    std::string_view kind, text;
    SqlState state;
    std::string_view message;
  } cases[] = {
      {"regclass", "foo", kUndefinedTable, "relation \"foo\" does not exist"},
      {"regclass", "public.foo", kUndefinedTable, "relation \"public.foo\" does not exist"},
      {"regclass", "a.b.c.d", kSyntaxError, "improper relation name (too many dotted names): a.b.c.d"},
      {"regclass", "nosuch.foo", kInvalidSchemaName, "schema \"nosuch\" does not exist"},
      {"regclass", "other.public.t", kFeatureNotSupported, "cross-database references are not implemented: \"other.public.t\""},
      {"regclass", "\"foo", kInvalidName, "invalid name syntax"},
      {"regclass", "", kInvalidName, "invalid name syntax"},
      {"regclass", "a.", kInvalidName, "invalid name syntax"},
      {"regtype", "foo", kUndefinedObject, "type \"foo\" does not exist"},
      {"regtype", "nosuch.foo", kInvalidSchemaName, "schema \"nosuch\" does not exist"},
      {"regproc", "foo", kUndefinedFunction, "function \"foo\" does not exist"},
      {"regproc", "sum", kAmbiguousFunction, "more than one function named \"sum\""},
      {"regprocedure", "foo(int)", kUndefinedFunction, "function \"foo(int)\" does not exist"},
      {"regprocedure", "int4pl", kInvalidTextRepresentation, "expected a left parenthesis"},
      {"regoper", "+", kAmbiguousFunction, "more than one operator named +"},
      {"regoper", "@@@#", kUndefinedFunction, "operator does not exist: @@@#"},
      {"regnamespace", "foo", kInvalidSchemaName, "schema \"foo\" does not exist"},
      {"regnamespace", "a.b", kInvalidName, "invalid name syntax"},
      {"regrole", "foo", kUndefinedObject, "role \"foo\" does not exist"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(fmt::format("{}: {}", c.kind, c.text));
    const auto result = Resolve(c.kind, c.text);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().state, c.state);
    EXPECT_EQ(result.error().message, c.message);
  }
}

TEST(TypeNameTest, SqlSpellings) {
  const std::pair<std::string_view, std::string_view> cases[] = {{"int", "int4"},
                                                                 {"INTEGER", "int4"},
                                                                 {"double  precision", "float8"},
                                                                 {"timestamp(3) with time zone", "timestamptz"},
                                                                 {"timestamp", "timestamp"},
                                                                 {"char(3)", "bpchar"},
                                                                 {"\"char\"", "char"},
                                                                 {"character varying(10)", "varchar"},
                                                                 {"decimal(3,4)[]", "_numeric"},
                                                                 {"_int4", "_int4"},
                                                                 {"int4 []", "_int4"},
                                                                 {"text[][]", "_text"},
                                                                 {"interval day to second", "interval"},
                                                                 {"bool", "bool"}};
  for (const auto& [text, name] : cases) {
    const types::TypeDesc* type = FindTypeBySqlName(text);
    ASSERT_NE(type, nullptr) << text;
    EXPECT_EQ(type->name, name) << text;
  }
  for (const std::string_view bad : {"", "[]", "foo", "int foo", "\"INT4\"", "int4]"})
    EXPECT_EQ(FindTypeBySqlName(bad), nullptr) << bad;
}

}  // namespace
}  // namespace mayfly::catalog
