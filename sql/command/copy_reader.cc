#include "sql/command/copy_reader.h"

#include <algorithm>
#include <cstring>

#include "base/bytes.h"

namespace mayfly::command {

namespace {

[[noreturn]] void BadFormat(std::string text) { Throw(SqlError::MakeText(kBadCopyFileFormat, std::move(text))); }

// Splits the stream into lines; what is incomplete waits for more.
class LineReader : public CopyReader {
 public:
  void Feed(std::string_view bytes, const CopyRowFn& fn) override {
    if (done_) return;
    std::string_view rest = bytes;
    if (!pending_.empty()) {
      pending_.append(bytes);
      rest = pending_;
    }
    size_t used = 0;
    while (!done_) {
      const size_t end = FindLineEnd(rest.substr(used));
      if (end == std::string_view::npos) break;
      TakeLine(rest.substr(used, end), fn);
      used += end + 1;
    }
    std::string left(done_ ? std::string_view() : rest.substr(used));
    pending_ = std::move(left);
  }

  void Finish(const CopyRowFn& fn) override {
    if (done_ || pending_.empty()) return;
    const std::string last = std::exchange(pending_, {});
    if (IsUnterminated(last)) {
      line_number_ += static_cast<uint64_t>(std::count(last.begin(), last.end(), '\n'));
      unfinished_line_ = last;
      BadFormat("unterminated CSV quoted field");
    }
    TakeLine(last, fn);
  }

  uint64_t line_number() const override { return line_number_; }
  std::string_view unfinished_line() const override { return unfinished_line_; }

 protected:
  // Position of the newline that ends the first row of `text`.
  virtual size_t FindLineEnd(std::string_view text) = 0;
  virtual bool IsUnterminated(std::string_view) const { return false; }
  virtual void Split(std::string_view line) = 0;
  // How an end of line of the other kind is complained about.
  struct LineEndTexts {
    std::string_view adjective;  // "literal", "unquoted"
    std::string_view newline_hint, return_hint;
  };
  virtual LineEndTexts line_end_texts() const = 0;

  std::vector<std::optional<std::string_view>> fields_;
  uint64_t line_number_ = 0;

 private:
  void TakeLine(std::string_view line, const CopyRowFn& fn) {
    line_number_ += 1 + static_cast<uint64_t>(std::count(line.begin(), line.end(), '\n'));
    line = WithoutLineEnd(line);
    if (line == "\\.") {
      done_ = true;
      return;
    }
    Split(line);
    fn({fields_, line, line_number_});
  }

  // All lines end as the first one does: with or without a carriage return.
  std::string_view WithoutLineEnd(std::string_view line) {
    const bool has_return = line.ends_with('\r');
    if (!returns_) returns_ = has_return;
    if (has_return != *returns_) {
      const LineEndTexts texts = line_end_texts();
      Throw(SqlError::Make(kBadCopyFileFormat, "{} {} found in data", texts.adjective, has_return ? "carriage return" : "newline")
                .Hint(std::string(has_return ? texts.return_hint : texts.newline_hint)));
    }
    return has_return ? line.substr(0, line.size() - 1) : line;
  }

  std::string pending_;
  std::string unfinished_line_;
  std::optional<bool> returns_;
  bool done_ = false;
};

class TextReader final : public LineReader {
 public:
  explicit TextReader(const CopyOptions& options) : options_(options) {}

 private:
  LineEndTexts line_end_texts() const override {
    return {"literal", "Use \"\\n\" to represent newline.", "Use \"\\r\" to represent carriage return."};
  }

  // A backslash before a newline makes it data.
  size_t FindLineEnd(std::string_view text) override {
    size_t at = 0;
    while (true) {
      const size_t end = text.find('\n', at);
      if (end == std::string_view::npos) return end;
      size_t backslashes = 0;
      while (backslashes < end && text[end - 1 - backslashes] == '\\') ++backslashes;
      if (backslashes % 2 == 0) return end;
      at = end + 1;
    }
  }

  void Split(std::string_view line) override {
    fields_.clear();
    buffers_used_ = 0;
    const bool has_backslash = line.find('\\') != std::string_view::npos;
    if (has_backslash) RefuseEndMarker(line);
    while (true) {
      const size_t end = has_backslash ? FindDelimiter(line) : line.find(options_.delimiter);
      const std::string_view field = line.substr(0, end);
      if (field == options_.null_text) {
        fields_.emplace_back();
      } else if (has_backslash && field.find('\\') != std::string_view::npos) {
        fields_.emplace_back(Unescape(field));
      } else {
        fields_.emplace_back(field);
      }
      if (end == std::string_view::npos) return;
      line.remove_prefix(end + 1);
    }
  }

