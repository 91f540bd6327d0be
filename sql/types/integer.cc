// int2, int4, int8: one family, three widths.
#include "sql/types/integer.h"

#include "sql/types/integer_ops.h"

namespace mayfly::types {

namespace {

template <typename T>
Result<Datum> IntegerIn(const TypeDesc&, std::string_view text, int32_t, const IoContext&, Arena&) {
  TRY(const T, value, ParseInteger<T>(text));
  return Datum(value);
}
template <typename T>
void IntegerOut(const TypeDesc&, const Datum& value, const IoContext&, std::string& out) {
  AppendInteger(out, value.get<T>());
}

template <typename T>
constexpr TypeOps kIntegerOps = {
    .physical = sizeof(T) == 2   ? PhysicalType::kInt16
                : sizeof(T) == 4 ? PhysicalType::kInt32
                                 : PhysicalType::kInt64,
    .in = IntegerIn<T>,
    .out = IntegerOut<T>,
    .recv = PlainIntegerReceive<T>,
    .send = PlainIntegerSend<T>,
    .compare = PlainIntegerCompare<T>,
    .hash = PlainIntegerHash<T>,
    .encode_key = PlainIntegerEncodeKey<T>,
    .decode_key = PlainIntegerDecodeKey<T>,
    .key_is_lossless = true,
};

}  // namespace

const TypeOps kInt2Ops = kIntegerOps<int16_t>;
const TypeOps kInt4Ops = kIntegerOps<int32_t>;
const TypeOps kInt8Ops = kIntegerOps<int64_t>;

}  // namespace mayfly::types
