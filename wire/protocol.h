// The protocol as a state machine without sockets: bytes of the client in, calls of its Session, bytes of the server out.
//
//                    ┌── extended message fails ──> skip to Sync ──Sync──┐
//   Handshake ──> ready <────────────────────────────────────────────────┘
//                    └── COPY FROM STDIN ──> copy-in ──CopyDone, CopyFail, error──> ready
//
// It owns the rules of both query protocols: what is answered, what is skipped after an error, when ReadyForQuery is due and what
// must be flushed. It decides only; the connection reads, writes and runs it. One thread at a time, any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "wire/handshake.h"
#include "wire/message.h"
#include "wire/result_writer.h"

namespace mayfly::wire {

class Protocol {
 public:
  // `host` outlives it. `drain` takes large output away on workers; null = output stays in output().
  Protocol(ProtocolHost& host, PeerOptions peer, OutputDrain* drain = nullptr);
  ~Protocol();
  Protocol(const Protocol&) = delete;
  Protocol& operator=(const Protocol&) = delete;

  // Handles all complete messages of `input` in turn. With may_block = false nothing waits: kRunOnWorker then says that the
  // message at `consumed` has to be given again, with what follows it, on a thread that may wait.
  Outcome Feed(std::string_view input, bool may_block);

  // Bytes to send. Whoever sends them clears the string.
  std::string& output() { return writer_.output(); }
  // True, once, where output must be sent before more input is waited for.
  bool TakeFlush();

  // Appends a FATAL error: the connection is about to be closed by the server.
  void Terminate(const SqlError& fatal);
  bool authenticated() const { return opened_.session != nullptr; }
  // A client that waits for this session may wait for ever if it is not let run: it is in a transaction, or in the midst of a
  // batch.
  bool holds_transaction() const;
  // COPY FROM STDIN is running: much more input is to be expected.
  bool in_copy() const { return copy_ != Copy::kNone; }
  // Gives memory back. Requires: no input is half handled.
  void Shrink();
  // The interrupt of a client that went away or of a shutdown; any thread. Requires: authenticated().
  void Interrupt(SqlError error) { opened_.session->RequestInterrupt(std::move(error)); }

 private:
  enum class Verdict : uint8_t { kNext, kWouldBlock, kClose };
  enum class Copy : uint8_t { kNone, kSimple, kExtended };

  Outcome FeedMessages(std::string_view input, bool may_block);
  // Looks at tag and length before the body is there.
  Status CheckHeader(std::string_view input) const;
  Verdict Handle(char tag, std::string_view body, bool may_block);
  Verdict HandleCopyIn(const FrontendMessage& message, bool may_block);

  Verdict On(const frontend::Query& message, bool may_block);
  Verdict On(const frontend::Parse& message, bool may_block);
  Verdict On(const frontend::Bind& message, bool may_block);
  Verdict On(const frontend::Describe& message, bool may_block);
  Verdict On(const frontend::Execute& message, bool may_block);
  Verdict On(const frontend::Close& message, bool may_block);
  Verdict On(const frontend::Sync& message, bool may_block);
  Verdict On(const frontend::Flush& message, bool may_block);
  Verdict On(const frontend::CopyData& message, bool may_block);
  Verdict On(const frontend::CopyDone& message, bool may_block);
  Verdict On(const frontend::CopyFail& message, bool may_block);
  Verdict On(const frontend::FunctionCall& message, bool may_block);
  Verdict On(const frontend::Terminate& message, bool may_block);

  // What follows a call that may block: the next state, or the error's consequences.
  Verdict AfterSimple(const Result<session::Step>& step);
  Verdict AfterExecute(const Result<session::Step>& step);
  Verdict AfterCall(const Status& status);
  Verdict FailSimple(const SqlError& error);
  Verdict FailExtended(const SqlError& error);
  // Of a message that could not be decoded.
  Verdict FailMessage(char tag, const SqlError& error);
  // Of a message whose tag or length cannot be: the connection ends.
  void FailHeader(const SqlError& error);
  // Appends the error; kClose where it is FATAL.
  Verdict SendError(const SqlError& error);
  void SendReady();
  session::Session& session() { return *opened_.session; }

  ProtocolHost& host_;
  const PeerOptions peer_;
  OutputDrain* drain_;
  std::unique_ptr<Handshake> handshake_;
  OpenedSession opened_;
  ResultWriter writer_;
  DecodeScratch scratch_;
  bool skip_to_sync_ = false;
  bool in_batch_ = false;  // extended messages came since the last Sync
  bool flush_ = false;
  Copy copy_ = Copy::kNone;
  // The query that a COPY belongs to: its positions count in text that has left the input.
  std::string copy_text_;
};

}  // namespace mayfly::wire
