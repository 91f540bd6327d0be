#include "storage/engine.h"

namespace mayfly::storage {

GetBuffer::GetBuffer() = default;
GetBuffer::~GetBuffer() = default;
GetBuffer::GetBuffer(GetBuffer&&) noexcept = default;
GetBuffer& GetBuffer::operator=(GetBuffer&&) noexcept = default;

}  // namespace mayfly::storage
