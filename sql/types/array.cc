#include "sql/types/array.h"

#include <algorithm>

#include "base/check.h"

namespace mayfly::types {

namespace {

constexpr uint32_t kHasNulls = 1;

bool IsVariable(const TypeDesc& element) { return element.physical() == PhysicalType::kBytes; }

Datum LoadFixed(PhysicalType physical, const char* at) {
  const auto load = [at]<typename T>(T) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return Datum(value);
  };
  switch (physical) {
    case PhysicalType::kBool: return load(bool{});
    case PhysicalType::kInt16: return load(int16_t{});
    case PhysicalType::kInt32: return load(int32_t{});
    case PhysicalType::kInt64: return load(int64_t{});
    case PhysicalType::kFloat32: return load(float{});
    case PhysicalType::kFloat64: return load(double{});
    case PhysicalType::kInterval: return load(Interval{});
    case PhysicalType::kUuid: return load(Uuid{});
    case PhysicalType::kBytes: break;
  }
  Unreachable();
}

}  // namespace

ArrayReader::ArrayReader(const TypeDesc& element, std::string_view bytes) : element_(&element) {
  Check(bytes.size() >= 4, "an array value is too short");
  dimension_count_ = static_cast<int>(LoadLittleEndian<uint32_t>(bytes.data()));
  if (dimension_count_ == 0) return;
  Check(dimension_count_ <= kArrayDimensionsMax, "an array value has too many dimensions");
  const uint32_t flags = LoadLittleEndian<uint32_t>(bytes.data() + 4);
  const char* at = bytes.data() + 8;
  count_ = 1;
  for (int i = 0; i < dimension_count_; ++i, at += 8) {
    ArrayDimension& dimension = dimensions_[static_cast<size_t>(i)];
    dimension = {LoadLittleEndian<int32_t>(at), LoadLittleEndian<int32_t>(at + 4)};
    count_ *= static_cast<size_t>(dimension.length);
  }
  if ((flags & kHasNulls) != 0) {
    nulls_ = at;
    at += (count_ + 7) / 8;
  }
  values_ = at;
}

Datum ArrayReader::Element(size_t index) const {
  if (IsNull(index)) return Datum::Null();
  if (!IsVariable(*element_)) return LoadFixed(element_->physical(), values_ + index * PhysicalSize(element_->physical()));
  const auto end = [this](size_t i) { return LoadLittleEndian<uint32_t>(values_ + i * 4); };
  const uint32_t begin = index == 0 ? 0 : end(index - 1);
  return Datum(std::string_view(values_ + count_ * 4 + begin, end(index) - begin));
}

Datum ArrayReader::At(std::span<const int32_t> subscripts) const {
  if (subscripts.size() != static_cast<size_t>(dimension_count_) || dimension_count_ == 0) return Datum::Null();
  size_t flat = 0;
  for (size_t i = 0; i < subscripts.size(); ++i) {
    const int64_t offset = int64_t{subscripts[i]} - dimensions_[i].lower;
    if (offset < 0 || offset >= dimensions_[i].length) return Datum::Null();
    flat = flat * static_cast<size_t>(dimensions_[i].length) + static_cast<size_t>(offset);
  }
  return Element(flat);
}

ArrayBuilder::ArrayBuilder(const TypeDesc& element) : element_(&element) {}

void ArrayBuilder::Clear() {
  count_ = 0;
  has_nulls_ = false;
  nulls_.clear();
  values_.clear();
  ends_.clear();
}

