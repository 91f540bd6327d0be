#include "sql/func/regex_translate.h"

#include <optional>
#include <vector>

#include "sql/types/utf8.h"

namespace mayfly::func {

SqlError InvalidRegex(std::string_view reason) {
  return SqlError::Make(kInvalidRegularExpression, "invalid regular expression: {}", reason);
}

namespace {

constexpr int kRepeatMax = 255;

// Character classes in the C.UTF-8 locale, as contents of a bracket expression.
struct CharacterClass {
  std::string_view name;
  std::string_view content;
  std::string_view ascii;  // in the locale C
};
constexpr CharacterClass kClasses[] = {
    {"alnum", R"(\p{L}\p{M}\p{Nd}\p{Nl})", R"(0-9A-Za-z)"},
    {"alpha", R"(\p{L}\p{M}\p{Nl})", R"(A-Za-z)"},
    {"blank", R"( \t\x{1680}\x{2000}-\x{2006}\x{2008}-\x{200a}\x{205f}\x{3000})", R"( \t)"},
    {"cntrl", R"(\x00-\x1f\x7f-\x{9f})", R"(\x00-\x1f\x7f)"},
    {"digit", R"(0-9)", R"(0-9)"},
    {"graph", R"(\x21-\x7e\x{a1}-\x{10ffff})", R"(!-~)"},
    {"lower", R"(\p{Ll})", R"(a-z)"},
    {"print", R"(\x20-\x7e\x{a0}-\x{10ffff})", R"( -~)"},
    {"punct", R"(!-/:-@\[-`{-~\p{P}\p{S})", R"(!-/:-@\[-`{-~)"},
    {"space", R"(\t\n\v\f\r \x{1680}\x{2000}-\x{2006}\x{2008}-\x{200a}\x{2028}\x{2029}\x{205f}\x{3000})", R"(\t\n\v\f\r )"},
    {"upper", R"(\p{Lu})", R"(A-Z)"},
    {"word", R"(\p{L}\p{M}\p{Nd}\p{Nl}_)", R"(0-9A-Za-z_)"},
    {"xdigit", R"(0-9A-Fa-f)", R"(0-9A-Fa-f)"},
};

std::string_view FindClass(std::string_view name, bool ascii) {
  for (const CharacterClass& row : kClasses) {
    if (row.name == name) return ascii ? row.ascii : row.content;
  }
  return {};
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool IsWord(char c) { return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

void AppendCodePoint(char32_t c, std::string& out) {
  if (c < 0x80 && IsWord(static_cast<char>(c))) {
    out += static_cast<char>(c);
  } else {
    out += fmt::format("\\x{{{:x}}}", static_cast<uint32_t>(c));
  }
}

SqlError Unsupported(std::string_view what) { return SqlError::NotSupported(fmt::format("regular expression {}", what)); }

class Translator {
 public:
  Translator(std::string_view pattern, RegexFlags flags) : in_(pattern), flags_(flags) {}

  Result<TranslatedRegex> Run() {
    if (flags_.literal) {
      AppendLiterals();
      return Finish();
    }
    TRY_OK(Prefixes());
    if (flags_.literal) {
      AppendLiterals();
      return Finish();
    }
    while (at_ < in_.size()) TRY_OK(Atom());
    if (depth_ != 0) return InvalidRegex("parentheses () not balanced");
    CloseAlternatives();
    return Finish();
  }

 private:
  char Peek(size_t ahead = 0) const { return at_ + ahead < in_.size() ? in_[at_ + ahead] : '\0'; }
  bool AtEnd() const { return at_ >= in_.size(); }

  void AppendLiterals() {
    while (!AtEnd()) AppendCodePoint(NextCharacter(), out_);
  }
  char32_t NextCharacter() {
    const char32_t c = types::DecodeUtf8(in_.substr(at_));
    at_ += types::Utf8Length(in_[at_]);
    return c;
  }

  Result<TranslatedRegex> Finish();
  Status Prefixes();
  Status EmbeddedOptions();
  Status Atom();
  Status Group();
  Status Quantifier();
  Status Bound(std::string& text, bool& fixed);
  Status Escape();
  Status ClassEscape(char letter);
  Status WordBoundary(bool at_start);
  Result<std::optional<char32_t>> CharacterEscape();
  Result<char32_t> HexDigits(int digits_min, int digits_max);
  Status Bracket();
  Status BracketItem(std::string& set);
  Result<char32_t> BracketCharacter();
  Status BracketClass(std::string& set);
  void SkipExpanded();

  // The first atom of an alternative: `c` where it is a single ASCII character, 0 otherwise.
  void NoteStart(char c) {
    Alternatives& open = alternatives_.back();
    if (!open.at_start) return;
    open.at_start = false;
    if (c == 0 || open.starts.find(c) != std::string::npos) open.unknown = true;
    open.starts += c;
  }
  void NoteAlternative() {
    NoteStart(0);  // where it was empty
    alternatives_.back().several = true;
    alternatives_.back().at_start = true;
  }
  void CloseAlternatives() {
    NoteStart(0);
    overlap_ = overlap_ || (alternatives_.back().several && alternatives_.back().unknown);
  }

  void AddAtom(std::string_view text) {
    NoteStart(0);
    out_ += text;
    can_quantify_ = true;
    ends_with_anchor_ = false;
    last_literal_word_ = false;
  }

  std::string_view in_;
  RegexFlags flags_;
  size_t at_ = 0;
  std::string out_;
  int depth_ = 0;
  int groups_ = 0;
  bool can_quantify_ = false;
  bool ends_with_anchor_ = false;
  bool last_literal_word_ = false;  // the last atom is a single word character
  bool greedy_ = false;
  bool lazy_ = false;
  bool alternation_ = false;
  bool forced_preference_ = false;
  bool boundary_ = false;
  bool overlap_ = false;

  // First literal characters of the alternatives of each open group (and of the whole pattern); two of the same, or one that is
  // no plain character, overlap.
  struct Alternatives {
    std::string starts;
    bool at_start = true;
    bool unknown = false;
    bool several = false;
  };
  std::vector<Alternatives> alternatives_{1};
};

Result<TranslatedRegex> Translator::Finish() {
  TranslatedRegex result;
  result.pattern = "(?";
  if (!flags_.newline_stops) result.pattern += 's';
  if (flags_.newline_anchors) result.pattern += 'm';
  result.pattern = result.pattern == "(?" ? out_ : result.pattern + ")" + out_;
  result.ignore_case = flags_.ignore_case;
  result.longest = !lazy_;
  result.groups_known = !overlap_ && (!alternation_ || !lazy_);
  result.ascii_text_only = boundary_ && !flags_.ascii;
  result.extent_known = !lazy_ || (!alternation_ && !forced_preference_ && (!greedy_ || ends_with_anchor_));
  return result;
}

// The director ***: or ***=, and embedded options.
Status Translator::Prefixes() {
  if (in_.starts_with("***")) {
    if (Peek(3) == '=') {
      flags_.literal = true;
    } else if (Peek(3) != ':') {
      return InvalidRegex("quantifier operand invalid");
    }
    at_ = 4;
  }
  if (!flags_.literal && Peek() == '(' && Peek(1) == '?' && ((Peek(2) >= 'a' && Peek(2) <= 'z'))) return EmbeddedOptions();
  return Ok();
}

Status Translator::EmbeddedOptions() {
  for (at_ += 2; !AtEnd() && Peek() != ')'; ++at_) {
    switch (Peek()) {
      case 'c': flags_.ignore_case = false; break;
      case 'i': flags_.ignore_case = true; break;
      case 'm':
      case 'n': flags_.newline_stops = flags_.newline_anchors = true; break;
      case 'p':
        flags_.newline_stops = true;
        flags_.newline_anchors = false;
        break;
      case 'w':
        flags_.newline_stops = false;
        flags_.newline_anchors = true;
        break;
      case 's': flags_.newline_stops = flags_.newline_anchors = false; break;
      case 'x': flags_.expanded = true; break;
      case 't': flags_.expanded = false; break;
      case 'q': flags_.literal = true; break;
      case 'b':
      case 'e': return Unsupported("embedded options b and e");
      default: return InvalidRegex("invalid embedded option");
    }
  }
  if (AtEnd()) return InvalidRegex("invalid embedded option");
  ++at_;
  return Ok();
}

void Translator::SkipExpanded() {
  while (!AtEnd()) {
    if (IsSpace(Peek())) {
      ++at_;
    } else if (Peek() == '#') {
      while (!AtEnd() && Peek() != '\n') ++at_;
    } else {
      return;
    }
  }
}

Status Translator::Atom() {
  if (flags_.expanded) {
    SkipExpanded();
    if (AtEnd()) return Ok();
  }
  const char c = Peek();
  switch (c) {
    case '|':
      ++at_;
      out_ += '|';
      NoteAlternative();
      alternation_ = true;
      can_quantify_ = false;
      last_literal_word_ = false;
      return Ok();
    case '(': return Group();
    case ')':
      if (depth_ == 0) return InvalidRegex("parentheses () not balanced");
      --depth_;
      ++at_;
      CloseAlternatives();
      alternatives_.pop_back();
      AddAtom(")");
      return Ok();
    case '^':
    case '$':
      ++at_;
      AddAtom(std::string_view(&c, 1));
      can_quantify_ = false;
      ends_with_anchor_ = c == '$';
      return Ok();
    case '*':
    case '+':
    case '?': return Quantifier();
    case '{':
      if (IsDigit(Peek(1))) return Quantifier();
      break;
    case '[': return Bracket();
    case '.':
      ++at_;
      AddAtom(".");
      return Ok();
    case '\\': return Escape();
    default: break;
  }
  const char32_t character = NextCharacter();
  // A quantifier that allows none of it makes the start unknown.
  const bool certain = Peek() != '*' && Peek() != '?' && Peek() != '{';
  NoteStart(certain && character < 0x80 && !flags_.ignore_case ? static_cast<char>(character) : '\0');
  AddAtom({});
  AppendCodePoint(character, out_);
  last_literal_word_ = character < 0x80 && IsWord(static_cast<char>(character));
  return Ok();
}

Status Translator::Group() {
  ++at_;
  can_quantify_ = false;
  last_literal_word_ = false;
  if (Peek() != '?') {
    NoteStart(0);
    alternatives_.emplace_back();
    ++depth_;
    ++groups_;
    out_ += '(';
    return Ok();
  }
  ++at_;
  switch (Peek()) {
    case ':':
      ++at_;
      NoteStart(0);
      alternatives_.emplace_back();
      ++depth_;
      out_ += "(?:";
      return Ok();
    case '#': {
      const size_t end = in_.find(')', at_);
      if (end == std::string_view::npos) return InvalidRegex("parentheses () not balanced");
      at_ = end + 1;
      can_quantify_ = true;
      return Ok();
    }
    case '=':
    case '!': return Unsupported("lookahead constraints");
    case '<': return Unsupported("lookbehind constraints");
    default: return InvalidRegex("quantifier operand invalid");
  }
}

Status Translator::Bound(std::string& text, bool& fixed) {
  const auto number = [this]() -> int {
    int value = 0;
    for (; IsDigit(Peek()); ++at_) value = std::min(value * 10 + (Peek() - '0'), kRepeatMax + 1);
    return value;
  };
  ++at_;
  const int low = number();
  int high = low;
  fixed = true;
  if (Peek() == ',') {
    ++at_;
    fixed = false;
    high = IsDigit(Peek()) ? number() : -1;
  }
  if (AtEnd()) return InvalidRegex("braces {} not balanced");
  if (Peek() != '}') return InvalidRegex("invalid repetition count(s)");
  ++at_;
  if (low > kRepeatMax || high > kRepeatMax || (high >= 0 && high < low)) return InvalidRegex("invalid repetition count(s)");
  fixed = high == low;
  text = high < 0 ? fmt::format("{{{},}}", low) : fmt::format("{{{},{}}}", low, high);
  return Ok();
}

Status Translator::Quantifier() {
  if (!can_quantify_) return InvalidRegex("quantifier operand invalid");
  const bool after_group = !out_.empty() && out_.back() == ')';
  std::string text(1, Peek());
  bool fixed = false;
  if (Peek() == '{') {
    TRY_OK(Bound(text, fixed));
  } else {
    ++at_;
  }
  bool lazy = false;
  if (Peek() == '?') {
    ++at_;
    lazy = true;
  }
  // {m} and {m,m} have the greediness of what they repeat; written non-greedy they change it, which RE2 cannot do.
  if (fixed) {
    forced_preference_ = forced_preference_ || (lazy && after_group);
    lazy_ = lazy_ || (lazy && after_group);
  } else {
    (lazy ? lazy_ : greedy_) = true;
  }
  out_ += text;
  if (lazy) out_ += '?';
  can_quantify_ = false;
  ends_with_anchor_ = false;
  last_literal_word_ = false;
  return Ok();
}

Result<char32_t> Translator::HexDigits(int digits_min, int digits_max) {
  uint32_t value = 0;
  int digits = 0;
  for (; digits < digits_max && !AtEnd(); ++digits, ++at_) {
    const char c = Peek();
    if (IsDigit(c)) {
      value = value * 16 + static_cast<uint32_t>(c - '0');
    } else if ((c | 32) >= 'a' && (c | 32) <= 'f') {
      value = value * 16 + static_cast<uint32_t>((c | 32) - 'a' + 10);
    } else {
      break;
    }
  }
  if (digits < digits_min || value > 0x10FFFF) return InvalidRegex("invalid escape \\ sequence");
  return static_cast<char32_t>(value);
}

// After the backslash, for escapes that stand for one character; nothing is read where it is another kind of escape.
Result<std::optional<char32_t>> Translator::CharacterEscape() {
  const auto simple = [this](char32_t c) -> Result<std::optional<char32_t>> {
    ++at_;
    return std::optional(c);
  };
  if (AtEnd()) return InvalidRegex("invalid escape \\ sequence");
  switch (Peek()) {
    case 'a': return simple('\a');
    case 'b': return simple('\b');
    case 'B': return simple('\\');
    case 'e': return simple(27);
    case 'f': return simple('\f');
    case 'n': return simple('\n');
    case 'r': return simple('\r');
    case 't': return simple('\t');
    case 'v': return simple('\v');
    case '0': return simple(0);
    case 'c': {
      ++at_;
      if (AtEnd()) return InvalidRegex("invalid escape \\ sequence");
      return std::optional<char32_t>(NextCharacter() & 0x1F);
    }
    case 'u':
    case 'U':
    case 'x': {
      const char kind = Peek();
      ++at_;
      const int digits = kind == 'u' ? 4 : 8;
      TRY(const char32_t, c, kind == 'x' ? HexDigits(1, 255) : HexDigits(digits, digits));
      return std::optional(c);
    }
    default: break;
  }
  if (IsWord(Peek()) && Peek() != '_') return std::optional<char32_t>();
  return std::optional(NextCharacter());
}

Status Translator::Escape() {
  ++at_;
  TRY(const std::optional<char32_t>, character, CharacterEscape());
  if (character) {
    AddAtom({});
    AppendCodePoint(*character, out_);
    return Ok();
  }
  const char letter = Peek();
  ++at_;
  if (IsDigit(letter)) {
    if (letter - '0' > groups_) return InvalidRegex("invalid backreference number");
    return Unsupported("backreferences");
  }
  switch (letter) {
    case 'd':
    case 's':
    case 'w':
    case 'D':
    case 'S':
    case 'W': return ClassEscape(letter);
    case 'A': AddAtom("\\A"); break;
    case 'Z': AddAtom("\\z"); break;
    case 'y':
    case 'Y':
      boundary_ = true;
      AddAtom(letter == 'y' ? "\\b" : "\\B");
      break;
    case 'm': return WordBoundary(true);
    case 'M': return WordBoundary(false);
    default: return InvalidRegex("invalid escape \\ sequence");
  }
  can_quantify_ = false;
  return Ok();
}

Status Translator::ClassEscape(char letter) {
  const bool negated = letter < 'a';
  const char kind = static_cast<char>(letter | 32);
  const std::string_view content = FindClass(kind == 'd' ? "digit" : kind == 's' ? "space" : "word", flags_.ascii);
  AddAtom(fmt::format("[{}{}{}]", negated ? "^" : "", content, negated && flags_.newline_stops ? "\\n" : ""));
  return Ok();
}

// RE2 knows only "at a word boundary". Beside a word character that is the same as the start or the end of a word.
Status Translator::WordBoundary(bool at_start) {
  const bool beside_word = at_start ? IsWord(Peek()) : last_literal_word_;
  if (!beside_word)
    return Unsupported(at_start ? "constraint \\m before anything but a letter" : "constraint \\M after anything but a letter");
  boundary_ = true;
  AddAtom("\\b");
  can_quantify_ = false;
  return Ok();
}

Status Translator::Bracket() {
  if (in_.substr(at_).starts_with("[[:<:]]") || in_.substr(at_).starts_with("[[:>:]]")) {
    const bool at_start = Peek(3) == '<';
    at_ += 7;
    return WordBoundary(at_start);
  }
  ++at_;
  std::string set;
  const bool negated = Peek() == '^';
  if (negated) ++at_;
  bool first = true;
  while (!AtEnd() && (first || Peek() != ']')) {
    first = false;
    TRY_OK(BracketItem(set));
  }
  if (AtEnd()) return InvalidRegex("brackets [] not balanced");
  ++at_;
  AddAtom(fmt::format("[{}{}{}]", negated ? "^" : "", set, negated && flags_.newline_stops ? "\\n" : ""));
  return Ok();
}

Status Translator::BracketClass(std::string& set) {
  const size_t end = in_.find(":]", at_ + 2);
  if (end == std::string_view::npos) return InvalidRegex("brackets [] not balanced");
  const std::string_view content = FindClass(in_.substr(at_ + 2, end - at_ - 2), flags_.ascii);
  if (content.empty()) return InvalidRegex("invalid character class");
  set += content;
  at_ = end + 2;
  return Ok();
}

Result<char32_t> Translator::BracketCharacter() {
  if (AtEnd()) return InvalidRegex("brackets [] not balanced");
  if (Peek() == '[' && (Peek(1) == '.' || Peek(1) == '=')) {
    const char close[] = {Peek(1), ']', '\0'};
    const size_t end = in_.find(close, at_ + 2);
    if (end == std::string_view::npos) return InvalidRegex("brackets [] not balanced");
    const std::string_view element = in_.substr(at_ + 2, end - at_ - 2);
    if (types::Utf8Count(element) != 1) return InvalidRegex("invalid collating element");
    at_ = end + 2;
    return types::DecodeUtf8(element);
  }
  if (Peek() == '\\') {
    ++at_;
    TRY(const std::optional<char32_t>, character, CharacterEscape());
    if (!character) return InvalidRegex("invalid escape \\ sequence");
    return *character;
  }
  return NextCharacter();
}

Status Translator::BracketItem(std::string& set) {
  if (Peek() == '[' && Peek(1) == ':') return BracketClass(set);
  if (Peek() == '\\' && (Peek(1) == 'd' || Peek(1) == 's' || Peek(1) == 'w')) {
    set += FindClass(Peek(1) == 'd' ? "digit" : Peek(1) == 's' ? "space" : "word", flags_.ascii);
    at_ += 2;
    return Ok();
  }
  if (Peek() == '\\' && (Peek(1) == 'D' || Peek(1) == 'S' || Peek(1) == 'W'))
    return Unsupported("negated classes inside brackets");
  TRY(const char32_t, low, BracketCharacter());
  char32_t high = low;
  if (Peek() == '-' && Peek(1) != ']' && Peek(1) != '\0') {
    ++at_;
    if (Peek() == '[' && Peek(1) == ':') return InvalidRegex("invalid character range");
    TRY(const char32_t, end, BracketCharacter());
    if (end < low) return InvalidRegex("invalid character range");
    high = end;
  }
  AppendCodePoint(low, set);
  if (high != low) {
    set += '-';
    AppendCodePoint(high, set);
  }
  return Ok();
}

}  // namespace

Result<TranslatedRegex> TranslateRegex(std::string_view pattern, RegexFlags flags) { return Translator(pattern, flags).Run(); }

}  // namespace mayfly::func
