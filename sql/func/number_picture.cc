#include "sql/func/number_picture.h"

#include <algorithm>

#include "base/sql_error.h"
#include "sql/func/date_time_picture.h"
#include "sql/types/date_time_token.h"

namespace mayfly::func {

namespace {

using enum NumberKey;
using SignPlace = NumberPicture::SignPlace;

struct Pattern {
  std::string_view name;
  NumberKey key;
};
// Longer names before their beginnings.
constexpr Pattern kPatterns[] = {{",", kComma},     {".", kPoint},    {"0", kZero},       {"9", kNine},  {"B", kBlank},    {"C", kSpell},
                                 {"D", kPointLocal}, {"EEEE", kExponent}, {"FM", kFill},  {"G", kGroup}, {"L", kCurrency}, {"MI", kMinus},
                                 {"PL", kPlus},     {"PR", kBracket}, {"RN", kRoman},     {"SG", kSignBoth}, {"SP", kSpell}, {"S", kSign},
                                 {"TH", kOrdinal},  {"V", kShift}};

[[noreturn]] void Refuse(std::string_view message, std::string_view detail = {}) {
  Throw(SqlError::MakeText(kSyntaxError, std::string(message)).Detail(std::string(detail)));
}

void AddSign(NumberPicture& p) {
  if (p.has_sign) Refuse("cannot use \"S\" twice");
  if (p.has_plus || p.has_minus || p.has_bracket) Refuse("cannot use \"S\" and \"PL\"/\"MI\"/\"SG\"/\"PR\" together");
  if (!p.has_point) {
    p.sign_place = SignPlace::kBefore;
    p.before_sign = p.before;
    p.has_sign = true;
  } else if (p.sign_place == SignPlace::kNone) {
    p.sign_place = SignPlace::kAfter;
    p.has_sign = true;
  }
}

void AddExponent(NumberPicture& p) {
  if (p.is_scientific) Refuse("cannot use \"EEEE\" twice");
  if (p.has_blank || p.fill_mode || p.has_sign || p.has_bracket || p.has_minus || p.has_plus || p.is_roman || p.has_shift) {
    Refuse("\"EEEE\" is incompatible with other formats", "\"EEEE\" may only be used together with digit and decimal point patterns.");
  }
  p.is_scientific = true;
}

void Add(NumberPicture& p, NumberKey key) {
  if (p.is_scientific && key != kExponent) Refuse("\"EEEE\" must be the last pattern used");
  switch (key) {
    case kNine:
      if (p.has_bracket) Refuse("\"9\" must be ahead of \"PR\"");
      if (p.has_shift) {
        ++p.shift;
      } else {
        ++(p.has_point ? p.after : p.before);
      }
      return;
    case kZero:
      if (p.has_bracket) Refuse("\"0\" must be ahead of \"PR\"");
      if (!p.has_zero && !p.has_point) {
        p.has_zero = true;
        p.zero_begin = p.before + 1;
      }
      ++(p.has_point ? p.after : p.before);
      p.zero_end = p.before + p.after;
      return;
    case kPoint:
    case kPointLocal:
      if (p.has_point) Refuse("multiple decimal points");
      if (p.has_shift) Refuse("cannot use \"V\" and decimal point together");
      p.has_point = true;
      return;
    case kBlank:
      if (p.before == 0 && p.after == 0 && !p.has_zero) p.has_blank = true;
      return;
    case kFill: p.fill_mode = true; return;
    case kSign: return AddSign(p);
    case kMinus:
      if (p.has_sign) Refuse("cannot use \"S\" and \"MI\" together");
      p.has_minus = true;
      return;
    case kPlus:
      if (p.has_sign) Refuse("cannot use \"S\" and \"PL\" together");
      p.has_plus = true;
      return;
    case kSignBoth:
      if (p.has_sign) Refuse("cannot use \"S\" and \"SG\" together");
      p.has_minus = p.has_plus = true;
      return;
    case kBracket:
      if (p.has_sign || p.has_plus || p.has_minus) Refuse("cannot use \"PR\" and \"S\"/\"PL\"/\"MI\"/\"SG\" together");
      p.has_bracket = true;
      return;
    case kRoman: p.is_roman = true; return;
    case kShift:
      if (p.has_point) Refuse("cannot use \"V\" and decimal point together");
      p.has_shift = true;
      return;
    case kExponent: return AddExponent(p);
    default: return;
  }
}

bool Matches(std::string_view text, std::string_view name, bool lower) {
  if (text.size() < name.size()) return false;
  for (size_t i = 0; i < name.size(); ++i) {
    if (text[i] != (lower ? types::ToLower(name[i]) : name[i])) return false;
  }
  return true;
}

// Prints digit by digit; the names follow the roles of PostgreSQL's positions: `at_` counts digit positions of the template.
class Printer {
 public:
  Printer(NumberPicture& picture, std::string_view digits, char sign, int32_t blanks) : p_(picture), digits_(digits), sign_(sign), blanks_(blanks) {}

