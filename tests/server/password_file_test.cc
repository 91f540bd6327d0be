// Passwords from a file.
#include "server/password_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <fstream>

namespace mayfly::server {
namespace {

void FixedRandom(unsigned char* bytes, size_t size) { std::memset(bytes, 's', size); }

TEST(PasswordFileTest, SecretsAreVerifiersOrPasswords) {
  const std::string verifier = wire::FormatScramVerifier(wire::MakeScramVerifier("pencil", "salt", 4096));
  const auto verifiers = ParsePasswords("# comment\n\nalice:" + verifier + "\r\nbob:a:b\nbob:c", FixedRandom);
  ASSERT_TRUE(verifiers.ok());
  ASSERT_EQ(verifiers->size(), 2U);
  EXPECT_EQ(verifiers->at("alice"), verifier);
  EXPECT_EQ(verifiers->at("bob"), wire::FormatScramVerifier(wire::MakeScramVerifier("c", std::string(16, 's'), 4096)));
}

TEST(PasswordFileTest, OtherLinesAreNamed) {
  for (const char* text : {"\nalice", "\n:x", "\nalice:"}) {
    const auto verifiers = ParsePasswords(text, FixedRandom);
    ASSERT_FALSE(verifiers.ok()) << text;
    EXPECT_EQ(verifiers.error().message, "line 2: role:secret is expected");
  }
}

TEST(PasswordFileTest, AFileThatOthersCanReadIsRefused) {
  const std::string path = ::testing::TempDir() + "mayfly_passwords";
  std::ofstream(path) << "alice:secret\n";
  ::chmod(path.c_str(), 0640);
  const auto open = LoadPasswordFile(path);
  ASSERT_FALSE(open.ok());
  EXPECT_NE(open.error().message.find("can be read by others"), std::string::npos);
  ::chmod(path.c_str(), 0600);
  EXPECT_TRUE(LoadPasswordFile(path).ok());
  std::filesystem::remove(path);
  EXPECT_FALSE(LoadPasswordFile(path).ok());
}

}  // namespace
}  // namespace mayfly::server
