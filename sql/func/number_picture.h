// The template of to_char(number, text) and to_number.
// https://www.postgresql.org/docs/15/functions-formatting.html#FUNCTIONS-FORMATTING-NUMERIC-TABLE
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mayfly::func {

enum class NumberKey : uint8_t { kText, kComma, kPoint, kZero, kNine, kBlank, kCurrency, kPointLocal, kExponent, kFill, kGroup, kMinus, kPlus,
                                 kBracket, kRoman, kSignBoth, kSpell, kSign, kOrdinal, kShift };

struct NumberNode {
  NumberKey key = NumberKey::kText;
  bool is_lower = false;
  std::string_view text;  // the character of kText
};

// The template and what its patterns say together.
struct NumberPicture {
  enum class SignPlace : uint8_t { kNone, kBefore, kAfter };

  std::vector<NumberNode> nodes;
  int32_t before = 0;      // digits before the point
  int32_t after = 0;       // and behind
  int32_t shift = 0;       // digits behind V
  int32_t zero_begin = 0;  // the position (from 1) of the first 0, and of the last one
  int32_t zero_end = 0;
  int32_t before_sign = 0;  // digits before S
  SignPlace sign_place = SignPlace::kNone;
  bool has_blank = false, has_point = false, fill_mode = false, has_sign = false, has_bracket = false, has_minus = false, has_plus = false, is_roman = false,
       has_zero = false, has_shift = false, is_scientific = false;
};

// 42601 for patterns that do not go together, thrown. The nodes view `text`.
NumberPicture ParseNumberPicture(std::string_view text);

// Prints `digits` (an unsigned number, maybe with a point, or '#'s) of sign '+' or '-'. `blanks`: positions before its first digit.
std::string PrintNumber(NumberPicture picture, std::string_view digits, char sign, int32_t blanks);
// What the template takes out of `input`: a sign or blank, then digits and a point. `after` becomes the digits found behind the point.
std::string ScanNumber(NumberPicture& picture, std::string_view input);

}  // namespace mayfly::func
