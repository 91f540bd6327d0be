#include "sql/store/row_codec.h"

#include <algorithm>

#include "base/bytes.h"
#include "catalog/facts.h"
#include "catalog/system_columns.h"

namespace mayfly::store {

using types::Datum;
using types::PhysicalSize;
using types::PhysicalType;
using types::StringRef;
using types::Vector;

namespace {

// Microseconds between the Unix epoch and PostgreSQL's, 2000-01-01.
constexpr int64_t kEpochDeltaMicros = 946'684'800LL * 1'000'000;

size_t FixedWidth(const types::TypeDesc& type) {
  return type.physical() == PhysicalType::kBytes ? 0 : PhysicalSize(type.physical());
}

bool KeptInKeyOnly(const catalog::TableDescriptor& table, ColumnId column) {
  const catalog::IndexDescriptor* primary = table.primary_key();
  if (primary == nullptr) return false;
  if (std::find(primary->columns.begin(), primary->columns.end(), column) == primary->columns.end()) return false;
  return table.FindColumn(column)->type->ops->key_is_lossless;
}

// A tag (Unix milliseconds) as timestamptz, saturating at infinity.
int64_t TagToTimestamp(int64_t milliseconds) {
  int64_t micros = 0;
  if (__builtin_mul_overflow(milliseconds, int64_t{1000}, &micros) ||
      __builtin_sub_overflow(micros, kEpochDeltaMicros, &micros)) {
    return milliseconds < 0 ? INT64_MIN : INT64_MAX;
  }
  return micros;
}

SqlError Damaged(std::string_view table, std::string_view what) {
  return SqlError::Make(kDataCorrupted, "stored row of table \"{}\" is damaged: {}", table, what);
}

}  // namespace

std::vector<ColumnId> PayloadColumns(const catalog::TableDescriptor& table) {
  std::vector<ColumnId> columns;
  for (const catalog::ColumnDescriptor& column : table.columns) {
    if (!column.dropped && !KeptInKeyOnly(table, column.id)) columns.push_back(column.id);
  }
  return columns;
}

RowEncoder::RowEncoder(const catalog::TableDescriptor& table) : version_(table.current_layout().version), fixed_bytes_(0) {
  const catalog::RowLayout& layout = table.current_layout();
  null_bytes_ = (layout.columns.size() + 7) / 8;
  for (const ColumnId id : layout.columns) {
    size_t value = 0;
    for (const catalog::ColumnDescriptor& column : table.columns) {
      if (column.id == id) break;
      if (!column.dropped) ++value;
    }
    const size_t width = FixedWidth(*table.FindColumn(id)->type);
    columns_.push_back({value, width});
    fixed_bytes_ += width;
  }
}

void RowEncoder::Encode(std::span<const Datum> values, std::string& out) const {
  AppendVarint(out, version_);
  const size_t nulls_at = out.size();
  out.resize(nulls_at + null_bytes_ + fixed_bytes_, '\0');
  size_t fixed_at = nulls_at + null_bytes_;
  for (size_t i = 0; i < columns_.size(); ++i) {
    const Datum& value = values[columns_[i].value];
    if (value.is_null()) {
      out[nulls_at + i / 8] = static_cast<char>(out[nulls_at + i / 8] | (1 << (i % 8)));
    } else if (columns_[i].width != 0) {
      std::memcpy(out.data() + fixed_at, value.payload(), columns_[i].width);
    }
    fixed_at += columns_[i].width;
  }
  for (const Column& column : columns_) {
    if (column.width == 0 && !values[column.value].is_null()) AppendLengthPrefixed(out, values[column.value].bytes());
  }
}

RowDecoder::RowDecoder(const catalog::TableDescriptor& table, std::span<const ColumnId> wanted)
    : from_key_(wanted.size(), false), table_oid_(table.oid), table_name_(table.name) {
  if (table.ttl) ttl_ms_ = table.ttl->ttl_ms;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == catalog::system_column::kRowTtlTimestamp) {
      ttl_timestamp_target_ = i;
      physical_.push_back(PhysicalType::kInt64);
    } else if (wanted[i] == catalog::system_column::kRowExpiresAt) {
      expires_at_target_ = i;
      physical_.push_back(PhysicalType::kInt64);
    } else if (wanted[i] == catalog::system_column::kTableOid) {
      table_oid_target_ = i;
      physical_.push_back(PhysicalType::kInt32);
    } else if (wanted[i] == catalog::system_column::kRowKey) {
      row_key_target_ = i;
      physical_.push_back(PhysicalType::kBytes);
    } else {
      physical_.push_back(table.FindColumn(wanted[i])->type->physical());
    }
  }
  PlanKey(table, wanted);
  for (const catalog::RowLayout& layout : table.layouts) layouts_.push_back(PlanLayout(table, layout, wanted));
}

