// TTL.md section 4: what rows of TTL tables are in storage, read and damaged through the Engine interface.
#include <limits>

#include "catalog/catalog.h"
#include "storage/rocksdb/store.h"
#include "tests/harness/sql_harness.h"

namespace mayfly::ttl {
namespace {

using harness::EverySqlEngine;

std::string Hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

class TtlBytes : public EverySqlEngine {
 protected:
  // "key: tag payload" of each stored row, expired ones too.
  std::string Stored(std::string_view table) {
    storage::TableOptions for_ever = server_.OptionsOf(table);
    for_ever.ttl_ms = std::numeric_limits<int64_t>::max();
    const auto view = server_.engine().NewReadView();
    const auto scan = view->NewScan(for_ever, storage::Whole(for_ever), {});
    std::string text;
    const auto print = [&](const storage::StoredRow& row) {
      EXPECT_EQ(row.key.substr(0, 4), storage::Whole(for_ever).begin);
      text += fmt::format("{}{}: {} {}", text.empty() ? "" : "; ", Hex(row.key.substr(4)), row.tag, Hex(row.payload));
    };
    storage::Must(scan->NextPage(100, print));
    return text;
  }
  std::string FirstKey(const storage::TableOptions& options) {
    std::string key;
    const auto view = server_.engine().NewReadView();
    const auto scan = view->NewScan(options, storage::Whole(options), {});
    const auto take_key = [&](const storage::StoredRow& row) { key = row.key; };
    EXPECT_EQ(storage::Must(scan->NextPage(1, take_key)), 1U);
    return key;
  }
  void Put(const storage::TableOptions& options, std::string_view key, std::string_view payload) {
    const auto txn = server_.engine().NewTransaction({});
    EXPECT_TRUE(storage::Must(txn->Lock(key, storage::LockMode::kExclusive, {})));
    storage::Must(txn->Put(options, key, payload, server_.engine().TtlNowMs()));
    storage::Must(txn->Commit(storage::Durability::kFlushed));
  }
  // Three bytes where a tag of eight should be, under the key of the table's first row.
  void Damage(std::string_view table) {
    storage::TableOptions options = server_.OptionsOf(table);
    const std::string key = FirstKey(options);
    if (!server_.persistent()) {
      options.layout = storage::ValueLayout::kPlain;
      return Put(options, key, "abc");
    }
    db_.reset();
    server_.RestartAfter([&] {
      storage::RocksStore store(storage::SmallOptions(server_.directory()), server_.clock(),
                                storage::Must(storage::DataDirectory::Open(server_.directory(), false)));
      storage::Must(store.Open());
      rocksdb::WriteBatch batch;
      batch.Put(store.expiring(), key, "abc");
      storage::Must(store.Write(batch, storage::Durability::kFlushed));
      store.Close();
    });
    db_ = server_.Connect();
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, TtlBytes, harness::kEveryEngine, storage::EngineParamName);

TEST_P(TtlBytes, AreGolden) {
  Do("CREATE TABLE a (id int PRIMARY KEY, v text, ts timestamptz) WITH ('table.kv.row.ttl'='1h', 'table.kv.row.ttl.time-column'='ts')");
  Do("INSERT INTO a VALUES (1, 'x', NULL), (-1, NULL, '2023-11-14 22:13:20.001999+00')");
  // Keys: index number, then the column's ordered bytes. Payloads: row layout 1, null bits, timestamp, then length and bytes of the text.
  EXPECT_EQ(Stored("a"), "00017fffffff: 1700000000001 0101cf67e6dc22ad0200; 000180000001: 9223372036854775807 010200000000000000000178");
}

TEST_P(TtlBytes, TheTagStandsInFrontLittleEndian) {
  std::string encoded;
  storage::EncodeValue(storage::ValueLayout::kTagged, 1'700'000'000'000, "payload", encoded);
  EXPECT_EQ(Hex(encoded), "0068e5cf8b0100007061796c6f6164");
  encoded.clear();
  storage::EncodeValue(storage::ValueLayout::kPlain, 1'700'000'000'000, "payload", encoded);
  EXPECT_EQ(encoded, "payload");
  Do("CREATE TABLE a (id int PRIMARY KEY, ms bigint) WITH ('table.kv.row.ttl'='1d', 'table.kv.row.ttl.time-column'='ms')");
  Do("CREATE TABLE b (id int PRIMARY KEY, ms bigint)");
  EXPECT_EQ(server_.OptionsOf("a").layout, storage::ValueLayout::kTagged);
  EXPECT_EQ(server_.OptionsOf("b").layout, storage::ValueLayout::kPlain);
}

TEST_P(TtlBytes, ANewerFormatVersionIsRefusedByTheTablesName) {
  Do("CREATE TABLE future (id int PRIMARY KEY) WITH ('table.kv.row.ttl'='1h')");
  Do("INSERT INTO future VALUES (1)");
  {
    const auto fresh = storage::Must(catalog::OpenCatalog(server_.engine(), {}));
    const auto changes = fresh->Begin();
    catalog::TableDescriptor table = *changes->snapshot()->FindTable(catalog::kPublicSchema, "future");
    table.kv_format_version = storage::kValueLayoutMax + 1;
    changes->PutTable(std::move(table));
    const auto txn = server_.engine().NewTransaction({});
    txn->BeginStatement();
    storage::Must(changes->WriteTo(*txn));
    storage::Must(txn->Commit(storage::Durability::kFlushed));
  }
  db_.reset();
  const std::string error = server_.Reopen();
  EXPECT_EQ(error.substr(0, 5), "0A000");
  EXPECT_NE(error.find("future"), std::string::npos) << error;
  EXPECT_NE(error.find('3'), std::string::npos) << error;
}

TEST_P(TtlBytes, AValueTooShortForItsLayoutIsKeptCountedAndReported) {
  Do("CREATE TABLE a (id int PRIMARY KEY, v text) WITH ('table.kv.row.ttl'='1h')");
  Do("INSERT INTO a VALUES (1, 'x'), (2, 'y')");
  Damage("a");
  const uint64_t before = server_.engine().stats().damaged_values;
  const std::string point = Rows("SELECT * FROM a WHERE id = 1");
  EXPECT_EQ(point.substr(0, 5), "XX001") << point;
  EXPECT_EQ(Rows("SELECT * FROM a").substr(0, 5), "XX001");
  EXPECT_EQ(Rows("SELECT count(*) FROM a").substr(0, 5), "XX001");
  EXPECT_EQ(Rows("SELECT v FROM a WHERE id = 2"), "y");
  EXPECT_GT(server_.engine().stats().damaged_values, before);
  // Neither time nor compaction removes it.
  server_.AdvanceMs(100 * 3'600'000);
  storage::Must(server_.engine().FlushMemtables());
  storage::Must(server_.engine().RunMaintenance());
  storage::Must(server_.engine().CompactTable(server_.OptionsOf("a").table));
  EXPECT_EQ(Rows("SELECT v FROM a WHERE id = 1").substr(0, 5), "XX001");
  EXPECT_EQ(Rows("SELECT v FROM a WHERE id = 2"), "");
  EXPECT_EQ(Tag("UPDATE a SET v = 'z' WHERE id = 1").substr(0, 5), "XX001");
}

TEST_P(TtlBytes, APayloadTooShortForItsColumnsIsReported) {
  Do("CREATE TABLE a (id int PRIMARY KEY, n int8, v text) WITH ('table.kv.row.ttl'='1h')");
  Do("INSERT INTO a VALUES (1, 5, 'x')");
  const storage::TableOptions options = server_.OptionsOf("a");
  const std::string key = FirstKey(options);
  for (const std::string_view payload : {std::string_view(""), std::string_view("\x01"), std::string_view("\x01\x00\x05", 3),
                                         std::string_view("\x63zzzzzzzzzzzzzzzz"), std::string_view("\x01\x00\x05\0\0\0\0\0\0\0\x09x", 12)}) {
    Put(options, key, payload);
    EXPECT_EQ(Rows("SELECT * FROM a WHERE id = 1").substr(0, 5), "XX001") << Hex(payload);
    EXPECT_EQ(Rows("SELECT v FROM a").substr(0, 5), "XX001") << Hex(payload);
  }
}

}  // namespace
}  // namespace mayfly::ttl
