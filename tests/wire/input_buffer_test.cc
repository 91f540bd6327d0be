// The input buffer keeps bytes in one piece, and grows with what really comes.
#include "wire/input_buffer.h"

#include <gtest/gtest.h>

#include <string>

namespace mayfly::wire {
namespace {

void Put(InputBuffer& buffer, std::string_view bytes, size_t wanted) {
  while (!bytes.empty()) {
    buffer.Reserve(wanted);
    ASSERT_GT(buffer.space_size(), 0U);
    const size_t size = std::min(bytes.size(), buffer.space_size());
    std::memcpy(buffer.space(), bytes.data(), size);
    buffer.Received(size);
    bytes.remove_prefix(size);
  }
}

TEST(InputBufferTest, BytesStayInOnePieceAndInOrder) {
  InputBuffer buffer;
  std::string expected;
  for (int i = 0; i < 2000; ++i) {
    const std::string bytes(static_cast<size_t>(i % 97), static_cast<char>('a' + i % 26));
    Put(buffer, bytes, 5);
    expected += bytes;
    const size_t consumed = std::min<size_t>(expected.size(), static_cast<size_t>(i % 89));
    buffer.Consume(consumed);
    expected.erase(0, consumed);
    ASSERT_EQ(buffer.view(), expected);
  }
}

TEST(InputBufferTest, AClaimedLengthTakesNoMemory) {
  InputBuffer buffer;
  buffer.Reserve(size_t{1} << 30);
  EXPECT_LE(buffer.space_size(), InputBuffer::kUsualBytes);
  Put(buffer, std::string(1000, 'x'), size_t{1} << 30);
  buffer.Reserve(size_t{1} << 30);
  EXPECT_LE(buffer.space_size(), InputBuffer::kUsualBytes);
}

TEST(InputBufferTest, ALargeBufferIsGivenBack) {
  InputBuffer buffer;
  const std::string large(1 << 20, 'x');
  Put(buffer, large, large.size());
  EXPECT_EQ(buffer.view(), large);
  buffer.Consume(large.size());
  buffer.Reserve(5);
  EXPECT_EQ(buffer.space_size(), InputBuffer::kUsualBytes);
  buffer.Shrink();
  EXPECT_EQ(buffer.space_size(), InputBuffer::kIdleBytes);
}

}  // namespace
}  // namespace mayfly::wire
