#include "base/arena.h"

#include <algorithm>

namespace mayfly {

namespace {
constexpr size_t kFirstChunkBytes = 4 * 1024;
constexpr size_t kChunkBytesMax = 256 * 1024;
}  // namespace

char* Arena::AllocateSlow(size_t size) {
  const size_t doubled = chunks_.empty() ? kFirstChunkBytes : std::min(chunks_.back().size * 2, kChunkBytesMax);
  const size_t chunk_size = std::max(size, doubled);
  chunks_.push_back({std::unique_ptr<char[]>(new char[chunk_size]), chunk_size});
  reserved_bytes_ += chunk_size;
  next_ = chunks_.back().bytes.get() + size;
  available_ = chunk_size - size;
  return chunks_.back().bytes.get();
}

void Arena::Reset() {
  if (chunks_.empty()) return;
  chunks_.resize(1);
  reserved_bytes_ = chunks_[0].size;
  next_ = chunks_[0].bytes.get();
  available_ = chunks_[0].size;
}

}  // namespace mayfly
