// The JSON parser: a lexer of one token ahead, and recursive descent. Tokens are cut as PostgreSQL cuts them, so that error
// details name the same text; the context line shows up to 50 bytes before the end of the offending token.
#include "sql/types/json.h"
#include "sql/types/utf8.h"

namespace mayfly::types {

namespace {

constexpr int kDepthMax = 6000;

enum class Token {
  kEnd,
  kObjectStart,
  kObjectEnd,
  kArrayStart,
  kArrayEnd,
  kComma,
  kColon,
  kString,
  kNumber,
  kTrue,
  kFalse,
  kNull
};

bool IsWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         (static_cast<unsigned char>(c) & 0x80) != 0;
}
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Parser {
 public:
  Parser(std::string_view input, JsonEvents* events) : input_(input), events_(events) {}

  Status Parse() {
    TRY_OK(Next());
    TRY_OK(Value());
    if (token_ != Token::kEnd) return Expected("end of input");
    return Ok();
  }

 private:
  // Lexer. The current token is input_[token_start_, token_end_).
  [[gnu::noinline]] Status Next();
  Status LexString();
  Status LexEscape(char32_t& high_surrogate);
  Status LexUnicodeEscape(char32_t& high_surrogate);
  Status LexNumber();
  Status LexWord();

  // Grammar. Each starts at its first token and ends past its last.
  Status Value();
  Status Object();
  Status Field();
  Status Array();
  [[gnu::noinline]] Status FailExpected(std::string_view what) const { return Expected(what); }
  [[gnu::noinline]] static Status FailTooDeep();

  char At(size_t at) const { return at < input_.size() ? input_[at] : '\0'; }
  std::string_view TokenText() const { return input_.substr(token_start_, token_end_ - token_start_); }
  size_t CharacterEnd(size_t at) const { return at >= input_.size() ? at : std::min(input_.size(), at + Utf8Length(input_[at])); }

  SqlError Invalid(std::string detail) const {
    return SqlError::Make(kInvalidTextRepresentation, "invalid input syntax for type {}", "json")
        .Detail(std::move(detail))
        .Context(ContextLine());
  }
  SqlError Untranslatable(std::string detail) const {
    return SqlError::Make(kUntranslatableCharacter, "unsupported Unicode escape sequence")
        .Detail(std::move(detail))
        .Context(ContextLine());
  }
  SqlError InvalidToken() const { return Invalid(fmt::format("Token \"{}\" is invalid.", TokenText())); }
  SqlError Expected(std::string_view what) const {
    if (token_ == Token::kEnd) return Invalid("The input string ended unexpectedly.");
    return Invalid(fmt::format("Expected {}, but found \"{}\".", what, TokenText()));
  }
  std::string ContextLine() const;

  std::string_view input_;
  JsonEvents* events_;
  size_t at_ = 0;
  size_t token_start_ = 0;
  size_t token_end_ = 0;
  size_t previous_end_ = 0;  // end of the token before, where a value ended
  Token token_ = Token::kEnd;
  std::string text_;  // content of a string token
  int depth_ = 0;
};

std::string Parser::ContextLine() const {
  size_t line_start = 0;
  int line = 1;
  for (size_t i = 0; i < token_start_ && i < input_.size(); ++i) {
    if (input_[i] == '\n') {
      ++line;
      line_start = i + 1;
    }
  }
  size_t start = line_start;
  while (token_end_ > start && token_end_ - start >= 50) start = CharacterEnd(start);
  if (start - line_start <= 3) start = line_start;
  const bool more = token_ != Token::kEnd && token_end_ < input_.size() && At(token_end_) != '\n' && At(token_end_) != '\r';
  return fmt::format("JSON data, line {}: {}{}{}", line, start > line_start ? "..." : "",
                     input_.substr(start, token_end_ - start), more ? "..." : "");
}

Status Parser::Next() {
  previous_end_ = token_end_;
  while (at_ < input_.size() && IsSpace(input_[at_])) ++at_;
  token_start_ = at_;
  token_end_ = at_ + 1;
  if (at_ >= input_.size()) {
    token_end_ = at_;
    token_ = Token::kEnd;
    return Ok();
  }
  const auto single = [this](Token token) {
    token_ = token;
    ++at_;
    return Ok();
  };
  switch (input_[at_]) {
    case '{': return single(Token::kObjectStart);
    case '}': return single(Token::kObjectEnd);
    case '[': return single(Token::kArrayStart);
    case ']': return single(Token::kArrayEnd);
    case ',': return single(Token::kComma);
    case ':': return single(Token::kColon);
    case '"': return LexString();
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9': return LexNumber();
    default: return LexWord();
  }
}

Status Parser::LexString() {
  token_ = Token::kString;
  text_.clear();
  char32_t high_surrogate = 0;
  ++at_;
  for (;;) {
    // A run without anything special.
    const size_t run = at_;
    while (at_ < input_.size() && input_[at_] != '"' && input_[at_] != '\\' && static_cast<unsigned char>(input_[at_]) >= 0x20)
      ++at_;
    token_end_ = at_;
    if (at_ > run && high_surrogate != 0) return Invalid("Unicode low surrogate must follow a high surrogate.");
    if (events_ != nullptr) text_.append(input_.substr(run, at_ - run));
    if (at_ >= input_.size()) return InvalidToken();
    if (static_cast<unsigned char>(input_[at_]) < 0x20) {
      return Invalid(fmt::format("Character with value 0x{:02x} must be escaped.", static_cast<unsigned>(input_[at_])));
    }
    if (input_[at_] == '"') {
      token_end_ = at_ + 1;
      if (high_surrogate != 0) return Invalid("Unicode low surrogate must follow a high surrogate.");
      ++at_;
      return Ok();
    }
    ++at_;
    TRY_OK(LexEscape(high_surrogate));
  }
}

Status Parser::LexEscape(char32_t& high_surrogate) {
  token_end_ = at_;
  if (at_ >= input_.size()) return InvalidToken();
  const char c = input_[at_];
  if (c == 'u') return LexUnicodeEscape(high_surrogate);
  if (high_surrogate != 0) return Invalid("Unicode low surrogate must follow a high surrogate.");
  ++at_;
  switch (c) {
    case '"':
    case '\\':
    case '/': text_ += c; return Ok();
    case 'b': text_ += '\b'; return Ok();
    case 'f': text_ += '\f'; return Ok();
    case 'n': text_ += '\n'; return Ok();
    case 'r': text_ += '\r'; return Ok();
    case 't': text_ += '\t'; return Ok();
    default: break;
  }
  token_start_ = at_ - 1;
  token_end_ = CharacterEnd(at_ - 1);
  return Invalid(fmt::format("Escape sequence \"\\{}\" is invalid.", TokenText()));
}

Status Parser::LexUnicodeEscape(char32_t& high_surrogate) {
  char32_t code = 0;
  for (int i = 0; i < 4; ++i) {
    token_end_ = ++at_;
    if (at_ >= input_.size()) return InvalidToken();
    const char c = input_[at_];
    int digit = -1;
    if (IsDigit(c)) digit = c - '0';
    if (c >= 'a' && c <= 'f') digit = c - 'a' + 10;
    if (c >= 'A' && c <= 'F') digit = c - 'A' + 10;
    if (digit < 0) {
      token_end_ = CharacterEnd(at_);
      return Invalid("\"\\u\" must be followed by four hexadecimal digits.");
    }
    code = code * 16 + static_cast<char32_t>(digit);
  }
  token_end_ = ++at_;
  if (events_ == nullptr) return Ok();
  if (code >= 0xD800 && code <= 0xDBFF) {
    if (high_surrogate != 0) return Invalid("Unicode high surrogate must not follow a high surrogate.");
    high_surrogate = code;
    return Ok();
  }
  if (code >= 0xDC00 && code <= 0xDFFF) {
    if (high_surrogate == 0) return Invalid("Unicode low surrogate must follow a high surrogate.");
    code = 0x10000 + ((high_surrogate - 0xD800) << 10) + (code - 0xDC00);
    high_surrogate = 0;
  }
  if (high_surrogate != 0) return Invalid("Unicode low surrogate must follow a high surrogate.");
  if (code == 0) return Untranslatable("\\u0000 cannot be converted to text.");
  AppendUtf8(text_, code);
  return Ok();
}

Status Parser::LexNumber() {
  token_ = Token::kNumber;
  size_t at = at_;
  bool bad = false;
  const auto digits = [&] {
    const size_t from = at;
    while (IsDigit(At(at))) ++at;
    return at > from;
  };
  if (At(at) == '-') ++at;
  if (At(at) == '0') {
    ++at;
  } else {
    bad = !digits();
  }
  // A part that is wrong does not end the token: the error shows all that looks like a number.
  if (At(at) == '.') {
    ++at;
    bad = !digits() || bad;
  }
  if (At(at) == 'e' || At(at) == 'E') {
    ++at;
    if (At(at) == '+' || At(at) == '-') ++at;
    bad = !digits() || bad;
  }
  for (; at < input_.size() && IsWordByte(input_[at]); ++at) bad = true;
  at_ = at;
  token_end_ = at;
  if (bad) return InvalidToken();
  return Ok();
}

Status Parser::LexWord() {
  size_t end = at_;
  while (end < input_.size() && IsWordByte(input_[end])) ++end;
  token_end_ = end == at_ ? at_ + 1 : end;
  token_ = Token::kNull;
  const std::string_view word = TokenText();
  if (word == "true") {
    token_ = Token::kTrue;
  } else if (word == "false") {
    token_ = Token::kFalse;
  } else if (word != "null") {
    return InvalidToken();
  }
  at_ = token_end_;
  return Ok();
}

// The functions of the grammar call each other once a level, so their frames are kept small: an error is made in a function of
// its own, and passed on as the Status it is.

Status Parser::Value() {
  JsonKind kind = JsonKind::kNull;
  switch (token_) {
    case Token::kObjectStart: return Object();
    case Token::kArrayStart: return Array();
    case Token::kString: kind = JsonKind::kString; break;
    case Token::kNumber: kind = JsonKind::kNumber; break;
    case Token::kTrue:
    case Token::kFalse: kind = JsonKind::kBool; break;
    case Token::kNull: break;
    default: return FailExpected("JSON value");
  }
  if (events_ != nullptr) {
    Status status = events_->Scalar(kind, TokenText(), kind == JsonKind::kString ? std::string_view(text_) : TokenText());
    if (!status.ok()) return status;
  }
  return Next();
}

Status Parser::FailTooDeep() {
  return SqlError::Make(kStatementTooComplex, "stack depth limit exceeded")
      .Hint(
          "Increase the configuration parameter \"max_stack_depth\" (currently 2048kB), after ensuring the platform's stack "
          "depth limit is "
          "adequate.");
}

Status Parser::Object() {
  if (++depth_ > kDepthMax) return FailTooDeep();
  Status status;
  if (events_ != nullptr) status = events_->BeginObject(input_.data() + token_start_);
  if (status.ok()) status = Next();
  if (status.ok() && token_ == Token::kString) {
    status = Field();
    while (status.ok() && token_ == Token::kComma) {
      status = Next();
      if (status.ok()) status = Field();
    }
    if (status.ok() && token_ != Token::kObjectEnd) return FailExpected("\",\" or \"}\"");
  } else if (status.ok() && token_ != Token::kObjectEnd) {
    return FailExpected("string or \"}\"");
  }
  if (status.ok() && events_ != nullptr) status = events_->EndObject(input_.data() + token_end_);
  --depth_;
  return status.ok() ? Next() : std::move(status);
}

Status Parser::Field() {
  if (token_ != Token::kString) return FailExpected("string");
  Status status;
  if (events_ != nullptr) status = events_->Key(text_);
  if (status.ok()) status = Next();
  if (!status.ok()) return status;
  if (token_ != Token::kColon) return FailExpected("\":\"");
  status = Next();
  return status.ok() ? Value() : std::move(status);
}

Status Parser::Array() {
  if (++depth_ > kDepthMax) return FailTooDeep();
  Status status;
  if (events_ != nullptr) status = events_->BeginArray(input_.data() + token_start_);
  if (status.ok()) status = Next();
  if (status.ok() && token_ != Token::kArrayEnd) {
    status = Value();
    while (status.ok() && token_ == Token::kComma) {
      status = Next();
      if (status.ok()) status = Value();
    }
    if (status.ok() && token_ != Token::kArrayEnd) return FailExpected("\",\" or \"]\"");
  }
  if (status.ok() && events_ != nullptr) status = events_->EndArray(input_.data() + token_end_);
  --depth_;
  return status.ok() ? Next() : std::move(status);
}

}  // namespace

Status ParseJson(std::string_view text, JsonEvents* events) { return Parser(text, events).Parse(); }

void AppendJsonString(std::string_view text, std::string& out) {
  static constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '\b': out += "\\b"; break;
      case '\f': out += "\\f"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += "\\u00";
          out += kHex[static_cast<unsigned char>(c) >> 4];
          out += kHex[c & 15];
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

std::string_view JsonKindName(JsonKind kind) {
  switch (kind) {
    case JsonKind::kNull: return "null";
    case JsonKind::kString: return "string";
    case JsonKind::kNumber: return "number";
    case JsonKind::kBool: return "boolean";
    case JsonKind::kArray: return "array";
    case JsonKind::kObject: return "object";
  }
  return "null";
}

}  // namespace mayfly::types
