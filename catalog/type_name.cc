// Reading type names.
#include "catalog/type_name.h"

#include <algorithm>
#include <string>
#include <utility>

#include "catalog/facts.h"

namespace mayfly::catalog {

namespace {

constexpr std::pair<std::string_view, std::string_view> kSqlNames[] = {
    {"bigint", "int8"},
    {"bit varying", "varbit"},
    {"boolean", "bool"},
    {"char", "bpchar"},
    {"char varying", "varchar"},
    {"character", "bpchar"},
    {"character varying", "varchar"},
    {"dec", "numeric"},
    {"decimal", "numeric"},
    {"double precision", "float8"},
    {"float", "float8"},
    {"int", "int4"},
    {"integer", "int4"},
    {"national char", "bpchar"},
    {"national char varying", "varchar"},
    {"national character", "bpchar"},
    {"national character varying", "varchar"},
    {"nchar", "bpchar"},
    {"nchar varying", "varchar"},
    {"real", "float4"},
    {"smallint", "int2"},
    {"time with time zone", "timetz"},
    {"time without time zone", "time"},
    {"timestamp with time zone", "timestamptz"},
    {"timestamp without time zone", "timestamp"},
};

bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Lower-case words with one blank between, without modifiers in parentheses.
std::string Words(std::string_view text) {
  std::string words;
  bool blank = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') {
      i = std::min(text.find(')', i), text.size() - 1);
      blank = true;
    } else if (IsBlank(text[i])) {
      blank = true;
    } else {
      if (blank && !words.empty()) words += ' ';
      blank = false;
      words += text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] + 32) : text[i];
    }
  }
  return words;
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  return text;
}

// Takes "[]", "[3]" and " array" off the end; true where there was one.
bool TakeArraySuffix(std::string_view& text) {
  text = Trim(text);
  if (!text.ends_with(']')) return false;
  const size_t open = text.rfind('[');
  if (open == std::string_view::npos) return false;
  text = Trim(text.substr(0, open));
  return true;
}

}  // namespace

const types::TypeDesc* FindTypeBySqlName(std::string_view text) {
  bool is_array = false;
  while (TakeArraySuffix(text)) is_array = true;
  const types::TypeDesc* type = nullptr;
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
    type = FindTypeByName(text.substr(1, text.size() - 2));
  } else {
    const std::string words = Words(text);
    std::string_view name = words;
    for (const auto& [spelling, typname] : kSqlNames) {
      if (spelling == words) name = typname;
    }
    // interval may be followed by fields: interval day to second.
    if (words.starts_with("interval ")) name = "interval";
    type = FindTypeByName(name);
  }
  return type != nullptr && is_array ? type->array : type;
}

}  // namespace mayfly::catalog
