#include "sql/analyze/query_printer.h"

#include "sql/types/format_type.h"

namespace mayfly::analyze {
namespace {

class Printer {
 public:
  Printer(const Query& query, size_t indent) : query_(query), indent_(indent) {}

  std::string Run() {
    static constexpr std::string_view kCommands[] = {"select", "insert", "update", "delete"};
    Line(std::string(kCommands[static_cast<size_t>(query_.command)]));
    if (query_.set_operation != SetOperation::kNone) PrintSetOperation();
    for (size_t i = 0; i < query_.range_table.size(); ++i) PrintEntry(i);
    for (const FromNode& from : query_.from) Line("from " + From(from));
    if (query_.where != nullptr) Line("where " + Print(*query_.where));
    for (const TargetEntry& target : query_.targets) PrintTarget(target.hidden ? "hidden " : "target ", target);
    PrintClauses();
    if (query_.modification) PrintModification(*query_.modification);
    for (size_t i = 0; i < query_.parameter_types.size(); ++i) {
      Line(fmt::format("parameter ${} {}", i + 1, types::FormatType(*query_.parameter_types[i])));
    }
    return std::move(out_);
  }

 private:
  void Line(const std::string& text) {
    out_.append(indent_, ' ');
    out_ += text;
    out_ += '\n';
  }
  void Nested(const QueryPtr& query) { out_ += PrintQuery(*query, indent_ + 2); }

  void PrintSetOperation() {
    static constexpr std::string_view kNames[] = {"", "union", "intersect", "except"};
    Line(std::string(kNames[static_cast<size_t>(query_.set_operation)]) + (query_.set_all ? " all" : ""));
    Nested(query_.set_left);
    Nested(query_.set_right);
  }

  void PrintEntry(size_t index) {
    const RangeTableEntry& entry = query_.range_table[index];
    std::string text = fmt::format("entry {} {}(", index, entry.alias);
    for (size_t i = 0; i < entry.columns.size(); ++i) {
      if (i != 0) text += i == entry.visible_columns ? "; " : ", ";
      text += entry.columns[i].name;
    }
    text += ")";
    if (const auto* table = std::get_if<TableEntry>(&entry.source)) {
      Line(text + " table " + table->table->name);
    } else if (const auto* subquery = std::get_if<SubqueryEntry>(&entry.source)) {
      Line(text + (subquery->lateral ? " lateral subquery" : " subquery"));
      Nested(subquery->query);
    } else if (const auto* function = std::get_if<FunctionEntry>(&entry.source)) {
      text += function->with_ordinality ? " function with ordinality" : " function";
      for (const ExprPtr& call : function->calls) text += " " + Print(*call);
      Line(text);
    } else if (const auto* values = std::get_if<ValuesEntry>(&entry.source)) {
      Line(text + " values");
      for (const auto& row : values->rows) {
        std::string line = "  row";
        for (const ExprPtr& value : row) line += " " + Print(*value);
        Line(line);
      }
    } else {
      Line(text + " excluded");
    }
  }

  static std::string From(const FromNode& from) {
    if (const auto* leaf = std::get_if<FromNode::Leaf>(&from.node)) return fmt::format("{}", leaf->entry);
    static constexpr std::string_view kNames[] = {"inner", "left", "right", "full"};
    const auto& join = std::get<FromNode::Join>(from.node);
    std::string text = fmt::format("({} {} {}", From(*join.left), kNames[static_cast<size_t>(join.type)], From(*join.right));
    if (join.on != nullptr) text += " on " + Print(*join.on);
    return text + ")";
  }

  void PrintTarget(std::string_view what, const TargetEntry& target) {
    std::string text = fmt::format("{}{} = {}", what, target.name, Print(*target.expr));
    if (target.table.valid()) text += fmt::format(" of column {}", target.attribute);
    Line(text);
  }

  static std::string Sort(const SortClause& clause) {
    return fmt::format(" {} {} nulls {}", clause.target, clause.descending ? "desc" : "asc",
                       clause.nulls_first ? "first" : "last");
  }

  void PrintClauses() {
    if (query_.has_aggregates) Line("has aggregates");
    if (query_.has_target_set_functions) Line("has set functions");
    PrintIndexes("group by", query_.group_by);
    if (query_.having != nullptr) Line("having " + Print(*query_.having));
    if (query_.distinct && query_.distinct_on.empty()) Line("distinct");
    PrintIndexes("distinct on", query_.distinct_on);
    if (!query_.order_by.empty()) {
      std::string text = "order by";
      for (const SortClause& clause : query_.order_by) text += Sort(clause);
      Line(text);
    }
    if (query_.limit != nullptr) Line("limit " + Print(*query_.limit));
    if (query_.offset != nullptr) Line("offset " + Print(*query_.offset));
    static constexpr std::string_view kLocks[] = {"", "key share", "share", "no key update", "update"};
    static constexpr std::string_view kWaits[] = {"", " skip locked", " nowait"};
    if (query_.lock != RowLock::kNone) {
      Line(fmt::format("lock {}{}", kLocks[static_cast<size_t>(query_.lock)], kWaits[static_cast<size_t>(query_.lock_wait)]));
    }
  }

  void PrintIndexes(std::string_view what, const std::vector<size_t>& indexes) {
    if (indexes.empty()) return;
    std::string text(what);
    for (const size_t index : indexes) text += fmt::format(" {}", index);
    Line(text);
  }

  void PrintModification(const Modification& modification) {
    Line(fmt::format("target entry {}", modification.target_entry));
    if (modification.source_entry) Line(fmt::format("source entry {}", *modification.source_entry));
    for (const Assignment& a : modification.assignments) Line(fmt::format("set {} = {}", a.column.value, Print(*a.value)));
    if (modification.on_conflict) {
      const OnConflictAction& action = *modification.on_conflict;
      Line(fmt::format("on conflict{} {}", action.any_arbiter ? "" : " (index)", action.update ? "update" : "nothing"));
      for (const Assignment& a : action.set) Line(fmt::format("  set {} = {}", a.column.value, Print(*a.value)));
      if (action.where != nullptr) Line("  where " + Print(*action.where));
    }
    for (const TargetEntry& target : modification.returning) PrintTarget("returning ", target);
  }

  const Query& query_;
  size_t indent_;
  std::string out_;
};

}  // namespace

std::string PrintQuery(const Query& query, size_t indent) { return Printer(query, indent).Run(); }

}  // namespace mayfly::analyze