void RowDecoder::PlanKey(const catalog::TableDescriptor& table, std::span<const ColumnId> wanted) {
  const catalog::IndexDescriptor* primary = table.primary_key();
  if (primary == nullptr) return;
  size_t steps_needed = 0;
  for (const ColumnId id : primary->columns) {
    KeyStep step{std::nullopt, table.FindColumn(id)->type};
    const auto at = std::find(wanted.begin(), wanted.end(), id);
    if (at != wanted.end() && KeptInKeyOnly(table, id)) {
      step.target = static_cast<size_t>(at - wanted.begin());
      from_key_[*step.target] = true;
      steps_needed = key_steps_.size() + 1;
    }
    key_steps_.push_back(step);
  }
  key_steps_.resize(steps_needed);
}

RowDecoder::LayoutSteps RowDecoder::PlanLayout(const catalog::TableDescriptor& table, const catalog::RowLayout& layout,
                                               std::span<const ColumnId> wanted) const {
  LayoutSteps steps;
  steps.version = layout.version;
  steps.null_bytes = (layout.columns.size() + 7) / 8;
  std::vector<bool> found(wanted.size(), false);
  size_t variable_needed = 0;
  for (size_t bit = 0; bit < layout.columns.size(); ++bit) {
    const catalog::ColumnDescriptor* column = table.FindColumn(layout.columns[bit]);
    const size_t width = FixedWidth(*column->type);
    const auto at = std::find(wanted.begin(), wanted.end(), layout.columns[bit]);
    std::optional<size_t> target;
    if (at != wanted.end()) target = static_cast<size_t>(at - wanted.begin());
    if (target) found[*target] = true;
    if (width != 0) {
      if (target) steps.fixed.push_back({*target, steps.fixed_bytes, width, bit});
      steps.fixed_bytes += width;
    } else {
      steps.variable.push_back({target, bit});
      if (target) variable_needed = steps.variable.size();
    }
  }
  steps.variable.resize(variable_needed);
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (found[i] || from_key_[i] || wanted[i].value < 0) continue;
    const catalog::ColumnDescriptor* column = table.FindColumn(wanted[i]);
    MissingStep missing{i, {}};
    if (column->missing_value) {
      Arena arena;
      const types::IoSettings settings;
      Result<Datum> value = column->type->ops->recv(*column->type, *column->missing_value, column->typmod, {settings}, arena);
      missing.value = types::OwnedDatum(column->type->physical(), std::move(value).value());
    }
    steps.missing.push_back(std::move(missing));
  }
  return steps;
}

const RowDecoder::LayoutSteps* RowDecoder::FindLayout(uint64_t version) const {
  if (layouts_.back().version == version) return &layouts_.back();
  for (const LayoutSteps& steps : layouts_) {
    if (steps.version == version) return &steps;
  }
  return nullptr;
}

