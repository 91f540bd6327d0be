// pg_get_keywords(): PostgreSQL's keyword table, which drivers ask for (word, catcode, barelabel, catdesc, baredesc).
#include <iterator>

#include "sql/func/kernel.h"

namespace mayfly::func {

namespace {

struct Keyword {
  std::string_view word;
  char category;
  bool bare_label;
};
constexpr Keyword kKeywords[] = {
#define KEYWORD(word, category, bare_label) {word, category, bare_label},
#include "sql/func/keyword.def"
#undef KEYWORD
};

std::string_view CategoryText(char category) {
  switch (category) {
    case 'U': return "unreserved";
    case 'C': return "unreserved (cannot be function or type name)";
    case 'T': return "reserved (can be function or type name)";
    default: return "reserved";
  }
}

class KeywordFunction final : public SetFunction {
 public:
  size_t Next(size_t rows_max, std::span<types::Vector* const> columns) override {
    size_t row = 0;
    for (; row < rows_max && next_ < std::size(kKeywords); ++row, ++next_) {
      const Keyword& keyword = kKeywords[next_];
      columns[0]->SetBytes(row, keyword.word);
      columns[1]->Set<int32_t>(row, keyword.category);
      columns[2]->Set(row, keyword.bare_label);
      columns[3]->SetBytes(row, CategoryText(keyword.category));
      columns[4]->SetBytes(row, keyword.bare_label ? "can be bare label" : "requires AS");
    }
    return row;
  }

 private:
  size_t next_ = 0;
};

}  // namespace

std::unique_ptr<SetFunction> PgGetKeywords(const SetFunctionCall&) { return std::make_unique<KeywordFunction>(); }

}  // namespace mayfly::func