  // \. ends the data on a line of its own, and is an error everywhere else.
  static void RefuseEndMarker(std::string_view line) {
    for (size_t i = 0; i + 1 < line.size(); ++i) {
      if (line[i] == '\\' && line[++i] == '.') BadFormat("end-of-copy marker corrupt");
    }
  }

  size_t FindDelimiter(std::string_view line) const {
    for (size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '\\') {
        ++i;
      } else if (line[i] == options_.delimiter) {
        return i;
      }
    }
    return std::string_view::npos;
  }

  static int HexDigit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  }

  // \b \f \n \r \t \v, \123 and \x41; any other character stands for itself.
  std::string_view Unescape(std::string_view field) {
    if (buffers_.size() == buffers_used_) buffers_.push_back(std::make_unique<std::string>());
    std::string& out = *buffers_[buffers_used_++];
    out.clear();
    for (size_t i = 0; i < field.size(); ++i) {
      if (field[i] != '\\' || i + 1 == field.size()) {
        out.push_back(field[i]);
        continue;
      }
      const char c = field[++i];
      if (c >= '0' && c <= '7') {
        int value = c - '0';
        for (int digits = 1; digits < 3 && i + 1 < field.size() && field[i + 1] >= '0' && field[i + 1] <= '7'; ++digits) {
          value = value * 8 + (field[++i] - '0');
        }
        out.push_back(static_cast<char>(value));
      } else if (c == 'x' && i + 1 < field.size() && HexDigit(field[i + 1]) >= 0) {
        int value = HexDigit(field[++i]);
        if (i + 1 < field.size() && HexDigit(field[i + 1]) >= 0) value = value * 16 + HexDigit(field[++i]);
        out.push_back(static_cast<char>(value));
      } else {
        constexpr std::string_view kFrom = "bfnrtv";
        constexpr std::string_view kTo = "\b\f\n\r\t\v";
        const size_t at = kFrom.find(c);
        out.push_back(at == std::string_view::npos ? c : kTo[at]);
      }
    }
    return out;
  }

  const CopyOptions options_;
  std::vector<std::unique_ptr<std::string>> buffers_;
  size_t buffers_used_ = 0;
};

class CsvReader final : public LineReader {
 public:
  CsvReader(const CopyOptions& options, std::vector<bool> not_null, std::vector<bool> null)
      : options_(options), not_null_(std::move(not_null)), null_(std::move(null)) {}

 private:
  LineEndTexts line_end_texts() const override {
    return {"unquoted", "Use quoted CSV field to represent newline.", "Use quoted CSV field to represent carriage return."};
  }

  // Newlines inside quotes are data.
  size_t FindLineEnd(std::string_view text) override {
    bool quoted = false;
    for (size_t i = 0; i < text.size(); ++i) {
      if (quoted && options_.escape != options_.quote && text[i] == options_.escape) {
        ++i;
      } else if (text[i] == options_.quote) {
        quoted = !quoted;
      } else if (text[i] == '\n' && !quoted) {
        return i;
      }
    }
    return std::string_view::npos;
  }

  bool IsUnterminated(std::string_view text) const override {
    bool quoted = false;
    for (const char c : text) quoted = quoted != (c == options_.quote);
    return quoted;
  }

  void Split(std::string_view line) override {
    fields_.clear();
    size_t field = 0;
    size_t at = 0;
    while (true) {
      if (buffers_.size() == field) buffers_.push_back(std::make_unique<std::string>());
      std::string& out = *buffers_[field];
      out.clear();
      const bool was_quoted = ReadField(line, at, out);
      const bool forced_value = field < not_null_.size() && not_null_[field];
      const bool forced_null = field < null_.size() && null_[field];
      const bool is_null = out == options_.null_text && ((!was_quoted && !forced_value) || (was_quoted && forced_null));
      if (is_null) {
        fields_.emplace_back();
      } else {
        fields_.emplace_back(out);
      }
      ++field;
      if (at >= line.size()) break;
      ++at;  // the delimiter
      if (at == line.size()) {
        // The line ends behind a delimiter: one more, empty, field.
        const bool value = field < not_null_.size() && not_null_[field];
        if (options_.null_text.empty() && !value) {
          fields_.emplace_back();
        } else {
          fields_.emplace_back(std::string_view());
        }
        break;
      }
    }
  }

