#include "tests/wire/script.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <stdexcept>

#include "base/bytes.h"

namespace mayfly::wire {
namespace {

// A word of a script line: bare, or a quoted string with escapes.
struct Word {
  std::string text;
  bool quoted = false;
};

int HexDigit(char c) { return c >= 'a' ? c - 'a' + 10 : c >= 'A' ? c - 'A' + 10 : c - '0'; }

Word ReadQuoted(std::string_view line, size_t& at) {
  Word word{"", true};
  for (++at; at < line.size() && line[at] != '"'; ++at) {
    if (line[at] != '\\') {
      word.text.push_back(line[at]);
      continue;
    }
    switch (line[++at]) {
      case 'n': word.text.push_back('\n'); break;
      case 't': word.text.push_back('\t'); break;
      case 'x':
        word.text.push_back(static_cast<char>(HexDigit(line[at + 1]) * 16 + HexDigit(line[at + 2])));
        at += 2;
        break;
      default: word.text.push_back(line[at]);
    }
  }
  ++at;
  return word;
}

std::vector<Word> SplitWords(std::string_view line) {
  std::vector<Word> words;
  size_t at = 0;
  while (at < line.size()) {
    if (line[at] == ' ' || line[at] == ',') {
      ++at;
    } else if (line[at] == '"') {
      words.push_back(ReadQuoted(line, at));
    } else if (line[at] == '[' || line[at] == ']') {
      words.push_back({std::string(1, line[at++]), false});
    } else {
      const size_t end = std::min(line.find_first_of(" ,[]\"", at), line.size());
      words.push_back({std::string(line.substr(at, end - at)), false});
      at = end;
    }
  }
  return words;
}

// Reads words in turn; throws on a script that is wrong.
class Words {
 public:
  explicit Words(std::string_view line) : words_(SplitWords(line)), line_(line) {}
  bool AtEnd() const { return at_ == words_.size(); }
  const Word& Next() {
    if (AtEnd()) throw std::runtime_error("script line is too short: " + std::string(line_));
    return words_[at_++];
  }
  std::string Text() { return Next().text; }
  int64_t Number() { return std::stoll(Next().text, nullptr, 0); }
  // "[a b c]", possibly behind "name=".
  std::vector<Word> List() {
    std::vector<Word> list;
    if (Next().text != "[") throw std::runtime_error("a list is expected: " + std::string(line_));
    while (true) {
      const Word& word = Next();
      if (!word.quoted && word.text == "]") return list;
      list.push_back(word);
    }
  }
  // The list behind `name=`, empty where it is not there.
  std::vector<Word> Named(std::string_view name) {
    if (AtEnd() || words_[at_].text != name) return {};
    ++at_;
    return List();
  }

