// JSON text: one parser, whose events validate json, build jsonb and drive the json functions; errors in PostgreSQL's words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace mayfly::types {

enum class JsonKind : uint8_t { kNull, kString, kNumber, kBool, kArray, kObject };
// json_typeof's word.
std::string_view JsonKindName(JsonKind kind);

// What the parser reports, in text order. `at` and `end` point into the parsed text: at the first byte, or past the last one, of
// the value.
class JsonEvents {
 public:
  virtual ~JsonEvents() = default;
  virtual Status BeginObject(const char* at) = 0;
  virtual Status EndObject(const char* end) = 0;
  virtual Status BeginArray(const char* at) = 0;
  virtual Status EndArray(const char* end) = 0;
  // `text` without quotes and escapes; lives for the call.
  virtual Status Key(std::string_view text) = 0;
  // `raw` as it stands in the input; `text` is a string's content, otherwise `raw`. Lives for the call.
  virtual Status Scalar(JsonKind kind, std::string_view raw, std::string_view text) = 0;
};

// Parses one JSON value. 22P02 `invalid input syntax for type json` with PostgreSQL's detail and context line, 22P05 for \u0000
// and 54001 past a nesting of some thousands. Without `events` the text is only checked, as json's input does: then the meaning
// of \u escapes (surrogates, \u0000) is not looked at.
Status ParseJson(std::string_view text, JsonEvents* events);

// "text" with the escapes that JSON needs.
void AppendJsonString(std::string_view text, std::string& out);

}  // namespace mayfly::types
