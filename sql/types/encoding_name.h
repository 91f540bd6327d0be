// Names of character encodings as PostgreSQL knows them (manual, chapter 24.3). The server itself speaks UTF8 only.
#pragma once

#include <string>
#include <string_view>

namespace mayfly::types {

// "UTF8" for every spelling of it ("unicode", 'utf-8', …), the letters and digits in lower case for any other encoding, empty where there is none
// of that name.
std::string NormalizedEncodingName(std::string_view name);

}  // namespace mayfly::types
