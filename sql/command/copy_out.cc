// COPY TO: result rows as text, CSV or binary.
#include <algorithm>

#include "base/bytes.h"
#include "sql/command/copy.h"

namespace mayfly::command {

namespace {

// Shared: the value of a field by the type's output function.
class Formatter : public CopyOut {
 public:
  Formatter(const CopyOptions& options, std::vector<CopyColumn> columns, const types::IoContext& io)
      : options_(options), columns_(std::move(columns)), io_(io) {}

  void Begin(std::string& out) override {
    if (!options_.header) return;
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (i != 0) out.push_back(options_.delimiter);
      AppendField(columns_[i].name, false, out);
    }
    out.push_back('\n');
  }

  void Row(const types::Batch& batch, size_t row, std::string& out) override {
    for (size_t column = 0; column < columns_.size(); ++column) {
      if (column != 0) out.push_back(options_.delimiter);
      const types::Datum value = batch.columns[column]->Get(row);
      if (value.is_null()) {
        out += options_.null_text;
        continue;
      }
      text_.clear();
      columns_[column].type->ops->out(*columns_[column].type, value, io_, text_);
      AppendField(text_, MustQuote(column), out);
    }
    out.push_back('\n');
  }

  void End(std::string&) override {}

 protected:
  virtual void AppendField(std::string_view text, bool must_quote, std::string& out) = 0;
  virtual bool MustQuote(size_t) const { return false; }

  const CopyOptions options_;
  const std::vector<CopyColumn> columns_;
  const types::IoContext io_;

 private:
  std::string text_;
};

class TextFormatter final : public Formatter {
 public:
  using Formatter::Formatter;

 private:
  void AppendField(std::string_view text, bool, std::string& out) override {
    for (const char c : text) {
      switch (c) {
        case '\b': out += "\\b"; break;
        case '\f': out += "\\f"; break;
        case '\n': out += "\\n"; break;
        case '\r': out += "\\r"; break;
        case '\t': out += "\\t"; break;
        case '\v': out += "\\v"; break;
        case '\\': out += "\\\\"; break;
        default:
          if (c == options_.delimiter) out.push_back('\\');
          out.push_back(c);
      }
    }
  }
};

class CsvFormatter final : public Formatter {
 public:
  CsvFormatter(const CopyOptions& options, std::vector<CopyColumn> columns, const types::IoContext& io)
      : Formatter(options, std::move(columns), io) {
    for (const CopyColumn& column : columns_) {
      const auto& forced = options_.force_quote;
      must_quote_.push_back(options_.force_quote_all || std::find(forced.begin(), forced.end(), column.name) != forced.end());
    }
  }

 private:
  bool MustQuote(size_t column) const override { return must_quote_[column]; }

  void AppendField(std::string_view text, bool must_quote, std::string& out) override {
    // "\." alone on a line would end the data.
    const bool ends_data = columns_.size() == 1 && text == "\\.";
    const auto special = [&](char c) { return c == options_.delimiter || c == options_.quote || c == '\n' || c == '\r'; };
    if (!must_quote && !ends_data && text != options_.null_text && std::none_of(text.begin(), text.end(), special)) {
      out += text;
      return;
    }
    out.push_back(options_.quote);
    for (const char c : text) {
      if (c == options_.quote || c == options_.escape) out.push_back(options_.escape);
      out.push_back(c);
    }
    out.push_back(options_.quote);
  }

  std::vector<bool> must_quote_;
};

class BinaryFormatter final : public CopyOut {
 public:
  BinaryFormatter(std::vector<CopyColumn> columns, const types::IoContext& io) : columns_(std::move(columns)), io_(io) {
    for (const CopyColumn& column : columns_) {
      if (column.type->ops->send == nullptr) {
        Throw(SqlError::Make(kUndefinedFunction, "no binary output function available for type {}", column.type->name));
      }
    }
  }

