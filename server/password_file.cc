#include "server/password_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>

namespace mayfly::server {
namespace {

constexpr size_t kSaltBytes = 16;

SqlError Bad(std::string message) { return SqlError::MakeText(kConfigFileError, std::move(message)); }

std::string ToVerifier(std::string_view secret, wire::RandomFill random) {
  if (wire::ParseScramVerifier(secret)) return std::string(secret);
  std::array<unsigned char, kSaltBytes> salt;
  random(salt.data(), salt.size());
  const std::string_view salt_view(reinterpret_cast<const char*>(salt.data()), salt.size());
  return wire::FormatScramVerifier(wire::MakeScramVerifier(secret, salt_view, wire::kScramIterations));
}

}  // namespace

Result<Verifiers> ParsePasswords(std::string_view text, wire::RandomFill random) {
  Verifiers verifiers;
  for (int number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line[0] == '#') continue;
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0 || colon + 1 == line.size()) {
      return Bad(fmt::format("line {}: role:secret is expected", number));
    }
    verifiers[std::string(line.substr(0, colon))] = ToVerifier(line.substr(colon + 1), random);
  }
  return verifiers;
}

Result<Verifiers> LoadPasswordFile(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return Bad(fmt::format("could not read password file \"{}\"", path));
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return Bad(fmt::format("password file \"{}\" can be read by others", path)).Hint("Its permissions must be 0600 or less.");
  }
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) return Bad(fmt::format("could not read password file \"{}\"", path));
  auto verifiers = ParsePasswords(text, wire::FillRandom);
  if (!verifiers.ok()) return Bad(fmt::format("password file \"{}\", {}", path, verifiers.error().message));
  return verifiers;
}

}  // namespace mayfly::server
