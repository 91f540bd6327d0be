#include "storage/rocksdb/tag_properties.h"

#include <algorithm>
#include <string>

#include "base/bytes.h"

namespace mayfly::storage {

namespace {

constexpr std::string_view kProperty = "mayfly.tags";
constexpr uint8_t kVersion = 1;
constexpr size_t kSamplesMax = 128;

class TagCollector final : public rocksdb::TablePropertiesCollector {
 public:
  explicit TagCollector(const TtlFilterContext& context) : tables_(context.tables.tables()) {}

  const char* Name() const override { return "mayfly.tags"; }

  rocksdb::Status AddUserKey(const rocksdb::Slice& key, const rocksdb::Slice& value, rocksdb::EntryType type,
                             rocksdb::SequenceNumber, uint64_t) override {
    if (type == rocksdb::kEntryDelete || type == rocksdb::kEntrySingleDelete) return rocksdb::Status::OK();
    const TableOptions* table = type == rocksdb::kEntryPut ? TableOf({key.data(), key.size()}) : nullptr;
    DecodedValue decoded;
    if (table == nullptr || !TryDecodeValue(table->layout, {value.data(), value.size()}, decoded)) {
      summary_.pinned = true;
      return rocksdb::Status::OK();
    }
    const int64_t expires_at = ExpiresAt(decoded.tag, table->ttl_ms);
    if (expires_at == kNeverTag) summary_.pinned = true;
    summary_.expires_max = std::max(summary_.expires_max, expires_at);
    if (summary_.rows++ % every_ == 0) Sample(expires_at);
    return rocksdb::Status::OK();
  }

  rocksdb::Status Finish(rocksdb::UserCollectedProperties* properties) override {
    std::string bytes;
    AppendLittleEndian(bytes, kVersion);
    AppendLittleEndian(bytes, static_cast<uint8_t>(summary_.pinned));
    AppendLittleEndian(bytes, summary_.expires_max);
    AppendVarint(bytes, summary_.rows);
    AppendVarint(bytes, summary_.samples.size());
    for (const int64_t sample : summary_.samples) AppendLittleEndian(bytes, sample);
    properties->insert({std::string(kProperty), bytes});
    return rocksdb::Status::OK();
  }
  rocksdb::UserCollectedProperties GetReadableProperties() const override {
    return {{"mayfly.expires_max", std::to_string(summary_.expires_max)}, {"mayfly.pinned", summary_.pinned ? "1" : "0"}};
  }

 private:
  const TableOptions* TableOf(std::string_view key) {
    const StorageId id = TableOfKey(key);
    if (id == current_) return table_;
    current_ = id;
    const auto found = tables_->find(id);
    table_ = found != tables_->end() && found->second.layout == ValueLayout::kTagged ? &found->second : nullptr;
    return table_;
  }

  // Every n-th row; n doubles, and every second sample goes, when there are too many.
  void Sample(int64_t expires_at) {
    summary_.samples.push_back(expires_at);
    if (summary_.samples.size() < kSamplesMax) return;
    size_t kept = 0;
    for (size_t i = 0; i < summary_.samples.size(); i += 2) summary_.samples[kept++] = summary_.samples[i];
    summary_.samples.resize(kept);
    every_ *= 2;
  }

  const std::shared_ptr<const TableRegistry::Tables> tables_;
  StorageId current_;
  const TableOptions* table_ = nullptr;
  TagSummary summary_;
  uint64_t every_ = 1;
};

class TagCollectorFactory final : public rocksdb::TablePropertiesCollectorFactory {
 public:
  explicit TagCollectorFactory(const TtlFilterContext& context) : context_(context) {}
  const char* Name() const override { return "mayfly.tags"; }
  rocksdb::TablePropertiesCollector* CreateTablePropertiesCollector(Context) override { return new TagCollector(context_); }

 private:
  const TtlFilterContext& context_;
};

}  // namespace

double TagSummary::ExpiredShare(int64_t watermark_ms) const {
  if (samples.empty()) return 0;
  const auto expired =
      std::count_if(samples.begin(), samples.end(), [&](int64_t at) { return at != kNeverTag && at <= watermark_ms; });
  return static_cast<double>(expired) / static_cast<double>(samples.size());
}

std::shared_ptr<rocksdb::TablePropertiesCollectorFactory> NewTagCollectorFactory(TtlFilterContext& context) {
  return std::make_shared<TagCollectorFactory>(context);
}

std::optional<TagSummary> ReadTagSummary(const rocksdb::TableProperties& properties) {
  const auto found = properties.user_collected_properties.find(std::string(kProperty));
  if (found == properties.user_collected_properties.end()) return std::nullopt;
  ByteReader reader(found->second);
  if (reader.LittleEndian<uint8_t>() != kVersion) return std::nullopt;
  TagSummary summary;
  summary.pinned = reader.LittleEndian<uint8_t>() != 0 || properties.num_range_deletions > 0 || properties.num_merge_operands > 0;
  summary.expires_max = reader.LittleEndian<int64_t>();
  summary.rows = reader.Varint();
  const uint64_t samples = reader.Varint();
  if (!reader.ok() || samples > kSamplesMax) return std::nullopt;
  for (uint64_t i = 0; i < samples; ++i) summary.samples.push_back(reader.LittleEndian<int64_t>());
  if (!reader.ok()) return std::nullopt;
  return summary;
}

}  // namespace mayfly::storage
