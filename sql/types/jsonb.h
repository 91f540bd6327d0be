// jsonb: PostgreSQL's normal form of JSON in bytes of our own. Object keys are ordered by length, then bytes; of equal keys the
// last one counts; numbers are numeric.
//
//   node     := kind byte, payload
//   null, false, true   no payload              number   bytes of a numeric value
//   string   the bytes                          array    u32 count | u32 end offset each | nodes
//   object   u32 count | u32 key end each | u32 value end each | keys | nodes          (little-endian, ends from the start of
//   their bytes)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "sql/types/json.h"
#include "sql/types/type.h"

namespace mayfly::types {

// Reads a node, borrowed. Cheap to copy.
class JsonbView {
 public:
  // Requires: bytes made by JsonbBuilder.
  explicit JsonbView(std::string_view node) : node_(node) {}

  JsonKind kind() const;
  std::string_view bytes() const { return node_; }
  bool is_scalar() const { return kind() != JsonKind::kArray && kind() != JsonKind::kObject; }

  // Requires: the kind in question.
  bool boolean() const;
  std::string_view string() const { return node_.substr(1); }
  Datum number() const { return Datum(node_.substr(1)); }  // a numeric

  // Elements of an array, or pairs of an object. Requires: one of these.
  size_t count() const;
  JsonbView Element(size_t index) const;
  std::string_view Key(size_t index) const;
  JsonbView Value(size_t index) const;
  std::optional<JsonbView> Find(std::string_view key) const;

 private:
  uint32_t Word(size_t index) const;

  std::string_view node_;
};

// Builds one value from calls in text order; JsonEvents of a text, too. Values of an object follow their keys.
class JsonbBuilder final : public JsonEvents {
 public:
  void AddNull();
  void AddBool(bool value);
  // Requires: a numeric, not NULL.
  void AddNumber(const Datum& numeric);
  void AddString(std::string_view text);
  // A whole value that is jsonb already.
  void AddNode(JsonbView node);
  void OpenArray();
  void OpenObject();
  void AddKey(std::string_view key);
  void Close();

  // Requires: exactly one value was added, and everything is closed.
  const std::string& result() const { return result_; }
  // The value as it would be if the one open container were closed now. Requires: exactly one is open.
  std::string ClosedResult() const;

  Status BeginObject(const char*) override;
  Status EndObject(const char*) override;
  Status BeginArray(const char*) override;
  Status EndArray(const char*) override;
  Status Key(std::string_view text) override;
  Status Scalar(JsonKind kind, std::string_view raw, std::string_view text) override;

 private:
  struct Frame {
    bool is_object = false;
    std::string keys;
    std::string nodes;
    std::vector<uint32_t> key_ends;
    std::vector<uint32_t> node_ends;
  };
  void Add(std::string_view node);
  static std::string Encode(const Frame& frame);
  static void EncodeArray(const Frame& frame, std::string& out);
  static void EncodeObject(const Frame& frame, std::string& out);

  std::vector<Frame> frames_;
  std::string result_;
  std::string scratch_;
  Arena arena_;
};

// The numeric type as jsonb's numbers use it.
const TypeDesc& JsonNumberType();

// The bytes of a JSON text; errors of ParseJson, 54000 for too long a string.
Result<std::string> ParseJsonb(std::string_view text);
// As jsonb_out: {"a": 1, "b": [true, null]}.
void AppendJsonbText(JsonbView value, std::string& out);
// As jsonb_pretty: four blanks a level.
void AppendJsonbPretty(JsonbView value, std::string& out);

// jsonb_cmp: Object > Array > Boolean > Number > String > Null, and more elements after fewer; an empty array sorts before every
// scalar.
int CompareJsonb(JsonbView a, JsonbView b);
// Of two scalars or two containers: equal in the sense of CompareJsonb.
inline bool EqualJsonb(JsonbView a, JsonbView b) { return CompareJsonb(a, b) == 0; }

}  // namespace mayfly::types
