// ErrorResponse and NoticeResponse: a SqlError's fields as PostgreSQL's clients expect them (manual, 55.8).
#pragma once

#include <string>
#include <string_view>

#include "base/sql_error.h"

namespace mayfly::wire {

// Appends 'E'. `statement` is the text that the error's byte position counts in; a position outside of it, or without one, is
// left out.
void AppendErrorResponse(std::string& out, const SqlError& error, std::string_view statement);
// Appends 'N'.
void AppendNoticeResponse(std::string& out, const SqlError& notice, std::string_view statement);

// An ErrorResponse of protocol 2: severity and message as text. For clients whose protocol is refused.
void AppendAncientError(std::string& out, std::string_view message);

// PostgreSQL's position: the character number, from 1, of a byte offset in valid UTF-8; 0 where it does not lie in the text.
int32_t CharacterPosition(std::string_view statement, SourcePos position);

}  // namespace mayfly::wire
