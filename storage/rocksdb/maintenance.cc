#include "storage/rocksdb/maintenance.h"

#include <rocksdb/metadata.h>

#include <algorithm>
#include <utility>

#include "storage/rocksdb/status.h"

namespace mayfly::storage {

namespace {

// Compact when this much of the family's files has expired.
constexpr double kExpiredShareMax = 0.5;
// Or when files that could not be dropped, since they lie above living rows, are this part of them.
constexpr uint64_t kExpiredFilesPart = 4;

std::string BaseName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

Result<size_t> Maintenance::Run() {
  std::lock_guard lock(mutex_);
  ReleaseLogs();
  const int64_t watermark_ms = store_.state.views.Watermark();
  std::vector<File> files = ListFiles();
  TRY(const size_t, dropped, DropExpired(files, watermark_ms));
  if (dropped > 0) files = ListFiles();
  FindSkippable(files, watermark_ms);
  TRY(const size_t, compacted, CompactExpired(files, watermark_ms));
  if (compacted > 0) FindSkippable(ListFiles(), watermark_ms);
  return dropped + compacted;
}

// The rows of a family that is seldom written keep the log in which they stand from being used again, and all logs after it. So a
// family that nobody has written since the last round is flushed where its log is older than those of all others.
void Maintenance::ReleaseLogs() {
  std::array<bool, 3> idle{};
  for (size_t i = 0; i < buffered_.size(); ++i) {
    uint64_t rows = 0;
    store_.db->GetIntProperty(store_.families[i].get(), rocksdb::DB::Properties::kNumEntriesActiveMemTable, &rows);
    idle[i] = rows > 0 && rows == buffered_[i].rows;
    if (rows == 0) buffered_[i].log = 0;
    if (rows > 0 && (buffered_[i].log == 0 || rows < buffered_[i].rows)) buffered_[i].log = store_.log_files->newest_log();
    buffered_[i].rows = rows;
  }
  for (size_t i = 0; i < buffered_.size(); ++i) {
    const auto holds_as_old = [&](const Buffered& other) { return &other != &buffered_[i] && other.rows > 0 && other.log <= buffered_[i].log; };
    if (!idle[i] || buffered_[i].log >= store_.log_files->newest_log() || std::ranges::any_of(buffered_, holds_as_old)) continue;
    rocksdb::FlushOptions options;
    options.allow_write_stall = true;
    store_.db->Flush(options, store_.families[i].get()).PermitUncheckedError();
  }
}

std::vector<Maintenance::File> Maintenance::ListFiles() {
  rocksdb::ColumnFamilyMetaData metadata;
  store_.db->GetColumnFamilyMetaData(store_.expiring(), &metadata);
  std::vector<File> files;
  std::vector<std::string> unknown;
  for (const rocksdb::LevelMetaData& level : metadata.levels) {
    for (const rocksdb::SstFileMetaData& file : level.files) {
      files.push_back({.name = BaseName(file.name),
                       .level = level.level,
                       .bytes = file.size,
                       .smallest = file.smallestkey,
                       .largest = file.largestkey,
                       .smallest_sequence = file.smallest_seqno,
                       .largest_sequence = file.largest_seqno,
                       .compacting = file.being_compacted});
      if (!known_.contains(files.back().name)) unknown.push_back(files.back().name);
    }
  }
  if (!unknown.empty()) Learn(unknown);
  for (auto at = known_.begin(); at != known_.end();) {
    const bool lives = std::any_of(files.begin(), files.end(), [&](const File& file) { return file.name == at->first; });
    at = lives ? std::next(at) : known_.erase(at);
  }
  for (File& file : files) {
    const auto found = known_.find(file.name);
    if (found == known_.end()) continue;
    file.tags = &found->second.tags;
    file.id = &found->second.id;
  }
  return files;
}

void Maintenance::Learn(const std::vector<std::string>& names) {
  rocksdb::TablePropertiesCollection properties;
  if (!store_.db->GetPropertiesOfAllTables(store_.expiring(), &properties).ok()) return;
  for (const auto& [path, file] : properties) {
    const std::string name = BaseName(path);
    if (std::find(names.begin(), names.end(), name) == names.end()) continue;
    if (std::optional<TagSummary> tags = ReadTagSummary(*file)) known_[name] = {std::move(*tags), ExpiredFiles::IdOf(*file)};
  }
}

// From the oldest data upwards: the deepest level that has files, then the next one once nothing is left below it. Files of level
// 0 overlap, so there the oldest goes first.
Result<size_t> Maintenance::DropExpired(const std::vector<File>& files, int64_t watermark_ms) {
  size_t dropped = 0;
  int level = -1;
  bool level_emptied = true;
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    if (file->level != level) {
      if (!level_emptied) break;
      level = file->level;
    }
    const bool expired = file->tags != nullptr && !file->compacting && file->tags->AllExpired(watermark_ms);
    if (!expired) {
      level_emptied = false;
      if (level == 0) break;
      continue;
    }
    const rocksdb::Status status = store_.db->DeleteFile(file->name);
    // A compaction may have put data below this file meanwhile; the next round looks again.
    if (status.IsInvalidArgument()) break;
    TRY_OK(ToStatus(status, "could not drop an expired file"));
    store_.ttl.rows_removed.fetch_add(file->tags->rows, std::memory_order_relaxed);
    files_dropped_.fetch_add(1, std::memory_order_relaxed);
    ++dropped;
  }
  return dropped;
}

// A file may be skipped where every older file that shares keys with it is expired as well: then it hides nothing that lives.
void Maintenance::FindSkippable(const std::vector<File>& files, int64_t watermark_ms) {
  ExpiredFiles::Ids ids;
  const auto expired = [&](const File& file) { return file.tags != nullptr && file.tags->AllExpired(watermark_ms); };
  for (const File& file : files) {
    if (!expired(file)) continue;
    const bool hides_living = std::any_of(files.begin(), files.end(), [&](const File& other) {
      return other.name != file.name && other.smallest_sequence < file.largest_sequence && other.smallest <= file.largest &&
             file.smallest <= other.largest && !expired(other);
    });
    if (!hides_living) ids.insert(*file.id);
  }
  store_.expired_files.Set(std::move(ids));
}

Result<size_t> Maintenance::CompactExpired(const std::vector<File>& files, int64_t watermark_ms) {
  double expired = 0;
  uint64_t expired_whole = 0;
  uint64_t total = 0;
  for (const File& file : files) {
    if (file.compacting) return size_t{0};
    total += file.bytes;
    if (file.tags != nullptr && file.tags->AllExpired(watermark_ms)) expired_whole += file.bytes;
    if (file.tags != nullptr) expired += static_cast<double>(file.bytes) * file.tags->ExpiredShare(watermark_ms);
  }
  const bool much = expired > 0 && expired >= static_cast<double>(total) * kExpiredShareMax;
  const bool whole_files = expired_whole > 0 && expired_whole >= total / kExpiredFilesPart;
  if (!much && !whole_files) return size_t{0};
  rocksdb::CompactRangeOptions options;
  options.exclusive_manual_compaction = false;
  options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
  options.canceled = &store_.closing;
  const rocksdb::Status status = store_.db->CompactRange(options, store_.expiring(), nullptr, nullptr);
  if (status.IsIncomplete()) return size_t{0};  // the engine is being closed
  TRY_OK(ToStatus(status, "could not compact expired rows"));
  return files.size();
}

}  // namespace mayfly::storage
