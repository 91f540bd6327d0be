// generate_series over timestamps and timestamptz, by an interval.
#include "sql/func/date_time_arithmetic.h"
#include "sql/func/kernel.h"

namespace mayfly::func {

namespace {

using types::Interval;

class TimestampSeries final : public SetFunction {
 public:
  // `zone` null: plain timestamps.
  TimestampSeries(const SetFunctionCall& call, const types::TimeZone* zone)
      : current_(call.args[0].get<int64_t>()),
        last_(call.args[1].get<int64_t>()),
        step_(call.args[2].get<Interval>()),
        is_zoned_(zone != nullptr),
        zone_(zone) {
    const int sign = types::CompareIntervals(step_, Interval{});
    if (sign == 0) Throw(SqlError::Make(kInvalidParameterValue, "step size cannot equal zero"));
    is_descending_ = sign < 0;
  }

  size_t Next(size_t rows_max, std::span<types::Vector* const> columns) override {
    int64_t* const out = columns[0]->data<int64_t>();
    size_t count = 0;
    for (; count < rows_max; ++count) {
      // The step to a value is made when that value is asked for, so that one past the range fails only if it is reached.
      if (has_begun_) current_ = is_zoned_ ? TimestamptzPlusInterval(current_, step_, zone_) : TimestampPlusInterval(current_, step_);
      has_begun_ = true;
      if (is_descending_ ? current_ < last_ : current_ > last_) {
        has_begun_ = false;  // a further call ends here again
        return count;
      }
      out[count] = current_;
    }
    return count;
  }

 private:
  int64_t current_;
  int64_t last_;
  Interval step_;
  bool is_zoned_;
  bool is_descending_ = false;
  bool has_begun_ = false;
  types::ZoneCursor zone_;
};

}  // namespace

std::unique_ptr<SetFunction> GenerateSeriesTimestamp(const SetFunctionCall& call) {
  return std::make_unique<TimestampSeries>(call, nullptr);
}
std::unique_ptr<SetFunction> GenerateSeriesTimestamptz(const SetFunctionCall& call) {
  return std::make_unique<TimestampSeries>(call, &SessionZone(call.context));
}

}  // namespace mayfly::func
