// A tree of texts, laid out in parentheses: in one line where it fits, else one child a line.
//
//   (select (targets (column a @7)) (where (op = @22 (column b @20) (integer 1 @24))))
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mayfly::parse {

struct PrintedTree {
  std::string head;
  std::vector<PrintedTree> children;

  PrintedTree() = default;
  explicit PrintedTree(std::string head_text) : head(std::move(head_text)) {}

  PrintedTree& Add(PrintedTree child) {
    children.push_back(std::move(child));
    return *this;
  }
  // (name value), and nothing for an empty value.
  PrintedTree& AddText(std::string_view name, std::string_view value);
  // The word alone, where the flag is set.
  PrintedTree& AddFlag(std::string_view word, bool is_set);

  std::string Render() const;
};

// A name as it must be written: quoted where it is not plain lower case.
std::string PrintedName(std::string_view name);
// 'text' with quotes, backslashes and control characters made visible.
std::string PrintedString(std::string_view text);

}  // namespace mayfly::parse
