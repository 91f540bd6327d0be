// pg_aggregate: how PostgreSQL computes its aggregates, which is what clients read there; ours are AggregateOps.
#include "catalog/tables/generators.h"
#include "catalog/tables/row_writer.h"
#include "catalog/type_oid.h"

namespace mayfly::catalog {

namespace {

using namespace type_oid;

struct AggregateRow {
  uint32_t function;
  char kind;
  int direct_args;
  std::span<const uint32_t> functions;
  bool final_extra, moving_final_extra;
  char final_modify, moving_final_modify;
  uint32_t sort_operator, state_type;
  int32_t state_space;
  uint32_t moving_state_type;
  int32_t moving_state_space;
  std::string_view initial, moving_initial;
};

constexpr AggregateRow kAggregates[] = {
#define ARGS(...) (List<__VA_ARGS__>())
#define AGGREGATE(...) {__VA_ARGS__},
#include "catalog/data/aggregate.def"
#undef AGGREGATE
#undef ARGS
};

}  // namespace

void GeneratePgAggregate(const GenerateContext&, VirtualRowFn emit) {
  RowWriter row(emit);
  for (const AggregateRow& entry : kAggregates) {
    row.Id(entry.function).Char(entry.kind).Int2(entry.direct_args);
    for (const uint32_t function : entry.functions) row.Id(function);
    row.Bool(entry.final_extra).Bool(entry.moving_final_extra).Char(entry.final_modify).Char(entry.moving_final_modify);
    row.Id(entry.sort_operator)
        .Id(entry.state_type)
        .Int4(entry.state_space)
        .Id(entry.moving_state_type)
        .Int4(entry.moving_state_space);
    row.TextOrNull(entry.initial).TextOrNull(entry.moving_initial).Emit();
  }
}

}  // namespace mayfly::catalog