Status RowDecoder::Decode(const storage::StoredRow& row, size_t at, std::span<Vector* const> out) {
  if (!key_steps_.empty()) TRY_OK(DecodeKey(row.key, at, out));
  TRY_OK(DecodePayload(row.payload, at, out));
  if (row_key_target_) out[*row_key_target_]->SetBytes(at, row.key);
  if (ttl_timestamp_target_ || expires_at_target_ || table_oid_target_) DecodeTag(row.tag, at, out);
  return Ok();
}

Status RowDecoder::DecodePayload(std::string_view payload, size_t at, std::span<Vector* const> out) {
  // A version below 128 is its own varint.
  if (payload.empty()) return Damaged(table_name_, "no layout version");
  uint64_t version = static_cast<uint8_t>(payload[0]);
  if (version < 0x80) {
    payload.remove_prefix(1);
  } else {
    ByteReader reader(payload);
    version = reader.Varint();
    payload = reader.rest();
  }
  const LayoutSteps* steps = FindLayout(version);
  if (steps == nullptr) return Damaged(table_name_, "unknown layout version");
  if (payload.size() < steps->null_bytes + steps->fixed_bytes) return Damaged(table_name_, "too short");
  const char* nulls = payload.data();
  const char* fixed = nulls + steps->null_bytes;
  const auto is_null = [nulls](size_t bit) { return ((nulls[bit / 8] >> (bit % 8)) & 1) != 0; };
  for (const FixedStep& step : steps->fixed) {
    if (is_null(step.null_bit)) {
      out[step.target]->SetNull(at);
      continue;
    }
    char* to = out[step.target]->data<char>() + at * step.width;
    const char* from = fixed + step.offset;
    switch (step.width) {
      case 8: std::memcpy(to, from, 8); break;
      case 4: std::memcpy(to, from, 4); break;
      default: std::memcpy(to, from, step.width);
    }
  }
  if (!steps->variable.empty()) {
    ByteReader reader(payload.substr(steps->null_bytes + steps->fixed_bytes));
    for (const VariableStep& step : steps->variable) {
      if (is_null(step.null_bit)) {
        if (step.target) out[*step.target]->SetNull(at);
        continue;
      }
      const std::string_view bytes = reader.LengthPrefixed();
      if (step.target) out[*step.target]->SetBytes(at, bytes);
    }
    if (!reader.ok()) return Damaged(table_name_, "a value is cut off");
  }
  for (const MissingStep& step : steps->missing) out[step.target]->SetDatum(at, step.value.get());
  return Ok();
}

Status RowDecoder::DecodeKey(std::string_view key, size_t at, std::span<Vector* const> out) {
  if (key.size() < 6) return Damaged(table_name_, "the key is too short");
  ByteReader reader(key.substr(6));
  for (const KeyStep& step : key_steps_) {
    // The heap is only used by types whose key bytes are not the value's bytes.
    Arena scratch;
    Arena& arena = step.target ? out[*step.target]->heap() : scratch;
    TRY(Datum, value, step.type->ops->decode_key(*step.type, reader, arena));
    if (step.target) out[*step.target]->SetDatum(at, value, /*borrow=*/true);
  }
  if (!reader.ok()) return Damaged(table_name_, "the key is cut off");
  return Ok();
}

void RowDecoder::DecodeTag(storage::Tag tag, size_t at, std::span<Vector* const> out) const {
  if (table_oid_target_) out[*table_oid_target_]->Set(at, static_cast<int32_t>(table_oid_.value));
  if (ttl_timestamp_target_) {
    if (tag == storage::kNeverTag) {
      out[*ttl_timestamp_target_]->SetNull(at);
    } else {
      out[*ttl_timestamp_target_]->Set(at, TagToTimestamp(tag));
    }
  }
  if (expires_at_target_) {
    if (tag == storage::kNeverTag) {
      out[*expires_at_target_]->SetNull(at);
    } else {
      out[*expires_at_target_]->Set(at, TagToTimestamp(storage::ExpiresAt(tag, ttl_ms_)));
    }
  }
}

}  // namespace mayfly::store