  std::string Run() {
    if (p_.zero_begin > 0) --p_.zero_begin;
    if (p_.is_scientific) return std::string(digits_);
    if (p_.is_roman) {
      const bool fill_mode = p_.fill_mode;
      auto nodes = std::move(p_.nodes);
      p_ = {};
      p_.nodes = std::move(nodes);
      p_.fill_mode = fill_mode;
      p_.is_roman = true;
      blanks_ = 0;
      sign_ = 0;
    }
    PrepareSign();
    count_ = p_.after + p_.before - 1;
    if (p_.fill_mode && p_.has_point) FindLastRelevant();
    if (!sign_written_ && blanks_ == 0) ++count_;
    for (const NumberNode& node : p_.nodes) Print(node);
    if (end_ < out_.size()) out_.resize(end_);
    return std::move(out_);
  }

 private:
  static constexpr size_t kNoPlace = std::string_view::npos;

  void PrepareSign() {
    if (p_.has_plus || p_.has_minus) {
      sign_written_ = !(p_.has_plus && !p_.has_minus);
      return;
    }
    if (sign_ != '-' && p_.fill_mode) p_.has_bracket = false;
    sign_written_ = sign_ == '+' && p_.fill_mode && !p_.has_sign;
    if (p_.sign_place == SignPlace::kBefore && p_.before == p_.before_sign) p_.sign_place = SignPlace::kAfter;
  }

  // In fill mode zeros at the end are dropped, but for those that the template asks for.
  void FindLastRelevant() {
    const size_t point = digits_.find('.');
    if (point == kNoPlace) return;
    last_relevant_ = point;
    for (size_t i = point + 1; i < digits_.size(); ++i) {
      if (digits_[i] != '0') last_relevant_ = i;
    }
    if (p_.zero_end > blanks_) {
      const size_t last_zero = std::min(digits_.size() - 1, static_cast<size_t>(p_.zero_end - blanks_));
      last_relevant_ = std::max(last_relevant_, last_zero);
    }
  }
  bool LastRelevantIsPoint() const { return last_relevant_ != kNoPlace && digits_[last_relevant_] == '.'; }
  char Current() const { return next_ < digits_.size() ? digits_[next_] : '\0'; }
  // "9.9" prints 0.1 as " .1".
  bool IsBlankBeforePoint() const { return !p_.has_zero && next_ == 0 && !digits_.empty() && digits_[0] == '0' && p_.after != 0; }

  void WriteSign() {
    if (p_.has_sign) {
      if (p_.sign_place != SignPlace::kBefore) return;
      out_ += sign_ == '-' ? '-' : '+';
    } else if (p_.has_bracket) {
      out_ += sign_ == '+' ? ' ' : '<';
    } else if (sign_ == '+') {
      if (!p_.fill_mode) out_ += ' ';
    } else if (sign_ == '-') {
      out_ += '-';
    } else {
      return;
    }
    sign_written_ = true;
  }

