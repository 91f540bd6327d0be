// Concatenation: ||, concat() and concat_ws() (PostgreSQL manual, 9.4).
#include "sql/func/lift.h"
#include "sql/func/text_result.h"

namespace mayfly::func {

namespace {

std::string_view Join(const KernelCall& call, std::string_view a, std::string_view b) {
  const size_t size = a.size() + b.size();
  if (size > kTextBytesMax) ThrowTooLong();
  char* const at = call.result.heap().Allocate(size);
  std::copy(a.begin(), a.end(), at);
  std::copy(b.begin(), b.end(), at + a.size());
  return {at, size};
}

void JoinKernel(const KernelCall& call) {
  Lift<std::string_view(std::string_view, std::string_view)>(call, [&](std::string_view a, std::string_view b) {
    if (b.empty()) return a;
    if (a.empty()) return b;
    return Join(call, a, b);
  });
}

// All arguments from `first` on as text, NULLs left out, `separator` between.
void AppendArguments(const KernelCall& call, size_t row, size_t first, std::string_view separator, std::string& out) {
  bool any = false;
  for (size_t i = first; i < call.args.size(); ++i) {
    if (call.args[i]->IsNull(row)) continue;
    if (any) out += separator;
    any = true;
    AppendText(call, call.arg_types[i], call.args[i]->Get(row), out);
  }
}

}  // namespace

void Textcat(const KernelCall& call) { JoinKernel(call); }
void Byteacat(const KernelCall& call) { JoinKernel(call); }

void Textanycat2003(const KernelCall& call) {
  std::string text;
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    text.assign(call.args[0]->Get(row).bytes());
    AppendText(call, call.arg_types[1], call.args[1]->Get(row), text);
    call.result.SetBytes(row, text);
  }
}

void Anytextcat2004(const KernelCall& call) {
  std::string text;
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    text.clear();
    AppendText(call, call.arg_types[0], call.args[0]->Get(row), text);
    text += call.args[1]->Get(row).bytes();
    call.result.SetBytes(row, text);
  }
}

void TextConcat(const KernelCall& call) {
  std::string text;
  for (size_t i = 0; i < call.rows.count; ++i) {
    text.clear();
    AppendArguments(call, call.rows[i], 0, {}, text);
    call.result.SetBytes(call.rows[i], text);
  }
}

// NULL only where the separator is.
void TextConcatWs(const KernelCall& call) {
  std::string text;
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    if (call.args[0]->IsNull(row)) {
      call.result.SetNull(row);
      continue;
    }
    text.clear();
    const types::Datum separator = call.args[0]->Get(row);
    AppendArguments(call, row, 1, separator.bytes(), text);
    call.result.SetBytes(row, text);
  }
}

}  // namespace mayfly::func
