// Fuzz target: everything a stranger can send before a session exists, startup packets and SASL messages. The first byte chooses
// what the server demands.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "tests/wire/fake_host.h"
#include "wire/protocol.h"

namespace {

using mayfly::wire::Action;

void NoRandom(unsigned char* bytes, size_t size) { std::memset(bytes, 'r', size); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  mayfly::wire::FakeHost host;
  host.instance.verifiers["u"] = mayfly::wire::FormatScramVerifier(mayfly::wire::MakeScramVerifier("p", "salt", 1));
  mayfly::wire::PeerOptions peer;
  peer.trusted = (data[0] & 1) != 0;
  peer.tls_available = (data[0] & 2) != 0;
  peer.random = NoRandom;
  mayfly::wire::Protocol protocol(host, peer);
  std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (input.find("pg_sleep") != std::string_view::npos) return 0;
  while (true) {
    const auto outcome = protocol.Feed(input, true);
    if (outcome.consumed > input.size()) std::abort();
    input.remove_prefix(outcome.consumed);
    protocol.output().clear();
    if (outcome.action == Action::kRead && outcome.wanted <= input.size()) std::abort();
    if (outcome.action != Action::kWrite && outcome.action != Action::kStartTls) return 0;
  }
}