  // Reads up to the delimiter or the end; true where some of it stood in quotes.
  bool ReadField(std::string_view line, size_t& at, std::string& out) const {
    bool quoted = false;
    bool was_quoted = false;
    for (; at < line.size(); ++at) {
      const char c = line[at];
      if (!quoted) {
        if (c == options_.delimiter) break;
        if (c == options_.quote) {
          quoted = was_quoted = true;
        } else {
          out.push_back(c);
        }
      } else if (c == options_.escape && at + 1 < line.size() && (line[at + 1] == options_.quote || line[at + 1] == options_.escape)) {
        out.push_back(line[++at]);
      } else if (c == options_.quote) {
        quoted = false;
      } else {
        out.push_back(c);
      }
    }
    return was_quoted;
  }

  const CopyOptions options_;
  std::vector<bool> not_null_;
  std::vector<bool> null_;
  std::vector<std::unique_ptr<std::string>> buffers_;
};

class BinaryReader final : public CopyReader {
 public:
  explicit BinaryReader(size_t fields_expected) : fields_expected_(fields_expected) {}

  void Feed(std::string_view bytes, const CopyRowFn& fn) override {
    pending_.append(bytes);
    size_t used = 0;
    while (TakeOne(used, fn)) {
    }
    pending_.erase(0, used);
  }

  void Finish(const CopyRowFn&) override {
    if (!done_ && !header_read_) BadFormat("COPY file signature not recognized");
    if (!done_ && !pending_.empty()) BadFormat("unexpected EOF in COPY data");
  }

  uint64_t line_number() const override { return rows_; }
  bool in_header() const override { return !header_read_; }

 private:
  static constexpr std::string_view kSignature{"PGCOPY\n\377\r\n\0", 11};

  bool TakeOne(size_t& used, const CopyRowFn& fn) {
    const std::string_view rest = std::string_view(pending_).substr(used);
    if (!header_read_) return TakeHeader(rest, used);
    if (done_) {
      if (!rest.empty()) BadFormat("received copy data after EOF marker");
      return false;
    }
    ByteReader reader(rest);
    const auto count = reader.BigEndian<int16_t>();
    if (!reader.ok()) return false;
    if (count == -1) {
      done_ = true;
      used += 2;
      return true;
    }
    if (count < 0 || static_cast<size_t>(count) != fields_expected_) {
      ++rows_;
      BadFormat(fmt::format("row field count is {}, expected {}", count, fields_expected_));
    }
    fields_.clear();
    for (int16_t i = 0; i < count; ++i) {
      const auto size = reader.BigEndian<int32_t>();
      if (!reader.ok()) return false;
      if (size < -1) BadFormat("invalid field size");
      if (size == -1) {
        fields_.emplace_back();
        continue;
      }
      const std::string_view bytes = reader.Bytes(static_cast<size_t>(size));
      if (!reader.ok()) return false;
      fields_.emplace_back(bytes);
    }
    ++rows_;
    fn({fields_, {}, rows_});
    used += rest.size() - reader.remaining();
    return true;
  }

  bool TakeHeader(std::string_view rest, size_t& used) {
    const size_t shown = std::min(rest.size(), kSignature.size());
    if (rest.substr(0, shown) != kSignature.substr(0, shown)) BadFormat("COPY file signature not recognized");
    ByteReader reader(rest);
    reader.Bytes(kSignature.size());
    const auto flags = reader.BigEndian<int32_t>();
    const auto extension = reader.BigEndian<int32_t>();
    if (!reader.ok()) return false;
    if ((flags & (1 << 16)) != 0) BadFormat("invalid COPY file header (WITH OIDS)");
    if (extension < 0) BadFormat("invalid COPY file header (missing length)");
    if ((flags & ~0xffff) != 0) BadFormat("unrecognized critical flags in COPY file header");
    reader.Bytes(static_cast<size_t>(extension));
    if (!reader.ok()) return false;
    header_read_ = true;
    used += rest.size() - reader.remaining();
    return true;
  }

  const size_t fields_expected_;
  std::string pending_;
  std::vector<std::optional<std::string_view>> fields_;
  bool header_read_ = false;
  bool done_ = false;
  uint64_t rows_ = 0;
};

}  // namespace

std::unique_ptr<CopyReader> MakeCopyReader(const CopyOptions& options, std::vector<bool> not_null_fields, std::vector<bool> null_fields) {
  switch (options.format) {
    case CopyFormatKind::kText: return std::make_unique<TextReader>(options);
    case CopyFormatKind::kCsv: return std::make_unique<CsvReader>(options, std::move(not_null_fields), std::move(null_fields));
    case CopyFormatKind::kBinary: return std::make_unique<BinaryReader>(not_null_fields.size());
  }
  return nullptr;
}

}  // namespace mayfly::command
