// Group numbers of rows by their key columns. One integer or one string of bytes is hashed as it stands; any other key by its
// encoding.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sql/exec/key_table.h"
#include "sql/plan/plan.h"

namespace mayfly::exec {

class GroupKeys {
 public:
  explicit GroupKeys(const std::vector<plan::OutputColumn>& columns);
  ~GroupKeys();
  // Forgets all keys; memory is accounted to `account` from now on.
  void Clear(MemoryAccount* account);
  // Sets groups[row] for each selected row (NULL equals NULL), and `new_rows` to the rows, one a new group, that began one;
  // groups are numbered from 0 in the order of those.
  void Find(const std::vector<const types::Vector*>& values, types::Selection rows, std::vector<uint32_t>& groups,
            std::vector<uint16_t>& new_rows);

 private:
  enum class Kind : uint8_t { kInteger, kBytes, kEncoded };
  struct Integers;

  template <typename T>
  void FindIntegers(const types::Vector& values, types::Selection rows, std::vector<uint32_t>& groups,
                    std::vector<uint16_t>& new_rows);
  void FindBytes(const types::Vector& values, types::Selection rows, std::vector<uint32_t>& groups,
                 std::vector<uint16_t>& new_rows);
  void FindEncoded(const std::vector<const types::Vector*>& values, types::Selection rows, std::vector<uint32_t>& groups,
                   std::vector<uint16_t>& new_rows);
  uint32_t NullGroup(size_t row, std::vector<uint16_t>& new_rows);

  std::vector<const types::TypeDesc*> types_;
  Kind kind_ = Kind::kEncoded;
  KeyTable keys_;
  std::unique_ptr<Integers> integers_;
  uint32_t null_group_ = KeyTable::kNone;
  uint32_t count_ = 0;
  std::string key_;
  std::vector<uint32_t> group_of_key_;  // by number in keys_: differs from it once NULL has a group
};

}  // namespace mayfly::exec
