#include "sql/parse/printed_tree.h"

#include <fmt/core.h>

#include <algorithm>

namespace mayfly::parse {
namespace {

constexpr size_t kLineWidth = 110;

// A leaf of several words, such as "call f @7", needs parentheses; a quoted one is a word.
bool NeedsParentheses(const PrintedTree& tree) {
  if (!tree.children.empty()) return true;
  return tree.head.find(' ') != std::string::npos && tree.head[0] != '\'' && tree.head[0] != '"';
}

size_t FlatSize(const PrintedTree& tree) {
  size_t size = tree.head.size() + (NeedsParentheses(tree) ? 2 : 0);
  for (const PrintedTree& child : tree.children) size += 1 + FlatSize(child);
  return size;
}

void AppendFlat(const PrintedTree& tree, std::string& out) {
  const bool parentheses = NeedsParentheses(tree);
  if (parentheses) out += '(';
  out += tree.head;
  for (const PrintedTree& child : tree.children) {
    out += ' ';
    AppendFlat(child, out);
  }
  if (parentheses) out += ')';
}

void AppendIndented(const PrintedTree& tree, size_t indent, std::string& out) {
  if (indent + FlatSize(tree) <= kLineWidth || tree.children.empty()) {
    AppendFlat(tree, out);
    return;
  }
  out += '(';
  out += tree.head;
  for (const PrintedTree& child : tree.children) {
    out += '\n';
    out.append(indent + 2, ' ');
    AppendIndented(child, indent + 2, out);
  }
  out += ')';
}

}  // namespace

PrintedTree& PrintedTree::AddText(std::string_view name, std::string_view value) {
  if (value.empty()) return *this;
  PrintedTree child{std::string(name)};
  child.Add(PrintedTree(std::string(value)));
  return Add(std::move(child));
}

PrintedTree& PrintedTree::AddFlag(std::string_view word, bool is_set) {
  return is_set ? Add(PrintedTree(std::string(word))) : *this;
}

std::string PrintedTree::Render() const {
  std::string out;
  AppendIndented(*this, 0, out);
  return out;
}

std::string PrintedName(std::string_view name) {
  const bool plain = !name.empty() && !(name[0] >= '0' && name[0] <= '9') && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || static_cast<unsigned char>(c) >= 0x80;
  });
  return plain ? std::string(name) : fmt::format("\"{}\"", name);
}

std::string PrintedString(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out += '\'';
}

}  // namespace mayfly::parse
