// Upper and lower case by simple Unicode mapping, one character to one, as the locale C.UTF-8 has it.
#pragma once

#include <string>
#include <string_view>

namespace mayfly::func {

char32_t ToLower(char32_t c);
char32_t ToUpper(char32_t c);
bool IsAlphanumeric(char32_t c);

void AppendLower(std::string_view text, std::string& out);
void AppendUpper(std::string_view text, std::string& out);

}  // namespace mayfly::func
