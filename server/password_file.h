// Passwords from a file, for roles whose password is not (or cannot yet be) in the catalog: one `role:secret` a line.
//
// A secret is a SCRAM-SHA-256 verifier as PostgreSQL's pg_authid has it, or a password as it is typed. The file must be readable
// by its owner only.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "wire/scram.h"

namespace mayfly::server {

using Verifiers = std::map<std::string, std::string, std::less<>>;

// Blank lines and lines that begin with # are skipped. F0000 naming the line that is something else.
Result<Verifiers> ParsePasswords(std::string_view text, wire::RandomFill random);

// Reads and parses. F0000 where the file cannot be read, or others may read it.
Result<Verifiers> LoadPasswordFile(const std::string& path);

}  // namespace mayfly::server