  void Position(NumberKey key) {
    if (p_.is_roman) return;
    has_digit_ = false;
    const bool is_number = at_ >= blanks_ || (p_.has_zero && p_.zero_begin == at_);
    if (!sign_written_ && is_number && (!IsBlankBeforePoint() || LastRelevantIsPoint())) WriteSign();
    if (at_ < blanks_ && (p_.zero_begin > at_ || !p_.has_zero)) {
      if (!p_.fill_mode) out_ += ' ';
    } else if (p_.has_zero && at_ < blanks_ && p_.zero_begin <= at_) {
      out_ += '0';
      has_digit_ = true;
    } else {
      WriteDigit(key);
      if (next_ < digits_.size()) ++next_;
    }
    int32_t end = count_ + (blanks_ != 0 ? 1 : 0) + (p_.has_point ? 1 : 0);
    if (last_relevant_ != kNoPlace && last_relevant_ == next_) end = at_;
    if (at_ + 1 == end) {
      if (sign_written_ && p_.has_bracket) {
        out_ += sign_ == '+' ? ' ' : '>';
      } else if (p_.has_sign && p_.sign_place == SignPlace::kAfter) {
        out_ += sign_ == '-' ? '-' : '+';
      }
    }
    ++at_;
  }
  void WriteDigit(NumberKey key) {
    if (Current() == '.') {
      if (!LastRelevantIsPoint() || p_.fill_mode) out_ += '.';
      return;
    }
    if (last_relevant_ != kNoPlace && next_ > last_relevant_ && key != kZero) return;
    if (IsBlankBeforePoint()) {
      if (!p_.fill_mode) {
        out_ += ' ';
      } else if (LastRelevantIsPoint()) {
        out_ += '0';
      }
      return;
    }
    // As in PostgreSQL, a position beyond the last digit ends the result.
    if (Current() == '\0') {
      end_ = std::min(end_, out_.size());
    } else {
      out_ += Current();
    }
    has_digit_ = true;
  }

  void Print(const NumberNode& node) {
    switch (node.key) {
      case kText: out_ += node.text; return;
      case kNine:
      case kZero:
      case kPoint:
      case kPointLocal: return Position(node.key);
      case kComma:
      case kGroup:
        if (has_digit_) {
          out_ += ',';
        } else if (!p_.fill_mode) {
          out_ += ' ';
        }
        return;
      case kCurrency: out_ += ' '; return;
      case kRoman: return Roman(node.is_lower);
      case kOrdinal:
        if (p_.is_roman || digits_[0] == '#' || sign_ == '-' || p_.has_point) return;
        if (!types::IsDigit(digits_.back())) Throw(SqlError::Make(kInvalidTextRepresentation, "\"{}\" is not a number", digits_));
        out_ += OrdinalSuffix(digits_, !node.is_lower);
        return;
      case kMinus: return Either('-');
      case kPlus: return Either('+');
      case kSignBoth:
        if (sign_ == 0) {  // Roman: no sign, and the result ends
          end_ = std::min(end_, out_.size());
        } else {
          out_ += sign_;
        }
        return;
      default: return;
    }
  }
  void Either(char sign) {
    if (sign_ == sign) {
      out_ += sign;
    } else if (!p_.fill_mode) {
      out_ += ' ';
    }
  }
  void Roman(bool lower) {
    constexpr size_t kWidth = 15;
    if (!p_.fill_mode && digits_.size() < kWidth) out_.append(kWidth - digits_.size(), ' ');
    for (const char c : digits_) out_ += lower ? types::ToLower(c) : c;
  }

  NumberPicture& p_;
  std::string_view digits_;
  char sign_;
  int32_t blanks_;
  std::string out_;
  size_t next_ = 0;                  // the digit to print next
  int32_t at_ = 0;                   // the template's position
  int32_t count_ = 0;
  size_t last_relevant_ = kNoPlace;  // the last digit (or the point) worth printing
  size_t end_ = kNoPlace;            // where the result is cut
  bool sign_written_ = false;
  bool has_digit_ = false;           // the last position gave a digit
};

// Reads a number by a template that need not fit exactly.
class Reader {
 public:
  Reader(NumberPicture& picture, std::string_view input) : p_(picture), input_(input) {}

  std::string Run() {
    if (p_.is_scientific) Throw(SqlError::MakeText(kFeatureNotSupported, "\"EEEE\" not supported for input"));
    if (p_.is_roman) Throw(SqlError::MakeText(kFeatureNotSupported, "\"RN\" not supported for input"));
    for (const NumberNode& node : p_.nodes) {
      if (AtEnd()) break;
      if (Read(node)) ++at_;
    }
    if (out_.back() == '.') out_.pop_back();
    p_.after = after_;
    return std::move(out_);
  }

 private:
  bool AtEnd() const { return at_ >= input_.size(); }
  char Current() const { return AtEnd() ? '\0' : input_[at_]; }

