#include "sql/command/table_options.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "catalog/facts.h"
#include "sql/types/format_type.h"
#include "sql/types/ttl_duration.h"

namespace mayfly::command {
namespace {

constexpr std::string_view kTtl = "table.kv.row.ttl";
constexpr std::string_view kTimeColumn = "table.kv.row.ttl.time-column";
constexpr std::string_view kChangelogMode = "table.kv.row.ttl.changelog-mode";
constexpr int kTaggedFormatVersion = 2;

bool IsTtlOption(std::string_view name) { return name.starts_with("table."); }

// Storage parameters of PostgreSQL's heap that clients and dumps set: they shape pages and the vacuum of a heap, which is not there.
enum class ParameterKind : uint8_t { kFillFactor, kBoolean };
struct Parameter {
  std::string_view name;
  ParameterKind kind;
};
constexpr Parameter kParameters[] = {{"fillfactor", ParameterKind::kFillFactor}, {"autovacuum_enabled", ParameterKind::kBoolean}};

std::string ValueOf(const parse::DefinitionItem& item) { return item.value.value_or("true"); }

void CheckFillFactor(const std::string& value) {
  int number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size()) {
    Throw(SqlError::Make(kInvalidParameterValue, "invalid value for integer option \"fillfactor\": {}", value));
  }
  if (number < 10 || number > 100) {
    Throw(SqlError::Make(kInvalidParameterValue, "value {} out of bounds for option \"fillfactor\"", value)
              .Detail("Valid values are between \"10\" and \"100\"."));
  }
}

void CheckBoolean(std::string_view name, std::string value) {
  std::ranges::transform(value, value.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  constexpr std::array<std::string_view, 8> kWords = {"true", "on", "yes", "1", "false", "off", "no", "0"};
  if (std::ranges::count(kWords, value) != 0) return;
  Throw(SqlError::Make(kInvalidParameterValue, "invalid value for boolean option \"{}\": {}", name, value));
}

void CheckStorageParameter(CommandContext& context, const parse::DefinitionItem& item, bool is_reset) {
  for (const Parameter& parameter : kParameters) {
    if (parameter.name != item.name) continue;
    if (!is_reset && parameter.kind == ParameterKind::kFillFactor) CheckFillFactor(ValueOf(item));
    if (!is_reset && parameter.kind == ParameterKind::kBoolean) CheckBoolean(item.name, ValueOf(item));
    context.host.Notice(SqlError::Make(kSuccessfulCompletion, "storage parameter \"{}\" has no effect", item.name)
                            .Detail("Rows are kept in a log-structured store, which has no heap pages to fill or to vacuum.")
                            .As(Severity::kNotice));
    return;
  }
  if (item.name == "oids") {
    if (ValueOf(item) == "false" || ValueOf(item) == "off") return;
    Throw(SqlError::Make(kFeatureNotSupported, "tables declared WITH OIDS are not supported"));
  }
  if (is_reset) return;  // as in PostgreSQL: resetting what is not set does nothing
  Throw(SqlError::Make(kInvalidParameterValue, "unrecognized parameter \"{}\"", item.name));
}

[[noreturn]] void ThrowUnknownTtlOption(const parse::DefinitionItem& item) {
  Throw(SqlError::Make(kInvalidParameterValue, "unrecognized parameter \"{}\"", item.name)
            .Hint(fmt::format("Known options are \"{}\", \"{}\" and \"{}\".", kTtl, kTimeColumn, kChangelogMode))
            .At(item.pos));
}

void CheckNamespace(const parse::DefinitionItem& item) {
  if (item.name_space.empty()) return;
  if (item.name_space == "toast") Throw(SqlError::NotSupported(fmt::format("storage parameter \"toast.{}\"", item.name), item.pos));
  Throw(SqlError::Make(kInvalidParameterValue, "unrecognized parameter namespace \"{}\"", item.name_space));
}

const std::string& RequireValue(const parse::DefinitionItem& item) {
  if (item.value.has_value()) return *item.value;
  Throw(SqlError::Make(kInvalidParameterValue, "option \"{}\" requires a value", item.name).At(item.pos));
}

void ReadTtlOption(const parse::DefinitionItem& item, TtlDefinition& ttl, bool& has_ttl) {
  const std::string& value = RequireValue(item);
  if (item.name == kTtl) {
    Result<int64_t> ttl_ms = types::ParseTtlDuration(value);
    if (!ttl_ms.ok()) Throw(std::move(ttl_ms.error()).At(item.pos));
    ttl.ttl_ms = *ttl_ms;
    ttl.ttl_text = value;
    ttl.ttl_pos = item.pos;
    has_ttl = true;
  } else if (item.name == kTimeColumn) {
    ttl.time_column = value;
    ttl.time_column_pos = item.pos;
  } else if (item.name == kChangelogMode) {
    if (value != "none") Throw(SqlError::NotSupported(fmt::format("change log mode \"{}\"", value), item.pos));
  } else if (item.name.find("format") != std::string::npos && item.name.find("version") != std::string::npos) {
    Throw(SqlError::Make(kInvalidParameterValue, "option \"{}\" cannot be set", item.name)
              .Detail("The server chooses the storage format of a table.")
              .At(item.pos));
  } else {
    ThrowUnknownTtlOption(item);
  }
}

void CheckRepeated(const std::vector<parse::DefinitionItem>& options, size_t index) {
  const auto same = [&](const parse::DefinitionItem& other) {
    return other.name == options[index].name && other.name_space == options[index].name_space;
  };
  if (std::none_of(options.begin(), options.begin() + static_cast<std::ptrdiff_t>(index), same)) return;
  SqlError error = SqlError::Make(kInvalidParameterValue, "parameter \"{}\" specified more than once", options[index].name);
  if (IsTtlOption(options[index].name)) error.position = options[index].pos;
  Throw(std::move(error));
}

}  // namespace

std::optional<TtlDefinition> ReadCreateOptions(CommandContext& context, const std::vector<parse::DefinitionItem>& options) {
  TtlDefinition ttl;
  bool has_ttl = false;
  for (size_t i = 0; i < options.size(); ++i) {
    CheckNamespace(options[i]);
    CheckRepeated(options, i);
    if (IsTtlOption(options[i].name)) {
      ReadTtlOption(options[i], ttl, has_ttl);
    } else {
      CheckStorageParameter(context, options[i], false);
    }
  }
  if (has_ttl) return ttl;
  if (ttl.time_column.has_value()) {
    Throw(SqlError::Make(kInvalidParameterValue, "option \"{}\" requires option \"{}\"", kTimeColumn, kTtl).At(ttl.time_column_pos));
  }
  return std::nullopt;
}

void CheckAlterOptions(CommandContext& context, const std::vector<parse::DefinitionItem>& options, bool is_reset) {
  for (size_t i = 0; i < options.size(); ++i) {
    CheckNamespace(options[i]);
    if (IsTtlOption(options[i].name)) {
      if (options[i].name != kTtl && options[i].name != kTimeColumn && options[i].name != kChangelogMode) ThrowUnknownTtlOption(options[i]);
      Throw(SqlError::NotSupported(fmt::format("ALTER TABLE ... {} (\"{}\")", is_reset ? "RESET" : "SET", options[i].name), options[i].pos));
    }
    CheckRepeated(options, i);
    CheckStorageParameter(context, options[i], is_reset);
  }
}

void ApplyTtl(const TtlDefinition& definition, catalog::TableDescriptor& table) {
  catalog::TtlOptions ttl{.ttl_ms = definition.ttl_ms, .time_column = std::nullopt, .ttl_text = definition.ttl_text};
  if (table.primary_key() == nullptr) {
    Throw(SqlError::Make(kInvalidTableDefinition, "table \"{}\" needs a primary key", table.name)
              .Detail(fmt::format("Option \"{}\" is for tables with a primary key.", kTtl))
              .At(definition.ttl_pos));
  }
  if (definition.time_column.has_value()) {
    const catalog::ColumnDescriptor* column = table.FindColumn(*definition.time_column);
    if (column == nullptr) {
      Throw(SqlError::Make(kUndefinedColumn, "column \"{}\" named in option \"{}\" does not exist", *definition.time_column, kTimeColumn)
                .At(definition.time_column_pos));
    }
    if (column->type->oid != catalog::kOidInt8 && column->type->oid != catalog::kOidTimestamptz) {
      Throw(SqlError::Make(kDatatypeMismatch, "column \"{}\" named in option \"{}\" is of type {} but must be bigint or timestamp with time zone",
                           column->name, kTimeColumn, types::FormatType(*column->type, column->typmod))
                .Detail("A bigint counts milliseconds since 1970-01-01 00:00:00 UTC.")
                .At(definition.time_column_pos));
    }
    ttl.time_column = column->id;
  }
  table.ttl = std::move(ttl);
  table.kv_format_version = kTaggedFormatVersion;
}

}  // namespace mayfly::command
