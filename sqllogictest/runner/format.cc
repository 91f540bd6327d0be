// Values and rows as text lines, sorted and hashed.
#include "sqllogictest/runner/format.h"

#include <fmt/core.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

namespace mayfly::slt {
namespace {

std::string OursValue(const std::optional<std::string>& value) {
  if (!value) return "NULL";
  if (value->empty()) return "(empty)";
  if (*value == "NULL" || *value == "(empty)") return "'" + *value + "'";
  std::string text;
  for (const char c : *value) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      text += "\\n";
    } else if (c == '\t') {
      text += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      text += fmt::format("\\x{:02x}", byte);
    } else {
      text += c;
    }
  }
  return text;
}

std::string SqliteValue(const std::optional<std::string>& value, char type) {
  if (!value) return "NULL";
  if (type == 'I') {
    if (*value == "t" || *value == "f") return *value == "t" ? "1" : "0";
    return std::to_string(std::strtoll(value->c_str(), nullptr, 10));
  }
  if (type == 'R') return fmt::format("{:.3f}", std::strtod(value->c_str(), nullptr));
  if (value->empty()) return "(empty)";
  std::string text = *value;
  for (char& c : text) {
    if (c < ' ' || c > '~') c = '@';
  }
  return text;
}

std::vector<std::string> OursLines(const Record& record, const Outcome& outcome) {
  std::vector<std::string> lines;
  for (const auto& row : outcome.rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (record.sort == SortMode::kValues) {
        lines.push_back(OursValue(row[i]));
      } else {
        line += (i == 0 ? "" : "|") + OursValue(row[i]);
      }
    }
    if (record.sort != SortMode::kValues) lines.push_back(std::move(line));
  }
  if (record.sort != SortMode::kNone) std::ranges::sort(lines);
  if (record.column_names) {
    std::string names;
    for (std::size_t i = 0; i < outcome.names.size(); ++i) names += (i == 0 ? "" : "|") + outcome.names[i];
    lines.insert(lines.begin(), std::move(names));
  }
  return lines;
}

std::vector<std::string> SqliteLines(const Record& record, const Outcome& outcome) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : outcome.rows) {
    std::vector<std::string>& texts = rows.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) {
      texts.push_back(SqliteValue(row[i], i < record.types.size() ? record.types[i] : 'T'));
    }
  }
  if (record.sort == SortMode::kRows) std::ranges::sort(rows);
  std::vector<std::string> values;
  for (auto& row : rows) std::ranges::move(row, std::back_inserter(values));
  if (record.sort == SortMode::kValues) std::ranges::sort(values);
  if (record.hash_threshold > 0 && std::ssize(values) > record.hash_threshold) return {HashLine(values)};
  return values;
}

}  // namespace

std::vector<std::string> FormatResult(const Record& record, Dialect dialect, const Outcome& outcome) {
  return dialect == Dialect::kOurs ? OursLines(record, outcome) : SqliteLines(record, outcome);
}

std::string HashLine(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text += value + "\n";
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_md5(), nullptr);
  std::string line = std::to_string(values.size()) + " values hashing to ";
  for (unsigned int i = 0; i < size; ++i) line += fmt::format("{:02x}", digest[i]);
  return line;
}

std::string TypeLetters(const std::vector<Oid>& types) {
  std::string letters;
  for (const Oid type : types) {
    switch (type) {
      case 20:  // int8
      case 21:  // int2
      case 23:  // int4
      case 26:  // oid
        letters += 'I';
        break;
      case 700:   // float4
      case 701:   // float8
      case 1700:  // numeric
        letters += 'R';
        break;
      case 16:
        letters += 'B';
        break;
      default:
        letters += 'T';
    }
  }
  return letters;
}

}  // namespace mayfly::slt
