// PostgreSQL's node headers, which describe the raw parse tree of libpg_query, for the converters of this folder and nobody else.
//
// postgres.h defines short macros, so it comes after every other header; those that could bite are removed again. Only inline readers
// may be used: memory contexts are thread-local in the library and plain externs in the headers, so never palloc, never build a list.
// Our node types have PostgreSQL's names: inside mayfly::parse a bare `ColumnRef` is ours, `::ColumnRef` is PostgreSQL's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

extern "C" {
#include "postgres.h"

#include "nodes/parsenodes.h"
#include "nodes/pg_list.h"
#include "nodes/value.h"

// Of nodes/nodeFuncs.h; reads only.
extern int exprLocation(const Node* expr);
}

#undef _
#undef printf
#undef fprintf
#undef sprintf
#undef snprintf
#undef vsnprintf
#undef vsprintf
#undef vfprintf
#undef vprintf
#undef strerror
#undef gettext
#undef ngettext
#undef Min
#undef Max
#undef Abs
#undef Assert

namespace mayfly::parse {

// The pointers of a List as a range of const T*; a null list is empty.
template <typename T>
class Items {
 public:
  explicit Items(const ::List* list) : begin_(list == nullptr ? nullptr : list->elements), size_(list == nullptr ? 0 : size_t(list->length)) {}

  class Iterator {
   public:
    explicit Iterator(const ::ListCell* cell) : cell_(cell) {}
    const T* operator*() const { return static_cast<const T*>(cell_->ptr_value); }
    Iterator& operator++() {
      ++cell_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return cell_ != other.cell_; }

   private:
    const ::ListCell* cell_;
  };
  Iterator begin() const { return Iterator(begin_); }
  Iterator end() const { return Iterator(begin_ + size_); }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T* operator[](size_t i) const { return static_cast<const T*>(begin_[i].ptr_value); }

 private:
  const ::ListCell* begin_;
  size_t size_;
};

inline ::NodeTag Tag(const void* node) { return static_cast<const ::Node*>(node)->type; }

// The node as its own type. Requires: the tag says so.
template <typename T>
const T& As(const void* node) {
  return *static_cast<const T*>(node);
}

// A char* of the tree as text; null is empty.
inline std::string Text(const char* text) { return text == nullptr ? std::string() : std::string(text); }

}  // namespace mayfly::parse
