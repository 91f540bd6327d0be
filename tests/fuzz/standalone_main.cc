// Drives a libFuzzer entry point without libFuzzer: mutates seeds for a number of seconds. A minute of each target belongs to `./dev test`.
//
//   fuzz_statement [--seconds N] [--seed N] [FILE or DIRECTORY]...
//
// Inputs are the files given, each cut at lines of "----" too, so that golden files serve as seeds. Where the target crashes, the input is
// in crash.bin of the working directory: it is written before each run to a mapped file, which survives any way to die.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

constexpr size_t kInputBytesMax = 1 << 16;

// The input of the running call, kept in a file.
class LastInput {
 public:
  explicit LastInput(const char* path) {
    const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (fd < 0 || ftruncate(fd, kInputBytesMax + sizeof(uint32_t)) != 0) std::abort();
    bytes_ = static_cast<char*>(mmap(nullptr, kInputBytesMax + sizeof(uint32_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
    close(fd);
    if (bytes_ == MAP_FAILED) std::abort();
  }
  void Set(std::string_view input) {
    const auto size = static_cast<uint32_t>(input.size());
    std::memcpy(bytes_, &size, sizeof size);
    std::memcpy(bytes_ + sizeof size, input.data(), input.size());
  }

 private:
  char* bytes_;
};

void AddSeeds(const std::filesystem::path& path, std::vector<std::string>& seeds) {
  if (std::filesystem::is_directory(path)) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
      if (entry.is_regular_file()) AddSeeds(entry.path(), seeds);
    }
    return;
  }
  std::ifstream in(path, std::ios::binary);
  std::string line;
  std::string seed;
  while (std::getline(in, line)) {
    if (line == "----" || line.empty()) {
      if (!seed.empty()) seeds.push_back(std::move(seed));
      seed.clear();
    } else {
      seed += line + "\n";
    }
  }
  if (!seed.empty()) seeds.push_back(std::move(seed));
}

class Mutator {
 public:
  Mutator(std::vector<std::string> seeds, uint64_t seed) : seeds_(std::move(seeds)), random_(seed) {}

  std::string Next() {
    std::string input = Pick();
    for (size_t rounds = 1 + Below(6); rounds > 0; --rounds) Mutate(input);
    input.resize(std::min(input.size(), kInputBytesMax));
    return input;
  }

 private:
  size_t Below(size_t bound) { return bound == 0 ? 0 : std::uniform_int_distribution<size_t>(0, bound - 1)(random_); }
  const std::string& Pick() { return seeds_[Below(seeds_.size())]; }

  void Mutate(std::string& input) {
    const size_t at = Below(input.size() + 1);
    switch (Below(7)) {
      case 0: input.insert(at, 1, static_cast<char>(Below(256))); break;
      case 1: input.erase(at, 1 + Below(8)); break;
      case 2:
        if (at < input.size()) input[at] = static_cast<char>(Below(256));
        break;
      case 3: {  // a piece of another seed
        const std::string& other = Pick();
        input.insert(at, other, Below(other.size()), Below(32));
        break;
      }
      case 4: {  // a piece of itself, many times
        const std::string piece = input.substr(at, 1 + Below(16));
        for (size_t count = Below(64); count > 0 && input.size() < kInputBytesMax; --count) input.insert(std::min(at, input.size()), piece);
        break;
      }
      case 5: input.resize(at); break;
      case 6:
        if (at < input.size()) input[at] = static_cast<char>(input[at] ^ (1 << Below(8)));
        break;
    }
  }

  std::vector<std::string> seeds_;
  std::mt19937_64 random_;
};

}  // namespace

int main(int argc, char** argv) {
  double seconds = 10;
  uint64_t seed = std::random_device{}();
  std::vector<std::string> seeds = {"", "x"};
  for (int i = 1; i < argc; ++i) {
    const std::string_view arg = argv[i];
    if (arg == "--seconds" && i + 1 < argc) {
      seconds = std::strtod(argv[++i], nullptr);
    } else if (arg == "--seed" && i + 1 < argc) {
      seed = std::strtoull(argv[++i], nullptr, 10);
    } else {
      AddSeeds(arg, seeds);
    }
  }
  std::printf("seed %llu, %zu seed inputs\n", static_cast<unsigned long long>(seed), seeds.size());

  LastInput last("crash.bin");
  const auto run = [&](const std::string& input) {
    last.Set(input);
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
  };
  for (const std::string& input : seeds) run(input.substr(0, kInputBytesMax));
  Mutator mutator(std::move(seeds), seed);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  uint64_t runs = 0;
  for (; std::chrono::steady_clock::now() < end; ++runs) run(mutator.Next());
  std::printf("%llu runs\n", static_cast<unsigned long long>(runs));
  std::remove("crash.bin");
  return 0;
}
