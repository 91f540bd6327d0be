// Functions as a constant array, and its indexes. The rows declare the bodies that they name.
#include "catalog/facts.h"
#include "catalog/oid_index.h"
#include "catalog/type_oid.h"

namespace mayfly::func {

#define PROC(oid, name, result, args, flags, body, ...) void body(const KernelCall& call);
#define PROC_SET(oid, name, result, args, flags, body, ...) std::unique_ptr<SetFunction> body(const SetFunctionCall& call);
#define PROC_AGGREGATE(oid, name, result, args, flags, body, ...) extern const AggregateOps body;
#define PROC_UNSUPPORTED(...)
#define PROC_STRINGS(...)
#include "catalog/data/proc.def"
#include "catalog/data/proc_mayfly.def"
#undef PROC
#undef PROC_SET
#undef PROC_AGGREGATE
#undef PROC_UNSUPPORTED
#undef PROC_STRINGS

}  // namespace mayfly::func

namespace mayfly::catalog {

namespace {

using namespace type_oid;

constexpr int kImmutable = 1;
constexpr int kStable = 2;
constexpr int kVolatile = 4;
constexpr int kStrict = 8;
constexpr int kSet = 16;
constexpr int kAggregate = 32;
constexpr int kWindow = 64;
constexpr int kProcedure = 128;

constexpr char KindOf(int flags) {
  if ((flags & kAggregate) != 0) return 'a';
  if ((flags & kWindow) != 0) return 'w';
  return (flags & kProcedure) != 0 ? 'p' : 'f';
}
constexpr Volatility VolatilityOf(int flags) {
  if ((flags & kImmutable) != 0) return Volatility::kImmutable;
  return (flags & kStable) != 0 ? Volatility::kStable : Volatility::kVolatile;
}

#define PROC(...)
#define PROC_SET(...)
#define PROC_AGGREGATE(...)
#define PROC_UNSUPPORTED(...)
#define PROC_STRINGS(kind, oid, ...) constexpr std::string_view k##kind##oid[] = {__VA_ARGS__};
#include "catalog/data/proc.def"
#include "catalog/data/proc_mayfly.def"
#undef PROC
#undef PROC_SET
#undef PROC_AGGREGATE
#undef PROC_UNSUPPORTED
#undef PROC_STRINGS

#define ARGS(...) (List<__VA_ARGS__>())
// The fields of a row up to those that only some rows have.
#define PROC_HEAD(oid_, name_, result_, args_, flags_)                                        \
  .oid = Oid{oid_}, .name = name_, .kind = KindOf(flags_), .strict = ((flags_)&kStrict) != 0, \
  .returns_set = ((flags_)&kSet) != 0, .volatility = VolatilityOf(flags_), .result = Oid{result_}, .args = args_
#define PROC_STRINGS(...)
constexpr ProcRow kProcs[] = {
#define PROC(oid, name, result, args, flags, body, source_, description_, ...)                                          \
  {PROC_HEAD(oid, name, result, args, flags), __VA_ARGS__ __VA_OPT__(, ).source = source_, .description = description_, \
   .kernel = func::body},
#define PROC_SET(oid, name, result, args, flags, body, source_, description_, ...)                                      \
  {PROC_HEAD(oid, name, result, args, flags), __VA_ARGS__ __VA_OPT__(, ).source = source_, .description = description_, \
   .set_function = func::body},
#define PROC_AGGREGATE(oid, name, result, args, flags, body, source_, description_, ...)                                \
  {PROC_HEAD(oid, name, result, args, flags), __VA_ARGS__ __VA_OPT__(, ).source = source_, .description = description_, \
   .aggregate = &func::body},
#define PROC_UNSUPPORTED(oid, name, result, args, flags, source_, description_, ...) \
  {PROC_HEAD(oid, name, result, args, flags), __VA_ARGS__ __VA_OPT__(, ).source = source_, .description = description_},
#include "catalog/data/proc.def"
#include "catalog/data/proc_mayfly.def"
#undef PROC
#undef PROC_SET
#undef PROC_AGGREGATE
#undef PROC_UNSUPPORTED
};
#undef PROC_STRINGS
#undef PROC_HEAD
#undef ARGS

constexpr bool DefaultsFit() {
  return std::all_of(std::begin(kProcs), std::end(kProcs), [](const ProcRow& row) {
    return row.defaults <= row.args.size() && row.default_sql.size() == row.defaults;
  });
}
static_assert(DefaultsFit());

constinit const auto kProcIndex = MakeOidIndex<std::size(kProcs)>([](size_t i) { return kProcs[i].oid.value; });

const NameIndex<ProcRow>& ProcNames() {
  static const NameIndex<ProcRow> index{std::span<const ProcRow>(kProcs)};
  return index;
}

}  // namespace

std::span<const ProcRow> AllProcs() { return kProcs; }

const ProcRow* FindProc(Oid oid) {
  const size_t at = kProcIndex.Find(oid);
  return at == OidIndex::kNone ? nullptr : &kProcs[at];
}

std::span<const ProcRow* const> FindProcsByName(std::string_view name) { return ProcNames().Find(name); }

}  // namespace mayfly::catalog
