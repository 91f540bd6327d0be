// Types of $1, $2 …
#pragma once

#include "sql/analyze/coerce.h"

namespace mayfly::analyze {

// 42P02 where the parameter does not exist and may not be inferred. Of type unknown until something tells.
ExprPtr AnalyzeParameter(Scope& scope, const parse::ParameterRef& ref, SourcePos pos);
// 42P18 where some parameter's type was never told; 42P08 where it was told only after a use that had to know it ($1 IS NULL OR a
// = $1).
void CheckParametersKnown(const Analysis& analysis, const Query& query);

}  // namespace mayfly::analyze
