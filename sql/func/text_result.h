// Where function bodies put strings that they made: into the result vector's heap, or nowhere if they fit inline.
#pragma once

#include <string>
#include <string_view>

#include "sql/func/kernel.h"

namespace mayfly::func {

// A view to return from a Lift body: short text is copied into the vector right after the call, so it may stay where it is.
inline std::string_view Keep(const KernelCall& call, std::string_view text) {
  return text.size() <= types::StringRef::kInlineBytes ? text : call.result.heap().Copy(text);
}

// Appends the text form of a value, as a cast to text does. Requires: not NULL.
inline void AppendText(const KernelCall& call, const TypeUse& use, const types::Datum& value, std::string& out) {
  use.type->ops->out(*use.type, value, call.context.io, out);
}

// No text may be longer than PostgreSQL's 1 GB.
inline constexpr size_t kTextBytesMax = 0x3FFFFFFF;
[[noreturn]] inline void ThrowTooLong() { Throw(SqlError::Make(kProgramLimitExceeded, "requested length too large")); }

}  // namespace mayfly::func
