// ComputeTag: what of a row decides when it expires (TTL.md section 2).
#include <gtest/gtest.h>

#include "sql/store/table_writer.h"
#include "tests/sql/store/store_fixture.h"

namespace mayfly::store {
namespace {

constexpr int64_t kWriteTimeMs = 1'700'000'000'000;

storage::Tag TagOf(const char* type, const char* text) {
  catalog::TableDescriptor table = MakeTable({{"k", "int4"}, {"at", type}}, 1);
  table.ttl.emplace();
  table.ttl->ttl_ms = 1000;
  table.ttl->time_column = ColumnId{2};
  const Row row(table, {"1", text});
  return ComputeTag(table, row.values(), kWriteTimeMs);
}

TEST(ComputeTag, PlainTablesNeverExpire) {
  const catalog::TableDescriptor table = MakeTable({{"k", "int4"}}, 1);
  const Row row(table, {"1"});
  EXPECT_EQ(ComputeTag(table, row.values(), kWriteTimeMs), storage::kNeverTag);
}

TEST(ComputeTag, ProcessingTimeIsTheTimeOfTheWrite) {
  catalog::TableDescriptor table = MakeTable({{"k", "int4"}}, 1);
  table.ttl.emplace();
  const Row row(table, {"1"});
  EXPECT_EQ(ComputeTag(table, row.values(), kWriteTimeMs), kWriteTimeMs);
}

TEST(ComputeTag, TimesAreMillisecondsRoundedDown) {
  EXPECT_EQ(TagOf("timestamptz", "1970-01-01 00:00:00+00"), 0);
  EXPECT_EQ(TagOf("timestamptz", "2000-01-01 00:00:00.0019+00"), 946'684'800'001);
  EXPECT_EQ(TagOf("timestamptz", "1999-12-31 23:59:59.9999+00"), 946'684'799'999);
  EXPECT_EQ(TagOf("timestamp", "1970-01-01 00:00:01"), 1000);
}

TEST(ComputeTag, NullAndInfinityNeverExpireAndMinusInfinityHas) {
  EXPECT_EQ(TagOf("timestamptz", nullptr), storage::kNeverTag);
  EXPECT_EQ(TagOf("timestamptz", "infinity"), storage::kNeverTag);
  EXPECT_EQ(TagOf("timestamptz", "-infinity"), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(TagOf("int8", nullptr), storage::kNeverTag);
}

TEST(ComputeTag, BigintIsMillisecondsAsItStands) {
  EXPECT_EQ(TagOf("int8", "-9223372036854775808"), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(TagOf("int8", "-1"), -1);
  EXPECT_EQ(TagOf("int8", "1700000000000"), 1'700'000'000'000);
  EXPECT_EQ(TagOf("int8", "9223372036854775806"), std::numeric_limits<int64_t>::max() - 1);
  EXPECT_EQ(TagOf("int8", "9223372036854775807"), storage::kNeverTag);
}

}  // namespace
}  // namespace mayfly::store
