#include "sql/store/row_codec.h"

#include <gtest/gtest.h>

#include "catalog/system_columns.h"
#include "sql/store/key_codec.h"
#include "tests/sql/store/store_fixture.h"

namespace mayfly::store {
namespace {

std::string Encode(const catalog::TableDescriptor& table, const std::vector<const char*>& texts) {
  const Row row(table, texts);
  std::string payload;
  RowEncoder(table).Encode(row.values(), payload);
  return payload;
}

std::string KeyOf(const catalog::TableDescriptor& table, const std::vector<const char*>& texts) {
  const Row row(table, texts);
  const KeyCodec codec(table);
  std::string key;
  codec.Begin(key);
  for (size_t i = 0; i < codec.column_count(); ++i) codec.Append(i, row.values()[i], key);
  return key;
}

// The wanted columns as text, "a|NULL|…", or the error.
std::string Decode(const catalog::TableDescriptor& table, const std::vector<ColumnId>& wanted, const storage::StoredRow& row) {
  RowDecoder decoder(table, wanted);
  std::vector<types::Vector> vectors;
  for (const types::PhysicalType physical : decoder.physical_types()) vectors.emplace_back(physical, 4);
  std::vector<types::Vector*> out;
  for (types::Vector& vector : vectors) out.push_back(&vector);
  if (const Status status = decoder.Decode(row, 2, out); !status.ok()) {
    return fmt::format("{} {}", status.error().state.code(), status.error().message);
  }
  const types::IoSettings settings;
  std::string text;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (i > 0) text += "|";
    const types::TypeDesc& type =
        wanted[i].value > 0 ? *table.FindColumn(wanted[i])->type : *catalog::FindTypeByName("timestamptz");
    if (vectors[i].IsNull(2)) {
      text += "NULL";
    } else {
      type.ops->out(type, vectors[i].Get(2), {settings}, text);
    }
  }
  return text;
}

const std::vector<ColumnId> kAll = {ColumnId{1}, ColumnId{2}, ColumnId{3}, ColumnId{4}};
catalog::TableDescriptor Mixed() { return MakeTable({{"id", "int8"}, {"name", "text"}, {"v", "float8"}, {"small", "int2"}}, 1); }

// | version 1 | nulls | v, small | length, name |; id stands in the key alone.
TEST(RowCodec, PayloadBytesArePinned) {
  const catalog::TableDescriptor table = Mixed();
  EXPECT_EQ(Hex(Encode(table, {"5", "abc", "1.5", "-2"})), "0100000000000000f83ffeff03616263");
  EXPECT_EQ(Hex(Encode(table, {"5", nullptr, nullptr, nullptr})), "010700000000000000000000");
  EXPECT_EQ(Hex(Encode(table, {"5", "", "0", "0"})), "01000000000000000000000000");
}

TEST(RowCodec, WhatIsEncodedIsDecoded) {
  const catalog::TableDescriptor table = Mixed();
  const std::vector<std::pair<std::vector<const char*>, const char*>> kRows = {
      {{"5", "abc", "1.5", "-2"}, "5|abc|1.5|-2"},
      {{"-9223372036854775808", "a text longer than twelve bytes", "-Infinity", "32767"},
       "-9223372036854775808|a text longer than twelve bytes|-Infinity|32767"},
      {{"9223372036854775807", nullptr, "NaN", nullptr}, "9223372036854775807|NULL|NaN|NULL"},
      {{"0", "", nullptr, "0"}, "0||NULL|0"},
  };
  for (const auto& [texts, expected] : kRows) {
    const std::string key = KeyOf(table, texts);
    const std::string payload = Encode(table, texts);
    EXPECT_EQ(Decode(table, kAll, {key, payload}), expected);
    EXPECT_EQ(Decode(table, {ColumnId{4}}, {key, payload}), std::string(expected).substr(std::string(expected).rfind('|') + 1));
  }
}

TEST(RowCodec, KeysThatLoseTheValueLeaveItInThePayload) {
  const catalog::TableDescriptor table = MakeTable({{"k", "numeric"}, {"v", "int4"}}, 1);
  const std::string payload = Encode(table, {"1.500", "1"});
  EXPECT_EQ(Decode(table, {ColumnId{1}}, {KeyOf(table, {"1.500", "1"}), payload}), "1.500");
}

TEST(RowCodec, OldLayoutsAreReadByTheirOwnColumns) {
  catalog::TableDescriptor table = Mixed();
  const std::string old_payload = Encode(table, {"5", "abc", "1.5", "-2"});
  const std::string key = KeyOf(table, {"5", "abc", "1.5", "-2"});
  // v is dropped; two columns are added, one with a value for rows written before.
  table.columns[2].dropped = true;
  for (const auto& [name, type] : {std::pair("added", "int4"), std::pair("noted", "text")}) {
    catalog::ColumnDescriptor& column = table.columns.emplace_back();
    column.id = ColumnId{static_cast<int16_t>(table.columns.size())};
    column.name = name;
    column.type = catalog::FindTypeByName(type);
  }
  table.columns[5].missing_value = "none";
  table.layouts.push_back({2, PayloadColumns(table)});
  const std::vector<ColumnId> live = {ColumnId{1}, ColumnId{2}, ColumnId{4}, ColumnId{5}, ColumnId{6}};
  EXPECT_EQ(Decode(table, live, {key, old_payload}), "5|abc|-2|NULL|none");
  const std::string new_payload = Encode(table, {"5", "x", "7", "8", nullptr});
  EXPECT_EQ(new_payload[0], 2);
  EXPECT_EQ(Decode(table, live, {key, new_payload}), "5|x|7|8|NULL");
}

TEST(RowCodec, LayoutVersionsPast127TakeTwoBytes) {
  catalog::TableDescriptor table = Mixed();
  table.layouts.push_back({300, PayloadColumns(table)});
  const std::string payload = Encode(table, {"5", "abc", "1.5", "-2"});
  EXPECT_EQ(Decode(table, kAll, {KeyOf(table, {"5", "abc", "1.5", "-2"}), payload}), "5|abc|1.5|-2");
}

TEST(RowCodec, DamagedBytesAreReported) {
  const catalog::TableDescriptor table = Mixed();
  const std::string key = KeyOf(table, {"5", "abc", "1.5", "-2"});
  const std::string payload = Encode(table, {"5", "abc", "1.5", "-2"});
  const std::string prefix = "XX001 stored row of table \"t\" is damaged: ";
  EXPECT_EQ(Decode(table, kAll, {key, ""}), prefix + "no layout version");
  EXPECT_EQ(Decode(table, kAll, {key, std::string("\x09") + payload.substr(1)}), prefix + "unknown layout version");
  for (size_t size = 1; size < payload.size(); ++size) {
    const std::string text = Decode(table, kAll, {key, std::string_view(payload).substr(0, size)});
    EXPECT_TRUE(text == prefix + "too short" || text == prefix + "a value is cut off") << size << ": " << text;
  }
  EXPECT_EQ(Decode(table, kAll, {key.substr(0, 5), payload}), prefix + "the key is too short");
  for (size_t size = 6; size < key.size(); ++size) {
    EXPECT_TRUE(Decode(table, kAll, {std::string_view(key).substr(0, size), payload}).starts_with("XX001")) << size;
  }
}

TEST(RowCodec, TagsBecomeTimesAndSaturate) {
  catalog::TableDescriptor table = Mixed();
  table.ttl.emplace();
  table.ttl->ttl_ms = 1000;
  const std::string payload = Encode(table, {"5", "abc", "1.5", "-2"});
  const std::string key = KeyOf(table, {"5", "abc", "1.5", "-2"});
  const std::vector<ColumnId> times = {catalog::system_column::kRowTtlTimestamp, catalog::system_column::kRowExpiresAt};
  EXPECT_EQ(Decode(table, times, {key, payload, 0}), "1970-01-01 00:00:00+00|1970-01-01 00:00:01+00");
  EXPECT_EQ(Decode(table, times, {key, payload, storage::kNeverTag}), "NULL|NULL");
  EXPECT_EQ(Decode(table, times, {key, payload, storage::kNeverTag - 1}), "infinity|infinity");
  EXPECT_EQ(Decode(table, times, {key, payload, std::numeric_limits<int64_t>::min()}), "-infinity|-infinity");
}

}  // namespace
}  // namespace mayfly::store
