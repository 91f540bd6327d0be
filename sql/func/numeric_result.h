// How numeric functions read their arguments and write their result.
#pragma once

#include <string_view>

#include "sql/func/lift.h"
#include "sql/types/numeric.h"

namespace mayfly::func {

// Body: types::Numeric(const types::Numeric&).
template <typename Body>
void MapNumeric(const KernelCall& call, Body body) {
  Arena& heap = call.result.heap();
  Lift<types::StringRef(std::string_view)>(
      call, [&](std::string_view a) { return types::EncodeNumeric(body(types::DecodeNumeric(a)), heap); });
}

// Body: types::Numeric(const types::Numeric&, const types::Numeric&).
template <typename Body>
void MapNumerics(const KernelCall& call, Body body) {
  Arena& heap = call.result.heap();
  Lift<types::StringRef(std::string_view, std::string_view)>(call, [&](std::string_view a, std::string_view b) {
    return types::EncodeNumeric(body(types::DecodeNumeric(a), types::DecodeNumeric(b)), heap);
  });
}

}  // namespace mayfly::func
