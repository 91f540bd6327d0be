#include "sql/parse/rewrite.h"

#include <algorithm>
#include <array>
#include <span>

#include "sql/parse/rewrite_option_keys.h"
#include "sql/parse/token.h"

namespace mayfly::parse {
namespace {

using Rewrite = void (*)(std::span<const Token> tokens, std::vector<Edit>& edits);

constexpr std::array<Rewrite, 1> kRewrites = {RewriteOptionKeys};

}  // namespace

EditList RewriteForeignSpellings(std::string_view text) {
  const std::vector<Token> tokens = ScanTokens(text);
  std::vector<Edit> edits;
  for (const Rewrite rewrite : kRewrites) rewrite(tokens, edits);
  std::ranges::stable_sort(edits, {}, &Edit::begin);
  EditList list;
  for (Edit& edit : edits) list.Add(std::move(edit));
  return list;
}

}  // namespace mayfly::parse
