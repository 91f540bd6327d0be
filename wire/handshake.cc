#include "wire/handshake.h"

#include <iterator>

#include "base/bytes.h"
#include "wire/error_fields.h"
#include "wire/message.h"

namespace mayfly::wire {
namespace {

SqlError Violation(std::string message) { return SqlError::MakeText(kProtocolViolation, std::move(message)); }

}  // namespace

Action Handshake::Refuse(std::string& output, SqlError error) {
  error.severity = Severity::kFatal;
  host_.Refused(error, startup_.user, peer_.client_address);
  AppendErrorResponse(output, error, {});
  return Action::kClose;
}

Outcome Handshake::Feed(std::string_view input, std::string& output) {
  size_t consumed = 0;
  while (!opened_) {
    const std::string_view rest = input.substr(consumed);
    const Outcome outcome = phase_ == Phase::kStartup ? FeedStartup(rest, output) : FeedSasl(rest, output);
    consumed += outcome.consumed;
    if (outcome.action != Action::kRead || outcome.wanted != 0) return {outcome.action, consumed, outcome.wanted};
  }
  return {Action::kRead, consumed, 0};
}

Outcome Handshake::FeedStartup(std::string_view input, std::string& output) {
  constexpr size_t kLengthBytes = 4;
  if (input.size() < kLengthBytes) return {Action::kRead, 0, kLengthBytes};
  const auto length = LoadBigEndian<uint32_t>(input.data());
  // Differs: PostgreSQL closes without a word. The limit is PostgreSQL's, on the body.
  if (length < 2 * kLengthBytes || length > kStartupPacketLimit + kLengthBytes) {
    return {Refuse(output, Violation("invalid length of startup packet")), 0};
  }
  if (input.size() < length) return {Action::kRead, 0, length};
  auto packet = DecodeStartup(input.substr(kLengthBytes, length - kLengthBytes), context_);
  if (!packet.ok()) return {Refuse(output, std::move(packet).error()), length};
  return {TakePacket(*std::move(packet), input.size() > length, output), length};
}

Action Handshake::TakePacket(StartupPacket packet, bool more_input, std::string& output) {
  if (std::holds_alternative<SslRequest>(packet)) {
    context_.ssl_answered = true;
    if (!peer_.tls_available) {
      output.push_back('N');
      return Action::kRead;
    }
    context_.gss_answered = true;
    if (more_input) {
      return Refuse(
          output,
          Violation("received unencrypted data after SSL request")
              .Detail("This could be either a client-software bug or evidence of an attempted man-in-the-middle attack."));
    }
    output.push_back('S');
    return Action::kStartTls;
  }
  if (std::holds_alternative<GssEncRequest>(packet)) {
    context_.gss_answered = true;
    output.push_back('N');
    return Action::kRead;
  }
  if (const auto* cancel = std::get_if<CancelRequest>(&packet)) {
    host_.Cancel(*cancel);
    return Action::kClose;
  }
  if (const auto* ancient = std::get_if<AncientProtocol>(&packet)) {
    AppendAncientError(output, ancient->message);
    return Action::kClose;
  }
  auto action = TakeStartup(std::get<StartupMessage>(std::move(packet)), output);
  return action.ok() ? *action : Refuse(output, std::move(action).error());
}

Result<Action> Handshake::TakeStartup(StartupMessage message, std::string& output) {
  startup_ = std::move(message);
  if (startup_.minor_version != 0 || !startup_.unknown_options.empty()) {
    Append(output, backend::NegotiateProtocolVersion{startup_.unknown_options});
  }
  if (peer_.trusted) return OpenSession(output);

  std::optional<ScramVerifier> verifier;
  if (const auto text = host_.PasswordVerifier(startup_.user)) verifier = ParseScramVerifier(*text);
  scram_.emplace(verifier, startup_.user, peer_.mock_key, peer_.random);
  const std::string_view mechanisms[] = {kScramMechanism};
  Append(output, backend::AuthenticationSasl{mechanisms});
  phase_ = Phase::kSaslInitial;
  return Action::kRead;
}

Outcome Handshake::FeedSasl(std::string_view input, std::string& output) {
  constexpr size_t kHeaderBytes = 5;
  if (input.empty()) return {Action::kRead, 0, kHeaderBytes};
  if (input[0] != 'p') {
    const int tag = static_cast<unsigned char>(input[0]);
    return {Refuse(output, Violation(fmt::format("expected SASL response, got message type {}", tag))), 0};
  }
  if (input.size() < kHeaderBytes) return {Action::kRead, 0, kHeaderBytes};
  const auto length = LoadBigEndian<uint32_t>(input.data() + 1);
  // Differs: PostgreSQL closes without a word.
  if (length < 4 || length > kSaslMessageLimit) return {Refuse(output, Violation("invalid message length")), 0};
  const size_t total = length + size_t{1};
  if (input.size() < total) return {Action::kRead, 0, total};
  auto action = TakeSasl(input.substr(kHeaderBytes, total - kHeaderBytes), output);
  return {action.ok() ? *action : Refuse(output, std::move(action).error()), total};
}

Result<Action> Handshake::TakeSasl(std::string_view body, std::string& output) {
  switch (phase_) {
    case Phase::kStartup: break;
    case Phase::kSaslInitial: return TakeSaslInitial(body, output);
    case Phase::kSaslFirst: {
      TRY(const std::string, challenge, scram_->Start(body));
      Append(output, backend::AuthenticationSaslContinue{challenge});
      phase_ = Phase::kSaslFinal;
      return Action::kRead;
    }
    case Phase::kSaslFinal: return TakeSaslFinal(body, output);
  }
  return Action::kClose;
}

Result<Action> Handshake::TakeSaslInitial(std::string_view body, std::string& output) {
  ByteReader reader(body);
  const std::string_view mechanism = reader.CString();
  if (!reader.ok()) return Violation("invalid string in message");
  if (mechanism != kScramMechanism) return Violation("client selected an invalid SASL authentication mechanism");
  const auto size = reader.BigEndian<int32_t>();
  const std::string_view data = size == -1 ? std::string_view() : reader.Bytes(static_cast<uint32_t>(size));
  if (!reader.ok()) return Violation("insufficient data left in message");
  if (!reader.AtEnd()) return Violation("invalid message format");
  phase_ = Phase::kSaslFirst;
  if (size != -1) return TakeSasl(data, output);
  // The client sends its first message only after an empty challenge.
  Append(output, backend::AuthenticationSaslContinue{});
  return Action::kRead;
}

Result<Action> Handshake::TakeSaslFinal(std::string_view body, std::string& output) {
  TRY(const std::optional<std::string>, proof, scram_->Finish(body));
  if (!proof) return SqlError::Make(kInvalidPassword, "password authentication failed for user \"{}\"", startup_.user);
  Append(output, backend::AuthenticationSaslFinal{*proof});
  return OpenSession(output);
}

Result<Action> Handshake::OpenSession(std::string& output) {
  Append(output, backend::AuthenticationOk{});
  session::StartupRequest request;
  request.user = startup_.user;
  request.database = std::move(startup_.database);
  TRY(auto, settings, ParseStartupOptions(startup_.options));
  settings.insert(settings.end(), std::make_move_iterator(startup_.settings.begin()),
                  std::make_move_iterator(startup_.settings.end()));
  request.settings = std::move(settings);
  request.client_address = peer_.client_address;
  TRY(OpenedSession, opened, host_.OpenSession(std::move(request)));
  for (const auto& [name, value] : opened.session->ReportedSettings()) Append(output, backend::ParameterStatus{name, value});
  Append(output, backend::BackendKeyData{opened.pid, opened.secret});
  Append(output, backend::ReadyForQuery{opened.session->transaction_status()});
  opened_ = std::move(opened);
  return Action::kRead;
}

}  // namespace mayfly::wire
