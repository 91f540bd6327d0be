// Results as the lines that a test file holds.
#pragma once

#include <string>
#include <vector>

#include "sqllogictest/runner/client.h"
#include "sqllogictest/runner/script.h"

namespace mayfly::slt {

// The expected lines for `outcome` under the record's sort mode.
//   .slt   a row a line, columns separated by '|'; NULL is NULL, an empty text is (empty), a text that reads NULL or (empty) is
//          quoted, control characters are \n, \t or \xHH; colnames puts a first line of names.
//   .test  a value a line; I as %d, R as %.3f, T with unprintable characters as '@', (empty), NULL; above the hash threshold one
//          line "N values hashing to MD5".
std::vector<std::string> FormatResult(const Record& record, Dialect dialect, const Outcome& outcome);

// "N values hashing to MD5" of SQLite's dialect; every value is followed by a newline.
std::string HashLine(const std::vector<std::string>& values);

// The type letters of a result in the project's dialect: I integers and oid, R float and numeric, B boolean, T all others.
std::string TypeLetters(const std::vector<Oid>& types);

}  // namespace mayfly::slt
