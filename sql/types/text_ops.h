// The I/O and order functions of text, which varchar, name and json share. For the family files of sql/types only.
#pragma once

#include "sql/types/hash.h"
#include "sql/types/key_encoding.h"
#include "sql/types/type.h"
#include "sql/types/utf8.h"

namespace mayfly::types {

// A kBytes value; what does not fit inline is copied into `arena`.
Datum KeepBytes(std::string_view bytes, Arena& arena);

Result<Datum> TextIn(const TypeDesc& type, std::string_view text, int32_t typmod, const IoContext& io, Arena& arena);
void TextOut(const TypeDesc& type, const Datum& value, const IoContext& io, std::string& out);
int TextCompare(const TypeDesc& type, const Datum& a, const Datum& b);
uint64_t TextHash(const TypeDesc& type, const Datum& value);
void TextEncodeKey(const TypeDesc& type, const Datum& value, std::string& out);
Result<Datum> TextDecodeKey(const TypeDesc& type, ByteReader& key, Arena& arena);

}  // namespace mayfly::types
