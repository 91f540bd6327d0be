// The one place in sql/ where errors are caught: SessionImpl::Guard.
#pragma once

#include <new>

#include "sql/session/session_impl.h"

namespace mayfly::session {

template <typename Body>
auto SessionImpl::Guard(ResultSink& sink, Body body) -> Result<decltype(body())> {
  sink_ = &sink;
  {
    const std::lock_guard lock(interrupt_mutex_);
    running_ = true;
    interrupt_error_.reset();
    interrupt_.requested.store(false, std::memory_order_relaxed);
  }
  const bool timed = statement_timeout_ms_ > 0;
  if (timed) instance_.timer().Arm(this, statement_timeout_ms_);
  struct AtEnd {
    SessionImpl& session;
    bool timed;
    ~AtEnd() {
      if (timed) session.instance_.timer().Disarm(&session);
      const std::lock_guard lock(session.interrupt_mutex_);
      session.running_ = false;
    }
  } at_end{*this, timed};
  std::optional<SqlError> failure;
  try {
    return body();
  } catch (SqlException& exception) {
    failure = Fail(std::move(exception.error()));
  } catch (const std::bad_alloc&) {
    failure = SqlError::Make(kOutOfMemory, "out of memory");
  }
  FailTransaction();
  return *std::move(failure);
}

}  // namespace mayfly::session
