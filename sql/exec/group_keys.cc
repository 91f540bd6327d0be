#include "sql/exec/group_keys.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include "catalog/type_oid.h"

namespace mayfly::exec {

using types::PhysicalType;
using types::Selection;
using types::Vector;

struct GroupKeys::Integers {
  boost::unordered_flat_map<int64_t, uint32_t> groups;
  MemoryAccount* account = nullptr;
  int64_t accounted_bytes = 0;

  ~Integers() {
    if (account != nullptr) account->Shrink(accounted_bytes);
  }
  void Account() {
    constexpr int64_t kEntryBytes = 32;
    constexpr int64_t kStepBytes = 64 * 1024;
    const int64_t bytes = static_cast<int64_t>(groups.size()) * kEntryBytes;
    if (account == nullptr || bytes < accounted_bytes + kStepBytes) return;
    account->Grow(bytes - accounted_bytes).value();
    accounted_bytes = bytes;
  }
};

GroupKeys::GroupKeys(const std::vector<plan::OutputColumn>& columns) : integers_(std::make_unique<Integers>()) {
  for (const plan::OutputColumn& column : columns) types_.push_back(column.type);
  if (types_.size() != 1) return;
  const types::TypeDesc& type = *types_[0];
  const PhysicalType physical = type.physical();
  // Equality of all types kept as integers is that of the integers, times and dates included.
  if (physical == PhysicalType::kInt16 || physical == PhysicalType::kInt32 || physical == PhysicalType::kInt64)
    kind_ = Kind::kInteger;
  // Collation "C" compares bytes. Not so bpchar, whose trailing spaces do not count, numeric, json.
  if (type.oid == catalog::kOidText || type.oid == catalog::kOidVarchar || type.oid == catalog::kOidBytea) kind_ = Kind::kBytes;
}
GroupKeys::~GroupKeys() = default;

void GroupKeys::Clear(MemoryAccount* account) {
  keys_.Clear(account);
  integers_ = std::make_unique<Integers>();
  integers_->account = account;
  group_of_key_.clear();
  null_group_ = KeyTable::kNone;
  count_ = 0;
}

void GroupKeys::Find(const std::vector<const Vector*>& values, Selection rows, std::vector<uint32_t>& groups,
                     std::vector<uint16_t>& new_rows) {
  new_rows.clear();
  if (rows.count == 0) return;
  const size_t last = rows[rows.count - 1];
  if (groups.size() <= last) groups.resize(last + 1);
  if (kind_ == Kind::kEncoded) return FindEncoded(values, rows, groups, new_rows);
  if (kind_ == Kind::kBytes) return FindBytes(*values[0], rows, groups, new_rows);
  switch (values[0]->physical()) {
    case PhysicalType::kInt16: FindIntegers<int16_t>(*values[0], rows, groups, new_rows); break;
    case PhysicalType::kInt32: FindIntegers<int32_t>(*values[0], rows, groups, new_rows); break;
    default: FindIntegers<int64_t>(*values[0], rows, groups, new_rows); break;
  }
  integers_->Account();
}

uint32_t GroupKeys::NullGroup(size_t row, std::vector<uint16_t>& new_rows) {
  if (null_group_ == KeyTable::kNone) {
    null_group_ = count_++;
    new_rows.push_back(static_cast<uint16_t>(row));
  }
  return null_group_;
}

template <typename T>
void GroupKeys::FindIntegers(const Vector& values, Selection rows, std::vector<uint32_t>& groups,
                             std::vector<uint16_t>& new_rows) {
  const T* data = values.data<T>();
  for (size_t i = 0; i < rows.count; ++i) {
    const size_t row = rows[i];
    if (values.IsNull(row)) {
      groups[row] = NullGroup(row, new_rows);
      continue;
    }
    const auto [at, is_new] = integers_->groups.try_emplace(int64_t{data[values.Index(row)]}, count_);
    groups[row] = at->second;
    if (!is_new) continue;
    ++count_;
    new_rows.push_back(static_cast<uint16_t>(row));
  }
}

void GroupKeys::FindBytes(const Vector& values, Selection rows, std::vector<uint32_t>& groups, std::vector<uint16_t>& new_rows) {
  const auto* data = values.data<types::StringRef>();
  for (size_t i = 0; i < rows.count; ++i) {
    const size_t row = rows[i];
    if (values.IsNull(row)) {
      groups[row] = NullGroup(row, new_rows);
      continue;
    }
    bool is_new = false;
    const uint32_t key = keys_.Insert(data[values.Index(row)].view(), &is_new);
    if (is_new) {
      group_of_key_.push_back(count_++);
      new_rows.push_back(static_cast<uint16_t>(row));
    }
    groups[row] = group_of_key_[key];
  }
}

void GroupKeys::FindEncoded(const std::vector<const Vector*>& values, Selection rows, std::vector<uint32_t>& groups,
                            std::vector<uint16_t>& new_rows) {
  for (size_t i = 0; i < rows.count; ++i) {
    const size_t row = rows[i];
    key_.clear();
    bool has_null = false;
    for (size_t column = 0; column < values.size(); ++column)
      AppendKeyValue(*types_[column], values[column]->Get(row), key_, &has_null);
    bool is_new = false;
    groups[row] = keys_.Insert(key_, &is_new);
    if (is_new) new_rows.push_back(static_cast<uint16_t>(row));
  }
}

}  // namespace mayfly::exec
