// SQL values as JSON: what to_json, json_build_*, json_agg and row_to_json share.
#pragma once

#include <string>

#include "sql/func/kernel.h"
#include "sql/types/jsonb.h"

namespace mayfly::func {

// The JSON text of a value: numbers and booleans as such, dates in ISO 8601, arrays and records unfolded, json as it stands, the
// rest as a string of its text form. `pretty` puts the members of the outermost container on lines of their own.
void AppendJsonValue(const types::TypeDesc& type, const types::Datum& value, const types::IoContext& io, bool pretty,
                     std::string& out);
// The same as a jsonb value.
void AddJsonbValue(const types::TypeDesc& type, const types::Datum& value, const types::IoContext& io,
                   types::JsonbBuilder& builder);

// The text of a value that becomes a key. 22023 for NULL (`null_message`), arrays, records and json.
std::string JsonKeyText(const types::TypeDesc& type, const types::Datum& value, const types::IoContext& io,
                        std::string_view null_message);

// True for arrays and records: json_agg puts them on lines of their own.
bool IsJsonContainer(const types::TypeDesc& type);

}  // namespace mayfly::func
