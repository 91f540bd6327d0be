// sum, avg, min, max of numeric, and the variances of numeric and of integers, which are numeric too.
#include <new>

#include "sql/func/aggregate_state.h"
#include "sql/func/numeric_sum.h"

namespace mayfly::func {

namespace {

using types::Numeric;

// Stands in for a sum that is not asked for.
struct NoSum {
  void Add(const Numeric&) {}
  void Merge(const NoSum&) {}
  Numeric Total() const { return Numeric(); }
};

// Sum and count, and the sum of squares where `squares`.
template <bool squares>
struct Moments {
  int64_t count = 0;
  NumericSum sum;
  std::conditional_t<squares, NumericSum, NoSum> sum_of_squares;
  void Add(const Numeric& value) {
    ++count;
    sum.Add(value);
    if constexpr (squares) sum_of_squares.Add(types::MultiplyNumeric(value, value));
  }
  void Merge(const Moments& other) {
    count += other.count;
    sum.Merge(other.sum);
    sum_of_squares.Merge(other.sum_of_squares);
  }
};

template <typename T>
Numeric Read(const types::Vector& column, size_t row) {
  if constexpr (std::is_same_v<T, types::StringRef>) {
    return types::DecodeNumeric(column.data<T>()[column.Index(row)].view());
  } else {
    return Numeric::FromInt64(column.data<T>()[column.Index(row)]);
  }
}

using WriteMoments = std::optional<Numeric> (*)(int64_t count, const Numeric& sum, const Numeric& sum_of_squares);

std::optional<Numeric> WriteSum(int64_t, const Numeric& sum, const Numeric&) { return sum; }
std::optional<Numeric> WriteAverage(int64_t count, const Numeric& sum, const Numeric&) {
  return types::DivideNumeric(sum, Numeric::FromInt64(count));
}

// (N sum(x^2) - sum(x)^2) / (N (N - 1)), or / N^2 for the population; its root for the deviation.
template <bool sample, bool root>
std::optional<Numeric> WriteVariance(int64_t count, const Numeric& sum, const Numeric& sum_of_squares) {
  if (sample && count <= 1) return std::nullopt;
  if (!sum.is_finite()) return Numeric::Special(types::NumericKind::kNan);
  const Numeric n = Numeric::FromInt64(count);
  const Numeric numerator = types::SubtractNumeric(types::MultiplyNumeric(n, sum_of_squares), types::MultiplyNumeric(sum, sum));
  if (numerator.sign() <= 0) return Numeric();
  const Numeric denominator = types::MultiplyNumeric(n, Numeric::FromInt64(sample ? count - 1 : count));
  const int scale = types::NumericDivisionScale(numerator, denominator);
  const Numeric variance = types::QuotientNumeric(numerator, denominator, scale, true);
  return root ? types::SqrtNumericTo(variance, scale) : variance;
}

template <typename T, bool squares, WriteMoments write>
struct MomentsAggregate {
  using State = Moments<squares>;
  static_assert(alignof(State) <= 16);

