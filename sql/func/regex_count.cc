// regexp_count, regexp_instr, regexp_like and regexp_substr: one body each for all their argument lists (PostgreSQL manual, 9.4).
#include "sql/func/regex_search.h"
#include "sql/func/text_result.h"
#include "sql/types/utf8.h"

namespace mayfly::func {

namespace {

using types::Datum;

// The arguments of one row, with defaults for those that the overload lacks.
class Arguments {
 public:
  Arguments(const KernelCall& call, size_t row)
      : call_(call), row_(row), text_(call.args[0]->Get(row)), pattern_(call.args[1]->Get(row)) {}

  std::string_view text() const { return text_.bytes(); }
  std::string_view pattern() const { return pattern_.bytes(); }
  int32_t Integer(size_t index, int32_t absent) const {
    return index < call_.args.size() ? call_.args[index]->Get(row_).get<int32_t>() : absent;
  }
  // At least `least`, else 22023 naming the parameter.
  int32_t IntegerAtLeast(size_t index, int32_t least, int32_t absent, std::string_view name) const {
    const int32_t value = Integer(index, absent);
    if (value < least) Throw(SqlError::Make(kInvalidParameterValue, "invalid value for parameter \"{}\": {}", name, value));
    return value;
  }
  RegexFlags Flags(size_t index, std::string_view function) const {
    if (index >= call_.args.size()) return {};
    const Datum text = call_.args[index]->Get(row_);
    const RegexFlags flags = ParseRegexFlags(text.bytes());
    if (flags.global) Throw(SqlError::Make(kInvalidParameterValue, "{}() does not support the \"global\" option", function));
    return flags;
  }
  // All matches from the character number in argument `index` on.
  std::vector<RegexMatchGroups> Matches(RegexSource& source, const RegexFlags& flags, int32_t start, bool with_groups) const {
    const Regex& regex = source.Get(pattern(), flags);
    const size_t skip = static_cast<size_t>(start) - 1;
    if (skip > types::Utf8Count(text())) return {};
    return FindRegexMatches(regex, text(),
                            {.global = true, .start = types::Utf8Offset(text(), skip), .with_groups = with_groups});
  }

 private:
  const KernelCall& call_;
  size_t row_;
  Datum text_;
  Datum pattern_;
};

// (text, pattern, start, flags)
void CountKernel(const KernelCall& call) {
  RegexSource source;
  for (size_t i = 0; i < call.rows.count; ++i) {
    const Arguments arguments(call, call.rows[i]);
    const int32_t start = arguments.IntegerAtLeast(2, 1, 1, "start");
    const RegexFlags flags = arguments.Flags(3, "regexp_count");
    call.result.Set(call.rows[i], static_cast<int32_t>(arguments.Matches(source, flags, start, false).size()));
  }
}

// (text, pattern, start, n, endoption, flags, subexpr)
void InstrKernel(const KernelCall& call) {
  RegexSource source;
  for (size_t i = 0; i < call.rows.count; ++i) {
    const Arguments arguments(call, call.rows[i]);
    const int32_t start = arguments.IntegerAtLeast(2, 1, 1, "start");
    const int32_t n = arguments.IntegerAtLeast(3, 1, 1, "n");
    const int32_t end_option = arguments.IntegerAtLeast(4, 0, 0, "endoption");
    if (end_option > 1)
      Throw(SqlError::Make(kInvalidParameterValue, "invalid value for parameter \"{}\": {}", "endoption", end_option));
    const int32_t group = arguments.IntegerAtLeast(6, 0, 0, "subexpr");
    const RegexFlags flags = arguments.Flags(5, "regexp_instr");
    const auto matches = arguments.Matches(source, flags, start, group > 0);
    int32_t position = 0;
    if (static_cast<size_t>(n) <= matches.size() && static_cast<size_t>(group) < matches[static_cast<size_t>(n) - 1].size()) {
      const std::string_view found = matches[static_cast<size_t>(n) - 1][static_cast<size_t>(group)];
      if (found.data() != nullptr) {
        const auto bytes = static_cast<size_t>(found.data() - arguments.text().data()) + (end_option == 1 ? found.size() : 0);
        position = static_cast<int32_t>(types::Utf8Count(arguments.text().substr(0, bytes)) + 1);
      }
    }
    call.result.Set(call.rows[i], position);
  }
}

// (text, pattern, flags)
void LikeKernel(const KernelCall& call) {
  RegexSource source;
  for (size_t i = 0; i < call.rows.count; ++i) {
    const Arguments arguments(call, call.rows[i]);
    const RegexFlags flags = arguments.Flags(2, "regexp_like");
    call.result.Set(call.rows[i], source.Get(arguments.pattern(), flags).Matches(arguments.text()));
  }
}

// (text, pattern, start, n, flags, subexpr)
void SubstrKernel(const KernelCall& call) {
  RegexSource source;
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    const Arguments arguments(call, row);
    const int32_t start = arguments.IntegerAtLeast(2, 1, 1, "start");
    const int32_t n = arguments.IntegerAtLeast(3, 1, 1, "n");
    const int32_t group = arguments.IntegerAtLeast(5, 0, 0, "subexpr");
    const RegexFlags flags = arguments.Flags(4, "regexp_substr");
    const auto matches = arguments.Matches(source, flags, start, group > 0);
    std::string_view found;
    if (static_cast<size_t>(n) <= matches.size() && static_cast<size_t>(group) < matches[static_cast<size_t>(n) - 1].size()) {
      found = matches[static_cast<size_t>(n) - 1][static_cast<size_t>(group)];
    }
    if (found.data() == nullptr) {
      call.result.SetNull(row);
    } else {
      call.result.SetBytes(row, found);
    }
  }
}

}  // namespace

void RegexpCount(const KernelCall& call) { CountKernel(call); }
void RegexpCountNoFlags(const KernelCall& call) { CountKernel(call); }
void RegexpCountNoStart(const KernelCall& call) { CountKernel(call); }
void RegexpInstr(const KernelCall& call) { InstrKernel(call); }
void RegexpInstrNoEndoption(const KernelCall& call) { InstrKernel(call); }
void RegexpInstrNoFlags(const KernelCall& call) { InstrKernel(call); }
void RegexpInstrNoN(const KernelCall& call) { InstrKernel(call); }
void RegexpInstrNoStart(const KernelCall& call) { InstrKernel(call); }
void RegexpInstrNoSubexpr(const KernelCall& call) { InstrKernel(call); }
void RegexpLike(const KernelCall& call) { LikeKernel(call); }
void RegexpLikeNoFlags(const KernelCall& call) { LikeKernel(call); }
void RegexpSubstr(const KernelCall& call) { SubstrKernel(call); }
void RegexpSubstrNoFlags(const KernelCall& call) { SubstrKernel(call); }
void RegexpSubstrNoN(const KernelCall& call) { SubstrKernel(call); }
void RegexpSubstrNoStart(const KernelCall& call) { SubstrKernel(call); }
void RegexpSubstrNoSubexpr(const KernelCall& call) { SubstrKernel(call); }

}  // namespace mayfly::func
