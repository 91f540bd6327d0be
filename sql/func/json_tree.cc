#include "sql/func/json_tree.h"

namespace mayfly::func {

namespace {

using types::JsonKind;

class TreeBuilder final : public types::JsonEvents {
 public:
  JsonNode result;

  Status BeginObject(const char* at) override { return Open(JsonKind::kObject, at); }
  Status EndObject(const char* end) override { return Close(end); }
  Status BeginArray(const char* at) override { return Open(JsonKind::kArray, at); }
  Status EndArray(const char* end) override { return Close(end); }
  Status Key(std::string_view text) override {
    key_.assign(text);
    return Ok();
  }
  Status Scalar(JsonKind kind, std::string_view raw, std::string_view text) override {
    JsonNode& node = Add(kind);
    node.raw = raw;
    if (kind == JsonKind::kString) node.text.assign(text);
    return Ok();
  }

 private:
  JsonNode& Add(JsonKind kind) {
    JsonNode* node = &result;
    if (!open_.empty()) {
      node = &open_.back()->children.emplace_back();
      if (open_.back()->kind == JsonKind::kObject) node->key = std::move(key_);
    }
    node->kind = kind;
    return *node;
  }
  Status Open(JsonKind kind, const char* at) {
    JsonNode& node = Add(kind);
    node.raw = std::string_view(at, 1);
    open_.push_back(&node);
    return Ok();
  }
  Status Close(const char* end) {
    JsonNode& node = *open_.back();
    node.raw = std::string_view(node.raw.data(), static_cast<size_t>(end - node.raw.data()));
    open_.pop_back();
    return Ok();
  }

  // Nodes stay where they are while they are open: only their own children are added to.
  std::vector<JsonNode*> open_;
  std::string key_;
};

}  // namespace

const JsonNode* JsonNode::Find(std::string_view name) const {
  for (auto child = children.rbegin(); child != children.rend(); ++child) {
    if (child->key == name) return &*child;
  }
  return nullptr;
}

const JsonNode* JsonNode::At(int64_t index) const {
  if (index < 0) index += static_cast<int64_t>(children.size());
  return index < 0 || index >= static_cast<int64_t>(children.size()) ? nullptr : &children[static_cast<size_t>(index)];
}

JsonNode ParseJsonTree(std::string_view text) {
  TreeBuilder builder;
  types::ParseJson(text, &builder).value();
  return std::move(builder.result);
}

}  // namespace mayfly::func