 private:
  std::vector<Word> words_;
  std::string_view line_;
  size_t at_ = 0;
};

void String(std::string& out, const std::string& text) { out.append(text).push_back('\0'); }

void Integers16(std::string& out, const std::vector<Word>& words) {
  AppendBigEndian<uint16_t>(out, static_cast<uint16_t>(words.size()));
  for (const Word& word : words) AppendBigEndian<int16_t>(out, static_cast<int16_t>(std::stoi(word.text)));
}

std::string EncodeBind(Words& words) {
  std::string body;
  String(body, words.Text());
  String(body, words.Text());
  const auto parameters = words.List();
  Integers16(body, words.Named("formats="));
  AppendBigEndian<uint16_t>(body, static_cast<uint16_t>(parameters.size()));
  for (const Word& parameter : parameters) {
    const bool null = !parameter.quoted && parameter.text == "NULL";
    AppendBigEndian<int32_t>(body, null ? -1 : static_cast<int32_t>(parameter.text.size()));
    if (!null) body.append(parameter.text);
  }
  Integers16(body, words.Named("results="));
  return body;
}

std::string EncodeParse(Words& words) {
  std::string body;
  String(body, words.Text());
  String(body, words.Text());
  const auto types = words.Named("types=");
  AppendBigEndian<uint16_t>(body, static_cast<uint16_t>(types.size()));
  for (const Word& type : types) AppendBigEndian<uint32_t>(body, static_cast<uint32_t>(std::stoul(type.text)));
  return body;
}

std::string WithLength(const std::string& tag, const std::string& body) {
  std::string message = tag;
  AppendBigEndian<uint32_t>(message, static_cast<uint32_t>(body.size() + 4));
  return message + body;
}

std::string EncodeStartup(Words& words) {
  std::string body;
  const std::string version = words.Text();
  AppendBigEndian<uint16_t>(body, static_cast<uint16_t>(std::stoi(version)));
  AppendBigEndian<uint16_t>(body, static_cast<uint16_t>(std::stoi(version.substr(version.find('.') + 1))));
  while (!words.AtEnd()) String(body, words.Text());
  body.push_back('\0');
  return WithLength("", body);
}

std::string EncodeCode(uint32_t code) {
  std::string body;
  AppendBigEndian(body, code);
  return WithLength("", body);
}

// `Bytes "Q" "\x00…"`: as they are.
std::string EncodeBytes(Words& words) {
  std::string bytes;
  while (!words.AtEnd()) bytes += words.Text();
  return bytes;
}

std::string EncodeNamed(const std::string& tag, Words& words) {
  std::string body = words.Text();
  String(body, words.Text());
  return WithLength(tag, body);
}

std::string Escaped(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '"' || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out.push_back(c);
    }
  }
  return out + "\"";
}

std::string DescribeRowDescription(ByteReader& body) {
  std::string out = "RowDescription";
  const auto count = body.BigEndian<uint16_t>();
  for (int i = 0; i < count; ++i) {
    const std::string name = Escaped(body.CString());
    body.Bytes(6);  // table and attribute: OIDs differ between servers
    const auto type = body.BigEndian<uint32_t>();
    const auto length = body.BigEndian<int16_t>();
    const auto typmod = body.BigEndian<int32_t>();
    const auto format = body.BigEndian<int16_t>();
    out += fmt::format(" [{} type={} length={} typmod={} format={}]", name, type, length, typmod, format);
  }
  return out;
}

std::string DescribeDataRow(ByteReader& body) {
  std::string out = "DataRow [";
  const auto count = body.BigEndian<uint16_t>();
  for (int i = 0; i < count; ++i) {
    if (i != 0) out += ", ";
    const auto size = body.BigEndian<int32_t>();
    out += size < 0 ? "NULL" : Escaped(body.Bytes(static_cast<size_t>(size)));
  }
  return out + "]";
}

// The fields that must agree between servers: not the place in the source.
std::string DescribeFields(std::string out, ByteReader& body) {
  while (true) {
    const char field = static_cast<char>(body.BigEndian<uint8_t>());
    if (!body.ok() || field == '\0') return out;
    const std::string_view value = body.CString();
    if (field == 'F' || field == 'L' || field == 'R' || field == 'V') continue;
    const bool plain = field == 'S' || field == 'C' || field == 'P';
    out += fmt::format(" {}={}", field, plain ? std::string(value) : Escaped(value));
  }
}

std::string DescribeCopy(std::string out, ByteReader& body) {
  out += body.BigEndian<uint8_t>() == 0 ? " text [" : " binary [";
  const auto count = body.BigEndian<uint16_t>();
  for (int i = 0; i < count; ++i) out += fmt::format("{}{}", i == 0 ? "" : ", ", body.BigEndian<int16_t>());
  return out + "]";
}

std::string DescribeAuthentication(ByteReader& body) {
  const auto kind = body.BigEndian<int32_t>();
  std::string out = fmt::format("Authentication {}", kind);
  while (kind == 10 && body.remaining() > 1) out += " " + Escaped(body.CString());
  return out;
}

