// What a built-in function's body is: a kernel over vectors, usually a scalar lambda lifted by Lift (sql/func/lift.h).
//
// A row of catalog/data/proc.def names its kernel; the row is looked up once, at analysis, and the plan keeps the pointer.
//   PROC(177, "int4pl", INT4, ARGS(INT4, INT4), kImmutable | kStrict, Int4Plus, "implementation of + operator")
// The row itself declares `void Int4Plus(const KernelCall&)`; the body stands in a file of sql/func:
//   void Int4Plus(const KernelCall& call) { Lift<int32_t(int32_t, int32_t)>(call, [](int32_t a, int32_t b) { return AddInt4(a, b); }); }
//
// Strictness is the evaluator's business: a kernel of a strict function is called only with rows where no argument is NULL.
// Errors are thrown as SqlException.
#pragma once

#include <cstdint>
#include <atomic>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/strong_id.h"
#include "sql/types/type.h"
#include "sql/types/vector.h"

namespace mayfly::func {

// A type with its modifier, as an argument or result is used.
struct TypeUse {
  const types::TypeDesc* type = nullptr;
  int32_t typmod = -1;
};

// What functions may ask of the session and its catalog snapshot (pg_get_userbyid, current_schema, set_config …). Implemented by
// sql/session; null in constant folding of immutable functions and in unit tests.
class SessionInfo {
 public:
  virtual ~SessionInfo() = default;
  virtual std::string_view database_name() const = 0;
  virtual std::string_view user_name() const = 0;
  virtual std::string_view session_user_name() const = 0;
  virtual int32_t backend_pid() const = 0;
  // Schemas of search_path that exist; with implicit ones (pg_catalog) where asked.
  virtual std::vector<std::string> CurrentSchemas(bool with_implicit) const = 0;
  // current_setting; nullopt where there is no such setting.
  virtual std::optional<std::string> GetSetting(std::string_view name) const = 0;
  // set_config; returns the new value as SHOW prints it. 42704, 22023, ….
  virtual std::string SetSetting(std::string_view name, std::string_view value, bool is_local) = 0;
  // pg_get_expr, pg_get_indexdef, pg_get_constraintdef, obj_description …: "what" names the function; nullopt = NULL.
  virtual std::optional<std::string> DescribeObject(std::string_view what, Oid oid, int32_t sub_id, bool pretty) const = 0;
  // pg_table_is_visible and its kin: "what" is the function's name. nullopt = NULL (no such object).
  virtual std::optional<bool> IsVisible(std::string_view what, Oid oid) const = 0;
};

// One for a running statement; bodies may keep nothing of it.
struct CallContext {
  types::IoContext io;
  SessionInfo* session = nullptr;
  const Clock* clock = nullptr;                 // clock_timestamp()
  int64_t statement_timestamp = 0;              // microseconds since 2000-01-01 UTC
  std::mt19937_64* random = nullptr;            // random(), gen_random_uuid(): injected, seeded by the server or a test
  std::atomic<bool>* interrupt = nullptr;       // pg_sleep and long loops look at it
};

struct KernelCall {
  CallContext& context;
  std::span<const types::Vector* const> args;
  types::Selection rows;  // the rows to compute; others in `result` are left alone
  types::Vector& result;  // not constant; NULL flags clear on entry for these rows
  std::span<const TypeUse> arg_types;
  TypeUse result_type;
};
using Kernel = void (*)(const KernelCall& call);

// A set-returning function while it runs: made once a call, asked until it is done.
class SetFunction {
 public:
  virtual ~SetFunction() = default;
  // Writes up to `rows_max` next rows to rows 0.. of `columns` (one vector a result column); returns how many, 0 at the end.
  virtual size_t Next(size_t rows_max, std::span<types::Vector* const> columns) = 0;
};
// `args` are one value each, and live as long as the SetFunction. Strict ones are not called with a NULL.
struct SetFunctionCall {
  CallContext& context;
  std::span<const types::Datum> args;
  std::span<const TypeUse> arg_types;
  TypeUse result_type;
};
using SetFunctionFactory = std::unique_ptr<SetFunction> (*)(const SetFunctionCall& call);

// An aggregate: states live in memory of the executor, one a group. Strict transition (NULL inputs are skipped) is the executor's business
// where `skips_nulls`; count(*) has no argument.
struct AggregateCall {
  CallContext& context;
  std::span<const types::Vector* const> args;
  std::span<const TypeUse> arg_types;
  TypeUse result_type;
};
struct AggregateOps {
  size_t state_bytes = 0;  // aligned to 16
  bool skips_nulls = true;
  void (*init)(void* state) = nullptr;
  void (*destroy)(void* state) = nullptr;  // null where nothing is owned
  // states[i] is the state of the i-th selected row.
  void (*update)(const AggregateCall& call, types::Selection rows, void* const* states) = nullptr;
  // The same for one state for all rows (no GROUP BY); null = the executor uses `update`.
  void (*update_one)(const AggregateCall& call, types::Selection rows, void* state) = nullptr;
  // Adds `from` to `into` (parallel aggregation); null = not parallel.
  void (*combine)(const AggregateCall& call, void* into, const void* from) = nullptr;
  // Writes the result (or NULL) to `row` of `result`.
  void (*finalize)(const AggregateCall& call, const void* state, types::Vector& result, size_t row) = nullptr;
};

}  // namespace mayfly::func
