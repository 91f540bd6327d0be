// Date/time kernels against PostgreSQL's answers (make_date_time_golden.py), over whole batches, and the functions that no golden file can hold.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "sql/func/kernel.h"
#include "sql/types/calendar.h"
#include "sql/types/numeric.h"
#include "sql/types/time_zone.h"

namespace mayfly::func {

#define KERNEL(name) void name(const KernelCall& call);
#include "tests/sql/func/date_time_kernels.inc"
#include "tests/sql/func/formatting_kernels.inc"
#undef KERNEL
void Now(const KernelCall& call);
void StatementTimestamp(const KernelCall& call);
void ClockTimestamp(const KernelCall& call);
void Timeofday(const KernelCall& call);
void PgSleep(const KernelCall& call);
void Age1386(const KernelCall& call);
void Age2059(const KernelCall& call);
std::unique_ptr<SetFunction> GenerateSeriesTimestamp(const SetFunctionCall& call);
std::unique_ptr<SetFunction> GenerateSeriesTimestamptz(const SetFunctionCall& call);
extern const AggregateOps AggSumInterval, AggAvgInterval;

namespace {

using types::Datum;
using types::Interval;
using types::IoContext;
using types::IoSettings;
using types::PhysicalType;
using types::TypeDesc;
using types::TypeOps;
using types::Vector;

const std::map<std::string, Kernel>& Kernels() {
  static const std::map<std::string, Kernel> kernels = {
#define KERNEL(name) {#name, name},
#include "tests/sql/func/date_time_kernels.inc"
#include "tests/sql/func/formatting_kernels.inc"
#undef KERNEL
  };
  return kernels;
}

const TypeOps* OpsOf(const std::string& type) {
  static const std::map<std::string, const TypeOps*> ops = {{"date", &types::kDateOps},
                                                            {"time", &types::kTimeOps},
                                                            {"timestamp", &types::kTimestampOps},
                                                            {"timestamptz", &types::kTimestamptzOps},
                                                            {"interval", &types::kIntervalOps}};
  const auto found = ops.find(type);
  return found == ops.end() ? nullptr : found->second;
}

PhysicalType PhysicalOf(const std::string& type) {
  if (const TypeOps* ops = OpsOf(type)) return ops->physical;
  if (type == "int4") return PhysicalType::kInt32;
  if (type == "float8") return PhysicalType::kFloat64;
  if (type == "bool") return PhysicalType::kBool;
  return PhysicalType::kBytes;
}

// A session: settings in one zone, a clock, and a transaction that began at 2024-02-29 12:00 UTC.
struct Session {
  explicit Session(const std::string& zone) {
    settings.time_zone = types::TimeZone::Find(zone);
    settings.transaction_timestamp = 762'523'200'000'000;
    context.clock = &clock;
    context.statement_timestamp = settings.transaction_timestamp + 5;
    context.interrupt = &interrupt;
  }
  IoSettings settings;
  ManualClock clock{1'709'208'000'000'007};
  std::atomic<bool> interrupt = false;
  CallContext context{.io = IoContext{settings}, .session = nullptr, .clock = nullptr, .statement_timestamp = 0, .random = nullptr, .interrupt = nullptr};
};

void SetFromText(Vector& vector, size_t row, const std::string& type, const std::string& text, const IoContext& io) {
  if (text == "\\N") return vector.SetNull(row);
  if (const TypeOps* ops = OpsOf(type)) {
    const TypeDesc desc{.oid = Oid{0}, .name = type, .ops = ops};
    Arena arena;
    vector.SetDatum(row, ops->in(desc, text, -1, io, arena).value());
  } else if (type == "int4") {
    vector.Set<int32_t>(row, std::stoi(text));
  } else if (type == "float8") {
    vector.Set<double>(row, std::stod(text));
  } else if (type == "numeric") {
    vector.data<types::StringRef>()[row] = types::EncodeNumeric(types::ParseNumeric(text).value(), vector.heap());
  } else if (type == "bool") {
    vector.Set<bool>(row, text == "t");
  } else {
    vector.SetBytes(row, text);
  }
}

std::string ToText(const Vector& vector, size_t row, const std::string& type, const IoContext& io) {
  if (vector.IsNull(row)) return "\\N";
  const Datum value = vector.Get(row);
  std::string out;
  if (const TypeOps* ops = OpsOf(type)) {
    ops->out(TypeDesc{.oid = Oid{0}, .name = type, .ops = ops}, value, io, out);
  } else if (type == "bool") {
    out = value.get<bool>() ? "true" : "false";
  } else if (type == "int4") {
    out = std::to_string(value.get<int32_t>());
  } else if (type == "float8") {
    out = fmt::format("{}", value.get<double>());
  } else if (type == "numeric") {
    types::AppendNumeric(types::DecodeNumeric(value.bytes()), out);
  } else {
    out = value.bytes();
  }
  return out;
}

struct Case {
  std::string kernel, zone, result_type, answer;
  std::vector<std::string> types, arguments;
};

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

std::vector<Case> ReadCases(const std::string& name) {
  std::ifstream file(MAYFLY_SOURCE_DIR "/tests/sql/func/" + name);
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) {
    const auto fields = Split(line, '\t');
    Case c{.kernel = fields[0], .zone = fields[1], .result_type = fields[3], .answer = fields.back(), .types = Split(fields[2], ','), .arguments = {}};
    c.arguments.assign(fields.begin() + 4, fields.end() - 1);
    cases.push_back(std::move(c));
  }
  return cases;
}

// Calls with rows 3 and 5 selected of a batch, the arguments constant or not.
std::string Answer(const Case& c, bool is_constant) {
  Session session(c.zone);
  const IoContext& io = session.context.io;
  std::vector<Vector> vectors;
  for (const std::string& type : c.types) vectors.emplace_back(PhysicalOf(type), 8);
  std::vector<const Vector*> arguments;
  for (size_t i = 0; i < vectors.size(); ++i) {
    if (is_constant) vectors[i].SetConstant();
    for (const size_t row : {is_constant ? 0U : 3U, is_constant ? 0U : 5U}) SetFromText(vectors[i], row, c.types[i], c.arguments[i], io);
    arguments.push_back(&vectors[i]);
  }
  Vector result(PhysicalOf(c.result_type), 8);
  const uint16_t rows[] = {3, 5};
  try {
    Kernels().at(c.kernel)(KernelCall{session.context, arguments, {rows, 2}, result, {}, {}});
  } catch (const SqlException& exception) {
    return fmt::format("{} {}", exception.error().state.code(), exception.error().message);
  }
  const std::string third = ToText(result, 3, c.result_type, io);
  EXPECT_EQ(third, ToText(result, 5, c.result_type, io)) << c.kernel;
  return third;
}

bool IsSame(const Case& c, const std::string& ours) {
  if (ours == c.answer) return true;
  // The same number may be written in two ways.
  const bool is_number = c.result_type == "float8" && c.answer.find(' ') == std::string::npos && ours != "\\N" && c.answer != "\\N";
  return is_number && std::strtod(ours.c_str(), nullptr) == std::strtod(c.answer.c_str(), nullptr);
}

void ExpectGoldenAnswers(const std::string& name, size_t count_min) {
  const auto cases = ReadCases(name);
  ASSERT_GT(cases.size(), count_min);
  for (const Case& c : cases) {
    for (const bool is_constant : {true, false}) {
      const std::string ours = Answer(c, is_constant);
      EXPECT_TRUE(IsSame(c, ours))
          << c.kernel << "(" << fmt::format("{}", fmt::join(c.arguments, ", ")) << ") in " << c.zone << ": " << ours << ", not " << c.answer;
    }
  }
}

TEST(DateTimeFunctions, AgreeWithPostgreSqlOnEveryGoldenCall) { ExpectGoldenAnswers("date_time_functions.golden", 3000); }
TEST(Formatting, AgreesWithPostgreSqlOnEveryGoldenTemplate) { ExpectGoldenAnswers("formatting.golden", 1500); }

int64_t Call(Kernel kernel, Session& session, std::span<const Vector* const> arguments = {}) {
  Vector result(PhysicalType::kInt64, 8);
  kernel(KernelCall{session.context, arguments, {nullptr, 1}, result, {}, {}});
  return result.Get(0).get<int64_t>();
}

TEST(DateTimeFunctions, NowIsTheTransactionsTimeAndTheClockMoves) {
  Session session("UTC");
  EXPECT_EQ(Call(Now, session), session.settings.transaction_timestamp);
  EXPECT_EQ(Call(StatementTimestamp, session), session.settings.transaction_timestamp + 5);
  EXPECT_EQ(Call(ClockTimestamp, session), session.settings.transaction_timestamp + 7);
  session.clock.Advance(10);
  EXPECT_EQ(Call(ClockTimestamp, session), session.settings.transaction_timestamp + 17);
  Vector result(PhysicalType::kBytes, 8);
  Session paris("Europe/Paris");
  Timeofday(KernelCall{paris.context, {}, {nullptr, 1}, result, {}, {}});
  EXPECT_EQ(result.Get(0).bytes(), "Thu Feb 29 13:00:00.000007 2024 CET");
}

TEST(DateTimeFunctions, AgeOfOneArgumentCountsFromToday) {
  Session session("UTC");
  Vector argument(PhysicalType::kInt64, 8);
  argument.Set<int64_t>(0, 0);  // 2000-01-01
  const Vector* const arguments[] = {&argument};
  for (const Kernel kernel : {Age1386, Age2059}) {
    Vector result(PhysicalType::kInterval, 8);
    kernel(KernelCall{session.context, arguments, {nullptr, 1}, result, {}, {}});
    EXPECT_EQ(result.Get(0).get<Interval>(), (Interval{0, 28, 24 * 12 + 1}));
  }
}

TEST(DateTimeFunctions, ASleepEndsAtOnceWhenItIsCancelled) {
  Session session("UTC");
  Vector argument(PhysicalType::kFloat64, 8);
  argument.Set<double>(0, 3600.0);
  const Vector* const arguments[] = {&argument};
  Vector result(PhysicalType::kBytes, 8);
  session.interrupt = true;
  try {
    PgSleep(KernelCall{session.context, arguments, {nullptr, 1}, result, {}, {}});
    FAIL() << "slept";
  } catch (const SqlException& exception) {
    EXPECT_EQ(exception.error().state.code(), "57014");
    EXPECT_EQ(exception.error().message, "canceling statement due to user request");
  }
  session.interrupt = false;
  for (const double seconds : {0.0, -1.0, std::nan("")}) {
    argument.Set<double>(0, seconds);
    PgSleep(KernelCall{session.context, arguments, {nullptr, 1}, result, {}, {}});
  }
}

std::string Series(const std::string& zone, const std::string& type, const std::string& first, const std::string& last, const std::string& step) {
  Session session(zone);
  const IoContext& io = session.context.io;
  Vector begin(PhysicalType::kInt64, 1), end(PhysicalType::kInt64, 1), by(PhysicalType::kInterval, 1);
  SetFromText(begin, 0, type, first, io);
  SetFromText(end, 0, type, last, io);
  SetFromText(by, 0, "interval", step, io);
  const Datum arguments[] = {begin.Get(0), end.Get(0), by.Get(0)};
  const SetFunctionCall call{session.context, arguments, {}, {}};
  std::string out;
  try {
    auto series = type == "timestamp" ? GenerateSeriesTimestamp(call) : GenerateSeriesTimestamptz(call);
    Vector column(PhysicalType::kInt64, 2);
    Vector* const columns[] = {&column};
    for (size_t count = 0; (count = series->Next(2, columns)) != 0;) {
      for (size_t i = 0; i < count; ++i) out += ToText(column, i, type, io) + ";";
    }
    EXPECT_EQ(series->Next(2, columns), 0U);
  } catch (const SqlException& exception) {
    out += exception.error().message;
  }
  return out;
}

TEST(DateTimeFunctions, SeriesOfTimestamps) {
  EXPECT_EQ(Series("UTC", "timestamp", "2024-01-31", "2024-04-01", "1 month"),
            "2024-01-31 00:00:00;2024-02-29 00:00:00;2024-03-29 00:00:00;");
  EXPECT_EQ(Series("UTC", "timestamp", "2024-01-02", "2024-01-01", "-12 hours"), "2024-01-02 00:00:00;2024-01-01 12:00:00;2024-01-01 00:00:00;");
  EXPECT_EQ(Series("UTC", "timestamp", "2024-01-02", "2024-01-01", "1 day"), "");
  EXPECT_EQ(Series("UTC", "timestamp", "2024-01-01", "2024-01-02", "1 month -30 days"), "step size cannot equal zero");
  EXPECT_EQ(Series("America/New_York", "timestamptz", "2024-03-09 12:00", "2024-03-11", "1 day"),
            "2024-03-09 12:00:00-05;2024-03-10 12:00:00-04;");
  EXPECT_EQ(Series("UTC", "timestamp", "294276-12-31", "infinity", "1 day"), "timestamp out of range");
}

Interval Aggregate(const AggregateOps& ops, std::span<const Interval> values) {
  Session session("UTC");
  Vector vector(PhysicalType::kInterval, 8);
  for (size_t i = 0; i < values.size(); ++i) vector.Set(i, values[i]);
  const Vector* const arguments[] = {&vector};
  const AggregateCall call{session.context, arguments, {}, {}};
  alignas(16) char first[64];
  alignas(16) char second[64];
  ops.init(first);
  ops.init(second);
  const uint16_t head[] = {0};
  void* const states[] = {first};
  ops.update(call, {head, 1}, states);
  const uint16_t tail[] = {1, 2};
  ops.update_one(call, {tail, values.size() - 1}, second);
  ops.combine(call, first, second);
  Vector result(PhysicalType::kInterval, 8);
  ops.finalize(call, first, result, 0);
  return result.Get(0).get<Interval>();
}

TEST(DateTimeFunctions, SumAndAverageOfIntervals) {
  const Interval values[] = {{1, 1, 1}, {2, 2, 2}, {4, 4, 4}};
  EXPECT_EQ(Aggregate(AggSumInterval, values), (Interval{7, 7, 7}));
  EXPECT_EQ(Aggregate(AggAvgInterval, values), (Interval{28'800'000'002, 12, 2}));  // PostgreSQL: 2 mons 12 days 08:00:00.000002
  const Interval huge[] = {{0, INT32_MAX, 0}, {0, 1, 0}, {0, 0, 0}};
  EXPECT_THROW(Aggregate(AggSumInterval, huge), SqlException);
  Session session("UTC");
  for (const AggregateOps* ops : {&AggSumInterval, &AggAvgInterval}) {
    alignas(16) char state[64];
    ops->init(state);
    Vector result(PhysicalType::kInterval, 8);
    ops->finalize(AggregateCall{session.context, {}, {}, {}}, state, result, 0);
    EXPECT_TRUE(result.IsNull(0)) << "no rows";
  }
}

}  // namespace
}  // namespace mayfly::func
