// A hash table over row keys: equal keys (by the types' btree equality, NULL equal to NULL) get one number each, from 0, in order
// of appearance.
//
// A key is the concatenation of its values' memcomparable encodings, which are equal exactly where the values are.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory_account.h"
#include "sql/exec/context.h"

namespace mayfly::exec {

// Appends the encoding of one key value; `has_null` is set where it is NULL.
void AppendKeyValue(const types::TypeDesc& type, const types::Datum& value, std::string& key, bool* has_null);

class KeyTable {
 public:
  KeyTable();
  ~KeyTable();
  // Forgets all keys; memory is accounted to `account` from now on.
  void Clear(MemoryAccount* account);
  // The key's number; `is_new` tells whether it was added just now.
  uint32_t Insert(std::string_view key, bool* is_new);
  static constexpr uint32_t kNone = UINT32_MAX;
  uint32_t Find(std::string_view key) const;
  size_t size() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mayfly::exec
