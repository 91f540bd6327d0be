// COPY FROM: fields to values, missing columns to defaults, rows to the table.
//
// Into an empty table that nobody else uses rows go by a bulk load once there are enough of them to be worth it; the first ones wait.
#include <algorithm>

#include "sql/command/copy_reader.h"
#include "sql/exec/expr_state.h"
#include "sql/exec/modify.h"
#include "sql/parse/parser.h"
#include "sql/store/relation_lock.h"
#include "sql/types/utf8.h"

namespace mayfly::command {

namespace {

using types::Datum;

// Rows before a bulk load is started.
constexpr size_t kBulkLoadRowsMin = 10'000;
// Error contexts show this much of a line or value.
constexpr size_t kContextBytesMax = 100;

std::string Shorten(std::string_view text) {
  if (text.size() <= kContextBytesMax) return std::string(text);
  return std::string(text.substr(0, kContextBytesMax)) + "...";
}

// A live column of the table: read from a field, or made by its default.
struct Column {
  const catalog::ColumnDescriptor* descriptor = nullptr;
  std::optional<size_t> field;
  exec::ExprStatePtr default_value;  // null: NULL
};

class TableCopy final : public CopyIn {
 public:
  TableCopy(const parse::CopyStatement& statement, const analyze::AnalyzeContext& analysis, exec::ExecContext& context)
      : options_(ParseCopyOptions(statement)), context_(context), table_(FindTable(statement, analysis)), writer_(table_) {
    if (table_->virtual_table != nullptr) {
      Throw(SqlError::Make(kInsufficientPrivilege, "permission denied: \"{}\" is a system catalog", table_->name));
    }
    if (table_->kind != 'r') Throw(SqlError::Make(kWrongObjectType, "cannot copy to view \"{}\"", table_->name));
    ChooseColumns(statement);
    MakeDefaults(analysis);
    reader_ = MakeCopyReader(options_, FieldFlags(options_.force_not_null, "FORCE_NOT_NULL"), FieldFlags(options_.force_null, "FORCE_NULL"));
    values_.resize(columns_.size());
    bulk_possible_ = CanBulkLoad();
    // Differs: PostgreSQL wants the table to be made or truncated by this transaction; here it has to be empty and unused by others.
    if (options_.freeze && !bulk_possible_) {
      Throw(SqlError::MakeText(kObjectNotInPrerequisiteState, "cannot perform COPY FREEZE because the table is not empty or is in use"));
    }
  }

  CopyFormatKind format() const override { return options_.format; }
  size_t column_count() const override { return fields_.size(); }

  void Data(std::string_view bytes) override {
    context_.CheckForInterrupt();
    WithContext([&] { reader_->Feed(bytes, [this](const CopyRow& row) { TakeRow(row); }); });
  }

  std::string Context() const override { return fmt::format("COPY {}, line {}", table_->name, reader_->line_number() + 1); }

  uint64_t Finish() override {
    WithContext([&] {
      reader_->Finish([this](const CopyRow& row) { TakeRow(row); });
      WriteWaiting();
    });
    if (bulk_ != nullptr) FinishBulk();
    writer_.Flush(exec::MakeWriteContext(context_)).value();
    return rows_;
  }

 private:
  // Without a position: PostgreSQL gives none for COPY.
  static catalog::TablePtr FindTable(const parse::CopyStatement& statement, const analyze::AnalyzeContext& analysis) {
    parse::TableRef ref = statement.table;
    ref.pos = {};
    return analyze::ResolveTable(analysis, ref);
  }

  void ChooseColumns(const parse::CopyStatement& statement) {
    for (const catalog::ColumnDescriptor& column : table_->columns) {
      if (!column.dropped) columns_.push_back({&column, std::nullopt, nullptr});
    }
    if (statement.columns.empty()) {
      for (size_t i = 0; i < columns_.size(); ++i) AddField(i);
      return;
    }
    for (const std::string& name : statement.columns) {
      const auto at = std::find_if(columns_.begin(), columns_.end(), [&](const Column& column) { return column.descriptor->name == name; });
      if (at == columns_.end()) {
        Throw(SqlError::Make(kUndefinedColumn, "column \"{}\" of relation \"{}\" does not exist", name, table_->name));
      }
      if (at->field) Throw(SqlError::Make(kDuplicateColumn, "column \"{}\" specified more than once", name));
      AddField(static_cast<size_t>(at - columns_.begin()));
    }
  }

