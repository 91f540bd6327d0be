// format('%[n$][-][width]type', …) with types s, I and L (PostgreSQL manual, 9.4.1).
#include <charconv>
#include <limits>

#include "sql/func/text_quote.h"
#include "sql/func/text_result.h"
#include "sql/types/utf8.h"

namespace mayfly::func {

namespace {

struct Specifier {
  int32_t argument = 0;         // 0 = the next one
  int32_t width_argument = -1;  // of '*': 0 = the next one; -1 = no '*'
  int32_t width = 0;
  bool left = false;
  char type = 's';
};

SqlError Unterminated() {
  return SqlError::Make(kInvalidParameterValue, "unterminated format() type specifier").Hint("For a single \"%\" use \"%%\".");
}
SqlError TooFew() { return SqlError::Make(kInvalidParameterValue, "too few arguments for format()"); }

// Formats one row.
class Formatter {
 public:
  Formatter(const KernelCall& call, size_t row, std::string_view format, std::string& out)
      : call_(call), row_(row), format_(format), out_(out) {}

  void Run() {
    while (at_ < format_.size()) {
      if (format_[at_] != '%') {
        out_ += format_[at_++];
        continue;
      }
      Advance();
      if (format_[at_] == '%') {
        out_ += '%';
        ++at_;
        continue;
      }
      AppendSpecifier(ParseSpecifier());
    }
  }

 private:
  void Advance() {
    if (++at_ >= format_.size()) Throw(Unterminated());
  }
  bool IsDigit() const { return format_[at_] >= '0' && format_[at_] <= '9'; }

  int32_t ParseNumber() {
    int64_t number = 0;
    while (IsDigit()) {
      number = number * 10 + (format_[at_] - '0');
      if (number > std::numeric_limits<int32_t>::max()) Throw(SqlError::Make(kNumericValueOutOfRange, "number is out of range"));
      Advance();
    }
    return static_cast<int32_t>(number);
  }
  static int32_t CheckArgument(int32_t argument) {
    if (argument == 0)
      Throw(SqlError::Make(kInvalidParameterValue, "format specifies argument 0, but arguments are numbered from 1"));
    return argument;
  }

  Specifier ParseSpecifier() {
    Specifier spec;
    if (IsDigit()) {
      const int32_t number = ParseNumber();
      if (format_[at_] != '$') {
        spec.width = number;
        spec.type = format_[at_++];
        return spec;
      }
      spec.argument = CheckArgument(number);
      Advance();
    }
    while (format_[at_] == '-') {
      spec.left = true;
      Advance();
    }
    if (format_[at_] == '*') {
      Advance();
      spec.width_argument = 0;
      if (IsDigit()) {
        const int32_t number = ParseNumber();
        if (format_[at_] != '$') {
          Throw(SqlError::Make(kInvalidParameterValue, "width argument position must be ended by \"$\""));
        }
        spec.width_argument = CheckArgument(number);
        Advance();
      }
    } else if (IsDigit()) {
      spec.width = ParseNumber();
    }
    spec.type = format_[at_++];
    return spec;
  }

  // The position of the argument in call_.args.
  size_t Argument(int32_t explicit_number) {
    const int32_t number = explicit_number > 0 ? explicit_number : ++last_;
    last_ = number;
    if (static_cast<size_t>(number) >= call_.args.size()) Throw(TooFew());
    return static_cast<size_t>(number);
  }

  int32_t WidthFrom(size_t argument) {
    if (call_.args[argument]->IsNull(row_)) return 0;
    std::string text;
    AppendText(call_, call_.arg_types[argument], call_.args[argument]->Get(row_), text);
    int32_t width = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
    if (error == std::errc::result_out_of_range) {
      Throw(SqlError::Make(kNumericValueOutOfRange, "value \"{}\" is out of range for type {}", text, "integer"));
    }
    if (error != std::errc{} || end != text.data() + text.size()) {
      Throw(SqlError::Make(kInvalidTextRepresentation, "invalid input syntax for type {}: \"{}\"", "integer", text));
    }
    return width;
  }

  void AppendSpecifier(Specifier spec) {
    if (spec.type != 's' && spec.type != 'I' && spec.type != 'L') {
      const std::string_view rest = format_.substr(at_ - 1);
      Throw(SqlError::Make(kInvalidParameterValue, "unrecognized format() type specifier \"{}\"",
                           rest.substr(0, types::Utf8Length(rest[0])))
                .Hint("For a single \"%\" use \"%%\"."));
    }
    if (spec.width_argument >= 0) spec.width = WidthFrom(Argument(spec.width_argument));
    const size_t argument = Argument(spec.argument);
    std::string text;
    if (call_.args[argument]->IsNull(row_)) {
      if (spec.type == 'I') Throw(SqlError::Make(kNullValueNotAllowed, "null values cannot be formatted as an SQL identifier"));
      if (spec.type == 'L') text = "NULL";
    } else {
      std::string value;
      AppendText(call_, call_.arg_types[argument], call_.args[argument]->Get(row_), value);
      if (spec.type == 's') text = std::move(value);
      if (spec.type == 'I') AppendQuotedIdentifier(value, text);
      if (spec.type == 'L') AppendQuotedLiteral(value, text);
    }
    AppendPadded(text, spec);
  }

  void AppendPadded(std::string_view text, const Specifier& spec) {
    int64_t width = spec.width;
    bool left = spec.left;
    if (width < 0) {
      left = true;
      width = -width;
    }
    if (static_cast<size_t>(width) > kTextBytesMax) ThrowTooLong();
    const size_t count = types::Utf8Count(text);
    const size_t padding = static_cast<size_t>(width) > count ? static_cast<size_t>(width) - count : 0;
    if (!left) out_.append(padding, ' ');
    out_ += text;
    if (left) out_.append(padding, ' ');
  }

  const KernelCall& call_;
  size_t row_;
  std::string_view format_;
  std::string& out_;
  size_t at_ = 0;
  int32_t last_ = 0;
};

}  // namespace

void TextFormat(const KernelCall& call) {
  std::string text;
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    if (call.args[0]->IsNull(row)) {
      call.result.SetNull(row);
      continue;
    }
    const types::Datum format = call.args[0]->Get(row);
    text.clear();
    Formatter(call, row, format.bytes(), text).Run();
    call.result.SetBytes(row, text);
  }
}
void TextFormatNv(const KernelCall& call) { TextFormat(call); }

}  // namespace mayfly::func
