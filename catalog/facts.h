// PostgreSQL 15's built-in facts as constant tables: types, functions, operators, casts. Rows stand in catalog/data/*.def, with
// PostgreSQL's names and OIDs; the same rows drive overload resolution, coercion, execution and pg_catalog.
//
// A row without implementation (kernel, factory and aggregate all null) takes part in resolution, and is 0A000 when chosen.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/strong_id.h"
#include "sql/func/kernel.h"
#include "sql/types/type.h"

namespace mayfly::catalog {

enum class Volatility : char { kImmutable = 'i', kStable = 's', kVolatile = 'v' };

// pg_proc. Argument lists are input arguments only.
struct ProcRow {
  Oid oid{};
  std::string_view name{};
  char kind = 'f';  // prokind: f function, a aggregate, w window, p procedure
  bool strict = false;
  bool returns_set = false;
  Volatility volatility = Volatility::kVolatile;
  Oid result{};
  std::span<const uint32_t> args{};
  Oid variadic{};           // element type of a VARIADIC last argument (2276 for "any"); 0 = none
  uint8_t defaults = 0;   // how many trailing arguments have defaults
  // Result columns of a function with OUT arguments or RETURNS TABLE; empty otherwise.
  std::span<const uint32_t> out_types{};
  std::span<const std::string_view> out_names{};
  std::span<const std::string_view> arg_names{};
  std::span<const std::string_view> default_sql{};  // the defaults of the trailing arguments, as SQL text
  std::string_view source{};  // prosrc
  std::string_view description{};

  func::Kernel kernel = nullptr;
  func::SetFunctionFactory set_function = nullptr;
  const func::AggregateOps* aggregate = nullptr;

  bool implemented() const { return kernel != nullptr || set_function != nullptr || aggregate != nullptr; }
};

// pg_operator.
struct OperatorRow {
  Oid oid;
  std::string_view name;
  Oid left;  // 0 for a prefix operator
  Oid right;
  Oid result;
  Oid proc;
  Oid commutator;
  Oid negator;
  bool can_merge = false;
  bool can_hash = false;
  Oid restriction;  // oprrest, oprjoin: for show only
  Oid join;
  std::string_view description;
};

enum class CastContext : char { kImplicit = 'i', kAssignment = 'a', kExplicit = 'e' };
enum class CastMethod : char { kFunction = 'f', kBinary = 'b', kInOut = 'i' };

// pg_cast.
struct CastRow {
  Oid source;
  Oid target;
  Oid proc;  // 0 unless kFunction
  CastContext context;
  CastMethod method;
};

// pg_type, beyond what types::TypeDesc holds.
struct TypeRow {
  const types::TypeDesc* desc = nullptr;  // desc->ops is null for a type that is known by name only (0A000 when used)
  char kind = 'b';                        // typtype: b base, p pseudo, c composite …
  bool by_value = false;
  char alignment = 'i';
  char storage = 'p';
  Oid element;      // typelem
  Oid array;        // typarray
  Oid collation;    // typcollation
  Oid input, output, receive, send, typmod_in, typmod_out;  // pg_proc OIDs
  std::string_view description;
};

// All rows, ascending by OID (casts by source, target).
std::span<const TypeRow> AllTypes();
std::span<const ProcRow> AllProcs();
std::span<const OperatorRow> AllOperators();
std::span<const CastRow> AllCasts();

// Null where there is none. O(1).
const TypeRow* FindTypeRow(Oid oid);
const types::TypeDesc* FindType(Oid oid);
// By pg_type.typname ("int4"), not by SQL spelling ("integer": the parser maps that already).
const types::TypeDesc* FindTypeByName(std::string_view name);
const ProcRow* FindProc(Oid oid);
// All overloads of a name, in OID order; empty where there is none.
std::span<const ProcRow* const> FindProcsByName(std::string_view name);
std::span<const OperatorRow* const> FindOperatorsByName(std::string_view name);
const OperatorRow* FindOperator(Oid oid);
// The cast of pg_cast; identity, I/O conversion and array element casts are the coercion code's business (sql/analyze/coerce.cc).
const CastRow* FindCast(Oid source, Oid target);

// The default btree operators of a type ("=", "<", ">" by OID); 0 where it has no btree class.
struct BtreeOperators {
  Oid less, equal, greater;
};
BtreeOperators FindBtreeOperators(Oid type);

// pg_opclass and pg_opfamily of btree.
struct OperatorClassRow {
  Oid oid;
  std::string_view name;
  Oid family;
  std::string_view family_name;
  Oid input;
  Oid key;  // 0 = as the input
  bool is_default;
};
std::span<const OperatorClassRow> AllOperatorClasses();

// OIDs of types that code names (the rest is data): kOidInt4 = 23 …
#define TYPE_OID(value, name) inline constexpr Oid name{value};
TYPE_OID(16, kOidBool)
TYPE_OID(17, kOidBytea)
TYPE_OID(18, kOidChar)
TYPE_OID(19, kOidName)
TYPE_OID(20, kOidInt8)
TYPE_OID(21, kOidInt2)
TYPE_OID(22, kOidInt2Vector)
TYPE_OID(23, kOidInt4)
TYPE_OID(24, kOidRegproc)
TYPE_OID(25, kOidText)
TYPE_OID(26, kOidOid)
TYPE_OID(30, kOidOidVector)
TYPE_OID(114, kOidJson)
TYPE_OID(700, kOidFloat4)
TYPE_OID(701, kOidFloat8)
TYPE_OID(705, kOidUnknown)
TYPE_OID(1005, kOidInt2Array)
TYPE_OID(1007, kOidInt4Array)
TYPE_OID(1009, kOidTextArray)
TYPE_OID(1028, kOidOidArray)
TYPE_OID(1003, kOidNameArray)
TYPE_OID(1042, kOidBpchar)
TYPE_OID(1043, kOidVarchar)
TYPE_OID(1082, kOidDate)
TYPE_OID(1083, kOidTime)
TYPE_OID(1114, kOidTimestamp)
TYPE_OID(1184, kOidTimestamptz)
TYPE_OID(1186, kOidInterval)
TYPE_OID(1700, kOidNumeric)
TYPE_OID(2205, kOidRegclass)
TYPE_OID(2206, kOidRegtype)
TYPE_OID(2249, kOidRecord)
TYPE_OID(2275, kOidCstring)
TYPE_OID(2276, kOidAny)
TYPE_OID(2277, kOidAnyArray)
TYPE_OID(2278, kOidVoid)
TYPE_OID(2283, kOidAnyElement)
TYPE_OID(2776, kOidAnyNonArray)
TYPE_OID(2950, kOidUuid)
TYPE_OID(3500, kOidAnyEnum)
TYPE_OID(3802, kOidJsonb)
TYPE_OID(5077, kOidAnyCompatible)
TYPE_OID(5078, kOidAnyCompatibleArray)
TYPE_OID(5079, kOidAnyCompatibleNonArray)
#undef TYPE_OID

}  // namespace mayfly::catalog
