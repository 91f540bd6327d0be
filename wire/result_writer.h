// Encodes a session's answers into one output buffer, in protocol order. Rows go straight from the column vectors into it, by the
// types' out and send functions: no temporary per value.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/function_ref.h"
#include "sql/session/session.h"
#include "wire/message.h"

namespace mayfly::wire {

// Past this many bytes of output a worker writes them to the socket before it makes more.
inline constexpr size_t kOutputHighWater = 64 * 1024;

// Takes the output away while a statement is still running. Called on workers only, and may wait for a slow client. After a
// failed write it discards.
class OutputDrain {
 public:
  virtual ~OutputDrain() = default;
  // Leaves `output` empty.
  virtual void Drain(std::string& output) = 0;
};

class ResultWriter final : public session::ResultSink {
 public:
  // Where output goes when it passes the high-water mark; null = it stays in the buffer.
  void set_drain(OutputDrain* drain) { drain_ = drain; }
  // The text that positions of notices count in. Borrowed until the next call.
  void set_statement(std::string_view text) { statement_ = text; }
  std::string_view statement() const { return statement_; }

  std::string& output() { return output_; }
  // Something was written that the client shall see although it has not asked for it by Sync or Flush.
  bool urgent() const { return urgent_; }
  void set_urgent(bool urgent) { urgent_ = urgent; }

  // ParameterStatus messages are kept back to the next ReadyForQuery, where PostgreSQL sends them. Then the last value of each
  // counts.
  void AppendChangedSettings();

  void RowDescription(std::span<const session::ResultColumn> columns, std::span<const Format> formats) override;
  void NoData() override;
  void ParameterDescription(std::span<const Oid> types) override;
  void Rows(const types::Batch& batch, std::span<const session::ResultColumn> columns, std::span<const Format> formats,
            const types::IoContext& io) override;
  void CommandComplete(std::string_view tag) override;
  void EmptyQuery() override;
  void PortalSuspended() override;
  void CopyInResponse(const session::CopyFormat& format) override;
  void CopyOutResponse(const session::CopyFormat& format) override;
  void CopyData(std::string_view bytes) override;
  void CopyDone() override;
  void Notice(const SqlError& notice) override;
  void ParameterStatus(std::string_view name, std::string_view value) override;

 private:
  void AppendRow(const types::Batch& batch, size_t row, std::span<const session::ResultColumn> columns,
                 std::span<const Format> formats, const types::IoContext& io);
  void DrainIfLarge() {
    if (output_.size() >= kOutputHighWater && drain_ != nullptr) drain_->Drain(output_);
  }

  std::string output_;
  std::string_view statement_;
  OutputDrain* drain_ = nullptr;
  bool urgent_ = false;
  std::vector<std::pair<std::string, std::string>> changed_settings_;
};

}  // namespace mayfly::wire