  void AddField(size_t column) {
    columns_[column].field = fields_.size();
    fields_.push_back(column);
  }

  void MakeDefaults(const analyze::AnalyzeContext& analysis) {
    const plan::Plan no_plan;
    const exec::BuildContext build{no_plan, 1};
    for (Column& column : columns_) {
      const std::string& sql = column.descriptor->default_sql;
      if (column.field || sql.empty()) continue;
      const std::vector<parse::StatementPtr> parsed = parse::Parse("SELECT " + sql).value();
      const parse::Expr& expr = *std::get<parse::SelectStatement>(parsed[0]->node).targets[0].expr;
      const analyze::ExprPtr value =
          analyze::AnalyzeScalar(analysis, expr, column.descriptor->type, column.descriptor->typmod, "DEFAULT expressions");
      column.default_value = exec::MakeExprState(*value, build);
      default_exprs_.push_back(value);
    }
  }

  std::vector<bool> FieldFlags(const std::vector<std::string>& names, std::string_view option) const {
    std::vector<bool> flags(fields_.size(), false);
    for (const std::string& name : names) {
      const auto at = std::find_if(fields_.begin(), fields_.end(), [&](size_t column) { return columns_[column].descriptor->name == name; });
      if (at == fields_.end()) {
        if (table_->FindColumn(name) == nullptr) {
          Throw(SqlError::Make(kUndefinedColumn, "column \"{}\" of relation \"{}\" does not exist", name, table_->name));
        }
        Throw(SqlError::Make(kInvalidColumnReference, "{} column \"{}\" not referenced by COPY", option, name));
      }
      flags[static_cast<size_t>(at - fields_.begin())] = true;
    }
    return flags;
  }

  // Nobody else may use the table until this transaction ends, and nothing is in it.
  bool CanBulkLoad() {
    if (!context_.storage.engine().capabilities().bulk_load) return false;
    storage::LockOptions no_wait = context_.lock;
    no_wait.timeout_ms = 0;
    if (!context_.storage.txn().Lock(store::RelationLockKey(table_->oid), storage::LockMode::kExclusive, no_wait).ok()) return false;
    const auto scan = context_.storage.txn().NewScan(table_->storage_options(), store::TableRange(*table_), {.keys_only = true});
    return scan->NextPage(1, [](const storage::StoredRow&) {}).value() == 0;
  }

  // Adds where in the data an error happened.
  template <typename Body>
  void WithContext(Body body) {
    try {
      body();
    } catch (SqlException& exception) {
      // Bytes that are no text are found before there are fields.
      if (exception.error().state == kCharacterNotInRepertoire) current_field_.reset();
      if (exception.error().context.empty() && !reader_->in_header()) exception.error().context = LineContext();
      throw;
    }
  }

  std::string LineContext() const {
    std::string text = fmt::format("COPY {}, line {}", table_->name, std::max<uint64_t>(1, reader_->line_number()));
    if (current_field_) text += fmt::format(", column {}", columns_[fields_[*current_field_]].descriptor->name);
    if (options_.format == CopyFormatKind::kBinary) return text;
    if (current_field_) return text + fmt::format(": \"{}\"", Shorten(current_text_));
    const std::string_view line = current_line_.empty() ? reader_->unfinished_line() : current_line_;
    return line.empty() || !types::ValidateUtf8(line).ok() ? text : text + fmt::format(": \"{}\"", Shorten(line));
  }