void ArrayBuilder::Append(const Datum& element) {
  if ((count_ & 7) == 0) nulls_ += '\0';
  if (element.is_null()) {
    has_nulls_ = true;
    nulls_[count_ >> 3] = static_cast<char>(nulls_[count_ >> 3] | (1 << (count_ & 7)));
  }
  ++count_;
  if (!IsVariable(*element_)) {
    const size_t size = PhysicalSize(element_->physical());
    if (element.is_null()) {
      values_.append(size, '\0');
    } else {
      values_.append(static_cast<const char*>(element.payload()), size);
    }
    return;
  }
  if (!element.is_null()) values_.append(element.bytes());
  if (values_.size() > UINT32_MAX / 4) {
    Throw(SqlError::Make(kProgramLimitExceeded, "array size exceeds the maximum allowed ({})", 1073741823));
  }
  ends_.push_back(static_cast<uint32_t>(values_.size()));
}

void ArrayBuilder::FinishOneDimension(int32_t lower, std::string& out) const {
  const ArrayDimension dimension{static_cast<int32_t>(count_), lower};
  Finish(std::span(&dimension, 1), out);
}

void ArrayBuilder::Finish(std::span<const ArrayDimension> dimensions, std::string& out) const {
  if (count_ == 0 || dimensions.empty()) {
    AppendLittleEndian<uint32_t>(out, 0);
    return;
  }
  AppendLittleEndian<uint32_t>(out, static_cast<uint32_t>(dimensions.size()));
  AppendLittleEndian<uint32_t>(out, has_nulls_ ? kHasNulls : 0);
  for (const ArrayDimension& dimension : dimensions) {
    AppendLittleEndian<int32_t>(out, dimension.length);
    AppendLittleEndian<int32_t>(out, dimension.lower);
  }
  if (has_nulls_) out.append(nulls_);
  for (const uint32_t end : ends_) AppendLittleEndian<uint32_t>(out, end);
  out.append(values_);
}

Datum ArrayBuilder::Finish(Arena& arena) const {
  const ArrayDimension dimension{static_cast<int32_t>(count_), 1};
  return Finish(std::span(&dimension, 1), arena);
}

Datum ArrayBuilder::Finish(std::span<const ArrayDimension> dimensions, Arena& arena) const {
  std::string bytes;
  bytes.reserve(values_.size() + ends_.size() * 4 + nulls_.size() + 8 + dimensions.size() * 8);
  Finish(dimensions, bytes);
  return Datum(bytes.size() <= StringRef::kInlineBytes ? std::string_view(bytes) : arena.Copy(bytes));
}

Result<size_t> ArrayElementCount(std::span<const ArrayDimension> dimensions) {
  int64_t count = 1;
  for (const ArrayDimension& dimension : dimensions) {
    count *= dimension.length;
    if (count > kArrayElementsMax) {
      return SqlError::Make(kProgramLimitExceeded, "array size exceeds the maximum allowed ({})", kArrayElementsMax);
    }
  }
  return static_cast<size_t>(count);
}

int CompareArrays(const ArrayReader& a, const ArrayReader& b) {
  const TypeDesc& element = a.element_type();
  const size_t common = std::min(a.count(), b.count());
  for (size_t i = 0; i < common; ++i) {
    const bool a_null = a.IsNull(i);
    const bool b_null = b.IsNull(i);
    if (a_null && b_null) continue;
    if (a_null) return 1;  // NULL sorts last, as in a btree index
    if (b_null) return -1;
    const int order = element.ops->compare(element, a.Element(i), b.Element(i));
    if (order != 0) return order;
  }
  const auto order = [](auto x, auto y) { return x < y ? -1 : x > y ? 1 : 0; };
  if (a.count() != b.count()) return order(a.count(), b.count());
  if (a.dimension_count() != b.dimension_count()) return order(a.dimension_count(), b.dimension_count());
  for (size_t i = 0; i < a.dimensions().size(); ++i) {
    if (const int o = order(a.dimensions()[i].length, b.dimensions()[i].length); o != 0) return o;
  }
  for (size_t i = 0; i < a.dimensions().size(); ++i) {
    if (const int o = order(a.dimensions()[i].lower, b.dimensions()[i].lower); o != 0) return o;
  }
  return 0;
}

}  // namespace mayfly::types
