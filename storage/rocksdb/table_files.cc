#include "storage/rocksdb/table_files.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "storage/rocksdb/counter_merge.h"
#include "storage/rocksdb/status.h"

namespace mayfly::storage {

namespace {

constexpr uint64_t kFileBytes = uint64_t{64} << 20;
constexpr std::string_view kWriteFailed = "could not write a table file";
const std::string kKeySpaceEnd(16, '\xff');

}  // namespace

TableFiles::~TableFiles() {
  if (writer_ != nullptr) static_cast<void>(EndFile());
  for (const File& file : files_) ::unlink(file.path.c_str());
}

Status TableFiles::EnsureFile() {
  if (writer_ != nullptr && writer_->FileSize() >= kFileBytes) TRY_OK(EndFile());
  if (writer_ != nullptr) return Ok();
  writer_ = std::make_unique<rocksdb::SstFileWriter>(rocksdb::EnvOptions(), store_.db->GetOptions(family_), family_);
  files_.push_back({store_.directory->scratch_path() + '/' + std::to_string(store_.scratch_files.fetch_add(1)) + ".sst", {}, {}});
  return ToStatus(writer_->Open(files_.back().path), kWriteFailed);
}

Status TableFiles::Put(std::string_view key, std::string_view stored) {
  if (writer_ == nullptr || (rows_ & 255) == 0) TRY_OK(EnsureFile());
  ++rows_;
  last_key_.assign(key);
  return ToStatus(writer_->Put(ToSlice(key), ToSlice(stored)), kWriteFailed);
}

Status TableFiles::Delete(std::string_view key) {
  TRY_OK(EnsureFile());
  last_key_.assign(key);
  return ToStatus(writer_->Delete(ToSlice(key)), kWriteFailed);
}

Status TableFiles::Merge(std::string_view key, std::string_view operand) {
  TRY_OK(EnsureFile());
  last_key_.assign(key);
  return ToStatus(writer_->Merge(ToSlice(key), ToSlice(operand)), kWriteFailed);
}

Status TableFiles::DeleteRange(std::string_view begin, std::string_view end) {
  TRY_OK(EnsureFile());
  return ToStatus(writer_->DeleteRange(ToSlice(begin), ToSlice(end)), kWriteFailed);
}

Status TableFiles::EndFile() {
  if (writer_ == nullptr) return Ok();
  rocksdb::ExternalSstFileInfo info;
  const std::unique_ptr<rocksdb::SstFileWriter> writer = std::move(writer_);
  TRY_OK(ToStatus(writer->Finish(&info), kWriteFailed));
  File& file = files_.back();
  file.smallest = info.smallest_key.empty() ? info.smallest_range_del_key : info.smallest_key;
  file.largest = info.largest_key.empty() ? info.largest_range_del_key : info.largest_key;
  return Ok();
}

Status LoadedRows::OpenReaders(RocksStore& store) {
  std::lock_guard lock(mutex);
  if (readers.size() == files.files().size()) return Ok();
  const rocksdb::Options options = store.db->GetOptions(files.family());
  for (const TableFiles::File& file : files.files()) {
    auto reader = std::make_unique<rocksdb::SstFileReader>(options);
    TRY_OK(ToStatus(reader->Open(file.path), "could not read a table file"));
    readers.push_back(std::move(reader));
  }
  return Ok();
}

Result<bool> LoadedRows::Find(RocksStore& store, std::string_view key, std::string& stored) {
  const auto& all = files.files();
  const auto file = std::lower_bound(all.begin(), all.end(), key,
                                     [](const TableFiles::File& one, std::string_view wanted) { return one.largest < wanted; });
  if (file == all.end() || key < file->smallest) return false;
  TRY_OK(OpenReaders(store));
  const std::unique_ptr<rocksdb::Iterator> iterator(
      readers[static_cast<size_t>(file - all.begin())]->NewIterator(rocksdb::ReadOptions()));
  iterator->Seek(ToSlice(key));
  TRY_OK(ToStatus(iterator->status(), "could not read a table file"));
  if (!iterator->Valid() || ToView(iterator->key()) != key) return false;
  stored.assign(iterator->value().data(), iterator->value().size());
  return true;
}

namespace {

// The files of one column family in the order of their writes: later ones win where they overlap.
class IngestOrder {
 public:
  IngestOrder(RocksStore& store, ValueLayout layout) : store_(store), layout_(layout) {}

