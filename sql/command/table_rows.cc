#include "sql/command/table_rows.h"

#include <memory>
#include <string>
#include <vector>

#include "sql/store/key_codec.h"
#include "sql/store/row_codec.h"

namespace mayfly::command {
namespace {

SqlError ContainsNulls(const catalog::TableDescriptor& table, std::string_view column) {
  return SqlError::Make(kNotNullViolation, "column \"{}\" of relation \"{}\" contains null values", column, table.name);
}

void CheckForInterrupt(const CommandContext& context) {
  if (context.lock.interrupt == nullptr || !context.lock.interrupt->requested.load(std::memory_order_relaxed)) return;
  Throw(SqlError::Make(kQueryCanceled, "canceling statement due to user request"));
}

// Reads a table in batches of decoded columns.
class RowReader {
 public:
  RowReader(CommandContext& context, const catalog::TableDescriptor& table, const std::vector<ColumnId>& columns)
      : context_(context),
        decoder_(table, columns),
        scan_(context.host.storage_transaction().NewScan(table.storage_options(), store::TableRange(table), {.bulk = true})) {
    for (const types::PhysicalType physical : decoder_.physical_types()) vectors_.emplace_back(physical);
    for (types::Vector& vector : vectors_) pointers_.push_back(&vector);
  }

  // Up to a batch of rows; 0 at the end. The tags of the rows are in tags().
  size_t Next() {
    CheckForInterrupt(context_);
    for (types::Vector& vector : vectors_) vector.Reset();
    tags_.clear();
    Status status;
    const auto decode = [&](const storage::StoredRow& row) {
      if (status.ok()) status = decoder_.Decode(row, tags_.size(), pointers_);
      tags_.push_back(row.tag);
    };
    const size_t rows = scan_->NextPage(types::kBatchRows, decode).value();
    std::move(status).value();
    return rows;
  }
  const types::Vector& column(size_t index) const { return vectors_[index]; }
  const std::vector<storage::Tag>& tags() const { return tags_; }

 private:
  CommandContext& context_;
  store::RowDecoder decoder_;
  std::unique_ptr<storage::Scan> scan_;
  std::vector<types::Vector> vectors_;
  std::vector<types::Vector*> pointers_;
  std::vector<storage::Tag> tags_;
};

std::vector<const catalog::ColumnDescriptor*> LiveColumns(const catalog::TableDescriptor& table) {
  std::vector<const catalog::ColumnDescriptor*> columns;
  for (const catalog::ColumnDescriptor& column : table.columns) {
    if (!column.dropped) columns.push_back(&column);
  }
  return columns;
}

// Encodes rows for the new table and hands them to its bulk load.
class RowCopier {
 public:
  RowCopier(storage::BulkLoad& load, const catalog::TableDescriptor& to) : load_(load), to_(to), keys_(to), encoder_(to) {
    const std::vector<const catalog::ColumnDescriptor*> columns = LiveColumns(to);
    for (size_t i = 0; i < columns.size(); ++i) {
      if (const std::optional<size_t> position = keys_.PositionOf(columns[i]->id)) {
        key_values_.resize(std::max(key_values_.size(), *position + 1));
        key_values_[*position] = i;
      }
    }
    names_ = columns;
  }

  void Append(std::span<const types::Datum> row, storage::Tag tag) {
    key_.clear();
    payload_.clear();
    keys_.Begin(key_);
    for (size_t i = 0; i < key_values_.size(); ++i) {
      const types::Datum& value = row[key_values_[i]];
      if (value.is_null()) Throw(ContainsNulls(to_, names_[key_values_[i]]->name));
      keys_.Append(i, value, key_);
    }
    encoder_.Encode(row, payload_);
    load_.Append(key_, payload_, tag).value();
  }

 private:
  storage::BulkLoad& load_;
  const catalog::TableDescriptor& to_;
  store::KeyCodec keys_;
  store::RowEncoder encoder_;
  std::vector<size_t> key_values_;
  std::vector<const catalog::ColumnDescriptor*> names_;
  std::string key_;
  std::string payload_;
};

// 23505 for a key that the new index has twice: "Key (a, b)=(1, x) is duplicated."
[[noreturn]] void ThrowDuplicate(CommandContext& context, const catalog::TableDescriptor& table, std::string_view key) {
  const catalog::IndexDescriptor& index = *table.primary_key();
  std::string names;
  std::string values;
  Arena arena;
  ByteReader reader(key.substr(store::kKeyPrefixBytes));
  for (const ColumnId id : index.columns) {
    const catalog::ColumnDescriptor& column = *table.FindColumn(id);
    names += (names.empty() ? "" : ", ") + column.name;
    if (!values.empty()) values += ", ";
    const types::Datum value = column.type->ops->decode_key(*column.type, reader, arena).value();
    column.type->ops->out(*column.type, value, context.call.io, values);
  }
  const catalog::SnapshotPtr snapshot = context.snapshot();
  const catalog::SchemaDescriptor* schema = snapshot->FindSchema(table.schema);
  Throw(SqlError::Make(kUniqueViolation, "could not create unique index \"{}\"", index.name)
            .Detail(fmt::format("Key ({})=({}) is duplicated.", names, values))
            .Table(schema == nullptr ? "" : schema->name, table.name)
            .Constraint(index.name));
}

}  // namespace

void TakeNewestView(CommandContext& context, std::string_view feature) {
  if (context.isolation != storage::Isolation::kReadCommitted) {
    Throw(SqlError::NotSupported(fmt::format("{} in REPEATABLE READ and SERIALIZABLE transactions", feature)));
  }
  context.host.storage_transaction().BeginStatement();
}

bool HasRows(CommandContext& context, const catalog::TableDescriptor& table) {
  const auto scan =
      context.host.storage_transaction().NewScan(table.storage_options(), store::TableRange(table), {.keys_only = true});
  return scan->NextPage(1, [](const storage::StoredRow&) {}).value() > 0;
}

void CheckNoNulls(CommandContext& context, const catalog::TableDescriptor& table, const catalog::ColumnDescriptor& column) {
  RowReader reader(context, table, {column.id});
  while (const size_t rows = reader.Next()) {
    if (!reader.column(0).may_have_nulls()) continue;
    for (size_t i = 0; i < rows; ++i) {
      if (reader.column(0).IsNull(i)) Throw(ContainsNulls(table, column.name));
    }
  }
}

void CopyRows(CommandContext& context, const catalog::TableDescriptor& from, const catalog::TableDescriptor& to) {
  std::vector<ColumnId> ids;
  for (const catalog::ColumnDescriptor* column : LiveColumns(from)) ids.push_back(column->id);
  RowReader reader(context, from, ids);
  const std::unique_ptr<storage::BulkLoad> load = context.host.storage_transaction().NewBulkLoad(to.storage_options()).value();
  RowCopier copier(*load, to);
  std::vector<types::Datum> row(ids.size());
  int64_t copied = 0;
  while (const size_t rows = reader.Next()) {
    for (size_t i = 0; i < rows; ++i) {
      for (size_t column = 0; column < ids.size(); ++column) row[column] = reader.column(column).Get(i);
      copier.Append(row, reader.tags()[i]);
    }
    copied += static_cast<int64_t>(rows);
  }
  if (const std::optional<std::string> duplicate = load->Finish().value()) ThrowDuplicate(context, to, *duplicate);
  if (!to.ttl.has_value()) {
    context.host.storage_transaction().AddToCounter(to.row_counter(), copied).value();
  }
}

}  // namespace mayfly::command