  // True where the character at hand is used up.
  bool Read(const NumberNode& node) {
    switch (node.key) {
      case kNine:
      case kZero:
      case kPoint:
      case kPointLocal: Position(node.key); return true;
      case kComma:
      case kGroup: return Current() == ',' && !p_.fill_mode;
      case kCurrency: Skip(1); return false;
      case kOrdinal:
        if (out_[0] != '-' && !p_.has_point) Skip(2);
        return false;
      case kMinus: return Sign("-");
      case kPlus: return Sign("+");
      case kSignBoth: return Sign("-+");
      case kText: at_ += CharacterBytes(input_.substr(at_)); return false;
      default: return false;
    }
  }
  bool Sign(std::string_view signs) {
    if (signs.find(Current()) == std::string_view::npos) {
      Skip(1);
      return false;
    }
    out_[0] = Current();
    return true;
  }
  // Up to `count` characters that are no part of a number.
  void Skip(int count) {
    for (; count > 0 && !AtEnd() && std::string_view("0123456789.,+-").find(Current()) == std::string_view::npos; --count) {
      at_ += CharacterBytes(input_.substr(at_));
    }
  }

  void Position(NumberKey key) {
    if (Current() == ' ') ++at_;
    if (AtEnd()) return;
    if (out_[0] == ' ' && (key == kZero || key == kNine) && before_ + after_ == 0) LeadingSign();
    if (AtEnd()) return;
    bool has_read = false;
    if (types::IsDigit(Current())) {
      if (has_point_ && after_ == p_.after) return;
      out_ += Current();
      ++(has_point_ ? after_ : before_);
      has_read = true;
    } else if (p_.has_point && !has_point_ && Current() == '.') {
      out_ += '.';
      has_point_ = has_read = true;
    }
    if (out_[0] == ' ' && before_ + after_ > 0) TrailingSign(has_read);
  }
  void LeadingSign() {
    const bool is_locale = p_.has_sign && p_.sign_place == SignPlace::kBefore;
    const char c = Current();
    if (c == '-' || (!is_locale && p_.has_bracket && c == '<')) {
      out_[0] = '-';
      ++at_;
    } else if (c == '+') {
      out_[0] = '+';
      ++at_;
    }
  }
  void TrailingSign(bool has_read) {
    if (p_.has_sign && has_read && at_ + 1 < input_.size() && !types::IsDigit(input_[at_ + 1])) {
      const char c = input_[at_ + 1];
      if (c == '-' || c == '+') {
        ++at_;
        out_[0] = c;
      }
    } else if (!has_read && !p_.has_sign && (p_.has_plus || p_.has_minus) && (Current() == '-' || Current() == '+')) {
      out_[0] = Current();
    }
  }

  NumberPicture& p_;
  std::string_view input_;
  std::string out_ = " ";
  size_t at_ = 0;
  int32_t before_ = 0;
  int32_t after_ = 0;
  bool has_point_ = false;
};

}  // namespace

NumberPicture ParseNumberPicture(std::string_view text) {
  NumberPicture picture;
  while (!text.empty()) {
    NumberNode node;
    const Pattern* found = nullptr;
    for (const Pattern& pattern : kPatterns) {
      const bool is_upper = Matches(text, pattern.name, false);
      if (!is_upper && !Matches(text, pattern.name, true)) continue;
      found = &pattern;
      node.is_lower = !is_upper;
      break;
    }
    if (found != nullptr) {
      node.key = found->key;
      text.remove_prefix(found->name.size());
      Add(picture, node.key);
      picture.nodes.push_back(node);
      continue;
    }
    const bool is_quoted = text[0] == '"';
    if (is_quoted) text.remove_prefix(1);
    do {
      if (is_quoted && !text.empty() && text[0] == '"') {
        text.remove_prefix(1);
        break;
      }
      if (text.empty()) break;
      if (text[0] == '\\' && text.size() > 1 && (is_quoted || text[1] == '"')) text.remove_prefix(1);
      node.text = text.substr(0, CharacterBytes(text));
      text.remove_prefix(node.text.size());
      picture.nodes.push_back(node);
    } while (is_quoted);
  }
  return picture;
}

std::string PrintNumber(NumberPicture picture, std::string_view digits, char sign, int32_t blanks) {
  return Printer(picture, digits, sign, blanks).Run();
}

std::string ScanNumber(NumberPicture& picture, std::string_view input) { return Reader(picture, input).Run(); }

}  // namespace mayfly::func
