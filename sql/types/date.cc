// date: days since 2000-01-01.
#include "sql/types/date_time_format.h"
#include "sql/types/date_time_ops.h"
#include "sql/types/date_time_parse.h"
#include "sql/types/type.h"

namespace mayfly::types {

namespace {

constexpr size_t kTextBytesMax = 128 + 1;

Result<Datum> DateIn(const TypeDesc&, std::string_view text, int32_t, const IoContext& io, Arena&) {
  ParsedDateTime parsed;
  bool has_zone = false;
  if (!ParseIsoDateTime(text, parsed.civil, has_zone, parsed.offset_seconds)) {
    TRY(ParsedDateTime, slow, ParseDateTime(text, "date", kTextBytesMax, io.settings));
    parsed = slow;
  }
  switch (parsed.kind) {
    case DateTimeKind::kEpoch: return Datum(-kUnixEpochDays);
    case DateTimeKind::kInfinity: return Datum(kDateInfinity);
    case DateTimeKind::kMinusInfinity: return Datum(kDateMinusInfinity);
    case DateTimeKind::kValue: break;
  }
  const CivilTime& civil = parsed.civil;
  const int64_t days = DaysFromCivil(civil.year, civil.month, civil.day);
  if (!IsJulianMonth(civil.year, civil.month) || !IsDateInRange(days)) {
    return SqlError::Make(kDatetimeFieldOverflow, "date out of range: \"{}\"", text);
  }
  return Datum(static_cast<int32_t>(days));
}

void DateOut(const TypeDesc&, const Datum& value, const IoContext& io, std::string& out) {
  AppendDate(value.get<int32_t>(), io.settings, out);
}

Result<Datum> DateReceive(const TypeDesc&, std::string_view bytes, int32_t, const IoContext&, Arena&) {
  TRY(int32_t, date, ReceiveInteger<int32_t>(bytes));
  if (IsFiniteDate(date) && !IsDateInRange(date)) return SqlError::Make(kDatetimeFieldOverflow, "date out of range");
  return Datum(date);
}

}  // namespace

const TypeOps kDateOps = {
    .physical = PhysicalType::kInt32,
    .in = DateIn,
    .out = DateOut,
    .recv = DateReceive,
    .send = SendInteger<int32_t>,
    .compare = CompareIntegers<int32_t>,
    .hash = HashInteger<int32_t>,
    .encode_key = EncodeIntegerKey<int32_t>,
    .decode_key = DecodeIntegerKey<int32_t>,
    .key_is_lossless = true,
};

}  // namespace mayfly::types
