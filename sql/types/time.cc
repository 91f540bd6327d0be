#include "sql/types/time.h"

#include "sql/types/date_time_format.h"
#include "sql/types/date_time_ops.h"
#include "sql/types/date_time_parse.h"
#include "sql/types/timestamp.h"
#include "sql/types/type.h"

namespace mayfly::types {

namespace {

constexpr size_t kTextBytesMax = 128 + 1;

Result<Datum> TimeIn(const TypeDesc&, std::string_view text, int32_t typmod, const IoContext& io, Arena&) {
  TRY(ParsedDateTime, parsed, ParseTimeOfDay(text, "time", kTextBytesMax, io.settings));
  return Datum(AdjustTimeForTypmod(MicrosOfDay(parsed.civil), typmod));
}

void TimeOut(const TypeDesc&, const Datum& value, const IoContext&, std::string& out) { AppendTime(value.get<int64_t>(), out); }

Result<Datum> TimeReceive(const TypeDesc&, std::string_view bytes, int32_t typmod, const IoContext&, Arena&) {
  TRY(int64_t, micros, ReceiveInteger<int64_t>(bytes));
  if (micros < 0 || micros > kMicrosPerDay) return SqlError::Make(kDatetimeFieldOverflow, "time out of range");
  return Datum(AdjustTimeForTypmod(micros, typmod));
}

Result<int32_t> TimeTypmodIn(std::span<const int32_t> modifiers) { return SecondsTypmodIn(modifiers, "TIME", ""); }
void TimeTypmodOut(int32_t typmod, std::string& out) {
  if (typmod >= 0) out += fmt::format("({})", typmod);
  out += " without time zone";
}

}  // namespace

const TypeOps kTimeOps = {
    .physical = PhysicalType::kInt64,
    .in = TimeIn,
    .out = TimeOut,
    .recv = TimeReceive,
    .send = SendInteger<int64_t>,
    .compare = CompareIntegers<int64_t>,
    .hash = HashInteger<int64_t>,
    .encode_key = EncodeIntegerKey<int64_t>,
    .decode_key = DecodeIntegerKey<int64_t>,
    .key_is_lossless = true,
    .typmod_in = TimeTypmodIn,
    .typmod_out = TimeTypmodOut,
};

int64_t AdjustTimeForTypmod(int64_t micros, int32_t typmod) {
  return typmod < 0 || typmod > kSecondDigitsMax ? micros : RoundMicros(micros, typmod);
}

}  // namespace mayfly::types
