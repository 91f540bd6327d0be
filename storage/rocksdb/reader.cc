#include "storage/rocksdb/reader.h"

#include <rocksdb/metadata.h>

#include <algorithm>
#include <typeinfo>

#include "storage/rocksdb/counter_merge.h"
#include "storage/rocksdb/status.h"

namespace mayfly::storage {

namespace {

constexpr std::string_view kReadFailed = "could not read from storage";
// Ranges of less than this are not worth a second thread.
constexpr uint64_t kSplitBytesMin = 1 << 20;

// The value stays where RocksDB has it, pinned by the buffer.
struct ValuePin final : GetBuffer::Pin {
  rocksdb::PinnableSlice value;
};

rocksdb::PinnableSlice& PinIn(GetBuffer& buffer) {
  if (buffer.pin_ == nullptr || typeid(*buffer.pin_) != typeid(ValuePin)) [[unlikely]] {
    buffer.pin_ = std::make_unique<ValuePin>();
  }
  rocksdb::PinnableSlice& value = static_cast<ValuePin&>(*buffer.pin_).value;
  value.Reset();
  return value;
}

}  // namespace

Result<bool> GetRow(RocksStore& store, const rocksdb::ReadOptions& read, const TableOptions& table, std::string_view key,
                    int64_t ttl_now_ms, GetBuffer& buffer) {
  rocksdb::PinnableSlice& value = PinIn(buffer);
  const rocksdb::Status status = store.db->Get(read, store.rows(table.layout), ToSlice(key), &value);
  if (!status.ok()) {
    if (status.IsNotFound()) return false;
    return TranslateStatus(status, kReadFailed);
  }
  bool damaged = false;
  const bool visible = IsVisible(table, ttl_now_ms, ToView(value), buffer.row_, damaged);
  if (damaged) [[unlikely]]
    return DamagedValue(store.state, table, ToView(value));
  return visible;
}

Status MultiGetRows(RocksStore& store, const rocksdb::ReadOptions& read, const TableOptions& table,
                    std::span<const std::string_view> keys, int64_t ttl_now_ms, MultiGetFn fn) {
  constexpr size_t kBatch = 64;
  std::array<rocksdb::Slice, kBatch> slices;
  std::array<rocksdb::PinnableSlice, kBatch> values;
  std::array<rocksdb::Status, kBatch> statuses;
  for (size_t first = 0; first < keys.size(); first += kBatch) {
    const size_t count = std::min(kBatch, keys.size() - first);
    for (size_t i = 0; i < count; ++i) slices[i] = ToSlice(keys[first + i]);
    store.db->MultiGet(read, store.rows(table.layout), count, slices.data(), values.data(), statuses.data());
    for (size_t i = 0; i < count; ++i) {
      if (!statuses[i].ok() && !statuses[i].IsNotFound()) return TranslateStatus(statuses[i], kReadFailed);
      StoredRow row{.key = keys[first + i], .payload = {}};
      bool damaged = false;
      if (statuses[i].ok() && IsVisible(table, ttl_now_ms, ToView(values[i]), row, damaged)) fn(first + i, row);
      if (damaged) return DamagedValue(store.state, table, ToView(values[i]));
      values[i].Reset();
    }
  }
  return Ok();
}

Result<int64_t> GetCounter(RocksStore& store, const rocksdb::ReadOptions& read, std::string_view counter) {
  rocksdb::PinnableSlice value;
  const rocksdb::Status status = store.db->Get(read, store.counters(), ToSlice(counter), &value);
  if (status.IsNotFound()) return int64_t{0};
  if (!status.ok()) return TranslateStatus(status, kReadFailed);
  return DecodeCounter(value);
}

// Files end where other files begin, so their ends cut a range into pieces of known size; rows that are in memory are not
// counted.
namespace {

// A file's keys are taken to lie evenly: it may be cut at this many places.
constexpr size_t kStepsPerFile = 8;

// About `step` steps from `low` to `high`, as numbers of the 8 bytes after what both begin with.
std::string KeyBetween(std::string_view low, std::string_view high, size_t step) {
  const auto differ = std::mismatch(low.begin(), low.end(), high.begin(), high.end());
  const auto common = static_cast<size_t>(differ.second - high.begin());
  const auto number = [common](std::string_view key) {
    uint64_t value = 0;
    for (size_t i = common; i < common + 8; ++i) value = value << 8 | (i < key.size() ? static_cast<uint8_t>(key[i]) : 0);
    return value;
  };
  uint64_t between = number(low) + (number(high) - number(low)) / kStepsPerFile * step;
  std::string key(high.substr(0, common));
  for (int shift = 56; shift >= 0; shift -= 8) key.push_back(static_cast<char>(between >> shift & 0xff));
  return key;
}

}  // namespace

std::vector<std::string> SplitRange(RocksStore& store, const TableOptions& table, const KeyRange& range, size_t parts) {
  std::vector<std::string> cuts;
  if (parts < 2) return cuts;
  rocksdb::ColumnFamilyMetaData metadata;
  store.db->GetColumnFamilyMetaData(store.rows(table.layout), &metadata);
  std::vector<std::pair<std::string, uint64_t>> ends;  // key, bytes that end there
  uint64_t total = 0;
  for (const rocksdb::LevelMetaData& level : metadata.levels) {
    for (const rocksdb::SstFileMetaData& file : level.files) {
      if (file.largestkey < range.begin || (!range.end.empty() && file.smallestkey >= range.end)) continue;
      total += file.size;
      const std::string& smallest = std::max(file.smallestkey, range.begin);
      for (size_t step = 1; step < kStepsPerFile; ++step) ends.emplace_back(KeyBetween(smallest, file.largestkey, step), file.size / kStepsPerFile);
      ends.emplace_back(file.largestkey, file.size / kStepsPerFile);
    }
  }
  if (total < kSplitBytesMin) return cuts;
  std::sort(ends.begin(), ends.end());
  uint64_t sum = 0;
  for (const auto& [key, size] : ends) {
    sum += size;
    const bool inside = key > range.begin && (range.end.empty() || key < range.end) && (cuts.empty() || key > cuts.back());
    if (inside && sum * parts >= total * (cuts.size() + 1) && cuts.size() + 1 < parts) cuts.push_back(key);
  }
  return cuts;
}

ReadView::Size EstimateSize(RocksStore& store, const TableOptions& table, const KeyRange& range) {
  static const std::string kLast(16, '\xff');
  const rocksdb::Range bounds(range.begin, range.end.empty() ? rocksdb::Slice(kLast) : rocksdb::Slice(range.end));
  rocksdb::ColumnFamilyHandle* family = store.rows(table.layout);
  ReadView::Size size;
  uint64_t memory_rows = 0;
  uint64_t memory_bytes = 0;
  store.db->GetApproximateMemTableStats(family, bounds, &memory_rows, &memory_bytes);
  uint64_t file_bytes = 0;
  rocksdb::SizeApproximationOptions files_only;
  files_only.include_files = true;
  store.db->GetApproximateSizes(files_only, family, &bounds, 1, &file_bytes).PermitUncheckedError();
  size.rows = memory_rows;
  size.bytes = memory_bytes + file_bytes;
  if (file_bytes == 0) return size;
  // Rows of the files in proportion to what the files hold on the whole.
  rocksdb::ColumnFamilyMetaData metadata;
  store.db->GetColumnFamilyMetaData(family, &metadata);
  uint64_t entries = 0;
  uint64_t bytes = 0;
  for (const rocksdb::LevelMetaData& level : metadata.levels) {
    for (const rocksdb::SstFileMetaData& file : level.files) {
      if (file.largestkey < range.begin || (!range.end.empty() && file.smallestkey >= range.end)) continue;
      entries += file.num_entries - std::min(file.num_entries, 2 * file.num_deletions);
      bytes += file.size;
    }
  }
  if (bytes > 0)
    size.rows +=
        static_cast<uint64_t>(static_cast<double>(entries) * static_cast<double>(file_bytes) / static_cast<double>(bytes));
  return size;
}

}  // namespace mayfly::storage
