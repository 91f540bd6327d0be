#include "wire/protocol.h"

#include <new>

#include "base/bytes.h"
#include "wire/error_fields.h"

namespace mayfly::wire {
namespace {

constexpr size_t kHeaderBytes = 5;

SqlError Fatal(std::string message) { return SqlError::MakeText(kProtocolViolation, std::move(message)).As(Severity::kFatal); }

bool IsExtended(char tag) { return tag == 'P' || tag == 'B' || tag == 'D' || tag == 'E' || tag == 'C' || tag == 'H'; }
bool BelongsToCopyIn(char tag) { return tag == 'd' || tag == 'c' || tag == 'f' || tag == 'H' || tag == 'S'; }

}  // namespace

Protocol::Protocol(ProtocolHost& host, PeerOptions peer, OutputDrain* drain)
    : host_(host), peer_(std::move(peer)), drain_(drain), handshake_(std::make_unique<Handshake>(host_, peer_)) {}

Protocol::~Protocol() {
  if (opened_.session != nullptr) host_.CloseSession(opened_.pid);
}

Outcome Protocol::Feed(std::string_view input, bool may_block) {
  try {
    if (opened_.session != nullptr) return FeedMessages(input, may_block);
    Outcome outcome = handshake_->Feed(input, output());
    flush_ = true;
    if (!handshake_->opened()) return outcome;
    opened_ = *std::move(handshake_->opened());
    handshake_.reset();
    const Outcome next = FeedMessages(input.substr(outcome.consumed), may_block);
    return {next.action, outcome.consumed + next.consumed, next.wanted};
  } catch (const SqlException& bug) {
    // Check() in a release build: the session cannot be trusted any more, the server can.
    Terminate(bug.error());
  } catch (const std::bad_alloc&) {
    Terminate(SqlError::MakeText(kOutOfMemory, "out of memory"));
  }
  return {Action::kClose, 0};
}

bool Protocol::TakeFlush() {
  const bool wanted = flush_ || writer_.urgent();
  flush_ = false;
  writer_.set_urgent(false);
  return wanted;
}

void Protocol::Terminate(const SqlError& fatal) {
  SqlError error = fatal;
  error.severity = Severity::kFatal;
  SendError(error);
}

bool Protocol::holds_transaction() const {
  return opened_.session != nullptr && (in_batch_ || copy_ != Copy::kNone || opened_.session->transaction_status() != 'I');
}

void Protocol::Shrink() {
  scratch_.Shrink();
  output().shrink_to_fit();
  if (opened_.session != nullptr) opened_.session->ShrinkWhenIdle();
}

Outcome Protocol::FeedMessages(std::string_view input, bool may_block) {
  writer_.set_drain(may_block ? drain_ : nullptr);
  size_t at = 0;
  while (at < input.size()) {
    const std::string_view rest = input.substr(at);
    if (auto valid = CheckHeader(rest); !valid.ok()) {
      FailHeader(valid.error());
      return {Action::kClose, at};
    }
    if (rest.size() < kHeaderBytes) return {Action::kRead, at, kHeaderBytes};
    const size_t total = size_t{LoadBigEndian<uint32_t>(rest.data() + 1)} + 1;
    if (rest.size() < total) return {Action::kRead, at, total};
    const Verdict verdict = Handle(rest[0], rest.substr(kHeaderBytes, total - kHeaderBytes), may_block);
    writer_.set_statement({});
    if (verdict == Verdict::kWouldBlock) return {Action::kRunOnWorker, at};
    at += total;
    if (verdict == Verdict::kClose) return {Action::kClose, at};
    if (output().size() >= kOutputHighWater) return {Action::kWrite, at};
  }
  return {Action::kRead, at, kHeaderBytes};
}

Status Protocol::CheckHeader(std::string_view input) const {
  const int tag = static_cast<unsigned char>(input[0]);
  if (copy_ != Copy::kNone && !BelongsToCopyIn(input[0])) {
    return Fatal(fmt::format("unexpected message type 0x{:02X} during COPY from stdin", tag));
  }
  const uint32_t limit = FrontendLengthLimit(input[0]);
  if (limit == 0) return Fatal(fmt::format("invalid frontend message type {}", tag));
  if (input.size() < kHeaderBytes) return Ok();
  const auto length = LoadBigEndian<uint32_t>(input.data() + 1);
  // Differs: PostgreSQL closes without a word.
  if (length < 4 || length > limit) return Fatal("invalid message length");
  return Ok();
}

Protocol::Verdict Protocol::Handle(char tag, std::string_view body, bool may_block) {
  if (skip_to_sync_ && tag != 'S' && tag != 'X') return Verdict::kNext;
  auto message = DecodeFrontend(tag, body, scratch_);
  if (!message.ok()) return FailMessage(tag, message.error());
  if (copy_ != Copy::kNone) return HandleCopyIn(*message, may_block);
  return std::visit([&](const auto& m) { return On(m, may_block); }, *message);
}

// Flush and Sync may come from a client that does not know yet that a COPY began: they are ignored.
Protocol::Verdict Protocol::HandleCopyIn(const FrontendMessage& message, bool may_block) {
  const bool simple = copy_ == Copy::kSimple;
  writer_.set_statement(copy_text_);
  if (const auto* data = std::get_if<frontend::CopyData>(&message)) {
    const auto step = session().CopyData(data->bytes, may_block, writer_);
    if (step.ok()) return *step == session::Step::kWouldBlock ? Verdict::kWouldBlock : Verdict::kNext;
    copy_ = Copy::kNone;
    return simple ? FailSimple(step.error()) : FailExtended(step.error());
  }
  if (std::holds_alternative<frontend::CopyDone>(message)) {
    const auto step = session().CopyDone(may_block, writer_);
    return simple ? AfterSimple(step) : AfterExecute(step);
  }
  if (const auto* fail = std::get_if<frontend::CopyFail>(&message)) {
    copy_ = Copy::kNone;
    const SqlError error = session().CopyFail(fail->message, writer_);
    return simple ? FailSimple(error) : FailExtended(error);
  }
  return Verdict::kNext;
}

Protocol::Verdict Protocol::On(const frontend::Query& message, bool may_block) {
  writer_.set_statement(message.text);
  return AfterSimple(session().StartQuery(message.text, may_block, writer_));
}

Protocol::Verdict Protocol::AfterSimple(const Result<session::Step>& step) {
  if (!step.ok()) {
    copy_ = Copy::kNone;
    return FailSimple(step.error());
  }
  if (*step == session::Step::kWouldBlock) return Verdict::kWouldBlock;
  if (*step == session::Step::kCopyIn) {
    if (copy_ == Copy::kNone) copy_text_ = writer_.statement();
    copy_ = Copy::kSimple;
    return Verdict::kNext;
  }
  if (copy_ != Copy::kNone) {
    copy_ = Copy::kNone;
    copy_text_ = std::string();
  }
  SendReady();
  return Verdict::kNext;
}

Protocol::Verdict Protocol::On(const frontend::Parse& message, bool) {
  in_batch_ = true;
  writer_.set_statement(message.text);
  const auto status = session().Parse(message.statement, message.text, message.parameter_types, writer_);
  if (status.ok()) Append(output(), backend::ParseComplete{});
  return AfterCall(status);
}

Protocol::Verdict Protocol::On(const frontend::Bind& message, bool) {
  in_batch_ = true;
  const session::BindRequest request{message.portal, message.statement, message.parameter_formats, message.parameters,
                                     message.result_formats};
  const auto status = session().Bind(request, writer_);
  if (status.ok()) Append(output(), backend::BindComplete{});
  return AfterCall(status);
}

Protocol::Verdict Protocol::On(const frontend::Describe& message, bool) {
  in_batch_ = true;
  return AfterCall(message.target == frontend::Target::kStatement ? session().DescribeStatement(message.name, writer_)
                                                                  : session().DescribePortal(message.name, writer_));
}

Protocol::Verdict Protocol::On(const frontend::Execute& message, bool may_block) {
  in_batch_ = true;
  // A negative limit means none, as in PostgreSQL.
  const int32_t rows_max = message.rows_max < 0 ? 0 : message.rows_max;
  return AfterExecute(session().Execute(message.portal, rows_max, may_block, writer_));
}

Protocol::Verdict Protocol::AfterExecute(const Result<session::Step>& step) {
  if (!step.ok()) {
    copy_ = Copy::kNone;
    return FailExtended(step.error());
  }
  if (*step == session::Step::kWouldBlock) return Verdict::kWouldBlock;
  copy_ = *step == session::Step::kCopyIn ? Copy::kExtended : Copy::kNone;
  return Verdict::kNext;
}

Protocol::Verdict Protocol::On(const frontend::Close& message, bool) {
  in_batch_ = true;
  if (message.target == frontend::Target::kStatement) {
    session().CloseStatement(message.name);
  } else {
    session().ClosePortal(message.name);
  }
  Append(output(), backend::CloseComplete{});
  return Verdict::kNext;
}

Protocol::Verdict Protocol::On(const frontend::Sync&, bool may_block) {
  skip_to_sync_ = false;
  const auto step = session().Sync(may_block, writer_);
  if (!step.ok()) return FailSimple(step.error());
  if (*step == session::Step::kWouldBlock) return Verdict::kWouldBlock;
  SendReady();
  return Verdict::kNext;
}

Protocol::Verdict Protocol::On(const frontend::Flush&, bool) {
  flush_ = true;
  return Verdict::kNext;
}

// What follows a COPY that has failed already is ignored.
Protocol::Verdict Protocol::On(const frontend::CopyData&, bool) { return Verdict::kNext; }
Protocol::Verdict Protocol::On(const frontend::CopyDone&, bool) { return Verdict::kNext; }
Protocol::Verdict Protocol::On(const frontend::CopyFail&, bool) { return Verdict::kNext; }

Protocol::Verdict Protocol::On(const frontend::FunctionCall&, bool) {
  session().FailTransaction();
  return FailSimple(SqlError::NotSupported("function call message"));
}

Protocol::Verdict Protocol::On(const frontend::Terminate&, bool) { return Verdict::kClose; }

Protocol::Verdict Protocol::AfterCall(const Status& status) {
  return status.ok() ? Verdict::kNext : FailExtended(status.error());
}

Protocol::Verdict Protocol::FailSimple(const SqlError& error) {
  copy_text_ = std::string();
  const Verdict verdict = SendError(error);
  if (verdict == Verdict::kNext) SendReady();
  return verdict;
}

Protocol::Verdict Protocol::FailExtended(const SqlError& error) {
  skip_to_sync_ = true;
  return SendError(error);
}

Protocol::Verdict Protocol::FailMessage(char tag, const SqlError& error) {
  if (copy_ != Copy::kNone) {
    session().CopyFail(error.message, writer_);
  } else {
    session().FailTransaction();
  }
  const bool extended = IsExtended(tag) || copy_ == Copy::kExtended;
  copy_ = Copy::kNone;
  return extended ? FailExtended(error) : FailSimple(error);
}

// Nobody knows any more where the next message begins.
void Protocol::FailHeader(const SqlError& error) {
  if (copy_ == Copy::kNone) {
    SendError(error);
    return;
  }
  // PostgreSQL's two errors: that of the COPY, with the line that it had reached, and the end.
  SqlError copy_error = session().CopyFail(error.message, writer_);
  copy_error.state = error.state;
  copy_error.message = error.message;
  SendError(copy_error);
  Terminate(SqlError::MakeText(kProtocolViolation, "terminating connection because protocol synchronization was lost"));
}

Protocol::Verdict Protocol::SendError(const SqlError& error) {
  AppendErrorResponse(output(), error, writer_.statement());
  flush_ = true;
  return error.severity >= Severity::kFatal ? Verdict::kClose : Verdict::kNext;
}

void Protocol::SendReady() {
  in_batch_ = false;
  writer_.AppendChangedSettings();
  Append(output(), backend::ReadyForQuery{session().transaction_status()});
  flush_ = true;
}

}  // namespace mayfly::wire
