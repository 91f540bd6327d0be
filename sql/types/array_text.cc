// array_in and array_out: '{1,NULL,"a b"}', '[0:1]={…}', '{{1,2},{3,4}}' (PostgreSQL manual, 8.15.2).
//
// Parsing takes two steps, so that a malformed literal is reported before a malformed element: ArrayScanner splits the text into
// element texts and dimensions, then each text goes through the element type's input function.
#include <algorithm>
#include <optional>

#include "sql/types/array.h"

namespace mayfly::types {

namespace {

bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool IsNullWord(std::string_view text) {
  return text.size() == 4 && (text[0] | 32) == 'n' && (text[1] | 32) == 'u' && (text[2] | 32) == 'l' && (text[3] | 32) == 'l';
}

class ArrayScanner {
 public:
  ArrayScanner(std::string_view text, char delimiter) : text_(text), delimiter_(delimiter) {}

  Status Scan();

  std::vector<std::optional<std::string>>& elements() { return elements_; }
  std::span<const ArrayDimension> dimensions() const { return {dimensions_.data(), dimension_count_}; }

 private:
  enum class State { kNoLevel, kLevelStarted, kElement, kQuoted, kQuotedDone, kElementDelimited, kLevelDone, kLevelDelimited };

  Status ScanBounds();
  Result<int32_t> ScanBound(size_t end) const;
  Status ScanContents();
  Status ScanCharacter(char c);
  Status OpenLevel();
  Status CloseLevel();
  Status FinishElement();
  Status FinishDimensions();

  SqlError Malformed(std::string detail) const {
    return SqlError::Make(kInvalidTextRepresentation, "malformed array literal: \"{}\"", text_.substr(shown_from_))
        .Detail(std::move(detail));
  }
  SqlError Unexpected(char c) const { return Malformed(fmt::format("Unexpected \"{}\" character.", c)); }
  void SkipSpace() {
    while (at_ < text_.size() && IsSpace(text_[at_])) ++at_;
  }
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  // Past the sign and digits at at_.
  size_t DigitsEnd() const {
    size_t end = at_;
    while (end < text_.size() && ((text_[end] >= '0' && text_[end] <= '9') || text_[end] == '-' || text_[end] == '+')) ++end;
    return end;
  }

  std::string_view text_;
  char delimiter_;
  size_t at_ = 0;
  size_t shown_from_ = 0;  // errors in the contents leave out what stands before them

  bool has_bounds_ = false;
  std::array<ArrayDimension, kArrayDimensionsMax> bounds_{};
  size_t bound_count_ = 0;

  State state_ = State::kNoLevel;
  int level_ = 0;
  std::array<int32_t, kArrayDimensionsMax> open_counts_{};    // of the arrays being read, by level
  std::array<int32_t, kArrayDimensionsMax> closed_counts_{};  // of the last array closed, by level; -1 = none yet
  int element_level_ = 0;                                     // where elements were seen
  int levels_max_ = 0;
  bool uneven_ = false;  // elements stood at different levels

