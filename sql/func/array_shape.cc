// The dimensions of arrays, and functions that go through their elements: unnest, generate_subscripts (PostgreSQL manual, 9.19).
#include "sql/func/array_function.h"

namespace mayfly::func {

namespace {

using types::ArrayDimension;
using types::ArrayReader;

// NULL where the array has no such dimension.
template <typename Get>
void DimensionKernel(const KernelCall& call, Get get) {
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    const ArrayArgument array(call, 0, row);
    const int32_t number = call.args[1]->Get(row).get<int32_t>();
    if (number < 1 || number > array->dimension_count()) {
      call.result.SetNull(row);
    } else {
      call.result.Set(row, get(array->dimensions()[static_cast<size_t>(number) - 1]));
    }
  }
}

class UnnestFunction final : public SetFunction {
 public:
  explicit UnnestFunction(const SetFunctionCall& call)
      : value_(call.args[0]), array_(*call.arg_types[0].type->element, value_.bytes()) {}
  size_t Next(size_t rows_max, std::span<types::Vector* const> columns) override {
    size_t row = 0;
    for (; row < rows_max && next_ < array_.count(); ++row) columns[0]->SetDatum(row, array_.Element(next_++));
    return row;
  }

 private:
  types::Datum value_;
  ArrayReader array_;
  size_t next_ = 0;
};

class SubscriptsFunction final : public SetFunction {
 public:
  explicit SubscriptsFunction(const SetFunctionCall& call) {
    const types::Datum value = call.args[0];
    const ArrayReader array(*call.arg_types[0].type->element, value.bytes());
    const int32_t number = call.args[1].get<int32_t>();
    reverse_ = call.args.size() > 2 && call.args[2].get<bool>();
    if (number >= 1 && number <= array.dimension_count()) dimension_ = array.dimensions()[static_cast<size_t>(number) - 1];
  }
  size_t Next(size_t rows_max, std::span<types::Vector* const> columns) override {
    size_t row = 0;
    for (; row < rows_max && next_ < dimension_.length; ++row, ++next_) {
      columns[0]->Set<int32_t>(row, reverse_ ? dimension_.upper() - next_ : dimension_.lower + next_);
    }
    return row;
  }

 private:
  ArrayDimension dimension_;
  bool reverse_ = false;
  int32_t next_ = 0;
};

}  // namespace

void ArrayNdims(const KernelCall& call) {
  for (size_t i = 0; i < call.rows.count; ++i) {
    const ArrayArgument array(call, 0, call.rows[i]);
    if (array->dimension_count() == 0) {
      call.result.SetNull(call.rows[i]);
    } else {
      call.result.Set(call.rows[i], int32_t{array->dimension_count()});
    }
  }
}

void ArrayDims(const KernelCall& call) {
  std::string text;
  for (size_t i = 0; i < call.rows.count; ++i) {
    const ArrayArgument array(call, 0, call.rows[i]);
    text.clear();
    for (const ArrayDimension& dimension : array->dimensions())
      text += fmt::format("[{}:{}]", dimension.lower, dimension.upper());
    if (text.empty()) {
      call.result.SetNull(call.rows[i]);
    } else {
      call.result.SetBytes(call.rows[i], text);
    }
  }
}

void ArrayLength(const KernelCall& call) {
  DimensionKernel(call, [](const ArrayDimension& dimension) { return dimension.length; });
}
void ArrayLower(const KernelCall& call) {
  DimensionKernel(call, [](const ArrayDimension& dimension) { return dimension.lower; });
}
void ArrayUpper(const KernelCall& call) {
  DimensionKernel(call, [](const ArrayDimension& dimension) { return dimension.upper(); });
}
void ArrayCardinality(const KernelCall& call) {
  for (size_t i = 0; i < call.rows.count; ++i) {
    call.result.Set(call.rows[i], static_cast<int32_t>(ArrayArgument(call, 0, call.rows[i])->count()));
  }
}

std::unique_ptr<SetFunction> ArrayUnnest(const SetFunctionCall& call) { return std::make_unique<UnnestFunction>(call); }
std::unique_ptr<SetFunction> GenerateSubscripts(const SetFunctionCall& call) {
  return std::make_unique<SubscriptsFunction>(call);
}
std::unique_ptr<SetFunction> GenerateSubscriptsNodir(const SetFunctionCall& call) {
  return std::make_unique<SubscriptsFunction>(call);
}

}  // namespace mayfly::func
