// A scan of committed rows with a transaction's own writes laid over them.
//
//   committed   a   c   d       f          Base: a cursor over stored values, expired and all
//   own           b   (d)   e              puts and deletes; the own one wins; deleted ranges hide committed rows
//   shown       a b c       e   f
//
// Own writes made before the scan are shown; whether later ones are is unspecified.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "storage/local_state.h"
#include "storage/write_set.h"

namespace mayfly::storage {

// Base needs: bool Valid(), string_view key(), string_view stored(), void Next() (towards the end of the scan), Status status(),
// uint64_t order() (deleted ranges of this order or a higher one hide the current row).
template <typename Base>
class OverlayScan final : public Scan {
 public:
  OverlayScan(LocalState& state, const TableOptions& table, const WriteSet& writes, KeyRange range, ScanOptions options,
              int64_t ttl_now_ms, Base base)
      : state_(state),
        table_(table),
        writes_(writes),
        range_(std::move(range)),
        options_(options),
        ttl_now_ms_(ttl_now_ms),
        base_(std::move(base)) {}

  Result<size_t> NextPage(size_t rows_max, RowFn fn) override {
    return options_.reverse ? Page<true>(rows_max, fn) : Page<false>(rows_max, fn);
  }

 private:
  using Own = WriteSet::Entries::const_iterator;

  // Own entries in the order of the scan: [at, end), or backwards from `end` to `at`.
  struct OwnRange {
    Own at;
    Own end;
    bool empty() const { return at == end; }
  };
  template <bool kReverse>
  OwnRange Remaining() const {
    const WriteSet::Entries& entries = writes_.entries();
    Own begin = entries.lower_bound(range_.begin);
    Own end = range_.end.empty() ? entries.end() : entries.lower_bound(range_.end);
    if (started_) (kReverse ? end : begin) = kReverse ? entries.lower_bound(last_key_) : entries.upper_bound(last_key_);
    return {begin, end};
  }

  template <bool kReverse>
  Result<size_t> Page(size_t rows_max, RowFn fn) {
    size_t rows = 0;
    OwnRange own = Remaining<kReverse>();
    while (rows < rows_max && (base_.Valid() || !own.empty())) {
      bool from_own = !own.empty();
      Own mine = own.at;
      if (from_own) {
        if constexpr (kReverse) mine = std::prev(own.end);
        if (base_.Valid()) {
          const int order = base_.key().compare(mine->first);
          if (order == 0) base_.Next();
          from_own = order == 0 || (kReverse ? order < 0 : order > 0);
        }
      }
      if (from_own) {
        (kReverse ? own.end : own.at) = kReverse ? mine : std::next(mine);
        if (mine->second.is_delete) continue;
        TRY(const bool, shown, Show(mine->first, mine->second.stored, fn));
        rows += shown ? 1 : 0;
        continue;
      }
      if (writes_.ranges().empty() || writes_.RangeCovering(base_.key(), base_.order()) == nullptr) {
        TRY(const bool, shown, Show(base_.key(), base_.stored(), fn));
        rows += shown ? 1 : 0;
      }
      base_.Next();
    }
    TRY_OK(base_.status());
    return rows;
  }

  Result<bool> Show(std::string_view key, std::string_view stored, RowFn fn) {
    StoredRow row{.key = key, .payload = {}};
    bool damaged = false;
    if (!IsVisible(table_, ttl_now_ms_, stored, row, damaged)) {
      if (damaged) return DamagedValue(state_, table_, stored);
      return false;
    }
    if (options_.keys_only) row.payload = {};
    started_ = true;
    last_key_.assign(key);
    fn(row);
    return true;
  }

  LocalState& state_;
  const TableOptions table_;
  const WriteSet& writes_;
  const KeyRange range_;
  const ScanOptions options_;
  const int64_t ttl_now_ms_;
  Base base_;
  bool started_ = false;
  std::string last_key_;
};

}  // namespace mayfly::storage