  static void Init(void* state) { new (state) State(); }
  static void Destroy(void* state) { static_cast<State*>(state)->~State(); }
  static void Update(const AggregateCall& call, types::Selection rows, void* const* states) {
    for (size_t i = 0; i < rows.count; ++i) static_cast<State*>(states[i])->Add(Read<T>(*call.args[0], rows[i]));
  }
  static void UpdateOne(const AggregateCall& call, types::Selection rows, void* state) {
    State& moments = *static_cast<State*>(state);
    for (size_t i = 0; i < rows.count; ++i) moments.Add(Read<T>(*call.args[0], rows[i]));
  }
  static void Combine(const AggregateCall&, void* into, const void* from) {
    static_cast<State*>(into)->Merge(*static_cast<const State*>(from));
  }
  static void Finalize(const AggregateCall&, const void* state, types::Vector& result, size_t row) {
    const State& moments = *static_cast<const State*>(state);
    std::optional<Numeric> value;
    if (moments.count != 0) value = write(moments.count, moments.sum.Total(), moments.sum_of_squares.Total());
    if (!value) return result.SetNull(row);
    result.Set(row, types::EncodeNumeric(*value, result.heap()));
  }
};

template <typename T, bool squares, WriteMoments write>
constexpr AggregateOps kMoments = {
    .state_bytes = sizeof(Moments<squares>),
    .skips_nulls = true,
    .init = MomentsAggregate<T, squares, write>::Init,
    .destroy = MomentsAggregate<T, squares, write>::Destroy,
    .update = MomentsAggregate<T, squares, write>::Update,
    .update_one = MomentsAggregate<T, squares, write>::UpdateOne,
    .combine = MomentsAggregate<T, squares, write>::Combine,
    .finalize = MomentsAggregate<T, squares, write>::Finalize,
};
template <typename T, bool sample, bool root>
constexpr AggregateOps kVariance = kMoments<T, true, WriteVariance<sample, root>>;

// min and max keep the bytes; of equal values (1.0, 1.00) the later one, as PostgreSQL does.
using BytesState = HeapState<std::string>;

template <int direction>
struct NumericExtreme {
  static void Keep(void* state, std::string_view bytes) {
    const bool first = BytesState::Get(state) == nullptr;
    std::string& kept = BytesState::GetOrMake(state);
    if (first || types::CompareNumericBytes(kept, bytes) * direction <= 0) kept.assign(bytes);
  }
  static void Update(const AggregateCall& call, types::Selection rows, void* const* states) {
    const types::Vector& column = *call.args[0];
    for (size_t i = 0; i < rows.count; ++i) Keep(states[i], column.data<types::StringRef>()[column.Index(rows[i])].view());
  }
  static void UpdateOne(const AggregateCall& call, types::Selection rows, void* state) {
    const types::Vector& column = *call.args[0];
    for (size_t i = 0; i < rows.count; ++i) Keep(state, column.data<types::StringRef>()[column.Index(rows[i])].view());
  }
  static void Combine(const AggregateCall&, void* into, const void* from) {
    if (const std::string* other = BytesState::Get(from)) Keep(into, *other);
  }
  static void Finalize(const AggregateCall&, const void* state, types::Vector& result, size_t row) {
    const std::string* kept = BytesState::Get(state);
    if (kept == nullptr) return result.SetNull(row);
    result.SetBytes(row, *kept);
  }
};
template <int direction>
constexpr AggregateOps kNumericExtreme = {
    .state_bytes = BytesState::kBytes,
    .skips_nulls = true,
    .init = BytesState::Init,
    .destroy = BytesState::Destroy,
    .update = NumericExtreme<direction>::Update,
    .update_one = NumericExtreme<direction>::UpdateOne,
    .combine = NumericExtreme<direction>::Combine,
    .finalize = NumericExtreme<direction>::Finalize,
};

}  // namespace

extern const AggregateOps AggSumNumeric, AggAvgNumeric, AggMaxNumeric, AggMinNumeric, AggStddevInt2, AggStddevInt4, AggStddevInt8,
    AggStddevNumeric, AggStddevSampInt2, AggStddevSampInt4, AggStddevSampInt8, AggStddevSampNumeric, AggStddevPopInt2,
    AggStddevPopInt4, AggStddevPopInt8, AggStddevPopNumeric, AggVarianceInt2, AggVarianceInt4, AggVarianceInt8,
    AggVarianceNumeric, AggVarSampInt2, AggVarSampInt4, AggVarSampInt8, AggVarSampNumeric, AggVarPopInt2, AggVarPopInt4,
    AggVarPopInt8, AggVarPopNumeric;
const AggregateOps AggSumNumeric = kMoments<types::StringRef, false, WriteSum>;
const AggregateOps AggAvgNumeric = kMoments<types::StringRef, false, WriteAverage>;
const AggregateOps AggMaxNumeric = kNumericExtreme<1>;
const AggregateOps AggMinNumeric = kNumericExtreme<-1>;
const AggregateOps AggStddevInt2 = kVariance<int16_t, true, true>;
const AggregateOps AggStddevInt4 = kVariance<int32_t, true, true>;
const AggregateOps AggStddevInt8 = kVariance<int64_t, true, true>;
const AggregateOps AggStddevNumeric = kVariance<types::StringRef, true, true>;
const AggregateOps AggStddevSampInt2 = kVariance<int16_t, true, true>;
const AggregateOps AggStddevSampInt4 = kVariance<int32_t, true, true>;
const AggregateOps AggStddevSampInt8 = kVariance<int64_t, true, true>;
const AggregateOps AggStddevSampNumeric = kVariance<types::StringRef, true, true>;
const AggregateOps AggStddevPopInt2 = kVariance<int16_t, false, true>;
const AggregateOps AggStddevPopInt4 = kVariance<int32_t, false, true>;
const AggregateOps AggStddevPopInt8 = kVariance<int64_t, false, true>;
const AggregateOps AggStddevPopNumeric = kVariance<types::StringRef, false, true>;
const AggregateOps AggVarianceInt2 = kVariance<int16_t, true, false>;
const AggregateOps AggVarianceInt4 = kVariance<int32_t, true, false>;
const AggregateOps AggVarianceInt8 = kVariance<int64_t, true, false>;
const AggregateOps AggVarianceNumeric = kVariance<types::StringRef, true, false>;
const AggregateOps AggVarSampInt2 = kVariance<int16_t, true, false>;
const AggregateOps AggVarSampInt4 = kVariance<int32_t, true, false>;
const AggregateOps AggVarSampInt8 = kVariance<int64_t, true, false>;
const AggregateOps AggVarSampNumeric = kVariance<types::StringRef, true, false>;
const AggregateOps AggVarPopInt2 = kVariance<int16_t, false, false>;
const AggregateOps AggVarPopInt4 = kVariance<int32_t, false, false>;
const AggregateOps AggVarPopInt8 = kVariance<int64_t, false, false>;
const AggregateOps AggVarPopNumeric = kVariance<types::StringRef, false, false>;

}  // namespace mayfly::func
