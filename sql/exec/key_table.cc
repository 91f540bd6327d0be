#include "sql/exec/key_table.h"

#include <boost/unordered/unordered_flat_map.hpp>

#include "sql/types/hash.h"

namespace mayfly::exec {

namespace {

struct KeyHash {
  using is_avalanching = void;
  size_t operator()(std::string_view key) const { return types::HashBytes(key); }
};

}  // namespace

struct KeyTable::State {
  boost::unordered_flat_map<std::string_view, uint32_t, KeyHash> numbers;
  Arena keys;
  MemoryAccount* account = nullptr;
  size_t accounted_bytes = 0;
};

void AppendKeyValue(const types::TypeDesc& type, const types::Datum& value, std::string& key, bool* has_null) {
  if (value.is_null()) {
    key.push_back('\1');
    *has_null = true;
    return;
  }
  key.push_back('\0');
  if (type.ops->encode_key == nullptr)
    Throw(SqlError::Make(kUndefinedFunction, "could not identify an equality operator for type {}", type.name));
  type.ops->encode_key(type, value, key);
}

KeyTable::KeyTable() : state_(std::make_unique<State>()) {}
KeyTable::~KeyTable() { Clear(nullptr); }

void KeyTable::Clear(MemoryAccount* account) {
  if (state_->account != nullptr) state_->account->Shrink(static_cast<int64_t>(state_->accounted_bytes));
  state_ = std::make_unique<State>();
  state_->account = account;
}

uint32_t KeyTable::Insert(std::string_view key, bool* is_new) {
  constexpr size_t kEntryBytes = 48;
  if (const auto at = state_->numbers.find(key); at != state_->numbers.end()) {
    *is_new = false;
    return at->second;
  }
  const auto number = static_cast<uint32_t>(state_->numbers.size());
  state_->numbers.emplace(state_->keys.Copy(key), number);
  *is_new = true;
  const size_t bytes = state_->keys.reserved_bytes() + state_->numbers.size() * kEntryBytes;
  constexpr size_t kAccountStepBytes = 64 * 1024;
  if (state_->account != nullptr && bytes > state_->accounted_bytes + kAccountStepBytes) {
    state_->account->Grow(static_cast<int64_t>(bytes - state_->accounted_bytes)).value();
    state_->accounted_bytes = bytes;
  }
  return number;
}

uint32_t KeyTable::Find(std::string_view key) const {
  const auto at = state_->numbers.find(key);
  return at == state_->numbers.end() ? kNone : at->second;
}

size_t KeyTable::size() const { return state_->numbers.size(); }

}  // namespace mayfly::exec
