// What the rest of the system may do with a type: a record of functions, one a type family, and the settings that its text forms obey.
//
// There is one codec for values: DataRow, Bind, COPY, ::text casts and dumps all call these. The rows themselves (names, OIDs, arrays)
// stand in catalog/data/type.def and become TypeDesc objects there.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/result.h"
#include "base/strong_id.h"
#include "sql/types/datum.h"

namespace mayfly::types {

class TimeZone;  // sql/types/time_zone.h

enum class DateStyle : uint8_t { kIso, kPostgres, kSql, kGerman };
enum class DateOrder : uint8_t { kMdy, kDmy, kYmd };
enum class IntervalStyle : uint8_t { kPostgres, kPostgresVerbose, kSqlStandard, kIso8601 };
enum class ByteaOutput : uint8_t { kHex, kEscape };

// The session settings that text input and output depend on, and the times that 'now', 'today' … mean. Copied when a setting changes.
struct IoSettings {
  DateStyle date_style = DateStyle::kIso;
  DateOrder date_order = DateOrder::kMdy;
  IntervalStyle interval_style = IntervalStyle::kPostgres;
  ByteaOutput bytea_output = ByteaOutput::kHex;
  int extra_float_digits = 1;
  const TimeZone* time_zone = nullptr;  // never null while a statement runs
  // Start of the transaction, microseconds since 2000-01-01 UTC (a timestamptz).
  int64_t transaction_timestamp = 0;
};

struct TypeDesc;

// Resolves names that are values: 'pg_class'::regclass and back. Implemented by the session's catalog snapshot; null where none is at hand
// (then reg* input other than digits is 0A000).
class NameResolver {
 public:
  virtual ~NameResolver() = default;
  // `kind` is the reg* type's name ("regclass"). Errors as PostgreSQL's (42P01 `relation "x" does not exist`, …).
  virtual Result<Oid> ResolveName(std::string_view kind, std::string_view text) const = 0;
  // Appends the name as PostgreSQL prints it (qualified where not visible); digits where unknown.
  virtual void AppendName(std::string_view kind, Oid oid, std::string& out) const = 0;
};

// What an I/O function is given beside the value.
struct IoContext {
  const IoSettings& settings;
  const NameResolver* names = nullptr;
};

// A type's functions. Any pointer but `physical` may be null: then that ability does not exist (0A000 or 42883 by the caller).
// None sees NULL. Long results are allocated in `arena`. Input errors are PostgreSQL's (22P02 "invalid input syntax for type …", 22003,
// 22007, 22008, …), without position.
struct TypeOps {
  PhysicalType physical = PhysicalType::kBytes;

  Result<Datum> (*in)(const TypeDesc& type, std::string_view text, int32_t typmod, const IoContext& io, Arena& arena) = nullptr;
  void (*out)(const TypeDesc& type, const Datum& value, const IoContext& io, std::string& out) = nullptr;
  // Binary format of the wire; errors 22P03, 08P01, ….
  Result<Datum> (*recv)(const TypeDesc& type, std::string_view bytes, int32_t typmod, const IoContext& io, Arena& arena) = nullptr;
  void (*send)(const TypeDesc& type, const Datum& value, const IoContext& io, std::string& out) = nullptr;

  // The order of the type's default btree operator class, and equality of DISTINCT, GROUP BY and keys: <0, 0, >0.
  int (*compare)(const TypeDesc& type, const Datum& a, const Datum& b) = nullptr;
  // Equal values (by compare) have equal hashes.
  uint64_t (*hash)(const TypeDesc& type, const Datum& value) = nullptr;

  // Appends bytes whose memcmp order is `compare`, and that are no prefix of another value's; equal values give equal bytes.
  void (*encode_key)(const TypeDesc& type, const Datum& value, std::string& out) = nullptr;
  // Reads what encode_key wrote; gives the very value back where key_is_lossless, else only an equal one.
  Result<Datum> (*decode_key)(const TypeDesc& type, ByteReader& key, Arena& arena) = nullptr;
  bool key_is_lossless = false;

  // '(10,2)' -> typmod and back ("(10,2)"). Errors 22023 as PostgreSQL's. typmod -1 means none.
  Result<int32_t> (*typmod_in)(std::span<const int32_t> modifiers) = nullptr;
  void (*typmod_out)(int32_t typmod, std::string& out) = nullptr;
};

// A type as code uses it. Static; compared by address or OID.
struct TypeDesc {
  Oid oid;
  std::string_view name;  // pg_type.typname
  const TypeOps* ops = nullptr;
  const TypeDesc* element = nullptr;  // of an array (and of oidvector, int2vector)
  const TypeDesc* array = nullptr;    // the array of this type
  int16_t length = -1;                // pg_type.typlen
  char category = 'U';
  bool preferred = false;
  char delimiter = ',';

  PhysicalType physical() const { return ops->physical; }
};

// The families' records; one definition each, in the family's file.
extern const TypeOps kBoolOps, kInt2Ops, kInt4Ops, kInt8Ops, kOidOps, kFloat4Ops, kFloat8Ops, kNumericOps;
extern const TypeOps kTextOps, kVarcharOps, kBpcharOps, kNameOps, kCharOps, kByteaOps, kUnknownOps, kCstringOps;
extern const TypeOps kDateOps, kTimeOps, kTimestampOps, kTimestamptzOps, kIntervalOps;
extern const TypeOps kUuidOps, kJsonOps, kJsonbOps, kArrayOps, kRecordOps, kVoidOps;
extern const TypeOps kRegclassOps, kRegtypeOps, kRegprocOps, kRegprocedureOps, kRegoperOps, kRegoperatorOps, kRegnamespaceOps, kRegroleOps;
// oidvector and int2vector: space-separated text, zero-based arrays.
extern const TypeOps kOidvectorOps, kInt2vectorOps;
extern const TypeOps kXidOps;

}  // namespace mayfly::types
