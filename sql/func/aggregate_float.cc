// Variances of floats, and the statistics of pairs of floats (corr, covar_…, regr_…). Sums of squares are kept by the method of
// Youngs and Cramer, which does not lose the digits of values that lie close together.
#include <cmath>

#include "sql/func/aggregate_loop.h"
#include "sql/func/number_loop.h"

namespace mayfly::func {

namespace {

struct FloatMoments {
  double count = 0;
  double sum = 0;
  double squares = 0;  // of the distances from the mean
  void Add(double value) {
    const double before = sum;
    count += 1;
    sum += value;
    if (count == 1) {
      if (std::isnan(value) || std::isinf(value)) squares = std::numeric_limits<double>::quiet_NaN();
      return;
    }
    const double distance = value * count - sum;
    squares += distance * distance / (count * (count - 1));
    CheckSquares(before, value);
  }
  void Merge(const FloatMoments& other) {
    if (other.count == 0) return;
    if (count == 0) {
      *this = other;
      return;
    }
    const double distance = sum / count - other.sum / other.count;
    const double both = count + other.count;
    const double before = sum;
    squares += other.squares + count * other.count * distance * distance / both;
    sum += other.sum;
    count = both;
    CheckSquares(before, other.sum);
  }
  // Overflow of finite values is an error, of others the result is NaN.
  void CheckSquares(double a, double b) {
    if (!std::isinf(sum) && !std::isinf(squares)) return;
    if (!std::isinf(a) && !std::isinf(b)) ThrowFloatOverflow();
    squares = std::numeric_limits<double>::quiet_NaN();
  }
};

template <bool sample, bool root>
struct FloatVariance : FloatMoments {
  void Write(types::Vector& result, size_t row) const {
    if (count == 0 || (sample && count <= 1)) return result.SetNull(row);
    const double variance = squares / (sample ? count - 1 : count);
    result.Set(row, root ? std::sqrt(variance) : variance);
  }
};

// Pairs (y, x), as SQL orders the arguments.
struct PairMoments {
  double count = 0;
  double sum_x = 0, squares_x = 0;
  double sum_y = 0, squares_y = 0;
  double products = 0;
  void Add(double y, double x) {
    count += 1;
    const double before_x = sum_x;
    const double before_y = sum_y;
    sum_x += x;
    sum_y += y;
    if (count == 1) {
      constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
      if (!std::isfinite(x)) squares_x = products = kNan;
      if (!std::isfinite(y)) squares_y = products = kNan;
      return;
    }
    const double distance_x = x * count - sum_x;
    const double distance_y = y * count - sum_y;
    const double scale = 1.0 / (count * (count - 1));
    squares_x += distance_x * distance_x * scale;
    squares_y += distance_y * distance_y * scale;
    products += distance_x * distance_y * scale;
    CheckSums(std::isinf(before_x) || std::isinf(x), std::isinf(before_y) || std::isinf(y));
  }
  void Merge(const PairMoments& other) {
    if (other.count == 0) return;
    if (count == 0) {
      *this = other;
      return;
    }
    const bool infinite_x = std::isinf(sum_x) || std::isinf(other.sum_x);
    const bool infinite_y = std::isinf(sum_y) || std::isinf(other.sum_y);
    const double both = count + other.count;
    const double x = sum_x / count - other.sum_x / other.count;
    const double y = sum_y / count - other.sum_y / other.count;
    squares_x += other.squares_x + count * other.count * x * x / both;
    squares_y += other.squares_y + count * other.count * y * y / both;
    products += other.products + count * other.count * x * y / both;
    sum_x += other.sum_x;
    sum_y += other.sum_y;
    count = both;
    CheckSums(infinite_x, infinite_y);
  }
  void CheckSums(bool infinite_x, bool infinite_y) {
    const bool over_x = std::isinf(sum_x) || std::isinf(squares_x);
    const bool over_y = std::isinf(sum_y) || std::isinf(squares_y);
    if (!over_x && !over_y && !std::isinf(products)) return;
    if ((over_x && !infinite_x) || (over_y && !infinite_y) || (std::isinf(products) && !infinite_x && !infinite_y)) {
      ThrowFloatOverflow();
    }
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    if (std::isinf(squares_x)) squares_x = kNan;
    if (std::isinf(squares_y)) squares_y = kNan;
    if (std::isinf(products)) products = kNan;
  }
};

using WritePair = std::optional<double> (*)(const PairMoments&);

std::optional<double> WhereAny(const PairMoments& m, double value) {
  if (m.count < 1) return std::nullopt;
  return value;
}
std::optional<double> Correlation(const PairMoments& m) {
  if (m.count < 1 || m.squares_x == 0 || m.squares_y == 0) return std::nullopt;
  return m.products / std::sqrt(m.squares_x * m.squares_y);
}
std::optional<double> CovariancePopulation(const PairMoments& m) { return WhereAny(m, m.products / m.count); }
std::optional<double> CovarianceSample(const PairMoments& m) {
  if (m.count < 2) return std::nullopt;
  return m.products / (m.count - 1);
}
std::optional<double> AverageX(const PairMoments& m) { return WhereAny(m, m.sum_x / m.count); }
std::optional<double> AverageY(const PairMoments& m) { return WhereAny(m, m.sum_y / m.count); }
std::optional<double> SquaresX(const PairMoments& m) { return WhereAny(m, m.squares_x); }
std::optional<double> SquaresY(const PairMoments& m) { return WhereAny(m, m.squares_y); }
std::optional<double> Products(const PairMoments& m) { return WhereAny(m, m.products); }
std::optional<double> Determination(const PairMoments& m) {
  if (m.count < 1 || m.squares_x == 0) return std::nullopt;
  if (m.squares_y == 0) return 1.0;
  return (m.products * m.products) / (m.squares_x * m.squares_y);
}
std::optional<double> Slope(const PairMoments& m) {
  if (m.count < 1 || m.squares_x == 0) return std::nullopt;
  return m.products / m.squares_x;
}
std::optional<double> Intercept(const PairMoments& m) {
  if (m.count < 1 || m.squares_x == 0) return std::nullopt;
  return (m.sum_y - m.sum_x * m.products / m.squares_x) / m.count;
}

void PairInit(void* state) { new (state) PairMoments(); }
void AddPairs(const AggregateCall& call, types::Selection rows, void* const* states, void* one) {
  const types::Vector& y = *call.args[0];
  const types::Vector& x = *call.args[1];
  for (size_t i = 0; i < rows.count; ++i) {
    const size_t row = rows[i];
    static_cast<PairMoments*>(states != nullptr ? states[i] : one)
        ->Add(y.data<double>()[y.Index(row)], x.data<double>()[x.Index(row)]);
  }
}
void PairUpdate(const AggregateCall& call, types::Selection rows, void* const* states) { AddPairs(call, rows, states, nullptr); }
void PairUpdateOne(const AggregateCall& call, types::Selection rows, void* state) { AddPairs(call, rows, nullptr, state); }
void PairCombine(const AggregateCall&, void* into, const void* from) {
  static_cast<PairMoments*>(into)->Merge(*static_cast<const PairMoments*>(from));
}
template <WritePair write>
void PairFinalize(const AggregateCall&, const void* state, types::Vector& result, size_t row) {
  const std::optional<double> value = write(*static_cast<const PairMoments*>(state));
  if (!value) return result.SetNull(row);
  result.Set(row, *value);
}
void PairCount(const AggregateCall&, const void* state, types::Vector& result, size_t row) {
  result.Set(row, static_cast<int64_t>(static_cast<const PairMoments*>(state)->count));
}

constexpr AggregateOps PairOps(void (*finalize)(const AggregateCall&, const void*, types::Vector&, size_t)) {
  return {
      .state_bytes = sizeof(PairMoments),
      .skips_nulls = true,
      .init = PairInit,
      .destroy = nullptr,
      .update = PairUpdate,
      .update_one = PairUpdateOne,
      .combine = PairCombine,
      .finalize = finalize,
  };
}

}  // namespace

extern const AggregateOps AggStddevFloat4, AggStddevFloat8, AggStddevSampFloat4, AggStddevSampFloat8, AggStddevPopFloat4,
    AggStddevPopFloat8, AggVarianceFloat4, AggVarianceFloat8, AggVarSampFloat4, AggVarSampFloat8, AggVarPopFloat4,
    AggVarPopFloat8, AggCorrFloat8Float8, AggCovarPopFloat8Float8, AggCovarSampFloat8Float8, AggRegrAvgxFloat8Float8,
    AggRegrAvgyFloat8Float8, AggRegrCountFloat8Float8, AggRegrInterceptFloat8Float8, AggRegrR2Float8Float8,
    AggRegrSlopeFloat8Float8, AggRegrSxxFloat8Float8, AggRegrSxyFloat8Float8, AggRegrSyyFloat8Float8;
const AggregateOps AggStddevFloat4 = kNumberAggregate<FloatVariance<true, true>, float>;
const AggregateOps AggStddevFloat8 = kNumberAggregate<FloatVariance<true, true>, double>;
const AggregateOps AggStddevSampFloat4 = kNumberAggregate<FloatVariance<true, true>, float>;
const AggregateOps AggStddevSampFloat8 = kNumberAggregate<FloatVariance<true, true>, double>;
const AggregateOps AggStddevPopFloat4 = kNumberAggregate<FloatVariance<false, true>, float>;
const AggregateOps AggStddevPopFloat8 = kNumberAggregate<FloatVariance<false, true>, double>;
const AggregateOps AggVarianceFloat4 = kNumberAggregate<FloatVariance<true, false>, float>;
const AggregateOps AggVarianceFloat8 = kNumberAggregate<FloatVariance<true, false>, double>;
const AggregateOps AggVarSampFloat4 = kNumberAggregate<FloatVariance<true, false>, float>;
const AggregateOps AggVarSampFloat8 = kNumberAggregate<FloatVariance<true, false>, double>;
const AggregateOps AggVarPopFloat4 = kNumberAggregate<FloatVariance<false, false>, float>;
const AggregateOps AggVarPopFloat8 = kNumberAggregate<FloatVariance<false, false>, double>;
const AggregateOps AggCorrFloat8Float8 = PairOps(PairFinalize<Correlation>);
const AggregateOps AggCovarPopFloat8Float8 = PairOps(PairFinalize<CovariancePopulation>);
const AggregateOps AggCovarSampFloat8Float8 = PairOps(PairFinalize<CovarianceSample>);
const AggregateOps AggRegrAvgxFloat8Float8 = PairOps(PairFinalize<AverageX>);
const AggregateOps AggRegrAvgyFloat8Float8 = PairOps(PairFinalize<AverageY>);
const AggregateOps AggRegrCountFloat8Float8 = PairOps(PairCount);
const AggregateOps AggRegrInterceptFloat8Float8 = PairOps(PairFinalize<Intercept>);
const AggregateOps AggRegrR2Float8Float8 = PairOps(PairFinalize<Determination>);
const AggregateOps AggRegrSlopeFloat8Float8 = PairOps(PairFinalize<Slope>);
const AggregateOps AggRegrSxxFloat8Float8 = PairOps(PairFinalize<SquaresX>);
const AggregateOps AggRegrSxyFloat8Float8 = PairOps(PairFinalize<Products>);
const AggregateOps AggRegrSyyFloat8Float8 = PairOps(PairFinalize<SquaresY>);

}  // namespace mayfly::func
