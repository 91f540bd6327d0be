// A JSON text as a tree whose nodes keep their place in the text: json's functions give back parts of it just as they were
// written.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sql/types/json.h"

namespace mayfly::func {

struct JsonNode {
  types::JsonKind kind = types::JsonKind::kNull;
  std::string_view raw;  // borrowed from the text
  std::string text;      // a string's content; otherwise empty
  std::string key;       // of a member of an object
  std::vector<JsonNode> children;

  bool is_container() const { return kind == types::JsonKind::kArray || kind == types::JsonKind::kObject; }
  // The last member of this name, null where there is none. Requires: an object.
  const JsonNode* Find(std::string_view name) const;
  // Negative indexes count from the end. Null out of range. Requires: an array.
  const JsonNode* At(int64_t index) const;
  // As ->> gives it: a string's content, or the text as it stands.
  std::string_view plain() const { return kind == types::JsonKind::kString ? std::string_view(text) : raw; }
};

// `text` must outlive the tree. Throws the errors of ParseJson.
JsonNode ParseJsonTree(std::string_view text);

}  // namespace mayfly::func