  void TakeRow(const CopyRow& row) {
    current_line_ = row.line;
    if (options_.header && row.line_number == 1) {
      CheckHeader(row);
      return;
    }
    if (row.fields.size() > fields_.size()) Bad("extra data after last expected column");
    if (row.fields.size() < fields_.size()) {
      if (options_.format == CopyFormatKind::kBinary) {
        Bad(fmt::format("row field count is {}, expected {}", row.fields.size(), fields_.size()));
      }
      Bad(fmt::format("missing data for column \"{}\"", columns_[fields_[row.fields.size()]].descriptor->name));
    }
    arena_.Reset();
    for (size_t field = 0; field < fields_.size(); ++field) ReadField(field, row.fields[field]);
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].field) continue;
      values_[i] = columns_[i].default_value == nullptr ? Datum::Null() : exec::EvalScalar(*columns_[i].default_value, context_);
    }
    if (bulk_possible_ && bulk_ == nullptr) writer_.CheckNotNull(exec::MakeWriteContext(context_), values_).value();
    WriteRow();
    ++rows_;
    current_line_ = {};
  }

  void ReadField(size_t field, const std::optional<std::string_view>& bytes) {
    const catalog::ColumnDescriptor& column = *columns_[fields_[field]].descriptor;
    if (!bytes) {
      values_[fields_[field]] = Datum::Null();
      return;
    }
    current_field_ = field;
    current_text_ = *bytes;
    const auto read = options_.format == CopyFormatKind::kBinary ? column.type->ops->recv : column.type->ops->in;
    values_[fields_[field]] = read(*column.type, *bytes, column.typmod, context_.call.io, arena_).value();
    current_field_.reset();
  }

  void CheckHeader(const CopyRow& row) const {
    if (!options_.header_match) return;
    if (row.fields.size() != fields_.size()) {
      Bad(fmt::format("wrong number of fields in header line: got {}, expected {}", row.fields.size(), fields_.size()));
    }
    for (size_t i = 0; i < fields_.size(); ++i) {
      const std::string& name = columns_[fields_[i]].descriptor->name;
      const std::string got = row.fields[i] ? fmt::format("\"{}\"", *row.fields[i]) : "null value (\"" + options_.null_text + "\")";
      if (row.fields[i] != name) Bad(fmt::format("column name mismatch in header line field {}: got {}, expected \"{}\"", i + 1, got, name));
    }
  }

  [[noreturn]] static void Bad(std::string text) { Throw(SqlError::MakeText(kBadCopyFileFormat, std::move(text))); }

  void WriteRow() {
    const store::WriteContext write = exec::MakeWriteContext(context_);
    if (!bulk_possible_) {
      std::move(writer_.InsertRow(write, values_, store::TableWriter::Insert::kUnique)).value();
      return;
    }
    if (bulk_ != nullptr) {
      const store::TableWriter::EncodedRow row = writer_.Encode(write, values_).value();
      bulk_->Append(row.key, row.payload, row.tag).value();
      return;
    }
    waiting_.emplace_back();
    for (size_t i = 0; i < values_.size(); ++i) waiting_.back().emplace_back(columns_[i].descriptor->type->physical(), values_[i]);
    if (options_.freeze || waiting_.size() == kBulkLoadRowsMin) StartBulk();
  }

  void StartBulk() {
    bulk_ = std::move(context_.storage.txn().NewBulkLoad(table_->storage_options())).value();
    const auto rows = std::exchange(waiting_, {});
    const std::vector<Datum> current = values_;
    for (const auto& row : rows) {
      TakeValues(row);
      WriteRow();
    }
    values_ = current;
  }

  void WriteWaiting() {
    bulk_possible_ = bulk_ != nullptr;
    for (const auto& row : std::exchange(waiting_, {})) {
      TakeValues(row);
      WriteRow();
    }
  }

  void TakeValues(const std::vector<types::OwnedDatum>& row) {
    for (size_t i = 0; i < row.size(); ++i) values_[i] = row[i].get();
  }

  void FinishBulk() {
    const std::optional<std::string> duplicate = bulk_->Finish().value();
    if (duplicate) Throw(writer_.DuplicateKey(exec::MakeWriteContext(context_), *duplicate));
    writer_.CountInserted(rows_);
  }

  CopyOptions options_;
  exec::ExecContext& context_;
  catalog::TablePtr table_;
  store::TableWriter writer_;
  std::vector<Column> columns_;  // all live columns
  std::vector<size_t> fields_;   // the column of each field
  std::vector<analyze::ExprPtr> default_exprs_;
  std::unique_ptr<CopyReader> reader_;
  std::unique_ptr<storage::BulkLoad> bulk_;
  bool bulk_possible_ = false;
  std::vector<std::vector<types::OwnedDatum>> waiting_;
  std::vector<Datum> values_;
  Arena arena_;
  uint64_t rows_ = 0;
  std::optional<size_t> current_field_;
  std::string_view current_text_;
  std::string_view current_line_;
};

}  // namespace

std::unique_ptr<CopyIn> StartCopyIn(const parse::CopyStatement& statement, const analyze::AnalyzeContext& analysis, exec::ExecContext& context) {
  if (statement.is_program) Throw(SqlError::NotSupported("COPY FROM PROGRAM"));
  if (!statement.filename.empty()) Throw(SqlError::NotSupported("COPY FROM a file of the server"));
  if (statement.where != nullptr) Throw(SqlError::NotSupported("COPY FROM ... WHERE", statement.where->pos));
  return std::make_unique<TableCopy>(statement, analysis, context);
}

}  // namespace mayfly::command
