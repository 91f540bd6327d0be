// string_to_array, string_to_table and array_to_string (PostgreSQL manual, 9.19).
#include <optional>

#include "sql/func/array_function.h"
#include "sql/func/text_result.h"
#include "sql/types/utf8.h"

namespace mayfly::func {

namespace {

using types::Datum;

// The fields of `text`: single characters where there is no separator, all of it where the separator is empty.
template <typename Emit>
void SplitText(std::string_view text, std::optional<std::string_view> separator, Emit emit) {
  if (text.empty()) return;
  if (!separator) {
    for (size_t at = 0; at < text.size(); at += types::Utf8Length(text[at])) emit(text.substr(at, types::Utf8Length(text[at])));
    return;
  }
  if (separator->empty()) {
    emit(text);
    return;
  }
  for (;;) {
    const size_t at = text.find(*separator);
    emit(text.substr(0, at));
    if (at == std::string_view::npos) return;
    text.remove_prefix(at + separator->size());
  }
}

std::optional<std::string_view> OptionalBytes(const Datum& value) {
  return value.is_null() ? std::nullopt : std::optional(value.bytes());
}

void ToArrayKernel(const KernelCall& call) {
  types::ArrayBuilder builder(*call.result_type.type->element);
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    const Datum text = call.args[0]->Get(row);
    if (text.is_null()) {
      call.result.SetNull(row);
      continue;
    }
    const Datum separator = call.args[1]->Get(row);
    const Datum null_text = call.args.size() > 2 ? call.args[2]->Get(row) : Datum::Null();
    builder.Clear();
    SplitText(text.bytes(), OptionalBytes(separator), [&](std::string_view field) {
      const bool is_null = !null_text.is_null() && field == null_text.bytes();
      builder.Append(is_null ? Datum::Null() : Datum(field));
    });
    call.result.SetDatum(row, builder.Finish(call.result.heap()), true);
  }
}

void ToTextKernel(const KernelCall& call) {
  const TypeUse element{call.arg_types[0].type->element, -1};
  std::string text;
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    if (call.args[0]->IsNull(row) || call.args[1]->IsNull(row)) {
      call.result.SetNull(row);
      continue;
    }
    const ArrayArgument array(call, 0, row);
    const Datum separator = call.args[1]->Get(row);
    const Datum null_text = call.args.size() > 2 ? call.args[2]->Get(row) : Datum::Null();
    text.clear();
    bool any = false;
    for (size_t at = 0; at < array->count(); ++at) {
      if (array->IsNull(at) && null_text.is_null()) continue;
      if (any) text += separator.bytes();
      any = true;
      if (array->IsNull(at)) {
        text += null_text.bytes();
      } else {
        AppendText(call, element, array->Element(at), text);
      }
    }
    call.result.SetBytes(row, text);
  }
}

class ToTableFunction final : public SetFunction {
 public:
  explicit ToTableFunction(const SetFunctionCall& call) {
    if (call.args[0].is_null()) return;
    const Datum null_text = call.args.size() > 2 ? call.args[2] : Datum::Null();
    SplitText(call.args[0].bytes(), OptionalBytes(call.args[1]), [&](std::string_view field) {
      const bool is_null = !null_text.is_null() && field == null_text.bytes();
      fields_.push_back(is_null ? std::nullopt : std::optional<std::string>(field));
    });
  }
  size_t Next(size_t rows_max, std::span<types::Vector* const> columns) override {
    size_t row = 0;
    for (; row < rows_max && next_ < fields_.size(); ++row, ++next_) {
      if (fields_[next_]) {
        columns[0]->SetBytes(row, *fields_[next_]);
      } else {
        columns[0]->SetNull(row);
      }
    }
    return row;
  }

 private:
  std::vector<std::optional<std::string>> fields_;
  size_t next_ = 0;
};

}  // namespace

void TextToArray(const KernelCall& call) { ToArrayKernel(call); }
void TextToArrayNull(const KernelCall& call) { ToArrayKernel(call); }
void ArrayToText(const KernelCall& call) { ToTextKernel(call); }
void ArrayToTextNull(const KernelCall& call) { ToTextKernel(call); }
std::unique_ptr<SetFunction> TextToTable(const SetFunctionCall& call) { return std::make_unique<ToTableFunction>(call); }
std::unique_ptr<SetFunction> TextToTableNull(const SetFunctionCall& call) { return std::make_unique<ToTableFunction>(call); }

}  // namespace mayfly::func