std::string DescribeOthers(char tag, ByteReader& body) {
  switch (tag) {
    case 't': {
      std::string out = "ParameterDescription [";
      const auto count = body.BigEndian<uint16_t>();
      for (int i = 0; i < count; ++i) out += fmt::format("{}{}", i == 0 ? "" : ", ", body.BigEndian<uint32_t>());
      return out + "]";
    }
    case 'S': {
      const std::string name = Escaped(body.CString());
      return "ParameterStatus " + name + " " + Escaped(body.CString());
    }
    case 'v': {
      std::string out = fmt::format("NegotiateProtocolVersion {}", body.BigEndian<int32_t>());
      const auto count = body.BigEndian<int32_t>();
      for (int32_t i = 0; i < count; ++i) out += " " + Escaped(body.CString());
      return out;
    }
    default: return fmt::format("Unknown {}", tag);
  }
}

}  // namespace

std::string EncodeScriptLine(std::string_view line) {
  Words words(line);
  const std::string verb = words.Text();
  if (verb == "Query") {
    std::string body;
    String(body, words.Text());
    return WithLength("Q", body);
  }
  if (verb == "Parse") return WithLength("P", EncodeParse(words));
  if (verb == "Bind") return WithLength("B", EncodeBind(words));
  if (verb == "Describe") return EncodeNamed("D", words);
  if (verb == "Close") return EncodeNamed("C", words);
  if (verb == "Execute") {
    std::string body;
    String(body, words.Text());
    AppendBigEndian<int32_t>(body, words.AtEnd() ? 0 : static_cast<int32_t>(words.Number()));
    return WithLength("E", body);
  }
  if (verb == "Sync") return WithLength("S", "");
  if (verb == "Flush") return WithLength("H", "");
  if (verb == "CopyData") return WithLength("d", words.Text());
  if (verb == "CopyDone") return WithLength("c", "");
  if (verb == "CopyFail") {
    std::string body;
    String(body, words.Text());
    return WithLength("f", body);
  }
  if (verb == "Terminate") return WithLength("X", "");
  if (verb == "Startup") return EncodeStartup(words);
  if (verb == "SSLRequest") return EncodeCode(80877103);
  if (verb == "GSSENCRequest") return EncodeCode(80877104);
  if (verb == "Bytes") return EncodeBytes(words);
  throw std::runtime_error("unknown script line: " + std::string(line));
}

std::string DescribeBackendMessage(char tag, std::string_view bytes) {
  static const std::map<char, std::string> kPlain = {
      {'1', "ParseComplete"},      {'2', "BindComplete"},    {'3', "CloseComplete"}, {'n', "NoData"},
      {'I', "EmptyQueryResponse"}, {'s', "PortalSuspended"}, {'c', "CopyDone"},      {'K', "BackendKeyData"}};
  ByteReader body(bytes);
  if (const auto plain = kPlain.find(tag); plain != kPlain.end()) return plain->second;
  switch (tag) {
    case 'T': return DescribeRowDescription(body);
    case 'D': return DescribeDataRow(body);
    case 'C': return "CommandComplete " + Escaped(body.CString());
    case 'E': return DescribeFields("ErrorResponse", body);
    case 'N': return DescribeFields("NoticeResponse", body);
    case 'Z': return fmt::format("ReadyForQuery {}", static_cast<char>(body.BigEndian<uint8_t>()));
    case 'R': return DescribeAuthentication(body);
    case 'G': return DescribeCopy("CopyInResponse", body);
    case 'H': return DescribeCopy("CopyOutResponse", body);
    case 'd': return "CopyData " + Escaped(bytes);
    default: return DescribeOthers(tag, body);
  }
}

namespace {

struct Block {
  int line = 0;
  std::string head;
  std::vector<std::string> body;
};

// The blocks, and between them the lines to keep when a script is rewritten: a comment is a block without a head.
std::vector<Block> SplitBlocks(std::string_view script) {
  std::vector<Block> blocks;
  bool open = false;
  int number = 0;
  while (!script.empty()) {
    const size_t end = std::min(script.find('\n'), script.size());
    const std::string line(script.substr(0, end));
    script.remove_prefix(std::min(end + 1, script.size()));
    ++number;
    if (line.empty()) {
      open = false;
    } else if (line[0] == '#') {
      if (blocks.empty() || !blocks.back().head.empty() || !open) blocks.push_back({number, "", {}});
      blocks.back().body.push_back(line);
      open = true;
    } else if (!open || blocks.back().head.empty()) {
      blocks.push_back({number, line, {}});
      open = true;
    } else {
      blocks.back().body.push_back(line);
    }
  }
  return blocks;
}

class Runner {
 public:
  Runner(std::string_view server, ScriptTransport& transport) : server_(server), transport_(transport) {}

