// regexp_replace, regexp_match(es) and regexp_split (PostgreSQL manual, 9.7.3).
#include "sql/func/lift.h"
#include "sql/func/regex_search.h"
#include "sql/func/text_result.h"
#include "sql/types/utf8.h"

namespace mayfly::func {

namespace {

SqlError InvalidParameter(std::string_view name, int32_t value) {
  return SqlError::Make(kInvalidParameterValue, "invalid value for parameter \"{}\": {}", name, value);
}

RegexFlags FlagsWithoutGlobal(std::string_view text, std::string_view function, std::string_view hint = {}) {
  const RegexFlags flags = ParseRegexFlags(text);
  if (flags.global) {
    SqlError error = SqlError::Make(kInvalidParameterValue, "{}() does not support the \"global\" option", function);
    error.hint = hint;
    Throw(std::move(error));
  }
  return flags;
}

// Arguments: text, pattern, replacement, start, n, flags; those from start on may be absent.
void ReplaceKernel(const KernelCall& call) {
  RegexSource source;
  std::string scratch;
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    const types::Datum text = call.args[0]->Get(row);
    const types::Datum pattern = call.args[1]->Get(row);
    const types::Datum replacement = call.args[2]->Get(row);
    const int32_t start = call.args[3]->Get(row).get<int32_t>();
    if (start <= 0) Throw(InvalidParameter("start", start));
    const int32_t which = call.args.size() > 4 ? call.args[4]->Get(row).get<int32_t>() : 1;
    if (which < 0) Throw(InvalidParameter("n", which));
    RegexFlags flags;
    if (call.args.size() > 5) flags = ParseRegexFlags(call.args[5]->Get(row).bytes());
    const Regex& regex = source.Get(pattern.bytes(), flags);
    const auto skip = static_cast<size_t>(start - 1);
    if (skip > types::Utf8Count(text.bytes())) {
      call.result.SetDatum(row, text);
      continue;
    }
    const size_t offset = types::Utf8Offset(text.bytes(), skip);
    scratch.clear();
    ReplaceByRegex(regex, text.bytes(), replacement.bytes(), {.start = offset, .which = which}, scratch);
    call.result.SetBytes(row, scratch);
  }
}

void MatchArrayKernel(const KernelCall& call) {
  RegexSource source;
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    const types::Datum text = call.args[0]->Get(row);
    const types::Datum pattern = call.args[1]->Get(row);
    RegexFlags flags;
    if (call.args.size() > 2) {
      flags = FlagsWithoutGlobal(call.args[2]->Get(row).bytes(), "regexp_match", "Use the regexp_matches function instead.");
    }
    const auto matches = FindRegexMatches(source.Get(pattern.bytes(), flags), text.bytes(), {});
    if (matches.empty()) {
      call.result.SetNull(row);
    } else {
      call.result.SetDatum(row, MatchToArray(matches[0], *call.result_type.type->element, call.result.heap()), true);
    }
  }
}

void SplitArrayKernel(const KernelCall& call) {
  RegexSource source;
  types::ArrayBuilder builder(*call.result_type.type->element);
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    const types::Datum text = call.args[0]->Get(row);
    const types::Datum pattern = call.args[1]->Get(row);
    RegexFlags flags;
    if (call.args.size() > 2) flags = FlagsWithoutGlobal(call.args[2]->Get(row).bytes(), "regexp_split_to_array");
    builder.Clear();
    for (const std::string_view piece : SplitByRegex(source.Get(pattern.bytes(), flags), text.bytes()))
      builder.Append(types::Datum(piece));
    call.result.SetDatum(row, builder.Finish(call.result.heap()), true);
  }
}

// One text[] a match.
class MatchesFunction final : public SetFunction {
 public:
  explicit MatchesFunction(const SetFunctionCall& call) : text_(call.args[0].bytes()), element_(call.result_type.type->element) {
    RegexFlags flags;
    if (call.args.size() > 2) flags = ParseRegexFlags(call.args[2].bytes());
    regex_ = CompileRegex(call.args[1].bytes(), flags);
    matches_ = FindRegexMatches(*regex_, text_, {.global = flags.global});
  }
  size_t Next(size_t rows_max, std::span<types::Vector* const> columns) override {
    size_t row = 0;
    for (; row < rows_max && next_ < matches_.size(); ++row) {
      columns[0]->SetDatum(row, MatchToArray(matches_[next_++], *element_, columns[0]->heap()), true);
    }
    return row;
  }