  void Begin(std::string& out) override {
    out.append("PGCOPY\n\377\r\n\0", 11);
    AppendBigEndian(out, int32_t{0});
    AppendBigEndian(out, int32_t{0});
  }

  void Row(const types::Batch& batch, size_t row, std::string& out) override {
    AppendBigEndian(out, static_cast<int16_t>(columns_.size()));
    for (size_t column = 0; column < columns_.size(); ++column) {
      const types::Datum value = batch.columns[column]->Get(row);
      if (value.is_null()) {
        AppendBigEndian(out, int32_t{-1});
        continue;
      }
      bytes_.clear();
      columns_[column].type->ops->send(*columns_[column].type, value, io_, bytes_);
      AppendBigEndian(out, static_cast<int32_t>(bytes_.size()));
      out += bytes_;
    }
  }

  void End(std::string& out) override { AppendBigEndian(out, int16_t{-1}); }

 private:
  const std::vector<CopyColumn> columns_;
  const types::IoContext io_;
  std::string bytes_;
};

}  // namespace

std::unique_ptr<CopyOut> MakeCopyOut(const CopyOptions& options, std::vector<CopyColumn> columns, const types::IoContext& io) {
  switch (options.format) {
    case CopyFormatKind::kText: return std::make_unique<TextFormatter>(options, std::move(columns), io);
    case CopyFormatKind::kCsv: return std::make_unique<CsvFormatter>(options, std::move(columns), io);
    case CopyFormatKind::kBinary: return std::make_unique<BinaryFormatter>(std::move(columns), io);
  }
  return nullptr;
}

parse::StatementPtr CopySource(const parse::CopyStatement& statement, const analyze::AnalyzeContext& analysis) {
  if (statement.is_program) Throw(SqlError::NotSupported("COPY TO PROGRAM"));
  if (!statement.filename.empty()) Throw(SqlError::NotSupported("COPY TO a file of the server"));
  parse::TableRef named = statement.table;
  named.pos = {};  // PostgreSQL gives no position
  const catalog::TablePtr table = analyze::ResolveTable(analysis, named);
  for (const std::string& name : ParseCopyOptions(statement).force_quote) {
    if (table->FindColumn(name) == nullptr) {
      Throw(SqlError::Make(kUndefinedColumn, "column \"{}\" of relation \"{}\" does not exist", name, table->name));
    }
    if (!statement.columns.empty() && std::find(statement.columns.begin(), statement.columns.end(), name) == statement.columns.end()) {
      Throw(SqlError::Make(kInvalidColumnReference, "FORCE_QUOTE column \"{}\" not referenced by COPY", name));
    }
  }
  if (table->kind == 'v') {
    Throw(SqlError::Make(kWrongObjectType, "cannot copy from view \"{}\"", table->name).Hint("Try the COPY (SELECT ...) TO variant."));
  }
  parse::SelectStatement select;
  const auto add = [&](const std::string& name) {
    parse::Target target;
    target.expr = std::make_unique<parse::Expr>(parse::Expr{parse::ColumnRef{{name}, false}, {}});
    select.targets.push_back(std::move(target));
  };
  for (const std::string& name : statement.columns) {
    if (table->FindColumn(name) == nullptr) {
      Throw(SqlError::Make(kUndefinedColumn, "column \"{}\" of relation \"{}\" does not exist", name, table->name));
    }
    add(name);
  }
  if (statement.columns.empty()) {
    for (const catalog::ColumnDescriptor& column : table->columns) {
      if (!column.dropped) add(column.name);
    }
  }
  auto from = std::make_unique<parse::TableExpr>();
  parse::TableRef ref;
  ref.schema = statement.table.schema;
  ref.name = statement.table.name;
  from->node = std::move(ref);
  select.from.push_back(std::move(from));
  auto result = std::make_unique<parse::Statement>();
  result->node = std::move(select);
  return result;
}

}  // namespace mayfly::command
