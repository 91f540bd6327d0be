// The operators ~ ~* !~ !~*, substring(text from pattern) and SIMILAR TO's translation to a regular expression.
#include "sql/func/lift.h"
#include "sql/func/regex_search.h"
#include "sql/func/text_result.h"
#include "sql/types/utf8.h"

namespace mayfly::func {

namespace {

void MatchKernel(const KernelCall& call, bool wanted, bool ignore_case, bool ascii = false) {
  RegexSource source;
  RegexFlags flags;
  flags.ignore_case = ignore_case;
  flags.ascii = ascii;
  if (call.args[1]->is_constant() && call.rows.count > 0) {
    const types::Datum pattern = call.args[1]->Get(0);
    const Regex& regex = source.Get(pattern.bytes(), flags);
    Lift<bool(std::string_view)>(call, [&](std::string_view text) { return regex.Matches(text) == wanted; });
    return;
  }
  Lift<bool(std::string_view, std::string_view)>(
      call, [&](std::string_view text, std::string_view pattern) { return source.Get(pattern, flags).Matches(text) == wanted; });
}

SqlError InvalidEscape() {
  return SqlError::Make(kInvalidEscapeSequence, "invalid escape string").Hint("Escape string must be empty or one character.");
}

// Turns a SQL pattern into one of ours: anchored, % for .*, _ for a dot; escape-double-quotes cut it into three parts, of which
// the middle one is what substring() returns.
class SimilarPattern {
 public:
  SimilarPattern(std::string_view pattern, std::string_view escape, std::string& out)
      : pattern_(pattern), escape_(escape), out_(out) {
    if (!escape.empty() && types::Utf8Count(escape) != 1) Throw(InvalidEscape());
  }

  void Translate() {
    out_ = "^(?:";
    for (size_t at = 0; at < pattern_.size();) {
      const std::string_view character = pattern_.substr(at, types::Utf8Length(pattern_[at]));
      at += character.size();
      if (after_escape_) {
        Escaped(character);
      } else if (!escape_.empty() && character == escape_) {
        after_escape_ = true;
      } else if (in_class_) {
        if (character == "\\") out_ += '\\';
        out_ += character;
        if (character == "]") in_class_ = false;
      } else {
        Plain(character);
      }
    }
    out_ += ")$";
  }

 private:
  void Escaped(std::string_view character) {
    after_escape_ = false;
    if (character != "\"" || in_class_) {
      out_ += '\\';
      out_ += character;
      return;
    }
    if (quotes_ == 2) {
      Throw(SqlError::Make(kInvalidUseOfEscapeCharacter,
                           "SQL regular expression may not contain more than two escape-double-quote separators"));
    }
    out_ += quotes_++ == 0 ? "){1,1}?(" : "){1,1}(?:";
  }
  void Plain(std::string_view character) {
    if (character == "[") {
      in_class_ = true;
      out_ += '[';
    } else if (character == "%") {
      out_ += ".*";
    } else if (character == "_") {
      out_ += '.';
    } else if (character == "(") {
      out_ += "(?:";
    } else {
      if (character == "\\" || character == "." || character == "^" || character == "$") out_ += '\\';
      out_ += character;
    }
  }

  std::string_view pattern_;
  std::string_view escape_;
  std::string& out_;
  bool after_escape_ = false;
  bool in_class_ = false;
  int quotes_ = 0;
};

// The group where there is one, else all of the match; NULL where nothing matches.
std::optional<std::string_view> RegexSubstring(const Regex& regex, std::string_view text) {
  std::string_view groups[2];
  const bool has_group = regex.group_count() > 0;
  if (!regex.Find(text, 0, std::span(groups, has_group ? 2 : 1))) return std::nullopt;
  const std::string_view found = groups[has_group ? 1 : 0];
  if (found.data() == nullptr) return std::nullopt;
  return found;
}

}  // namespace

void Textregexeq(const KernelCall& call) { MatchKernel(call, true, false); }
void Textregexne(const KernelCall& call) { MatchKernel(call, false, false); }
void Texticregexeq(const KernelCall& call) { MatchKernel(call, true, true); }
void Texticregexne(const KernelCall& call) { MatchKernel(call, false, true); }
void Nameregexeq(const KernelCall& call) { MatchKernel(call, true, false, true); }
void Nameregexne(const KernelCall& call) { MatchKernel(call, false, false, true); }
void Nameicregexeq(const KernelCall& call) { MatchKernel(call, true, true, true); }
void Nameicregexne(const KernelCall& call) { MatchKernel(call, false, true, true); }

void Textregexsubstr(const KernelCall& call) {
  RegexSource source;
  Lift<std::optional<std::string_view>(std::string_view, std::string_view)>(
      call, [&](std::string_view text, std::string_view pattern) { return RegexSubstring(source.Get(pattern, {}), text); });
}

// substring(text similar pattern escape e).
void Substring2074(const KernelCall& call) {
  RegexSource source;
  std::string pattern;
  Lift<std::optional<std::string_view>(std::string_view, std::string_view, std::string_view)>(
      call, [&](std::string_view text, std::string_view similar, std::string_view escape) {
        SimilarPattern(similar, escape, pattern).Translate();
        return RegexSubstring(source.Get(pattern, {}), text);
      });
}

void SimilarToEscape1(const KernelCall& call) {
  std::string scratch;
  Lift<std::string_view(std::string_view)>(call, [&](std::string_view pattern) {
    SimilarPattern(pattern, "\\", scratch).Translate();
    return Keep(call, scratch);
  });
}
void SimilarToEscape2(const KernelCall& call) {
  std::string scratch;
  Lift<std::string_view(std::string_view, std::string_view)>(call, [&](std::string_view pattern, std::string_view escape) {
    SimilarPattern(pattern, escape, scratch).Translate();
    return Keep(call, scratch);
  });
}
// As SimilarToEscape2, but a NULL escape means the backslash.
void SimilarEscape(const KernelCall& call) {
  std::string scratch;
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    if (call.args[0]->IsNull(row)) {
      call.result.SetNull(row);
      continue;
    }
    const types::Datum pattern = call.args[0]->Get(row);
    const types::Datum escape = call.args[1]->IsNull(row) ? types::Datum(std::string_view("\\")) : call.args[1]->Get(row);
    SimilarPattern(pattern.bytes(), escape.bytes(), scratch).Translate();
    call.result.SetBytes(row, scratch);
  }
}

}  // namespace mayfly::func
