// The payload of a stored row, and its decoding into column vectors by column id.
//
//   | layout version: varint | nulls: 1 bit a column | fixed-width values | varint length, bytes | varint length, bytes | …
//
// The layout (catalog::RowLayout) lists the columns of the payload in order. Fixed-width values lie side by side, little-endian,
// NULL ones as zero bytes, so that each stands at an offset known from the layout alone; then come the non-NULL values of
// variable width. Columns whose key encoding gives the value back exactly stand in the key only. A column that the layout lacks
// was added later: it has the column's missing value.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/arena.h"
#include "catalog/descriptor.h"
#include "sql/types/owned_datum.h"
#include "sql/types/vector.h"
#include "storage/engine.h"

namespace mayfly::store {

// The layout for new rows of `table`: all live columns but those kept in the key alone.
std::vector<ColumnId> PayloadColumns(const catalog::TableDescriptor& table);

// Writes payloads in a table's current layout; made once per plan.
class RowEncoder {
 public:
  explicit RowEncoder(const catalog::TableDescriptor& table);
  // `values` has one datum for each live column of the table, in column order. Appends to `out`.
  void Encode(std::span<const types::Datum> values, std::string& out) const;

 private:
  struct Column {
    size_t value;  // index into `values`
    size_t width;  // 0 = variable
  };
  uint32_t version_;
  size_t null_bytes_;
  size_t fixed_bytes_;
  std::vector<Column> columns_;
};

// Decodes stored rows into vectors, one a wanted column; row_ttl_timestamp, row_expires_at, tableoid and the row's key may be
// wanted too (catalog/system_columns.h). Made once per plan, used by one thread at a time.
class RowDecoder {
 public:
  RowDecoder(const catalog::TableDescriptor& table, std::span<const ColumnId> wanted);

  const std::vector<types::PhysicalType>& physical_types() const { return physical_; }
  // Writes `row` to position `at` of each vector; long bytes are copied into the vectors' heaps.
  // XX001 for bytes that do not fit the layout they name.
  Status Decode(const storage::StoredRow& row, size_t at, std::span<types::Vector* const> out);
  // Writes the wanted system columns alone: those that come from the tag and the table, not from the payload.
  void DecodeTag(storage::Tag tag, size_t at, std::span<types::Vector* const> out) const;

 private:
  struct FixedStep {
    size_t target;
    size_t offset;  // from the start of the fixed area
    size_t width;
    size_t null_bit;
  };
  struct VariableStep {
    std::optional<size_t> target;  // nullopt: skipped over
    size_t null_bit;
  };
  struct KeyStep {
    std::optional<size_t> target;
    const types::TypeDesc* type;
  };
  struct MissingStep {
    size_t target;
    types::OwnedDatum value;
  };
  struct LayoutSteps {
    uint32_t version = 0;
    size_t null_bytes = 0;
    size_t fixed_bytes = 0;
    std::vector<FixedStep> fixed;
    std::vector<VariableStep> variable;  // up to the last wanted one
    std::vector<MissingStep> missing;
  };

  void PlanKey(const catalog::TableDescriptor& table, std::span<const ColumnId> wanted);
  LayoutSteps PlanLayout(const catalog::TableDescriptor& table, const catalog::RowLayout& layout,
                         std::span<const ColumnId> wanted) const;
  const LayoutSteps* FindLayout(uint64_t version) const;
  Status DecodePayload(std::string_view payload, size_t at, std::span<types::Vector* const> out);
  Status DecodeKey(std::string_view key, size_t at, std::span<types::Vector* const> out);

  std::vector<types::PhysicalType> physical_;
  std::vector<LayoutSteps> layouts_;
  std::vector<KeyStep> key_steps_;  // up to the last wanted one; empty = the key is not looked at
  std::vector<bool> from_key_;      // by target
  std::optional<size_t> ttl_timestamp_target_;
  std::optional<size_t> expires_at_target_;
  std::optional<size_t> table_oid_target_;
  std::optional<size_t> row_key_target_;
  int64_t ttl_ms_ = 0;
  Oid table_oid_;
  bool payload_wanted_ = false;
  std::string table_name_;
};

}  // namespace mayfly::store
