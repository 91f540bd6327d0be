// generate_series of integers and numeric: from start to stop, both included, by a step that may be negative.
#include <algorithm>

#include "sql/func/number_loop.h"

namespace mayfly::func {

namespace {

SqlError SeriesError(std::string_view what, std::string_view why) {
  return SqlError::Make(kInvalidParameterValue, "{} cannot {}", what, why);
}

template <typename T>
class IntegerSeries : public SetFunction {
 public:
  explicit IntegerSeries(const SetFunctionCall& call)
      : next_(call.args[0].get<T>()), stop_(call.args[1].get<T>()), step_(call.args.size() > 2 ? call.args[2].get<T>() : T{1}) {
    if (step_ == 0) Throw(SeriesError("step size", "equal zero"));
    done_ = step_ > 0 ? next_ > stop_ : next_ < stop_;
  }

  size_t Next(size_t rows_max, std::span<types::Vector* const> columns) override {
    T* const out = columns[0]->data<T>();
    size_t rows = 0;
    while (rows < rows_max && !done_) {
      out[rows++] = next_;
      done_ = __builtin_add_overflow(next_, step_, &next_) || (step_ > 0 ? next_ > stop_ : next_ < stop_);
    }
    return rows;
  }

 private:
  T next_;
  T stop_;
  T step_;
  bool done_;
};

class NumericSeries : public SetFunction {
 public:
  explicit NumericSeries(const SetFunctionCall& call)
      : next_(types::DecodeNumeric(call.args[0].bytes())), stop_(types::DecodeNumeric(call.args[1].bytes())) {
    step_ = call.args.size() > 2 ? types::DecodeNumeric(call.args[2].bytes()) : types::Numeric::FromInt64(1);
    const auto check = [](const types::Numeric& value, std::string_view what) {
      if (value.is_nan()) Throw(SeriesError(what, "be NaN"));
      if (value.is_infinite()) Throw(SeriesError(what, "be infinity"));
    };
    check(next_, "start value");
    check(stop_, "stop value");
    check(step_, "step size");
    if (step_.is_zero()) Throw(SeriesError("step size", "equal zero"));
  }

  size_t Next(size_t rows_max, std::span<types::Vector* const> columns) override {
    types::Vector& column = *columns[0];
    size_t rows = 0;
    for (; rows < rows_max; ++rows) {
      const int order = types::CompareNumeric(next_, stop_);
      if (step_.sign() > 0 ? order > 0 : order < 0) break;
      column.Set(rows, types::EncodeNumeric(next_, column.heap()));
      next_ = types::AddNumeric(next_, step_);
    }
    return rows;
  }

 private:
  types::Numeric next_;
  types::Numeric stop_;
  types::Numeric step_;
};

}  // namespace

std::unique_ptr<SetFunction> GenerateSeriesInt4(const SetFunctionCall& call) {
  return std::make_unique<IntegerSeries<int32_t>>(call);
}
std::unique_ptr<SetFunction> GenerateSeriesStepInt4(const SetFunctionCall& call) { return GenerateSeriesInt4(call); }
std::unique_ptr<SetFunction> GenerateSeriesInt8(const SetFunctionCall& call) {
  return std::make_unique<IntegerSeries<int64_t>>(call);
}
std::unique_ptr<SetFunction> GenerateSeriesStepInt8(const SetFunctionCall& call) { return GenerateSeriesInt8(call); }
std::unique_ptr<SetFunction> GenerateSeriesNumeric(const SetFunctionCall& call) { return std::make_unique<NumericSeries>(call); }
std::unique_ptr<SetFunction> GenerateSeriesStepNumeric(const SetFunctionCall& call) { return GenerateSeriesNumeric(call); }

}  // namespace mayfly::func
