// Comparison of text, name, bpchar, "char", bytea and uuid, with the names of PostgreSQL's operators' functions.
//
// Text compares by bytes (collation C.UTF-8); bpchar without its trailing blanks. The *_pattern_* functions are then the same.
#include <algorithm>
#include <cstring>

#include "sql/func/lift.h"
#include "sql/types/text.h"

namespace mayfly::func {

namespace {

using types::StringRef;
using types::TrimBlanks;
using types::Uuid;

int Sign(int order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

template <typename Test>
void CompareText(const KernelCall& call, Test test) {
  Lift<bool(std::string_view, std::string_view)>(call,
                                                 [test](std::string_view a, std::string_view b) { return test(a.compare(b)); });
}
// Equality looks at length and prefix first.
void EqualText(const KernelCall& call, bool wanted) {
  Lift<bool(StringRef, StringRef)>(call, [wanted](const StringRef& a, const StringRef& b) { return (a == b) == wanted; });
}
template <typename Test>
void CompareBpchar(const KernelCall& call, Test test) {
  Lift<bool(std::string_view, std::string_view)>(
      call, [test](std::string_view a, std::string_view b) { return test(TrimBlanks(a).compare(TrimBlanks(b))); });
}
template <typename Test>
void CompareUuid(const KernelCall& call, Test test) {
  Lift<bool(Uuid, Uuid)>(call,
                         [test](const Uuid& a, const Uuid& b) { return test(std::memcmp(a.bytes, b.bytes, sizeof a.bytes)); });
}
template <typename Test>
void CompareChar(const KernelCall& call, Test test) {
  Lift<bool(int32_t, int32_t)>(call, [test](int32_t a, int32_t b) { return test(a - b); });
}
void OrderText(const KernelCall& call) {
  Lift<int32_t(std::string_view, std::string_view)>(call,
                                                    [](std::string_view a, std::string_view b) { return Sign(a.compare(b)); });
}
void PickText(const KernelCall& call, bool larger) {
  Lift<std::string_view(std::string_view, std::string_view)>(
      call, [larger](std::string_view a, std::string_view b) { return (a.compare(b) > 0) == larger ? a : b; });
}
void OrderBpchar(const KernelCall& call) {
  Lift<int32_t(std::string_view, std::string_view)>(
      call, [](std::string_view a, std::string_view b) { return Sign(TrimBlanks(a).compare(TrimBlanks(b))); });
}
void PickBpchar(const KernelCall& call, bool larger) {
  Lift<std::string_view(std::string_view, std::string_view)>(call, [larger](std::string_view a, std::string_view b) {
    const int order = TrimBlanks(a).compare(TrimBlanks(b));
    return larger ? (order >= 0 ? a : b) : (order <= 0 ? a : b);
  });
}

constexpr auto kLt = [](int order) { return order < 0; };
constexpr auto kLe = [](int order) { return order <= 0; };
constexpr auto kGt = [](int order) { return order > 0; };
constexpr auto kGe = [](int order) { return order >= 0; };
constexpr auto kEq = [](int order) { return order == 0; };
constexpr auto kNe = [](int order) { return order != 0; };

}  // namespace

void Texteq(const KernelCall& call) { EqualText(call, true); }
void Textne(const KernelCall& call) { EqualText(call, false); }
void TextLt(const KernelCall& call) { CompareText(call, kLt); }
void TextLe(const KernelCall& call) { CompareText(call, kLe); }
void TextGt(const KernelCall& call) { CompareText(call, kGt); }
void TextGe(const KernelCall& call) { CompareText(call, kGe); }
void TextPatternLt(const KernelCall& call) { CompareText(call, kLt); }
void TextPatternLe(const KernelCall& call) { CompareText(call, kLe); }
void TextPatternGt(const KernelCall& call) { CompareText(call, kGt); }
void TextPatternGe(const KernelCall& call) { CompareText(call, kGe); }
void Bttextcmp(const KernelCall& call) { OrderText(call); }
void BttextPatternCmp(const KernelCall& call) { OrderText(call); }
void TextLarger(const KernelCall& call) { PickText(call, true); }
void TextSmaller(const KernelCall& call) { PickText(call, false); }

void Nameeq(const KernelCall& call) { EqualText(call, true); }
void Namene(const KernelCall& call) { EqualText(call, false); }
void Namelt(const KernelCall& call) { CompareText(call, kLt); }
void Namele(const KernelCall& call) { CompareText(call, kLe); }
void Namegt(const KernelCall& call) { CompareText(call, kGt); }
void Namege(const KernelCall& call) { CompareText(call, kGe); }
void Btnamecmp(const KernelCall& call) { OrderText(call); }
void Nameeqtext(const KernelCall& call) { EqualText(call, true); }
void Namenetext(const KernelCall& call) { EqualText(call, false); }
void Namelttext(const KernelCall& call) { CompareText(call, kLt); }
void Nameletext(const KernelCall& call) { CompareText(call, kLe); }
void Namegttext(const KernelCall& call) { CompareText(call, kGt); }
void Namegetext(const KernelCall& call) { CompareText(call, kGe); }
void Btnametextcmp(const KernelCall& call) { OrderText(call); }
void Texteqname(const KernelCall& call) { EqualText(call, true); }
void Textnename(const KernelCall& call) { EqualText(call, false); }
void Textltname(const KernelCall& call) { CompareText(call, kLt); }
void Textlename(const KernelCall& call) { CompareText(call, kLe); }
void Textgtname(const KernelCall& call) { CompareText(call, kGt); }
void Textgename(const KernelCall& call) { CompareText(call, kGe); }
void Bttextnamecmp(const KernelCall& call) { OrderText(call); }

void Bpchareq(const KernelCall& call) { CompareBpchar(call, kEq); }
void Bpcharne(const KernelCall& call) { CompareBpchar(call, kNe); }
void Bpcharlt(const KernelCall& call) { CompareBpchar(call, kLt); }
void Bpcharle(const KernelCall& call) { CompareBpchar(call, kLe); }
void Bpchargt(const KernelCall& call) { CompareBpchar(call, kGt); }
void Bpcharge(const KernelCall& call) { CompareBpchar(call, kGe); }
void BpcharPatternLt(const KernelCall& call) { CompareBpchar(call, kLt); }
void BpcharPatternLe(const KernelCall& call) { CompareBpchar(call, kLe); }
void BpcharPatternGt(const KernelCall& call) { CompareBpchar(call, kGt); }
void BpcharPatternGe(const KernelCall& call) { CompareBpchar(call, kGe); }
void Bpcharcmp(const KernelCall& call) { OrderBpchar(call); }
void BtbpcharPatternCmp(const KernelCall& call) { OrderBpchar(call); }
void BpcharLarger(const KernelCall& call) { PickBpchar(call, true); }
void BpcharSmaller(const KernelCall& call) { PickBpchar(call, false); }

void Byteaeq(const KernelCall& call) { EqualText(call, true); }
void Byteane(const KernelCall& call) { EqualText(call, false); }
void Bytealt(const KernelCall& call) { CompareText(call, kLt); }
void Byteale(const KernelCall& call) { CompareText(call, kLe); }
void Byteagt(const KernelCall& call) { CompareText(call, kGt); }
void Byteage(const KernelCall& call) { CompareText(call, kGe); }
void Byteacmp(const KernelCall& call) { OrderText(call); }

void Chareq(const KernelCall& call) { CompareChar(call, kEq); }
void Charne(const KernelCall& call) { CompareChar(call, kNe); }
void Charlt(const KernelCall& call) { CompareChar(call, kLt); }
void Charle(const KernelCall& call) { CompareChar(call, kLe); }
void Chargt(const KernelCall& call) { CompareChar(call, kGt); }
void Charge(const KernelCall& call) { CompareChar(call, kGe); }
void Btcharcmp(const KernelCall& call) {
  Lift<int32_t(int32_t, int32_t)>(call, [](int32_t a, int32_t b) { return a - b; });
}

void UuidEq(const KernelCall& call) { CompareUuid(call, kEq); }
void UuidNe(const KernelCall& call) { CompareUuid(call, kNe); }
void UuidLt(const KernelCall& call) { CompareUuid(call, kLt); }
void UuidLe(const KernelCall& call) { CompareUuid(call, kLe); }
void UuidGt(const KernelCall& call) { CompareUuid(call, kGt); }
void UuidGe(const KernelCall& call) { CompareUuid(call, kGe); }
void UuidCmp(const KernelCall& call) {
  Lift<int32_t(Uuid, Uuid)>(call,
                            [](const Uuid& a, const Uuid& b) { return Sign(std::memcmp(a.bytes, b.bytes, sizeof a.bytes)); });
}

}  // namespace mayfly::func
