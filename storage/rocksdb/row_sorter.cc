#include "storage/rocksdb/row_sorter.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <queue>
#include <utility>

#include "base/bytes.h"

namespace mayfly::storage {

namespace {

constexpr size_t kChunkBytes = size_t{1} << 20;
constexpr size_t kHeadBytes = 2 * sizeof(uint32_t);
constexpr size_t kTablePrefixBytes = sizeof(uint32_t);

struct Record {
  std::string_view key;
  std::string_view value;
  size_t size() const { return kHeadBytes + key.size() + value.size(); }
};

Record ReadRecord(const char* at) {
  const auto key_size = LoadLittleEndian<uint32_t>(at);
  const auto value_size = LoadLittleEndian<uint32_t>(at + sizeof(uint32_t));
  return {{at + kHeadBytes, key_size}, {at + kHeadBytes + key_size, value_size}};
}

uint64_t PrefixOf(std::string_view key) {
  char bytes[sizeof(uint64_t)] = {};
  if (key.size() > kTablePrefixBytes) {
    std::memcpy(bytes, key.data() + kTablePrefixBytes, std::min(sizeof bytes, key.size() - kTablePrefixBytes));
  }
  return LoadBigEndian<uint64_t>(bytes);
}

SqlError RunError(std::string_view what, const std::string& path) {
  const int error = errno;
  return SqlError::Make(error == ENOSPC ? kDiskFull : kIoError, "could not {} temporary file \"{}\": {}", what, path,
                        std::strerror(error));
}

}  // namespace

// A file of records in the order of keys, mapped while it is read.
struct RowSorter::Run {
  std::string path;
  const char* begin = nullptr;
  size_t size = 0;

  ~Run() {
    if (begin != nullptr) ::munmap(const_cast<char*>(begin), size);
    ::unlink(path.c_str());
  }
};

RowSorter::RowSorter(std::string run_prefix, size_t memory_bytes_max)
    : run_prefix_(std::move(run_prefix)), memory_bytes_max_(memory_bytes_max) {}
RowSorter::~RowSorter() = default;

Result<char*> RowSorter::Add(std::string_view key, size_t value_size) {
  const size_t size = kHeadBytes + key.size() + value_size;
  if (memory_bytes_ + size + refs_.size() * sizeof(Ref) > memory_bytes_max_ && !refs_.empty()) TRY_OK(Spill());
  if (size > free_bytes_) {
    const size_t chunk = std::max(size, kChunkBytes);
    chunks_.push_back(std::make_unique_for_overwrite<char[]>(chunk));
    free_ = chunks_.back().get();
    free_bytes_ = chunk;
  }
  char* record = free_;
  const uint32_t sizes[2] = {ToLittleEndian(static_cast<uint32_t>(key.size())),
                             ToLittleEndian(static_cast<uint32_t>(value_size))};
  std::memcpy(record, sizes, kHeadBytes);
  std::memcpy(record + kHeadBytes, key.data(), key.size());
  refs_.push_back({PrefixOf(key), record});
  free_ += size;
  free_bytes_ -= size;
  memory_bytes_ += size;
  return record + kHeadBytes + key.size();
}

void RowSorter::SortMemory() {
  const auto less = [](const Ref& left, const Ref& right) {
    if (left.prefix != right.prefix) return left.prefix < right.prefix;
    return ReadRecord(left.record).key < ReadRecord(right.record).key;
  };
  if (!std::is_sorted(refs_.begin(), refs_.end(), less)) std::sort(refs_.begin(), refs_.end(), less);
}

void RowSorter::ClearMemory() {
  refs_.clear();
  chunks_.clear();
  free_ = nullptr;
  free_bytes_ = 0;
  memory_bytes_ = 0;
}

Status RowSorter::Spill() {
  SortMemory();
  auto run = std::make_unique<Run>();
  run->path = run_prefix_ + std::to_string(runs_.size());
  run->size = memory_bytes_;
  const int fd = ::open(run->path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) return RunError("create", run->path);
  bool ok = true;
  std::string buffer;
  buffer.reserve(2 * kChunkBytes);
  const auto flush = [&] {
    for (std::string_view rest = buffer; ok && !rest.empty();) {
      const ssize_t written = ::write(fd, rest.data(), rest.size());
      ok = written > 0;
      if (ok) rest.remove_prefix(static_cast<size_t>(written));
    }
    buffer.clear();
  };
  for (const Ref& ref : refs_) {
    buffer.append(ref.record, ReadRecord(ref.record).size());
    if (buffer.size() >= kChunkBytes) flush();
  }
  flush();
  void* mapped = ok ? ::mmap(nullptr, run->size, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
  Status status = mapped == MAP_FAILED ? Status(RunError("write", run->path)) : Ok();
  ::close(fd);
  if (mapped != MAP_FAILED) {
    run->begin = static_cast<const char*>(mapped);
    ::madvise(mapped, run->size, MADV_SEQUENTIAL);
  }
  runs_.push_back(std::move(run));
  ClearMemory();
  return status;
}

Status RowSorter::ForEachSorted(SortedFn fn) {
  SortMemory();
  if (runs_.empty()) {
    for (const Ref& ref : refs_) {
      const Record record = ReadRecord(ref.record);
      TRY(const bool, more, fn(record.key, record.value));
      if (!more) break;
    }
    ClearMemory();
    return Ok();
  }
  if (!refs_.empty()) TRY_OK(Spill());
  struct Head {
    uint64_t prefix;
    Record record;
    const char* end;
  };
  const auto after = [](const Head& left, const Head& right) {
    if (left.prefix != right.prefix) return left.prefix > right.prefix;
    return left.record.key > right.record.key;
  };
  std::priority_queue<Head, std::vector<Head>, decltype(after)> heads(after);
  for (const auto& run : runs_) {
    const Record record = ReadRecord(run->begin);
    heads.push({PrefixOf(record.key), record, run->begin + run->size});
  }
  while (!heads.empty()) {
    const Head head = heads.top();
    heads.pop();
    TRY(const bool, more, fn(head.record.key, head.record.value));
    if (!more) break;
    const char* next = head.record.key.data() - kHeadBytes + head.record.size();
    if (next == head.end) continue;
    const Record record = ReadRecord(next);
    heads.push({PrefixOf(record.key), record, head.end});
  }
  return Ok();
}

}  // namespace mayfly::storage