  // Ranges deleted after order `from` and before `to`.
  Status AddRanges(const WriteSet& writes, uint64_t from, uint64_t to) {
    for (const WriteSet::Range& range : writes.ranges()) {
      if (range.layout != layout_ || range.order < from || range.order >= to) continue;
      TableFiles& files = NewFiles();
      TRY_OK(files.DeleteRange(range.keys.begin, range.keys.end.empty() ? kKeySpaceEnd : range.keys.end));
      TRY_OK(files.EndFile());
      AddPaths(files);
    }
    return Ok();
  }

  void AddLoad(LoadedRows& load) {
    load.readers.clear();
    for (const TableFiles::File& file : load.files.files()) loaded_.push_back({file.smallest, file.largest});
    AddPaths(load.files);
  }

  // A file of own writes ends before the rows of a load begin, so that it overlaps with none where no key lies inside one.
  Status AddEntries(const WriteSet& writes) {
    TableFiles& files = NewFiles();
    std::sort(loaded_.begin(), loaded_.end(), [](const auto& left, const auto& right) { return left.begin < right.begin; });
    auto next_load = loaded_.begin();
    for (const auto& [key, entry] : writes.entries()) {
      if (entry.layout != layout_) continue;
      for (; next_load != loaded_.end() && next_load->begin <= key; ++next_load) TRY_OK(files.EndFile());
      if (entry.is_delete) {
        TRY_OK(files.Delete(key));
      } else {
        TRY_OK(files.Put(key, entry.stored));
      }
    }
    TRY_OK(files.EndFile());
    AddPaths(files);
    return Ok();
  }

  std::vector<std::string>& paths() { return paths_; }

 private:
  TableFiles& NewFiles() { return *own_.emplace_back(std::make_unique<TableFiles>(store_, store_.rows(layout_))); }
  void AddPaths(const TableFiles& files) {
    for (const TableFiles::File& file : files.files()) paths_.push_back(file.path);
  }

  RocksStore& store_;
  const ValueLayout layout_;
  std::vector<std::unique_ptr<TableFiles>> own_;
  std::vector<KeyRange> loaded_;
  std::vector<std::string> paths_;
};

Status Collect(IngestOrder& order, ValueLayout layout, const std::vector<std::shared_ptr<LoadedRows>>& loads,
               const WriteSet& writes) {
  uint64_t from = 0;
  for (const auto& load : loads) {
    if (load->table.layout != layout) continue;
    TRY_OK(order.AddRanges(writes, from, load->order));
    from = load->order;
    order.AddLoad(*load);
  }
  TRY_OK(order.AddRanges(writes, from, UINT64_MAX));
  return order.AddEntries(writes);
}

}  // namespace

Result<uint64_t> IngestAll(RocksStore& store, const std::vector<std::shared_ptr<LoadedRows>>& loads, const WriteSet& writes) {
  // What is ingested is durable at once; earlier commits must not be less so.
  TRY_OK(ToStatus(store.db->FlushWAL(true), "could not flush the log"));
  IngestOrder plain(store, ValueLayout::kPlain);
  IngestOrder tagged(store, ValueLayout::kTagged);
  TRY_OK(Collect(plain, ValueLayout::kPlain, loads, writes));
  TRY_OK(Collect(tagged, ValueLayout::kTagged, loads, writes));
  TableFiles counters(store, store.counters());
  for (const auto& [counter, delta] : writes.counters()) TRY_OK(counters.Merge(counter, EncodeCounter(delta)));
  TRY_OK(counters.EndFile());

  std::vector<rocksdb::IngestExternalFileArg> args;
  const auto add = [&args](rocksdb::ColumnFamilyHandle* family, std::vector<std::string> paths) {
    if (paths.empty()) return;
    rocksdb::IngestExternalFileArg& arg = args.emplace_back();
    arg.column_family = family;
    arg.external_files = std::move(paths);
    arg.options.move_files = true;
    arg.options.write_global_seqno = false;
  };
  add(store.rows(ValueLayout::kPlain), std::move(plain.paths()));
  add(store.rows(ValueLayout::kTagged), std::move(tagged.paths()));
  std::vector<std::string> counter_paths;
  for (const TableFiles::File& file : counters.files()) counter_paths.push_back(file.path);
  add(store.counters(), std::move(counter_paths));
  TRY_OK(ToStatus(store.db->IngestExternalFiles(args), "could not commit a bulk load"));
  return store.db->GetLatestSequenceNumber();
}

}  // namespace mayfly::storage