  void Begin(const std::vector<Block>& blocks) {
    for (const Block& block : blocks) {
      if (block.head.empty()) continue;
      if (block.head == "connect") return;
      break;
    }
    transport_.Connect();
    transport_.Send(EncodeScriptLine(R"(Startup 3.0 "user" "postgres" "database" "postgres")"));
    ReadUntil("ReadyForQuery");
  }

  // The lines that the server answered; nullopt for blocks that ask for nothing, or are not for this server.
  std::optional<std::vector<std::string>> Run(const Block& block) {
    Words head(block.head);
    const std::string verb = head.Text();
    const std::string argument = verb == "until" || verb == "skip" ? head.Text() : "";
    if (!head.AtEnd() && head.Text() != fmt::format("only={}", server_)) return std::nullopt;
    if (verb == "connect") {
      received_.clear();
      transport_.Connect();
      return std::nullopt;
    }
    if (verb == "send") {
      std::string bytes;
      for (const std::string& line : block.body) bytes += EncodeScriptLine(line);
      transport_.Send(bytes);
      return std::nullopt;
    }
    if (verb == "until") return ReadUntil(argument);
    if (verb == "skip") {
      ReadUntil(argument);
      return std::nullopt;
    }
    if (verb == "byte") return ReadByte();
    throw std::runtime_error("unknown block: " + block.head);
  }

 private:
  std::vector<std::string> ReadByte() {
    while (received_.empty() && transport_.Receive(received_)) {
    }
    if (received_.empty()) return {"Closed"};
    const std::string line = fmt::format("Byte {}", received_[0]);
    received_.erase(0, 1);
    return {line};
  }

  std::vector<std::string> ReadUntil(const std::string& name) {
    std::vector<std::string> lines;
    while (true) {
      while (received_.size() < 5 || received_.size() < 1 + LoadBigEndian<uint32_t>(received_.data() + 1)) {
        if (transport_.Receive(received_)) continue;
        lines.push_back(received_.empty() ? "Closed" : "Closed " + Escaped(received_));
        received_.clear();
        return lines;
      }
      const size_t total = 1 + LoadBigEndian<uint32_t>(received_.data() + 1);
      lines.push_back(DescribeBackendMessage(received_[0], std::string_view(received_).substr(5, total - 5)));
      received_.erase(0, total);
      if (lines.back().substr(0, lines.back().find(' ')) == name) return lines;
    }
  }

  const std::string server_;
  ScriptTransport& transport_;
  std::string received_;
};

std::string Join(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

}  // namespace

std::vector<ScriptFailure> RunScript(std::string_view script, std::string_view server, ScriptTransport& transport) {
  std::vector<ScriptFailure> failures;
  const std::vector<Block> blocks = SplitBlocks(script);
  Runner runner(server, transport);
  runner.Begin(blocks);
  for (const Block& block : blocks) {
    if (block.head.empty()) continue;
    const auto answer = runner.Run(block);
    if (answer && *answer != block.body) failures.push_back({block.line, Join(block.body), Join(*answer)});
  }
  return failures;
}

std::string RewriteScript(std::string_view script, std::string_view server, ScriptTransport& transport) {
  std::string text;
  const std::vector<Block> blocks = SplitBlocks(script);
  Runner runner(server, transport);
  runner.Begin(blocks);
  for (const Block& block : blocks) {
    const auto answer = block.head.empty() ? std::nullopt : runner.Run(block);
    if (!text.empty()) text += "\n";
    if (!block.head.empty()) text += block.head + "\n";
    text += Join(answer ? *answer : block.body);
  }
  return text;
}

}  // namespace mayfly::wire
