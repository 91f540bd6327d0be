#include "sql/store/table_writer.h"

#include <boost/unordered/unordered_flat_map.hpp>
#include <mutex>

#include "base/bytes.h"
#include "catalog/facts.h"

namespace mayfly::store {

using types::Datum;

namespace {

constexpr int64_t kEpochDeltaMillis = 946'684'800LL * 1000;

// Rounds towards minus infinity.
int64_t FloorDivide(int64_t value, int64_t divisor) { return value / divisor - (value % divisor < 0 ? 1 : 0); }

size_t LivePosition(const catalog::TableDescriptor& table, ColumnId id) {
  size_t position = 0;
  for (const catalog::ColumnDescriptor& column : table.columns) {
    if (column.id == id) break;
    if (!column.dropped) ++position;
  }
  return position;
}

}  // namespace

storage::Tag ComputeTag(const catalog::TableDescriptor& table, std::span<const Datum> row, int64_t write_time_ms) {
  if (!table.ttl) return storage::kNeverTag;
  if (!table.ttl->time_column) return write_time_ms;
  const catalog::ColumnDescriptor& column = *table.FindColumn(*table.ttl->time_column);
  const Datum& value = row[LivePosition(table, column.id)];
  if (value.is_null()) return storage::kNeverTag;
  const auto time = value.get<int64_t>();
  if (column.type->name == "int8") return time;
  if (time == INT64_MAX) return storage::kNeverTag;
  if (time == INT64_MIN) return INT64_MIN;
  return FloorDivide(time, 1000) + kEpochDeltaMillis;
}

TableWriter::TableWriter(catalog::TablePtr table)
    : table_(std::move(table)), options_(table_->storage_options()), keys_(*table_), encoder_(*table_) {
  if (const catalog::IndexDescriptor* primary = table_->primary_key()) {
    for (const ColumnId id : primary->columns) key_values_.push_back(LivePosition(*table_, id));
  }
  if (!table_->ttl) counter_ = table_->row_counter();
}

Result<std::string_view> TableWriter::KeyOf(std::span<const Datum> row) {
  key_.clear();
  keys_.Begin(key_);
  for (size_t i = 0; i < key_values_.size(); ++i) keys_.Append(i, row[key_values_[i]], key_);
  return std::string_view(key_);
}

void TableWriter::MakeRowIdKey(const WriteContext& context) {
  key_.clear();
  keys_.Begin(key_);
  keys_.Append(0, Datum(NextRowId(*table_, context.txn)), key_);
}

Status TableWriter::CheckNotNull(const WriteContext& context, std::span<const Datum> row) const {
  size_t position = 0;
  for (const catalog::ColumnDescriptor& column : table_->columns) {
    if (column.dropped) continue;
    if (column.not_null && row[position].is_null()) {
      return SqlError::Make(kNotNullViolation, "null value in column \"{}\" of relation \"{}\" violates not-null constraint",
                            column.name, table_->name)
          .Detail(DescribeRow(*table_, row, context.io))
          .Table({}, table_->name)
          .Column(column.name);
    }
    ++position;
  }
  return Ok();
}

Result<bool> TableWriter::InsertRow(const WriteContext& context, std::span<const Datum> row, Insert mode) {
  TRY_OK(CheckNotNull(context, row));
  if (key_values_.empty()) {
    MakeRowIdKey(context);
    TRY_OK(PutRow(context, key_, row));
    ++counter_delta_;
    return true;
  }
  TRY(std::string_view, key, KeyOf(row));
  TRY(bool, unchanged, context.txn.Lock(key, storage::LockMode::kExclusive, context.lock));
  static_cast<void>(unchanged);
  if (mode != Insert::kBlind) {
    TRY(bool, exists, context.txn.GetNewest(options_, key, buffer_));
    if (exists) {
      if (mode == Insert::kSkip) return false;
      return DuplicateRow(context, row);
    }
    ++counter_delta_;
  }
  TRY_OK(PutRow(context, key, row));
  return true;
}

Result<bool> TableWriter::LockAndRead(const WriteContext& context, std::string_view key, bool* changed) {
  Result<bool> unchanged = context.txn.Lock(key, storage::LockMode::kExclusive, context.lock);
  if (!unchanged.ok()) {
    SqlError error = std::move(unchanged).error();
    // NOWAIT: storage does not know what the key stands for.
    if (error.state == kLockNotAvailable && context.lock.timeout_ms == 0) {
      error.message = fmt::format("could not obtain lock on row in relation \"{}\"", table_->name);
    }
    return error;
  }
  *changed = !*unchanged;
  return context.txn.GetNewest(options_, key, buffer_);
}

Status TableWriter::UpdateRow(const WriteContext& context, std::string_view key, std::span<const Datum> row) {
  TRY_OK(CheckNotNull(context, row));
  if (key_values_.empty()) return PutRow(context, key, row);
  TRY(std::string_view, new_key, KeyOf(row));
  if (new_key == key) return PutRow(context, key, row);
  TRY(bool, unchanged, context.txn.Lock(new_key, storage::LockMode::kExclusive, context.lock));
  static_cast<void>(unchanged);
  TRY(bool, exists, context.txn.GetNewest(options_, new_key, buffer_));
  if (exists) return DuplicateRow(context, row);
  TRY_OK(context.txn.Delete(options_, key));
  return PutRow(context, new_key, row);
}

Status TableWriter::DeleteRow(const WriteContext& context, std::string_view key) {
  --counter_delta_;
  return context.txn.Delete(options_, key);
}

Status TableWriter::Flush(const WriteContext& context) {
  if (counter_.empty() || counter_delta_ == 0) {
    counter_delta_ = 0;
    return Ok();
  }
  return context.txn.AddToCounter(counter_, std::exchange(counter_delta_, 0));
}

Status TableWriter::PutRow(const WriteContext& context, std::string_view key, std::span<const Datum> row) {
  payload_.clear();
  encoder_.Encode(row, payload_);
  return context.txn.Put(options_, key, payload_, ComputeTag(*table_, row, context.write_time_ms));
}

SqlError TableWriter::DuplicateRow(const WriteContext& context, std::span<const Datum> row) const {
  const catalog::IndexDescriptor& primary = *table_->primary_key();
  std::string names;
  std::string values;
  for (size_t i = 0; i < primary.columns.size(); ++i) {
    const catalog::ColumnDescriptor& column = *table_->FindColumn(primary.columns[i]);
    if (i != 0) {
      names += ", ";
      values += ", ";
    }
    names += column.name;
    column.type->ops->out(*column.type, row[key_values_[i]], context.io, values);
  }
  return SqlError::Make(kUniqueViolation, "duplicate key value violates unique constraint \"{}\"", primary.name)
      .Detail(fmt::format("Key ({})=({}) already exists.", names, values))
      .Table({}, table_->name)
      .Constraint(primary.name);
}

Result<TableWriter::EncodedRow> TableWriter::Encode(const WriteContext& context, std::span<const Datum> row) {
  TRY_OK(CheckNotNull(context, row));
  if (key_values_.empty()) {
    MakeRowIdKey(context);
  } else {
    TRY(std::string_view, key, KeyOf(row));
    static_cast<void>(key);
  }
  payload_.clear();
  encoder_.Encode(row, payload_);
  return EncodedRow{key_, payload_, ComputeTag(*table_, row, context.write_time_ms)};
}

SqlError TableWriter::DuplicateKey(const WriteContext& context, std::string_view key) const {
  std::vector<Datum> row;
  for (const catalog::ColumnDescriptor& column : table_->columns) {
    if (!column.dropped) row.emplace_back();
  }
  Arena arena;
  ByteReader reader(key.substr(kKeyPrefixBytes));
  for (size_t i = 0; i < key_values_.size(); ++i) {
    Result<Datum> value = keys_.type(i).ops->decode_key(keys_.type(i), reader, arena);
    if (!value.ok()) return std::move(value).error();
    row[key_values_[i]] = *value;
  }
  return DuplicateRow(context, row);
}

int64_t NextRowId(const catalog::TableDescriptor& table, const storage::ReadView& view) {
  static std::mutex mutex;
  static boost::unordered_flat_map<uint32_t, int64_t> last_ids;
  const std::lock_guard lock(mutex);
  auto [at, is_new] = last_ids.try_emplace(table.storage.value, 0);
  if (is_new) {
    auto scan = view.NewScan(table.storage_options(), TableRange(table), {.reverse = true, .keys_only = true});
    const auto take_id = [&](const storage::StoredRow& row) {
      ByteReader reader(row.key.substr(kKeyPrefixBytes));
      Arena arena;
      const types::TypeDesc& int8 = *catalog::FindType(catalog::kOidInt8);
      at->second = int8.ops->decode_key(int8, reader, arena).value().get<int64_t>();
    };
    std::move(scan->NextPage(1, take_id)).value();
  }
  return ++at->second;
}

std::string DescribeRow(const catalog::TableDescriptor& table, std::span<const Datum> row, const types::IoContext& io) {
  constexpr size_t kValueCharactersMax = 64;
  std::string text = "Failing row contains (";
  size_t position = 0;
  for (const catalog::ColumnDescriptor& column : table.columns) {
    if (column.dropped) continue;
    if (position != 0) text += ", ";
    if (row[position].is_null()) {
      text += "null";
    } else {
      std::string value;
      column.type->ops->out(*column.type, row[position], io, value);
      if (value.size() > kValueCharactersMax) value = value.substr(0, kValueCharactersMax) + "...";
      text += value;
    }
    ++position;
  }
  return text + ").";
}

}  // namespace mayfly::store
