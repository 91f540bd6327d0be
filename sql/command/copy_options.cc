#include <algorithm>

#include "sql/command/copy.h"
#include "sql/types/encoding_name.h"

namespace mayfly::command {

namespace {

using parse::DefinitionItem;

bool AsBool(const DefinitionItem& item) {
  if (!item.value) return true;
  const std::string& text = *item.value;
  if (text == "true" || text == "on" || text == "1") return true;
  if (text == "false" || text == "off" || text == "0") return false;
  Throw(SqlError::Make(kSyntaxError, "{} requires a Boolean value", item.name));
}

[[noreturn]] void Conflicting(const DefinitionItem& item) {
  Throw(SqlError::MakeText(kSyntaxError, "conflicting or redundant options").At(item.pos));
}

class Reader {
 public:
  explicit Reader(const parse::CopyStatement& statement) : statement_(statement) {}

  CopyOptions Read() {
    for (const DefinitionItem& item : statement_.options) ReadItem(item);
    ApplyDefaults();
    Check();
    return std::move(options_);
  }

 private:
  void ReadItem(const DefinitionItem& item) {
    if (std::find(seen_.begin(), seen_.end(), item.name) != seen_.end()) Conflicting(item);
    seen_.push_back(item.name);
    if (item.name == "format") {
      ReadFormat(item);
    } else if (item.name == "delimiter") {
      delimiter_ = item.value.value_or("");
    } else if (item.name == "null") {
      null_text_ = item.value.value_or("");
    } else if (item.name == "quote") {
      quote_ = item.value.value_or("");
    } else if (item.name == "escape") {
      escape_ = item.value.value_or("");
    } else if (item.name == "header") {
      ReadHeader(item);
    } else if (item.name == "force_quote") {
      options_.force_quote_all = item.star;
      options_.force_quote = item.list;
      force_quote_given_ = true;
    } else if (item.name == "force_not_null") {
      options_.force_not_null = item.list;
    } else if (item.name == "force_null") {
      options_.force_null = item.list;
    } else if (item.name == "encoding") {
      ReadEncoding(item);
    } else if (item.name == "freeze") {
      options_.freeze = AsBool(item);
    } else {
      Throw(SqlError::Make(kSyntaxError, "option \"{}\" not recognized", item.name).At(item.pos));
    }
  }

  void ReadFormat(const DefinitionItem& item) {
    const std::string format = item.value.value_or("");
    if (format == "text") {
      options_.format = CopyFormatKind::kText;
    } else if (format == "csv") {
      options_.format = CopyFormatKind::kCsv;
    } else if (format == "binary") {
      options_.format = CopyFormatKind::kBinary;
    } else {
      Throw(SqlError::Make(kInvalidParameterValue, "COPY format \"{}\" not recognized", format).At(item.pos));
    }
  }

  static void ReadEncoding(const DefinitionItem& item) {
    const std::string given = item.value.value_or("");
    const std::string name = types::NormalizedEncodingName(given);
    if (name.empty()) {
      Throw(SqlError::MakeText(kInvalidParameterValue, "argument to option \"encoding\" must be a valid encoding name").At(item.pos));
    }
    if (name != "UTF8") Throw(SqlError::NotSupported(fmt::format("COPY encoding \"{}\"", given), item.pos));
  }

  void ReadHeader(const DefinitionItem& item) {
    if (item.value == "match") {
      if (!statement_.is_from) {
        Throw(SqlError::Make(kFeatureNotSupported, "cannot use \"{}\" with HEADER in COPY TO", *item.value));
      }
      options_.header = options_.header_match = true;
      return;
    }
    if (item.value && *item.value != "true" && *item.value != "false" && *item.value != "on" && *item.value != "off" && *item.value != "1" &&
        *item.value != "0") {
      Throw(SqlError::Make(kSyntaxError, "header requires a Boolean value or \"match\""));
    }
    options_.header = AsBool(item);
  }

