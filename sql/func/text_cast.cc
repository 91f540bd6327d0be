// Casts among text, varchar, bpchar, name and "char", with their length rules (PostgreSQL manual, 8.3).
#include "sql/func/lift.h"
#include "sql/func/text_result.h"
#include "sql/types/text.h"

namespace mayfly::func {

using types::FitBpchar;
using types::FitName;
using types::FitVarchar;
using types::TrimBlanks;

// varchar(varchar, typmod, is explicit): the length coercion of assignments and casts.
void Varchar(const KernelCall& call) {
  Lift<std::string_view(std::string_view, int32_t, bool)>(call, [](std::string_view text, int32_t typmod, bool is_explicit) {
    return FitVarchar(text, typmod, is_explicit).value();
  });
}

void Bpchar(const KernelCall& call) {
  std::string padded;
  Lift<std::string_view(std::string_view, int32_t, bool)>(call, [&](std::string_view text, int32_t typmod, bool is_explicit) {
    const std::string_view fit = FitBpchar(text, typmod, is_explicit, padded).value();
    return fit.data() == padded.data() ? Keep(call, fit) : fit;
  });
}

// text(bpchar), and rtrim(text) with one argument: PostgreSQL uses one body.
void Rtrim1(const KernelCall& call) {
  Lift<std::string_view(std::string_view)>(call, [](std::string_view text) { return TrimBlanks(text); });
}

void NameText(const KernelCall& call) {
  Lift<std::string_view(std::string_view)>(call, [](std::string_view name) { return name; });
}
void NameBpchar(const KernelCall& call) {
  Lift<std::string_view(std::string_view)>(call, [](std::string_view name) { return name; });
}
void TextName(const KernelCall& call) {
  Lift<std::string_view(std::string_view)>(call, [](std::string_view text) { return FitName(text); });
}
void BpcharName(const KernelCall& call) {
  Lift<std::string_view(std::string_view)>(call, [](std::string_view text) { return TrimBlanks(FitName(text)); });
}

void CharText(const KernelCall& call) {
  std::string text;
  Lift<std::string_view(int32_t)>(call, [&](int32_t c) {
    text.clear();
    types::AppendCharText(c, text);
    return std::string_view(text);
  });
}
void CharBpchar(const KernelCall& call) { CharText(call); }
void TextChar(const KernelCall& call) {
  Lift<int32_t(std::string_view)>(call, [](std::string_view text) { return types::ParseCharText(text); });
}
// "char" is a signed byte as a number.
void Chartoi4(const KernelCall& call) {
  Lift<int32_t(int32_t)>(call, [](int32_t c) { return int32_t{static_cast<int8_t>(c)}; });
}
void I4tochar(const KernelCall& call) {
  Lift<int32_t(int32_t)>(call, [](int32_t n) {
    if (n < INT8_MIN || n > INT8_MAX) Throw(SqlError::Make(kNumericValueOutOfRange, "\"char\" out of range"));
    return n & 0xFF;
  });
}

}  // namespace mayfly::func
