// The rows of the system tables, in PostgreSQL's text forms. Expected rows are PostgreSQL 15's for the same table, OIDs aside.
#include "catalog/system_tables.h"

#include <algorithm>
#include <map>

#include "catalog/name_resolver.h"
#include "catalog/virtual_table.h"
#include "sql/types/array.h"
#include "tests/catalog/catalog_harness.h"

namespace mayfly::catalog {
namespace {

class SystemTablesTest : public CatalogTest {
 protected:
  using Row = std::map<std::string, std::string>;  // text by column; NULL as "NULL"

  std::vector<Row> Read(std::string_view name, const RuntimeInfo* runtime = nullptr) {
    const SnapshotPtr snapshot = catalog_->Current();
    const TablePtr table = snapshot->FindTable(kPgCatalogSchema, name);
    EXPECT_NE(table, nullptr) << name;
    const types::IoSettings settings;
    const std::vector<std::string> path = {"public"};
    const auto names = MakeNameResolver(*snapshot, path);
    func::CallContext call{.io = {settings, names.get()}};
    std::vector<Row> rows;
    table->virtual_table->generate({*snapshot, call, runtime}, [&](std::span<const types::Datum> values) {
      ASSERT_EQ(values.size(), table->columns.size()) << name;
      Row row;
      for (size_t i = 0; i < values.size(); ++i) {
        const ColumnDescriptor& column = table->columns[i];
        std::string text = "NULL";
        if (!values[i].is_null()) {
          text.clear();
          column.type->ops->out(*column.type, values[i], call.io, text);
        } else {
          EXPECT_FALSE(column.not_null) << name << "." << column.name;
        }
        row[column.name] = std::move(text);
      }
      rows.push_back(std::move(row));
    });
    return rows;
  }
  static std::vector<Row> Where(std::vector<Row> rows, const std::string& column, const std::string& value) {
    std::erase_if(rows, [&](const Row& row) { return row.at(column) != value; });
    return rows;
  }
  // The columns named, separated by |.
  static std::string Show(const Row& row, std::initializer_list<std::string> columns) {
    std::string out;
    for (const std::string& column : columns) out += (out.empty() ? "" : "|") + row.at(column);
    return out;
  }
};

TEST_F(SystemTablesTest, EveryTableHasItsColumnsAndCanBeRead) {
  CreateTable("t");
  size_t tables = 0;
  Oid last;
  for (const TablePtr& table : SystemTables()) {
    EXPECT_LT(last, table->oid);
    last = table->oid;
    EXPECT_FALSE(table->columns.empty()) << table->name;
    if (table->virtual_table == nullptr) {
      EXPECT_FALSE(table->view_sql.empty()) << table->name;
      continue;
    }
    ++tables;
    Read(table->name);
  }
  EXPECT_GE(tables, 60u);
}

TEST_F(SystemTablesTest, EveryViewOfTheSourceIsARelation) {
  for (const ViewSource& view : ViewSources()) {
    const SchemaDescriptor* schema = catalog_->Current()->FindSchema(view.schema);
    ASSERT_NE(schema, nullptr) << view.schema;
    EXPECT_NE(FindSystemTable(schema->oid, view.name), nullptr) << view.name;
  }
}

TEST_F(SystemTablesTest, PgClass) {
  const Oid oid = CreateTable("t");
  const auto table = Where(Read("pg_class"), "oid", std::to_string(oid.value));
  ASSERT_EQ(table.size(), 1u);
  EXPECT_EQ(Show(table[0], {"relname", "relnamespace", "reloftype", "relowner", "relam", "relhasindex", "relpersistence",
                            "relkind", "relnatts", "relchecks", "relhasrules", "relispopulated", "relreplident", "relacl"}),
            "t|2200|0|10|2|t|p|r|4|0|f|t|d|NULL");
  EXPECT_EQ(table[0].at("reloptions"), "{table.kv.row.ttl=1h,table.kv.row.ttl.time-column=ts}");
  const auto index = Where(Read("pg_class"), "relname", "t_pkey");
  ASSERT_EQ(index.size(), 1u);
  EXPECT_EQ(Show(index[0], {"reltype", "relam", "relhasindex", "relkind", "relnatts", "relreplident"}), "0|403|f|i|1|n");
  const auto system = Where(Read("pg_class"), "relname", "pg_class");
  EXPECT_EQ(Show(system.at(0), {"oid", "relnamespace", "reltype", "relkind", "relnatts"}), "1259|11|83|r|33");
  EXPECT_EQ(Where(Read("pg_class"), "relname", "pg_tables").at(0).at("relkind"), "v");
  EXPECT_EQ(Where(Read("pg_class"), "relname", "pg_settings").at(0).at("relkind"), "v");
}

TEST_F(SystemTablesTest, PgAttribute) {
  const Oid oid = CreateTable("t");
  const auto rows = Where(Read("pg_attribute"), "attrelid", std::to_string(oid.value));
  const auto show = [&](const Row& row) {
    return Show(row, {"attname",     "atttypid",    "attstattarget", "attlen",       "attnum",       "attndims",
                      "attcacheoff", "atttypmod",   "attbyval",      "attalign",     "attstorage",   "attcompression",
                      "attnotnull",  "atthasdef",   "atthasmissing", "attidentity",  "attgenerated", "attisdropped",
                      "attislocal",  "attinhcount", "attcollation",  "attmissingval"});
  };
  ASSERT_EQ(rows.size(), 7u);
  EXPECT_EQ(show(rows[0]), "id|23|-1|4|1|0|-1|-1|t|i|p||t|f|f|||f|t|0|0|NULL");
  EXPECT_EQ(show(rows[1]), "name|1043|-1|-1|2|0|-1|14|f|i|x||f|t|t|||f|t|0|100|{x}");
  EXPECT_EQ(show(rows[2]), "........pg.dropped.3........|0|0|-1|3|0|-1|-1|f|i|x||f|f|f|||t|t|0|0|NULL");
  EXPECT_EQ(Show(rows[3], {"attname", "atttypid", "attnum"}), "ts|1184|4");
  EXPECT_EQ(Show(rows[4], {"attname", "atttypid", "attnum"}), "tableoid|26|-6");
  EXPECT_EQ(Show(rows[5], {"attname", "atttypid", "attnum"}), "row_ttl_timestamp|1184|-101");
  EXPECT_EQ(Show(rows[6], {"attname", "atttypid", "attnum"}), "row_expires_at|1184|-102");
  const Oid index = catalog_->Current()->FindTable(oid)->indexes[0].oid;
  const auto key = Where(Read("pg_attribute"), "attrelid", std::to_string(index.value));
  ASSERT_EQ(key.size(), 1u);
  EXPECT_EQ(show(key[0]), "id|23|-1|4|1|0|-1|-1|t|i|p||f|f|f|||f|t|0|0|NULL");
}

TEST_F(SystemTablesTest, KeysAndDefaults) {
  const Oid oid = CreateTable("t");
  const std::string relation = std::to_string(oid.value);
  const auto index = Where(Read("pg_index"), "indrelid", relation);
  ASSERT_EQ(index.size(), 1u);
  EXPECT_EQ(Show(index[0], {"indnatts", "indnkeyatts", "indisunique", "indnullsnotdistinct", "indisprimary", "indisexclusion",
                            "indimmediate", "indisclustered", "indisvalid", "indcheckxmin", "indisready", "indislive",
                            "indisreplident", "indkey", "indcollation", "indclass", "indoption", "indexprs", "indpred"}),
            "1|1|t|f|t|f|t|f|t|f|t|t|f|1|0|1978|0|NULL|NULL");
  const auto constraint = Where(Read("pg_constraint"), "conrelid", relation);
  ASSERT_EQ(constraint.size(), 1u);
  EXPECT_EQ(Show(constraint[0], {"conname", "connamespace", "contype", "condeferrable", "condeferred", "convalidated", "contypid",
                                 "confrelid", "confupdtype", "conislocal", "coninhcount", "connoinherit", "conkey", "confkey"}),
            "t_pkey|2200|p|f|f|t|0|0| |t|0|t|{1}|NULL");
  const auto defaults = Where(Read("pg_attrdef"), "adrelid", relation);
  ASSERT_EQ(defaults.size(), 1u);
  EXPECT_EQ(Show(defaults[0], {"adnum", "adbin"}), "2|'x'::character varying");
  EXPECT_EQ(Where(Read("pg_depend"), "refobjid", relation).size(), 3u);  // row type, default, constraint
}

TEST_F(SystemTablesTest, PgType) {
  const auto type = [&](const std::string& name) {
    return Show(Where(Read("pg_type"), "typname", name).at(0),
                {"oid",      "typlen",       "typbyval",   "typtype",  "typcategory", "typispreferred", "typdelim",
                 "typrelid", "typsubscript", "typelem",    "typarray", "typinput",    "typoutput",      "typreceive",
                 "typsend",  "typmodin",     "typanalyze", "typalign", "typstorage",  "typcollation"});
  };
  EXPECT_EQ(type("int4"), "23|4|t|b|N|f|,|0|-|0|1007|int4in|int4out|int4recv|int4send|-|-|i|p|0");
  EXPECT_EQ(type("_int4"),
            "1007|-1|f|b|A|f|,|0|array_subscript_handler|23|0|array_in|array_out|array_recv|array_send|-|array_typanalyze|i|x|0");
  EXPECT_EQ(type("name"), "19|64|f|b|S|f|,|0|raw_array_subscript_handler|18|1003|namein|nameout|namerecv|namesend|-|-|c|p|950");
  EXPECT_EQ(type("jsonb"),
            "3802|-1|f|b|U|f|,|0|jsonb_subscript_handler|0|3807|jsonb_in|jsonb_out|jsonb_recv|jsonb_send|-|-|i|x|0");
  const Oid oid = CreateTable("t");
  const auto row_type = Where(Read("pg_type"), "typrelid", std::to_string(oid.value));
  ASSERT_EQ(row_type.size(), 1u);
  EXPECT_EQ(Show(row_type[0], {"typname", "typlen", "typtype", "typcategory", "typinput", "typalign", "typstorage"}),
            "t|-1|c|C|record_in|d|x");
}

TEST_F(SystemTablesTest, FunctionsOperatorsCasts) {
  const auto proc = Where(Read("pg_proc"), "oid", "177").at(0);
  EXPECT_EQ(
      Show(proc, {"proname", "prolang", "procost", "prorows", "provariadic", "prokind", "proisstrict", "proretset", "provolatile",
                  "proparallel", "pronargs", "pronargdefaults", "prorettype", "proargtypes", "proallargtypes", "prosrc"}),
      "int4pl|12|1|0|0|f|t|f|i|s|2|0|23|23 23|NULL|int4pl");
  const auto each = Where(Read("pg_proc"), "proname", "json_each").at(0);
  EXPECT_EQ(Show(each, {"proallargtypes", "proargmodes", "proargnames"}), "{114,25,114}|{i,o,o}|{from_json,key,value}");
  const auto op = Where(Read("pg_operator"), "oid", "96").at(0);
  EXPECT_EQ(Show(op, {"oprname", "oprkind", "oprcanmerge", "oprcanhash", "oprleft", "oprcom", "oprnegate", "oprcode", "oprrest"}),
            "=|b|t|t|23|96|518|int4eq|eqsel");
  EXPECT_EQ(Read("pg_cast").size(), AllCasts().size());
  EXPECT_EQ(Where(Read("pg_opclass"), "opcname", "int4_ops").at(0).at("oid"), "1978");
}

TEST_F(SystemTablesTest, PgAggregate) {
  const auto average = Where(Read("pg_aggregate"), "aggfnoid", "pg_catalog.avg").at(0);
  EXPECT_EQ(Show(average, {"aggkind", "aggtransfn", "aggfinalfn", "aggcombinefn", "aggserialfn", "aggmtransfn", "aggfinalextra",
                           "aggfinalmodify", "aggsortop", "aggtranstype", "aggtransspace", "agginitval"}),
            "n|int8_avg_accum|numeric_poly_avg|int8_avg_combine|int8_avg_serialize|int8_avg_accum|f|r|0|2281|48|NULL");
}

TEST_F(SystemTablesTest, TheCluster) {
  EXPECT_EQ(Read("pg_namespace").size(), 3u);
  EXPECT_EQ(Show(Read("pg_database").at(0), {"datname", "encoding", "datlocprovider", "datcollate", "datallowconn"}),
            "mayfly|6|c|C.UTF-8|t");
  EXPECT_EQ(Show(Read("pg_authid").at(0), {"rolname", "rolsuper", "rolcanlogin", "rolconnlimit", "rolpassword"}),
            "postgres|t|t|-1|NULL");
  EXPECT_EQ(Read("pg_collation").size(), 3u);
  CreateTable("t");
  const auto comments = Where(Read("pg_description"), "description", "what it is called");
  ASSERT_EQ(comments.size(), 1u);
  EXPECT_EQ(comments[0].at("objsubid"), "2");
}

class OneSetting final : public RuntimeInfo {
 public:
  void ForEachSetting(FunctionRef<void(const SettingRow&)> fn) const override {
    fn({.name = "work_mem",
        .value = "4096",
        .unit = "kB",
        .category = "Resource Usage / Memory",
        .description = "d",
        .context = "user",
        .type = "integer",
        .boot_value = "4096",
        .reset_value = "4096",
        .min_value = "64",
        .max_value = {},
        .enum_values = {"a", "b"}});
  }
};

TEST_F(SystemTablesTest, SettingsComeFromTheSession) {
  EXPECT_TRUE(Read("pg_settings").empty());
  const OneSetting runtime;
  const auto rows = Read("pg_settings", &runtime);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(Show(rows[0], {"name", "setting", "unit", "context", "vartype", "source", "min_val", "max_val", "enumvals",
                           "pending_restart"}),
            "work_mem|4096|kB|user|integer|default|64|NULL|{a,b}|f");
}

}  // namespace
}  // namespace mayfly::catalog
