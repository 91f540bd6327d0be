#include "storage/rocksdb/counter_merge.h"

#include "base/bytes.h"

namespace mayfly::storage {

namespace {

class CounterMerge final : public rocksdb::AssociativeMergeOperator {
 public:
  const char* Name() const override { return "mayfly.counter"; }
  bool Merge(const rocksdb::Slice&, const rocksdb::Slice* existing, const rocksdb::Slice& value, std::string* sum,
             rocksdb::Logger*) const override {
    const auto before = static_cast<uint64_t>(existing == nullptr ? 0 : DecodeCounter(*existing));
    *sum = EncodeCounter(static_cast<int64_t>(before + static_cast<uint64_t>(DecodeCounter(value))));
    return true;
  }
};

}  // namespace

std::shared_ptr<rocksdb::MergeOperator> NewCounterMerge() { return std::make_shared<CounterMerge>(); }

std::string EncodeCounter(int64_t value) {
  std::string bytes;
  AppendLittleEndian(bytes, value);
  return bytes;
}

int64_t DecodeCounter(const rocksdb::Slice& bytes) {
  return bytes.size() == sizeof(int64_t) ? LoadLittleEndian<int64_t>(bytes.data()) : 0;
}

}  // namespace mayfly::storage
