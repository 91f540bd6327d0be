// The present: now() and its kin, timeofday(), pg_sleep().
#include <chrono>
#include <cmath>
#include <thread>

#include "sql/func/date_time_arithmetic.h"
#include "sql/func/lift.h"
#include "sql/types/date_time_format.h"

namespace mayfly::func {

namespace {

int64_t ClockNow(const CallContext& context) {
  return context.clock->NowMicros() - types::kUnixEpochSeconds * types::kMicrosPerSecond;
}

void SetVoid(types::Vector& result, size_t row) {
  if (result.physical() == types::PhysicalType::kBytes) result.SetBytes(row, {});
}

// Sleeps by the steady clock, in steps short enough to notice a cancel. 57014.
void Sleep(const CallContext& context, double seconds) {
  constexpr double kLongest = 1e9;  // some 30 years
  constexpr auto kStep = std::chrono::milliseconds(10);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                          std::chrono::duration<double>(std::min(seconds, kLongest)));
  for (;;) {
    if (context.interrupt != nullptr && context.interrupt->load(std::memory_order_relaxed)) {
      Throw(SqlError::Make(kQueryCanceled, "canceling statement due to user request"));
    }
    const auto now = std::chrono::steady_clock::now();
    if (now >= end) return;
    std::this_thread::sleep_for(std::min<std::chrono::steady_clock::duration>(end - now, kStep));
  }
}

template <typename T, typename Seconds>
void SleepEach(const KernelCall& call, Seconds&& seconds) {
  const types::Vector& argument = *call.args[0];
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    Sleep(call.context, seconds(argument.data<T>()[argument.Index(row)]));
    SetVoid(call.result, row);
  }
}

}  // namespace

void Now(const KernelCall& call) {
  Lift<int64_t()>(call, [&] { return call.context.io.settings.transaction_timestamp; });
}
void StatementTimestamp(const KernelCall& call) {
  Lift<int64_t()>(call, [&] { return call.context.statement_timestamp; });
}
void ClockTimestamp(const KernelCall& call) {
  Lift<int64_t()>(call, [&] { return ClockNow(call.context); });
}

// "Tue Dec 01 03:14:52.123456 2026 UTC"
void Timeofday(const KernelCall& call) {
  for (size_t i = 0; i < call.rows.count; ++i) {
    const int64_t now = ClockNow(call.context);
    const types::ZoneSpan span =
        SessionZone(call.context).At(types::FloorDivide(now, types::kMicrosPerSecond) + types::kUnixEpochSeconds);
    const types::CivilTime c = types::CivilFromTimestamp(now + span.offset_seconds * types::kMicrosPerSecond);
    const int32_t day = types::DayOfWeek(types::DaysFromCivil(c.year, c.month, c.day));
    call.result.SetBytes(call.rows[i],
                         fmt::format("{} {} {:02} {:02}:{:02}:{:02}.{:06} {:04} {}", types::kDayNames[day].substr(0, 3),
                                     types::kMonthNames[c.month - 1].substr(0, 3), c.day, c.hour, c.minute, c.second, c.micros, c.year,
                                     span.abbreviation));
  }
}

void PgSleep(const KernelCall& call) {
  SleepEach<double>(call, [](double seconds) { return std::isnan(seconds) ? 0.0 : seconds; });
}
void PgSleepFor3935(const KernelCall& call) {
  types::ZoneCursor zone(&SessionZone(call.context));
  SleepEach<types::Interval>(call, [&](const types::Interval& interval) {
    const int64_t now = ClockNow(call.context);
    return static_cast<double>(TimestamptzPlusInterval(now, interval, zone) - now) / 1e6;
  });
}
void PgSleepUntil3936(const KernelCall& call) {
  SleepEach<int64_t>(call, [&](int64_t end) { return (static_cast<double>(end) - static_cast<double>(ClockNow(call.context))) / 1e6; });
}

}  // namespace mayfly::func
