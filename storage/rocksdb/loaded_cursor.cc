#include "storage/rocksdb/loaded_cursor.h"

#include <utility>

#include "storage/rocksdb/status.h"

namespace mayfly::storage {

LoadedCursor::LoadedCursor(RocksStore& store, RowCursor committed, std::span<const std::shared_ptr<LoadedRows>> loads,
                           const TableOptions& table, const KeyRange& range, bool reverse)
    : committed_(std::make_unique<RowCursor>(std::move(committed))), range_(range), reverse_(reverse) {
  sources_.push_back({&committed_->iterator(), 0});
  for (const auto& load : loads) {
    if (load->table.table != table.table) continue;
    if (Status opened = load->OpenReaders(store); !opened.ok()) {
      error_ = std::make_shared<SqlError>(std::move(opened).error());
      return;
    }
    keep_.push_back(load);
    for (const auto& reader : load->readers) {
      rocksdb::Iterator* iterator = iterators_.emplace_back(reader->NewIterator(rocksdb::ReadOptions())).get();
      if (!reverse_) {
        iterator->Seek(range_.begin);
      } else if (range_.end.empty()) {
        iterator->SeekToLast();
      } else {
        iterator->SeekForPrev(range_.end);
        if (iterator->Valid() && iterator->key() == rocksdb::Slice(range_.end)) iterator->Prev();
      }
      sources_.push_back({iterator, load->order});
    }
  }
  Choose();
}

bool LoadedCursor::InRange(const rocksdb::Iterator& iterator) const {
  if (!iterator.Valid()) return false;
  const std::string_view key = ToView(iterator.key());
  return key >= range_.begin && (range_.end.empty() || key < range_.end);
}

void LoadedCursor::Step(Source& source) const {
  if (reverse_) {
    source.iterator->Prev();
  } else {
    source.iterator->Next();
  }
}

void LoadedCursor::Choose() {
  current_ = nullptr;
  for (Source& source : sources_) {
    if (!InRange(*source.iterator)) continue;
    if (current_ == nullptr) {
      current_ = &source;
      continue;
    }
    const int order = source.iterator->key().compare(current_->iterator->key());
    if (order == 0 ? source.order > current_->order : (reverse_ ? order > 0 : order < 0)) current_ = &source;
  }
}

void LoadedCursor::Next() {
  const std::string key = current_->iterator->key().ToString();
  for (Source& source : sources_) {
    if (InRange(*source.iterator) && source.iterator->key() == rocksdb::Slice(key)) Step(source);
  }
  Choose();
}

Status LoadedCursor::status() const {
  if (error_ != nullptr) return *error_;
  for (const Source& source : sources_) TRY_OK(ToStatus(source.iterator->status(), "could not read from storage"));
  return Ok();
}

}  // namespace mayfly::storage
