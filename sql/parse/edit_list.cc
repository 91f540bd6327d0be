#include "sql/parse/edit_list.h"

namespace mayfly::parse {

std::string EditList::Apply(std::string_view text) const {
  std::string out;
  out.reserve(text.size() + 64);
  size_t copied = 0;
  for (const Edit& edit : edits_) {
    out.append(text, copied, edit.begin - copied);
    out.append(edit.inserted);
    copied = edit.begin + edit.deleted_size;
  }
  out.append(text, copied);
  return out;
}

size_t EditList::Original(size_t parsed_offset) const {
  // `begin` of an edit in the parsed text is its own begin moved by what the edits before it added and took away.
  size_t inserted = 0;
  size_t deleted = 0;
  for (const Edit& edit : edits_) {
    const size_t begin = edit.begin + inserted - deleted;
    if (parsed_offset < begin) break;
    if (parsed_offset < begin + edit.inserted.size()) return edit.begin;
    inserted += edit.inserted.size();
    deleted += edit.deleted_size;
  }
  return parsed_offset + deleted - inserted;
}

const Edit* EditList::Covering(size_t parsed_offset) const {
  size_t inserted = 0;
  size_t deleted = 0;
  for (const Edit& edit : edits_) {
    const size_t begin = edit.begin + inserted - deleted;
    if (parsed_offset < begin) return nullptr;
    if (parsed_offset < begin + edit.inserted.size()) return &edit;
    inserted += edit.inserted.size();
    deleted += edit.deleted_size;
  }
  return nullptr;
}

}  // namespace mayfly::parse
