// The edits that turned the client's text into one the grammar takes, and the way back for positions.
//
//   client's   … WITH ('table.kv.row.ttl' = '1h')          edits, in order of `begin`, not overlapping:
//   parsed     … WITH ("table.kv.row.ttl" = '1h')          {begin, length of the deleted text, the inserted text}
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mayfly::parse {

struct Edit {
  size_t begin = 0;         // byte offset into the client's text
  size_t deleted_size = 0;  // bytes of it that are replaced
  std::string inserted;
};

class EditList {
 public:
  // Requires: begins at or after the end of the last edit.
  void Add(Edit edit) { edits_.push_back(std::move(edit)); }
  bool empty() const { return edits_.empty(); }

  std::string Apply(std::string_view text) const;
  // The byte offset in the client's text of a byte offset in the parsed one; anywhere inside an inserted text is the edit's begin.
  size_t Original(size_t parsed_offset) const;
  // The edit whose inserted text covers this offset of the parsed text; null where there is none.
  const Edit* Covering(size_t parsed_offset) const;

 private:
  std::vector<Edit> edits_;
};

}  // namespace mayfly::parse