  std::string element_;
  size_t element_keep_ = 0;  // bytes that trimming of trailing blanks must keep (they were escaped)
  bool element_escaped_ = false;
  std::vector<std::optional<std::string>> elements_;
  std::array<ArrayDimension, kArrayDimensionsMax> dimensions_{};
  size_t dimension_count_ = 0;
};

Status ArrayScanner::Scan() {
  closed_counts_.fill(-1);
  TRY_OK(ScanBounds());
  if (!has_bounds_) {
    if (Peek() != '{') return Malformed("Array value must start with \"{\" or dimension information.");
  } else {
    if (Peek() != '=') return Malformed("Missing \"=\" after array dimensions.");
    ++at_;
    SkipSpace();
    if (Peek() != '{') return Malformed("Array contents must start with \"{\".");
  }
  shown_from_ = at_;
  TRY_OK(ScanContents());
  SkipSpace();
  if (at_ != text_.size()) return Malformed("Junk after closing right brace.");
  shown_from_ = 0;
  return FinishDimensions();
}

Result<int32_t> ArrayScanner::ScanBound(size_t end) const {
  int64_t value = 0;
  size_t at = at_;
  bool negative = false;
  if (at < end && (text_[at] == '-' || text_[at] == '+')) negative = text_[at++] == '-';
  for (; at < end && text_[at] >= '0' && text_[at] <= '9' && value <= INT32_MAX; ++at) value = value * 10 + (text_[at] - '0');
  return static_cast<int32_t>(std::clamp<int64_t>(negative ? -value : value, INT32_MIN, INT32_MAX));
}

Status ArrayScanner::ScanBounds() {
  for (;;) {
    SkipSpace();
    if (Peek() != '[') return Ok();
    ++at_;
    has_bounds_ = true;
    if (bound_count_ >= kArrayDimensionsMax) {
      return SqlError::Make(kProgramLimitExceeded, "number of array dimensions ({}) exceeds the maximum allowed ({})",
                            bound_count_ + 1, kArrayDimensionsMax);
    }
    size_t end = DigitsEnd();
    if (end == at_) return Malformed("\"[\" must introduce explicitly-specified array dimensions.");
    int32_t lower = 1;
    if (end < text_.size() && text_[end] == ':') {
      TRY(const int32_t, first, ScanBound(end));
      lower = first;
      at_ = end + 1;
      end = DigitsEnd();
      if (end == at_) return Malformed("Missing array dimension value.");
    }
    if (end >= text_.size() || text_[end] != ']') return Malformed("Missing \"]\" after array dimensions.");
    TRY(const int32_t, upper, ScanBound(end));
    at_ = end + 1;
    if (upper < lower) return SqlError::Make(kArrayElementError, "upper bound cannot be less than lower bound");
    const int64_t length = int64_t{upper} - lower + 1;
    if (length > INT32_MAX) {
      return SqlError::Make(kProgramLimitExceeded, "array size exceeds the maximum allowed ({})", kArrayElementsMax);
    }
    bounds_[bound_count_++] = {static_cast<int32_t>(length), lower};
  }
}

Status ArrayScanner::ScanContents() {
  do {
    if (at_ >= text_.size()) return Malformed("Unexpected end of input.");
    TRY_OK(ScanCharacter(text_[at_]));
    ++at_;
  } while (level_ > 0);
  return Ok();
}

Status ArrayScanner::ScanCharacter(char c) {
  using enum State;
  const bool quoted = state_ == kQuoted;
  if (c == '\\') {
    if (state_ != kLevelStarted && state_ != kElement && !quoted && state_ != kElementDelimited) return Unexpected('\\');
    if (!quoted) state_ = kElement;
    if (at_ + 1 >= text_.size()) return Malformed("Unexpected end of input.");
    element_ += text_[++at_];
    element_keep_ = element_.size();
    element_escaped_ = true;
    return Ok();
  }
  if (c == '"') {
    if (state_ != kLevelStarted && !quoted && state_ != kElementDelimited) return Malformed("Unexpected array element.");
    state_ = quoted ? kQuotedDone : kQuoted;
    return Ok();
  }
  if (quoted) {
    element_ += c;
    return Ok();
  }
  if (c == '{') return OpenLevel();
  if (c == '}') return CloseLevel();
  if (c == delimiter_) {
    if (state_ == kLevelDone) {
      state_ = kLevelDelimited;
      return Ok();
    }
    if (state_ != kElement && state_ != kQuotedDone) return Unexpected(c);
    TRY_OK(FinishElement());
    state_ = kElementDelimited;
    return Ok();
  }
  if (IsSpace(c)) {
    if (state_ == kElement) element_ += c;
    return Ok();
  }
  if (state_ != kLevelStarted && state_ != kElement && state_ != kElementDelimited) return Malformed("Unexpected array element.");
  state_ = kElement;
  element_ += c;
  return Ok();
}

Status ArrayScanner::OpenLevel() {
  if (state_ != State::kNoLevel && state_ != State::kLevelStarted && state_ != State::kLevelDelimited) return Unexpected('{');
  state_ = State::kLevelStarted;
  if (level_ >= kArrayDimensionsMax) {
    return SqlError::Make(kProgramLimitExceeded, "number of array dimensions ({}) exceeds the maximum allowed ({})", level_ + 1,
                          kArrayDimensionsMax);
  }
  open_counts_[static_cast<size_t>(level_++)] = 0;
  levels_max_ = std::max(levels_max_, level_);
  return Ok();
}

Status ArrayScanner::CloseLevel() {
  using enum State;
  if (state_ == kElement || state_ == kQuotedDone) {
    TRY_OK(FinishElement());
  } else if (state_ != kLevelDone && !(level_ == 1 && state_ == kLevelStarted)) {
    return Unexpected('}');
  }
  state_ = kLevelDone;
  const auto level = static_cast<size_t>(--level_);
  if (closed_counts_[level] >= 0 && closed_counts_[level] != open_counts_[level]) {
    return Malformed("Multidimensional arrays must have sub-arrays with matching dimensions.");
  }
  closed_counts_[level] = open_counts_[level];
  if (level > 0) ++open_counts_[level - 1];
  return Ok();
}

Status ArrayScanner::FinishElement() {
  // Reported at the end: what cannot be read at all goes first.
  uneven_ = uneven_ || (element_level_ != 0 && element_level_ != level_);
  element_level_ = level_;
  ++open_counts_[static_cast<size_t>(level_ - 1)];
  const bool quoted = state_ == State::kQuotedDone;
  if (!quoted) {
    while (element_.size() > element_keep_ && IsSpace(element_.back())) element_.pop_back();
  }
  if (!quoted && !element_escaped_ && IsNullWord(element_)) {
    elements_.emplace_back(std::nullopt);
  } else {
    elements_.emplace_back(std::move(element_));
  }
  element_.clear();
  element_keep_ = 0;
  element_escaped_ = false;
  return Ok();
}

Status ArrayScanner::FinishDimensions() {
  if (!elements_.empty()) {
    if (uneven_ || element_level_ != levels_max_) {
      return Malformed("Multidimensional arrays must have sub-arrays with matching dimensions.");
    }
    dimension_count_ = static_cast<size_t>(levels_max_);
    for (size_t i = 0; i < dimension_count_; ++i) dimensions_[i] = {closed_counts_[i], 1};
  }
  if (!has_bounds_) return Ok();
  if (bound_count_ != dimension_count_) return Malformed("Specified array dimensions do not match array contents.");
  for (size_t i = 0; i < dimension_count_; ++i) {
    if (bounds_[i].length != dimensions_[i].length) return Malformed("Specified array dimensions do not match array contents.");
    dimensions_[i].lower = bounds_[i].lower;
  }
  return Ok();
}

// True where array_out must quote an element's text.
bool NeedsQuotes(std::string_view text, char delimiter) {
  if (text.empty() || IsNullWord(text)) return true;
  return std::any_of(text.begin(), text.end(), [delimiter](char c) {
    return c == '"' || c == '\\' || c == '{' || c == '}' || c == delimiter || IsSpace(c);
  });
}

void AppendElement(const ArrayReader& array, size_t index, const IoContext& io, std::string& out) {
  if (array.IsNull(index)) {
    out += "NULL";
    return;
  }
  const TypeDesc& element = array.element_type();
  std::string text;
  element.ops->out(element, array.Element(index), io, text);
  if (!NeedsQuotes(text, element.delimiter)) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
}

void AppendLevel(const ArrayReader& array, size_t level, size_t& index, const IoContext& io, std::string& out) {
  const auto dimensions = array.dimensions();
  out += '{';
  for (int32_t i = 0; i < dimensions[level].length; ++i) {
    if (i > 0) out += array.element_type().delimiter;
    if (level + 1 < dimensions.size()) {
      AppendLevel(array, level + 1, index, io, out);
    } else {
      AppendElement(array, index++, io, out);
    }
  }
  out += '}';
}

}  // namespace

Result<Datum> ParseArray(const TypeDesc& element, std::string_view text, int32_t typmod, const IoContext& io, Arena& arena) {
  ArrayScanner scanner(text, element.delimiter);
  TRY_OK(scanner.Scan());
  TRY_OK(ArrayElementCount(scanner.dimensions()));
  ArrayBuilder builder(element);
  for (const auto& item : scanner.elements()) {
    if (!item) {
      builder.Append(Datum::Null());
      continue;
    }
    if (element.ops->in == nullptr) {
      return SqlError::Make(kFeatureNotSupported, "cannot accept a value of type {}", element.name);
    }
    TRY(const Datum, value, element.ops->in(element, *item, typmod, io, arena));
    builder.Append(value);
  }
  return builder.Finish(scanner.dimensions(), arena);
}

void FormatArray(const ArrayReader& array, const IoContext& io, std::string& out) {
  if (array.count() == 0) {
    out += "{}";
    return;
  }
  const auto dimensions = array.dimensions();
  if (std::any_of(dimensions.begin(), dimensions.end(), [](const ArrayDimension& d) { return d.lower != 1; })) {
    for (const ArrayDimension& d : dimensions) out += fmt::format("[{}:{}]", d.lower, d.upper());
    out += '=';
  }
  size_t index = 0;
  AppendLevel(array, 0, index, io, out);
}

}  // namespace mayfly::types