 private:
  std::string text_;
  const types::TypeDesc* element_;
  std::shared_ptr<const Regex> regex_;
  std::vector<RegexMatchGroups> matches_;
  size_t next_ = 0;
};

class SplitFunction final : public SetFunction {
 public:
  explicit SplitFunction(const SetFunctionCall& call) : text_(call.args[0].bytes()) {
    RegexFlags flags;
    if (call.args.size() > 2) flags = FlagsWithoutGlobal(call.args[2].bytes(), "regexp_split_to_table");
    pieces_ = SplitByRegex(*CompileRegex(call.args[1].bytes(), flags), text_);
  }
  size_t Next(size_t rows_max, std::span<types::Vector* const> columns) override {
    size_t row = 0;
    for (; row < rows_max && next_ < pieces_.size(); ++row) columns[0]->SetBytes(row, pieces_[next_++]);
    return row;
  }

 private:
  std::string text_;
  std::vector<std::string_view> pieces_;
  size_t next_ = 0;
};

}  // namespace

void TextregexreplaceNoopt(const KernelCall& call) {
  RegexSource source;
  std::string scratch;
  Lift<std::string_view(std::string_view, std::string_view, std::string_view)>(
      call, [&](std::string_view text, std::string_view pattern, std::string_view replacement) {
        scratch.clear();
        ReplaceByRegex(source.Get(pattern, {}), text, replacement, {}, scratch);
        return Keep(call, scratch);
      });
}

void Textregexreplace(const KernelCall& call) {
  RegexSource source;
  std::string scratch;
  Lift<std::string_view(std::string_view, std::string_view, std::string_view, std::string_view)>(
      call, [&](std::string_view text, std::string_view pattern, std::string_view replacement, std::string_view options) {
        if (!options.empty() && options[0] >= '0' && options[0] <= '9') {
          Throw(SqlError::Make(kInvalidParameterValue, "invalid regular expression option: \"{}\"", options.substr(0, 1))
                    .Hint("If you meant to use regexp_replace() with a start parameter, cast the fourth argument to integer "
                          "explicitly."));
        }
        const RegexFlags flags = ParseRegexFlags(options);
        scratch.clear();
        ReplaceByRegex(source.Get(pattern, flags), text, replacement, {.which = flags.global ? 0 : 1}, scratch);
        return Keep(call, scratch);
      });
}

void TextregexreplaceExtended(const KernelCall& call) { ReplaceKernel(call); }
void TextregexreplaceExtendedNoFlags(const KernelCall& call) { ReplaceKernel(call); }
void TextregexreplaceExtendedNoN(const KernelCall& call) { ReplaceKernel(call); }

void RegexpMatch(const KernelCall& call) { MatchArrayKernel(call); }
void RegexpMatchNoFlags(const KernelCall& call) { MatchArrayKernel(call); }
void RegexpSplitToArray(const KernelCall& call) { SplitArrayKernel(call); }
void RegexpSplitToArrayNoFlags(const KernelCall& call) { SplitArrayKernel(call); }

std::unique_ptr<SetFunction> RegexpMatches(const SetFunctionCall& call) { return std::make_unique<MatchesFunction>(call); }
std::unique_ptr<SetFunction> RegexpMatchesNoFlags(const SetFunctionCall& call) { return std::make_unique<MatchesFunction>(call); }
std::unique_ptr<SetFunction> RegexpSplitToTable(const SetFunctionCall& call) { return std::make_unique<SplitFunction>(call); }
std::unique_ptr<SetFunction> RegexpSplitToTableNoFlags(const SetFunctionCall& call) {
  return std::make_unique<SplitFunction>(call);
}

}  // namespace mayfly::func
