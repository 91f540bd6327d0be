#include "sql/func/text_quote.h"

#include <algorithm>

#include "sql/func/lift.h"
#include "sql/func/text_result.h"

namespace mayfly::func {

namespace {

struct Keyword {
  std::string_view word;
  bool reserved;  // of whatever degree: it cannot stand unquoted everywhere
};
// In byte order.
constexpr Keyword kKeywords[] = {
#define KEYWORD(word, category, bare_label) {word, category != 'U'},
#include "sql/func/keyword.def"
#undef KEYWORD
};

bool IsReserved(std::string_view name) {
  const auto* found = std::lower_bound(std::begin(kKeywords), std::end(kKeywords), name,
                                       [](const Keyword& keyword, std::string_view word) { return keyword.word < word; });
  return found != std::end(kKeywords) && found->word == name && found->reserved;
}

bool IsPlainName(std::string_view name) {
  if (name.empty() || !((name[0] >= 'a' && name[0] <= 'z') || name[0] == '_')) return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
}

}  // namespace

void AppendQuotedIdentifier(std::string_view name, std::string& out) {
  if (IsPlainName(name) && !IsReserved(name)) {
    out += name;
    return;
  }
  out += '"';
  for (const char c : name) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

void AppendQuotedLiteral(std::string_view text, std::string& out) {
  if (text.find('\\') != std::string_view::npos) out += 'E';
  out += '\'';
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += c;
    out += c;
  }
  out += '\'';
}

void QuoteIdent(const KernelCall& call) {
  std::string scratch;
  Lift<std::string_view(std::string_view)>(call, [&](std::string_view name) {
    scratch.clear();
    AppendQuotedIdentifier(name, scratch);
    return Keep(call, scratch);
  });
}

void QuoteLiteral(const KernelCall& call) {
  std::string scratch;
  Lift<std::string_view(std::string_view)>(call, [&](std::string_view text) {
    scratch.clear();
    AppendQuotedLiteral(text, scratch);
    return Keep(call, scratch);
  });
}

namespace {

// For any type: its text form, quoted. NULL is NULL, or the word where `null_word`.
void QuoteValues(const KernelCall& call, bool null_word) {
  std::string text;
  std::string quoted;
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    if (call.args[0]->IsNull(row)) {
      if (null_word) {
        call.result.SetBytes(row, "NULL");
      } else {
        call.result.SetNull(row);
      }
      continue;
    }
    text.clear();
    quoted.clear();
    AppendText(call, call.arg_types[0], call.args[0]->Get(row), text);
    AppendQuotedLiteral(text, quoted);
    call.result.SetBytes(row, quoted);
  }
}

}  // namespace

void QuoteNullable(const KernelCall& call) { QuoteValues(call, true); }
void QuoteLiteral1285(const KernelCall& call) { QuoteValues(call, false); }
void QuoteNullable1290(const KernelCall& call) { QuoteValues(call, true); }

}  // namespace mayfly::func
