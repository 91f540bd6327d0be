// Fuzz target: the message reader and the protocol behind it, with a fake session. Whatever the bytes, there is an answer, the
// input is used up or waited for, and nothing is read beyond it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tests/wire/fake_host.h"
#include "wire/protocol.h"

namespace {

using mayfly::wire::Action;

// Statements that sleep would make the fuzzer slow: they are not what is tested.
bool Sleeps(std::string_view input) { return input.find("pg_sleep") != std::string_view::npos; }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr std::string_view kStartup("\0\0\0\x17\0\3\0\0user\0postgres\0\0", 23);
  std::string_view input(reinterpret_cast<const char*>(data), size);
  if (Sleeps(input)) return 0;
  mayfly::wire::FakeHost host;
  mayfly::wire::PeerOptions peer;
  peer.trusted = true;
  mayfly::wire::Protocol protocol(host, peer);
  protocol.Feed(kStartup, false);
  if (!protocol.authenticated()) std::abort();
  while (true) {
    const auto outcome = protocol.Feed(input, true);
    if (outcome.consumed > input.size()) std::abort();
    input.remove_prefix(outcome.consumed);
    protocol.output().clear();
    if (outcome.action == Action::kRead && outcome.wanted <= input.size()) std::abort();
    if (outcome.action != Action::kWrite) return 0;
  }
}
