// The log's frames and files: recovery reads exactly what was appended to this log, never what an older one left in the same
// file.
#include <filesystem>
#include <fstream>

#include "storage/rocksdb/log_file_system.h"
#include "storage/rocksdb/log_frame.h"
#include "tests/storage/engine_harness.h"

namespace mayfly::storage {
namespace {

namespace fs = std::filesystem;

class LogFiles : public testing::Test {
 protected:
  LogFiles() { Restart(); }

  void Restart(size_t extend_bytes = 8192) {
    files_ = std::make_unique<LogFileSystem>(
        rocksdb::FileSystem::Default(), LogFileOptions{.spare_dir = directory_.path() + "/spares", .extend_bytes = extend_bytes});
  }
  std::string PathOf(int number) const { return directory_.path() + "/00000" + std::to_string(number) + ".log"; }
  std::unique_ptr<rocksdb::FSWritableFile> Create(int number) {
    std::unique_ptr<rocksdb::FSWritableFile> file;
    EXPECT_TRUE(files_->NewWritableFile(PathOf(number), {}, &file, nullptr).ok());
    return file;
  }
  static void Append(rocksdb::FSWritableFile& file, const std::string& bytes, bool flush = true) {
    EXPECT_TRUE(file.Append(bytes, {}, nullptr).ok());
    if (flush) {
      EXPECT_TRUE(file.Sync({}, nullptr).ok());
    }
  }
  std::string Read(const std::string& path, size_t piece = 100) {
    std::unique_ptr<rocksdb::FSSequentialFile> file;
    EXPECT_TRUE(files_->NewSequentialFile(path, {}, &file, nullptr).ok());
    std::string all;
    std::string scratch(piece, '\0');
    for (;;) {
      rocksdb::Slice got;
      EXPECT_TRUE(file->Read(piece, {}, &got, scratch.data(), nullptr).ok());
      all.append(got.data(), got.size());
      if (got.size() < piece) return all;
    }
  }

  ScratchDirectory directory_;
  std::unique_ptr<LogFileSystem> files_;
};

TEST(LogFrameTest, OnlyAWholeFrameOfThisLogAtThisPlaceIsOne) {
  char head[kLogFrameHeadBytes];
  EncodeLogFrameHead(LogSalt(5), 512, "bytes", head);
  EXPECT_EQ(LogFrameSize(LogSalt(5), head), 5u);
  EXPECT_TRUE(IsLogFrame(LogSalt(5), 512, head, "bytes"));
  EXPECT_FALSE(IsLogFrame(LogSalt(5), 512, head, "bytez"));
  EXPECT_FALSE(IsLogFrame(LogSalt(5), 1024, head, "bytes"));
  EXPECT_EQ(LogFrameSize(LogSalt(6), head), 0u);
  EXPECT_EQ(LogFrameSize(LogSalt(5), std::string(kLogFrameHeadBytes, '\0').data()), 0u);
}

TEST_F(LogFiles, GiveBackWhatWasAppended) {
  std::string expected;
  auto file = Create(1);
  for (const size_t size : {1, 15, 16, 495, 496, 497, 512, 5000, 100'000, 3'000'000, 7}) {
    const std::string bytes(size, static_cast<char>('a' + size % 26));
    Append(*file, bytes, size % 2 == 1);
    expected += bytes;
  }
  EXPECT_EQ(file->GetFileSize({}, nullptr), expected.size());
  EXPECT_TRUE(file->Close({}, nullptr).ok());
  for (const size_t piece : {1000, 32 * 1024}) EXPECT_EQ(Read(PathOf(1), piece), expected);
}

TEST_F(LogFiles, EndWhereTheLastFlushEnded) {
  auto file = Create(1);
  Append(*file, "flushed");
  Append(*file, "not flushed", false);
  EXPECT_EQ(Read(PathOf(1)), "flushed");
  Append(*file, "!");
  EXPECT_EQ(Read(PathOf(1)), "flushednot flushed!");
}

TEST_F(LogFiles, GrowInPiecesAndAreUsedAgain) {
  auto file = Create(1);
  Append(*file, std::string(20'000, 'a'));
  file.reset();
  const auto size = fs::file_size(PathOf(1));
  EXPECT_EQ(size % 8192, 0u);
  EXPECT_GT(size, 20'000u);
  EXPECT_TRUE(files_->DeleteFile(PathOf(1), {}, nullptr).ok());
  EXPECT_FALSE(fs::exists(PathOf(1)));
  Restart();
  auto next = Create(2);
  EXPECT_EQ(fs::file_size(PathOf(2)), size) << "the spare was found after a restart, and used";
  EXPECT_EQ(Read(PathOf(2)), "") << "with nothing of the old log to be seen";
  // The second log's frames end just where the first one's lie.
  for (int i = 0; i < 10; ++i) {
    Append(*next, std::string(100, static_cast<char>('b' + i)));
    EXPECT_EQ(Read(PathOf(2)).size(), 100u * static_cast<size_t>(i + 1));
  }
}

TEST_F(LogFiles, EndAtAFrameThatIsTorn) {
  auto file = Create(1);
  Append(*file, std::string(1000, 'a'));
  Append(*file, std::string(1000, 'b'));
  Append(*file, std::string(1000, 'c'));
  file.reset();
  std::fstream(PathOf(1), std::ios::in | std::ios::out | std::ios::binary).seekp(1500).write("x", 1);
  EXPECT_EQ(Read(PathOf(1)), std::string(1000, 'a'));
}

TEST_F(LogFiles, OtherFilesPassThrough) {
  const std::string path = directory_.path() + "/other.txt";
  std::unique_ptr<rocksdb::FSWritableFile> file;
  ASSERT_TRUE(files_->NewWritableFile(path, {}, &file, nullptr).ok());
  Append(*file, "plain");
  file.reset();
  EXPECT_EQ(fs::file_size(path), 5u);
  EXPECT_TRUE(files_->DeleteFile(path, {}, nullptr).ok());
  EXPECT_TRUE(fs::is_empty(directory_.path() + "/spares"));
}

TEST_F(LogFiles, AreNotLinked) {
  Append(*Create(1), "x");
  EXPECT_TRUE(files_->LinkFile(PathOf(1), directory_.path() + "/copy.log", {}, nullptr).IsNotSupported());
}

}  // namespace
}  // namespace mayfly::storage
