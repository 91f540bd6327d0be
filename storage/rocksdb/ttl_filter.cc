#include "storage/rocksdb/ttl_filter.h"

#include <string>

namespace mayfly::storage {

namespace {

class TtlFilter final : public rocksdb::CompactionFilter {
 public:
  explicit TtlFilter(TtlFilterContext& context)
      : context_(context), watermark_ms_(context.views.Watermark()), tables_(context.tables.tables()) {}
  ~TtlFilter() override {
    context_.rows_removed.fetch_add(removed_, std::memory_order_relaxed);
    context_.damaged_values.fetch_add(damaged_, std::memory_order_relaxed);
  }

  const char* Name() const override { return "mayfly.ttl"; }

  Decision FilterV2(int, const rocksdb::Slice& key, ValueType type, const rocksdb::Slice& stored, std::string*,
                    std::string*) const override {
    if (type != ValueType::kValue) return Decision::kKeep;
    const StorageId id = TableOfKey({key.data(), key.size()});
    if (id != current_) {
      current_ = id;
      const auto found = tables_->find(id);
      table_ = found != tables_->end() && found->second.layout == ValueLayout::kTagged ? &found->second : nullptr;
    }
    if (table_ == nullptr) return Decision::kKeep;
    DecodedValue decoded;
    if (!TryDecodeValue(table_->layout, {stored.data(), stored.size()}, decoded)) {
      ++damaged_;
      return Decision::kKeep;
    }
    if (!IsExpired(decoded.tag, table_->ttl_ms, watermark_ms_)) return Decision::kKeep;
    ++removed_;
    return Decision::kRemove;
  }

 private:
  TtlFilterContext& context_;
  const int64_t watermark_ms_;
  const std::shared_ptr<const TableRegistry::Tables> tables_;
  // One thread uses a filter, through a const interface.
  mutable StorageId current_;
  mutable const TableOptions* table_ = nullptr;
  mutable uint64_t removed_ = 0;
  mutable uint64_t damaged_ = 0;
};

class TtlFilterFactory final : public rocksdb::CompactionFilterFactory {
 public:
  explicit TtlFilterFactory(TtlFilterContext& context) : context_(context) {}
  const char* Name() const override { return "mayfly.ttl"; }
  std::unique_ptr<rocksdb::CompactionFilter> CreateCompactionFilter(const rocksdb::CompactionFilter::Context&) override {
    return std::make_unique<TtlFilter>(context_);
  }

 private:
  TtlFilterContext& context_;
};

}  // namespace

std::shared_ptr<rocksdb::CompactionFilterFactory> NewTtlFilterFactory(TtlFilterContext& context) {
  return std::make_shared<TtlFilterFactory>(context);
}

}  // namespace mayfly::storage
