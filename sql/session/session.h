// One client's session, as wire/ drives it: text and bound values in, results into a ResultSink. No sockets, no protocol bytes.
//
//   simple query   StartQuery(text)            runs all statements of the text, in one implicit transaction
//   extended       Parse, Bind, Describe…, Execute, Close…, then Sync
//   COPY FROM      Execute or StartQuery answers kCopyIn; then CopyData…, CopyDone or CopyFail go on with the same statement
//
// Blocking: calls are made on the I/O thread first, with may_block = false. A call that would have to wait (a row lock, the disk, a long
// scan) answers kWouldBlock before it has any effect that a repetition could notice, and is made again on a worker with
// may_block = true; for StartQuery and CopyDone, which may have run some statements already, the repeated call goes on from there.
//
// Errors: a call returns the SqlError; the session has then already moved its transaction to failed. The protocol layer sends it, and in
// the extended protocol skips to Sync. One thread at a time, except RequestInterrupt.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/strong_id.h"
#include "sql/types/type.h"
#include "sql/types/vector.h"

namespace mayfly::session {

// A field of RowDescription.
struct ResultColumn {
  std::string name;
  Oid table;               // 0 unless a column of a table
  int16_t attribute = 0;   // its attnum
  const types::TypeDesc* type = nullptr;
  int32_t typmod = -1;
};

enum class Format : int16_t { kText = 0, kBinary = 1 };

struct CopyFormat {
  bool binary = false;
  int16_t columns = 0;
};

// Where a session's answers go, in protocol order. Called on the thread that runs the statement; arguments are borrowed for the call.
// Writing may wait for a slow client; a broken connection makes later calls no-ops and requests an interrupt.
class ResultSink {
 public:
  virtual ~ResultSink() = default;
  // For StartQuery, before its first row, and for Describe. `formats` is one per column.
  virtual void RowDescription(std::span<const ResultColumn> columns, std::span<const Format> formats) = 0;
  virtual void NoData() = 0;
  virtual void ParameterDescription(std::span<const Oid> types) = 0;
  // Rows of the columns described; values by `formats`. The batch's selected rows are what counts.
  virtual void Rows(const types::Batch& batch, std::span<const ResultColumn> columns, std::span<const Format> formats,
                    const types::IoContext& io) = 0;
  virtual void CommandComplete(std::string_view tag) = 0;
  virtual void EmptyQuery() = 0;
  virtual void PortalSuspended() = 0;
  virtual void CopyInResponse(const CopyFormat& format) = 0;
  virtual void CopyOutResponse(const CopyFormat& format) = 0;
  virtual void CopyData(std::string_view bytes) = 0;
  virtual void CopyDone() = 0;
  // severity NOTICE, WARNING, …
  virtual void Notice(const SqlError& notice) = 0;
  // A GUC_REPORT setting changed.
  virtual void ParameterStatus(std::string_view name, std::string_view value) = 0;
};

enum class Step : uint8_t {
  kDone,
  kWouldBlock,  // call again on a worker, may_block = true
  kCopyIn,      // CopyInResponse was sent; the statement waits for CopyData
};

struct BindRequest {
  std::string_view portal;
  std::string_view statement;
  std::span<const Format> parameter_formats;                        // none, one for all, or one each
  std::span<const std::optional<std::string_view>> parameters;      // nullopt = NULL
  std::span<const Format> result_formats;                           // none, one for all, or one each
};

class Session {
 public:
  virtual ~Session() = default;

  virtual Result<Step> StartQuery(std::string_view text, bool may_block, ResultSink& sink) = 0;

  virtual Status Parse(std::string_view name, std::string_view text, std::span<const Oid> parameter_types, ResultSink& sink) = 0;
  virtual Status Bind(const BindRequest& request, ResultSink& sink) = 0;
  virtual Status DescribeStatement(std::string_view name, ResultSink& sink) = 0;
  virtual Status DescribePortal(std::string_view name, ResultSink& sink) = 0;
  // rows_max 0 = all.
  virtual Result<Step> Execute(std::string_view portal, int32_t rows_max, bool may_block, ResultSink& sink) = 0;
  virtual void CloseStatement(std::string_view name) = 0;
  virtual void ClosePortal(std::string_view name) = 0;
  // Ends the implicit transaction of the extended protocol: commits it, or rolls it back after an error.
  virtual Result<Step> Sync(bool may_block, ResultSink& sink) = 0;

  // Requires: the last call answered kCopyIn.
  virtual Result<Step> CopyData(std::string_view bytes, bool may_block, ResultSink& sink) = 0;
  virtual Result<Step> CopyDone(bool may_block, ResultSink& sink) = 0;
  // The client gave up, or sent something else: the COPY fails with 57014 `COPY from stdin failed: {message}`.
  virtual SqlError CopyFail(std::string_view message, ResultSink& sink) = 0;

  // 'I' idle, 'T' in a transaction block, 'E' in a failed one.
  virtual char transaction_status() const = 0;
  // Current values of all GUC_REPORT settings, for start-up.
  virtual std::vector<std::pair<std::string, std::string>> ReportedSettings() const = 0;

  // Any thread. The running statement ends with `error` soon (57014 cancel, 57P01 shutdown); without effect when nothing runs.
  virtual void RequestInterrupt(SqlError error) = 0;
  // The protocol layer itself found an error in a message (08P01, 0A000): the transaction moves to failed, as after an error of a call.
  virtual void FailTransaction() {}

  // Nothing is running or open: memory kept for speed may be given back. For sessions that went idle.
  virtual void ShrinkWhenIdle() = 0;
};

}  // namespace mayfly::session
