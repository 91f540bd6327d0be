// parse_ident('"A".b'): a qualified name split into its parts, unquoted ones in lower case (PostgreSQL manual, 9.4).
#include "sql/func/kernel.h"
#include "sql/types/array.h"

namespace mayfly::func {

namespace {

bool IsStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (static_cast<unsigned char>(c) & 0x80) != 0;
}
bool IsPart(char c) { return IsStart(c) || (c >= '0' && c <= '9') || c == '$'; }
bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

class IdentifierParser {
 public:
  IdentifierParser(std::string_view text, bool strict, types::ArrayBuilder& parts)
      : text_(text), strict_(strict), parts_(parts) {}

  void Run() {
    bool after_dot = false;
    SkipSpace();
    for (;;) {
      if (Peek() == '"') {
        ParseQuoted();
      } else if (IsStart(Peek())) {
        ParsePlain();
      } else if (Peek() == '.') {
        Throw(Invalid("No valid identifier before \".\"."));
      } else if (after_dot) {
        Throw(Invalid("No valid identifier after \".\"."));
      } else {
        Throw(Invalid({}));
      }
      SkipSpace();
      if (Peek() == '.') {
        after_dot = true;
        ++at_;
        SkipSpace();
        continue;
      }
      if (at_ < text_.size() && strict_) Throw(Invalid({}));
      return;
    }
  }

 private:
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void SkipSpace() {
    while (at_ < text_.size() && IsSpace(text_[at_])) ++at_;
  }
  SqlError Invalid(std::string detail) const {
    return SqlError::Make(kInvalidParameterValue, "string is not a valid identifier: \"{}\"", text_).Detail(std::move(detail));
  }
  void ParseQuoted() {
    const size_t end = text_.find('"', at_ + 1);
    if (end == std::string_view::npos) Throw(Invalid("String has unclosed double quotes."));
    if (end == at_ + 1) Throw(Invalid("Quoted identifier must not be empty."));
    parts_.Append(types::Datum(text_.substr(at_ + 1, end - at_ - 1)));
    at_ = end + 1;
  }
  void ParsePlain() {
    std::string part;
    for (; at_ < text_.size() && IsPart(text_[at_]); ++at_) {
      part += text_[at_] >= 'A' && text_[at_] <= 'Z' ? static_cast<char>(text_[at_] + 32) : text_[at_];
    }
    parts_.Append(types::Datum(std::string_view(part)));
  }

  std::string_view text_;
  bool strict_;
  types::ArrayBuilder& parts_;
  size_t at_ = 0;
};

}  // namespace

void ParseIdent(const KernelCall& call) {
  types::ArrayBuilder parts(*call.result_type.type->element);
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    const types::Datum text = call.args[0]->Get(row);
    parts.Clear();
    IdentifierParser(text.bytes(), call.args[1]->Get(row).get<bool>(), parts).Run();
    call.result.SetDatum(row, parts.Finish(call.result.heap()), true);
  }
}

}  // namespace mayfly::func
