// Lines of the log: readable by people and by logfmt readers, whatever the values hold.
#include "base/log.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace mayfly {
namespace {

// What a log under a fixed clock writes.
class LogTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(::pipe(fds_), 0); }
  void TearDown() override { ::close(fds_[0]); }
  std::string Written() {
    ::close(fds_[1]);
    std::string text;
    char chunk[4096];
    for (ssize_t size = 0; (size = ::read(fds_[0], chunk, sizeof chunk)) > 0;) text.append(chunk, static_cast<size_t>(size));
    return text;
  }
  ManualClock clock_{1'700'000'000'123'456};
  int fds_[2] = {-1, -1};
};

TEST_F(LogTest, ValuesAreQuotedWhereTheyMustBe) {
  const Log log(clock_, LogLevel::kInfo, fds_[1]);
  log.Info("it \"works\"",
           {{"plain", "a/b:1"}, {"number", -5}, {"empty", ""}, {"blank", "a b"}, {"equals", "a=b"}, {"odd", "x\n\x01\\\""}});
  EXPECT_EQ(Written(),
            "time=2023-11-14T22:13:20.123Z level=info msg=\"it \\\"works\\\"\" plain=a/b:1 number=-5 empty=\"\" blank=\"a b\" "
            "equals=\"a=b\" "
            "odd=\"x\\n\\x01\\\\\\\"\"\n");
}

TEST_F(LogTest, LinesBelowTheLevelAreNotWritten) {
  const Log log(clock_, LogLevel::kWarning, fds_[1]);
  log.Debug("a");
  log.Info("b");
  log.Warning("c");
  log.Error("d");
  const std::string text = Written();
  EXPECT_EQ(text.find("msg=\"b\""), std::string::npos);
  EXPECT_NE(text.find("level=warning msg=\"c\""), std::string::npos);
  EXPECT_NE(text.find("level=error msg=\"d\""), std::string::npos);
}

TEST_F(LogTest, TimesBeforeTheEpochAreTimes) {
  clock_.Set(-1);
  const Log log(clock_, LogLevel::kInfo, fds_[1]);
  log.Info("x");
  EXPECT_EQ(Written().substr(0, 29), "time=1969-12-31T23:59:59.999Z");
}

TEST(LogLevelTest, WordsAreLevels) {
  for (const char* word : {"debug", "info", "warning", "error"}) EXPECT_EQ(LogLevelName(*ParseLogLevel(word)), word);
  EXPECT_FALSE(ParseLogLevel("loud"));
  EXPECT_FALSE(ParseLogLevel(""));
}

}  // namespace
}  // namespace mayfly
