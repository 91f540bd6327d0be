// Writes rows of one table: keys, payloads, tags, uniqueness, NOT NULL, the row counter. The only code that knows which writes a
// row needs.
//
// Lock first, then look: a row's key is locked exclusively before its newest version is read, so what is checked stays true until
// commit.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "catalog/descriptor.h"
#include "sql/store/key_codec.h"
#include "sql/store/row_codec.h"
#include "sql/types/type.h"
#include "storage/engine.h"

namespace mayfly::store {

// What one statement writes through.
struct WriteContext {
  storage::Transaction& txn;
  storage::LockOptions lock;
  // The statement's clock reading: the tag of rows in tables with processing time.
  int64_t write_time_ms = 0;
  types::IoContext io;  // for error details
};

// The tag of a complete row (TTL.md section 2); kNeverTag on a table without TTL.
storage::Tag ComputeTag(const catalog::TableDescriptor& table, std::span<const types::Datum> row, int64_t write_time_ms);

// Made once per plan and table; not shared between threads (it keeps buffers). `row` arguments hold one datum for each live
// column, in column order, already coerced to the columns' types.
class TableWriter {
 public:
  explicit TableWriter(catalog::TablePtr table);

  const catalog::TableDescriptor& table() const { return *table_; }

  // The storage key of a row. Requires: the table has a primary key.
  Result<std::string_view> KeyOf(std::span<const types::Datum> row);

  enum class Insert : uint8_t {
    kUnique,  // 23505 where the key exists
    kSkip,    // false where the key exists, nothing written
    kBlind,   // writes whatever was there; only where neither counter nor index needs to know
  };
  // False only for kSkip, and then the existing row is `existing()`. 23502, 23505, lock errors.
  Result<bool> InsertRow(const WriteContext& context, std::span<const types::Datum> row, Insert mode);
  // Locks `key` and reads its newest visible version into existing(). False where there is none (any more). `changed`: another
  // transaction committed a write of it since the statement's view was taken, so conditions must be checked again.
  Result<bool> LockAndRead(const WriteContext& context, std::string_view key, bool* changed);
  const storage::StoredRow& existing() const { return buffer_.row(); }
  // Replaces the row at `key` (locked) by `row`; where the primary key changed, moves it: 23505 where the new key exists.
  Status UpdateRow(const WriteContext& context, std::string_view key, std::span<const types::Datum> row);
  Status DeleteRow(const WriteContext& context, std::string_view key);
  // For bulk loads: what would be stored. 23502. Borrowed until the next call.
  struct EncodedRow {
    std::string_view key;
    std::string_view payload;
    storage::Tag tag;
  };
  Result<EncodedRow> Encode(const WriteContext& context, std::span<const types::Datum> row);
  // 23502 for a NULL that may not be.
  Status CheckNotNull(const WriteContext& context, std::span<const types::Datum> row) const;
  // Rows that came to the table otherwise (a bulk load).
  void CountInserted(uint64_t rows) { counter_delta_ += static_cast<int64_t>(rows); }
  // 23505 for a storage key that is there already.
  SqlError DuplicateKey(const WriteContext& context, std::string_view key) const;
  // Must be called after the statement's last write: brings the row counter up to date.
  Status Flush(const WriteContext& context);

 private:
  // The key of a new row of a table without primary key, in key_.
  void MakeRowIdKey(const WriteContext& context);
  Status PutRow(const WriteContext& context, std::string_view key, std::span<const types::Datum> row);
  SqlError DuplicateRow(const WriteContext& context, std::span<const types::Datum> row) const;

  catalog::TablePtr table_;
  storage::TableOptions options_;
  KeyCodec keys_;
  RowEncoder encoder_;
  std::vector<size_t> key_values_;  // positions of the key's columns in a row
  std::string counter_;             // empty: the table has none
  int64_t counter_delta_ = 0;
  std::string key_;
  std::string payload_;
  storage::GetBuffer buffer_;
};

// Hands out hidden row ids of tables without primary key: above everything stored, never twice while the server runs.
// Thread-safe.
int64_t NextRowId(const catalog::TableDescriptor& table, const storage::ReadView& view);

// "Failing row contains (1, null, x)." as PostgreSQL words it, long values cut.
std::string DescribeRow(const catalog::TableDescriptor& table, std::span<const types::Datum> row, const types::IoContext& io);

}  // namespace mayfly::store