  void ApplyDefaults() {
    const bool csv = options_.format == CopyFormatKind::kCsv;
    if (options_.format == CopyFormatKind::kBinary) {
      if (delimiter_) Refuse(kSyntaxError, "cannot specify DELIMITER in BINARY mode");
      if (null_text_) Refuse(kSyntaxError, "cannot specify NULL in BINARY mode");
    }
    options_.null_text = null_text_.value_or(csv ? "" : "\\N");
    const std::string delimiter = delimiter_.value_or(csv ? "," : "\t");
    const std::string quote = quote_.value_or("\"");
    const std::string escape = escape_.value_or(quote);
    if (delimiter.size() != 1) Refuse(kFeatureNotSupported, "COPY delimiter must be a single one-byte character");
    if (delimiter == "\n" || delimiter == "\r") Refuse(kInvalidParameterValue, "COPY delimiter cannot be newline or carriage return");
    if (options_.null_text.find_first_of("\r\n") != std::string::npos) {
      Refuse(kInvalidParameterValue, "COPY null representation cannot use newline or carriage return");
    }
    if (!csv && std::string_view("\\.abcdefghijklmnopqrstuvwxyz0123456789").find(delimiter[0]) != std::string_view::npos) {
      Throw(SqlError::Make(kInvalidParameterValue, "COPY delimiter cannot be \"{}\"", delimiter));
    }
    if (options_.format == CopyFormatKind::kBinary && options_.header) Refuse(kFeatureNotSupported, "cannot specify HEADER in BINARY mode");
    if (quote_ && !csv) Refuse(kFeatureNotSupported, "COPY quote available only in CSV mode");
    if (csv && quote.size() != 1) Refuse(kFeatureNotSupported, "COPY quote must be a single one-byte character");
    if (csv && delimiter == quote) Refuse(kInvalidParameterValue, "COPY delimiter and quote must be different");
    if (escape_ && !csv) Refuse(kFeatureNotSupported, "COPY escape available only in CSV mode");
    if (csv && escape.size() != 1) Refuse(kFeatureNotSupported, "COPY escape must be a single one-byte character");
    options_.delimiter = delimiter[0];
    options_.quote = quote.empty() ? '"' : quote[0];
    options_.escape = escape.empty() ? '"' : escape[0];
  }

  void Check() const {
    const bool csv = options_.format == CopyFormatKind::kCsv;
    if (force_quote_given_ && !csv) Refuse(kFeatureNotSupported, "COPY force quote available only in CSV mode");
    if (force_quote_given_ && statement_.is_from) Refuse(kFeatureNotSupported, "COPY force quote only available using COPY TO");
    if (!options_.force_not_null.empty() && !csv) Refuse(kFeatureNotSupported, "COPY force not null available only in CSV mode");
    if (!options_.force_not_null.empty() && !statement_.is_from) Refuse(kFeatureNotSupported, "COPY force not null only available using COPY FROM");
    if (!options_.force_null.empty() && !csv) Refuse(kFeatureNotSupported, "COPY force null available only in CSV mode");
    if (!options_.force_null.empty() && !statement_.is_from) Refuse(kFeatureNotSupported, "COPY force null only available using COPY FROM");
    if (options_.null_text.find(options_.delimiter) != std::string::npos) {
      Refuse(kFeatureNotSupported, "COPY delimiter must not appear in the NULL specification");
    }
    if (csv && options_.null_text.find(options_.quote) != std::string::npos) {
      Refuse(kFeatureNotSupported, "CSV quote character must not appear in the NULL specification");
    }
  }

  [[noreturn]] static void Refuse(SqlState state, std::string_view text) { Throw(SqlError::MakeText(state, std::string(text))); }

  const parse::CopyStatement& statement_;
  CopyOptions options_;
  std::vector<std::string> seen_;
  std::optional<std::string> delimiter_, null_text_, quote_, escape_;
  bool force_quote_given_ = false;
};

}  // namespace

CopyOptions ParseCopyOptions(const parse::CopyStatement& statement) { return Reader(statement).Read(); }

}  // namespace mayfly::command
