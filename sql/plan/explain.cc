// EXPLAIN in PostgreSQL's text form: one line a node, details indented below, inputs behind "->".
#include <fmt/format.h>

#include "sql/analyze/deparse.h"
#include "sql/plan/builder.h"

namespace mayfly::plan {

namespace {

struct Line {
  std::string title;                 // "Point Get on sessions"
  std::vector<std::string> details;  // "Key: (id = 'a'::text)"
};

std::string JoinKind(analyze::JoinType type) {
  switch (type) {
    case analyze::JoinType::kInner: return "";
    case analyze::JoinType::kLeft: return " Left";
    case analyze::JoinType::kRight: return " Right";
    case analyze::JoinType::kFull: return " Full";
  }
  return "";
}

// Names of a node's output columns, as far as they are known: for printing InputRefs.
using Names = std::vector<std::string>;

std::string ColumnName(const catalog::TableDescriptor& table, ColumnId id) {
  if (id == catalog::system_column::kTableOid) return "tableoid";
  if (id == catalog::system_column::kRowTtlTimestamp) return "row_ttl_timestamp";
  if (id == catalog::system_column::kRowExpiresAt) return "row_expires_at";
  if (id == catalog::system_column::kRowKey) return "row_key";
  const catalog::ColumnDescriptor* column = table.FindColumn(id);
  return column == nullptr ? "?" : column->name;
}

// The expression's text, with the names of the input's columns in place of InputRefs.
std::string Text(const ExprPtr& expr, const Names& names) {
  return analyze::Deparse(*expr, [&](const analyze::Expr& reference) -> std::string {
    if (const auto* ref = reference.As<analyze::InputRef>()) return ref->column < names.size() ? names[ref->column] : "?column?";
    if (const auto* param = reference.As<analyze::OuterParam>()) return fmt::format("${}", param->number);
    if (const auto* subplan = reference.As<analyze::SubPlan>()) return fmt::format("(SubPlan {})", subplan->subplan + 1);
    if (const auto* column = reference.As<analyze::SubPlanColumn>())
      return fmt::format("(SubPlan column {})", column->column + 1);
    return "?";
  });
}

std::string TextList(const std::vector<ExprPtr>& exprs, const Names& names) {
  std::string text;
  for (const ExprPtr& expr : exprs) text += (text.empty() ? "" : ", ") + Text(expr, names);
  return text;
}

std::string Duration(int64_t milliseconds) {
  constexpr std::pair<int64_t, std::string_view> kUnits[] = {
      {86'400'000, "d"}, {3'600'000, "h"}, {60'000, "min"}, {1000, "s"}, {1, "ms"}};
  for (const auto& [factor, unit] : kUnits) {
    if (milliseconds % factor == 0) return fmt::format("{} {}", milliseconds / factor, unit);
  }
  return "";
}

std::string On(const catalog::TableDescriptor& table, const std::string& alias) {
  return alias.empty() || alias == table.name ? table.name : table.name + " " + alias;
}

// What makes a row of a TTL table invisible.
void AddTtlFilter(const catalog::TableDescriptor& table, Line& line) {
  if (!table.ttl) return;
  const std::string start = table.ttl->time_column ? table.FindColumn(*table.ttl->time_column)->name : "the latest write";
  line.details.push_back(fmt::format("TTL Filter: not expired ({} after {})", Duration(table.ttl->ttl_ms), start));
}

void AddFilter(const ExprPtr& filter, const Names& names, Line& line) {
  if (filter != nullptr) line.details.push_back("Filter: " + Text(filter, names));
}

class Printer {
 public:
  Printer(const Plan& plan, const ExplainOptions& options) : plan_(plan), options_(options) {}

  std::vector<std::string> Run() {
    Print(*plan_.root, 0, false);
    for (size_t i = 0; i < plan_.subplans.size(); ++i) {
      lines_.push_back(fmt::format("  SubPlan {}", i + 1));
      Print(*plan_.subplans[i].root, 1, true);
    }
    return std::move(lines_);
  }

 private:
  void Print(const Node& node, size_t depth, bool arrow) {
    // A projection is not a node of its own in PostgreSQL's plans.
    if (const auto* project = std::get_if<Project>(&node.op)) return Print(*project->input, depth, arrow);
    Line line;
    const Names names = Describe(node, line);
    std::string indent = depth == 0 ? "" : std::string(6 * depth - 4, ' ');
    std::string text = indent + (arrow ? "->  " : "") + line.title;
    if (options_.costs) {
      text +=
          fmt::format("  (cost={:.2f}..{:.2f} rows={:.0f} width={})", node.startup_cost, node.total_cost, node.rows, Width(node));
    }
    AddActual(node, text);
    lines_.push_back(std::move(text));
    const std::string detail_indent(depth == 0 ? 2 : 6 * depth + 2, ' ');
    for (const std::string& detail : line.details) lines_.push_back(detail_indent + detail);
    for (const std::string& note : node.notes) lines_.push_back(detail_indent + note);
    ForEachInput(node, [&](const NodePtr& input) { Print(*input, depth + 1, true); });
  }

  static int Width(const Node& node) {
    int width = 0;
    for (const OutputColumn& column : node.output) width += column.type->length > 0 ? column.type->length : 32;
    return width;
  }

  void AddActual(const Node& node, std::string& text) const {
    if (options_.actual == nullptr) return;
    const NodeTimes* times = options_.actual(options_.actual_state, &node);
    if (times == nullptr || times->loops == 0) {
      text += " (never executed)";
      return;
    }
    const auto loops = static_cast<double>(times->loops);
    const double rows = static_cast<double>(times->rows) / loops;
    if (options_.timing) {
      text += fmt::format(" (actual time={:.3f}..{:.3f} rows={:.0f} loops={})", times->startup_ms / loops,
                          times->total_ms / loops, rows, times->loops);
    } else {
      text += fmt::format(" (actual rows={:.0f} loops={})", rows, times->loops);
    }
  }

  // Fills `line`; returns the names of the node's output columns.
  Names Describe(const Node& node, Line& line) const {
    return std::visit([&](const auto& op) { return DescribeOp(op, node, line); }, node.op);
  }
  Names NamesOf(const Node& node) const {
    Line unused;
    return Describe(node, unused);
  }

  static Names TableNames(const catalog::TableDescriptor& table, const std::vector<ColumnId>& columns) {
    Names names;
    for (const ColumnId id : columns) names.push_back(ColumnName(table, id));
    return names;
  }
  static Names Unknown(const Node& node) { return Names(node.output.size(), "?column?"); }

  // Conditions on the first key columns, "((id = 'a'::text) AND …)".
  static void AddKey(const catalog::TableDescriptor& table, const std::vector<ExprPtr>& values, std::vector<std::string>& terms) {
    for (size_t i = 0; i < values.size(); ++i) {
      terms.push_back(fmt::format("({} = {})", ColumnName(table, table.primary_key()->columns[i]), Text(values[i], {})));
    }
  }
  static std::string And(const std::vector<std::string>& terms) {
    if (terms.size() == 1) return terms[0];
    return fmt::format("({})", fmt::join(terms, " AND "));
  }

  Names DescribeOp(const PointGet& op, const Node&, Line& line) const {
    line.title = "Point Get on " + On(*op.table, op.alias);
    std::vector<std::string> terms;
    AddKey(*op.table, op.key, terms);
    line.details.push_back("Key: " + And(terms));
    AddTtlFilter(*op.table, line);
    Names names = TableNames(*op.table, op.columns);
    AddFilter(op.filter, names, line);
    return names;
  }
  Names DescribeOp(const MultiGet& op, const Node&, Line& line) const {
    line.title = "Multi Get on " + On(*op.table, op.alias);
    std::vector<std::string> terms;
    AddKey(*op.table, op.prefix, terms);
    const std::string last = ColumnName(*op.table, op.table->primary_key()->columns.back());
    terms.push_back(op.last_is_array ? fmt::format("({} = ANY ({}))", last, Text(op.last[0], {}))
                                     : fmt::format("({} = ANY (ARRAY[{}]))", last, TextList(op.last, {})));
    line.details.push_back("Key: " + And(terms));
    AddTtlFilter(*op.table, line);
    Names names = TableNames(*op.table, op.columns);
    AddFilter(op.filter, names, line);
    return names;
  }
  Names DescribeOp(const KeyScan& op, const Node&, Line& line) const {
    const std::string backward = op.reverse ? " Backward" : "";
    const bool prefix_only = !op.equal.empty() && !op.lower && !op.upper;
    line.title = (op.full()     ? "Seq Scan"
                  : prefix_only ? "Prefix Scan"
                                : "Range Scan") +
                 backward + " on " + On(*op.table, op.alias);
    if (!op.full()) {
      std::vector<std::string> terms;
      AddKey(*op.table, op.equal, terms);
      if (op.lower || op.upper) {
        const std::string next = ColumnName(*op.table, op.table->primary_key()->columns[op.equal.size()]);
        if (op.lower)
          terms.push_back(fmt::format("({} {} {})", next, op.lower->inclusive ? ">=" : ">", Text(op.lower->value, {})));
        if (op.upper)
          terms.push_back(fmt::format("({} {} {})", next, op.upper->inclusive ? "<=" : "<", Text(op.upper->value, {})));
      }
      line.details.push_back("Key: " + And(terms));
    }
    AddTtlFilter(*op.table, line);
    Names names = TableNames(*op.table, op.columns);
    AddFilter(op.filter, names, line);
    return names;
  }
  Names DescribeOp(const CounterRead& op, const Node&, Line& line) const {
    line.title = "Row Counter on " + op.table->name;
    line.details.push_back("COUNT(*) Pushdown: on");
    return {"count"};
  }
  Names DescribeOp(const VirtualScan& op, const Node&, Line& line) const {
    line.title = "Virtual Scan on " + On(*op.table, op.alias);
    Names names;
    for (const size_t column : op.columns) {
      names.push_back(column == VirtualScan::kTableOidColumn ? "tableoid" : op.table->columns[column].name);
    }
    AddFilter(op.filter, names, line);
    return names;
  }
  Names DescribeOp(const FunctionScan& op, const Node& node, Line& line) const {
    std::string function;
    if (const auto* call = op.calls[0]->As<analyze::Call>()) function = call->proc->name;
    line.title = "Function Scan on " + function + (op.alias.empty() || op.alias == function ? "" : " " + op.alias);
    return Names(node.output.size(), op.alias.empty() ? function : op.alias);
  }
  Names DescribeOp(const Values& op, const Node& node, Line& line) const {
    line.title = op.rows.size() == 1 ? "Result" : "Values Scan on \"*VALUES*\"";
    return Unknown(node);
  }
  Names DescribeOp(const Filter& op, const Node&, Line& line) const {
    line.title = "Filter";
    Names names = NamesOf(*op.input);
    AddFilter(op.predicate, names, line);
    return names;
  }
  Names DescribeOp(const Project& op, const Node&, Line&) const {
    const Names input = NamesOf(*op.input);
    Names names;
    for (const ExprPtr& expr : op.exprs) names.push_back(Text(expr, input));
    return names;
  }
  Names DescribeOp(const ProjectSet& op, const Node&, Line& line) const {
    line.title = "ProjectSet";
    const Names input = NamesOf(*op.input);
    Names names;
    for (const ExprPtr& expr : op.exprs) names.push_back(Text(expr, input));
    return names;
  }
  Names DescribeOp(const Sort& op, const Node&, Line& line) const {
    line.title = "Sort";
    Names names = NamesOf(*op.input);
    std::string keys;
    for (const SortKey& key : op.keys) {
      keys += (keys.empty() ? "" : ", ") + names[key.column] + (key.descending ? " DESC" : "");
      if (key.nulls_first != key.descending) keys += key.nulls_first ? " NULLS FIRST" : " NULLS LAST";
    }
    line.details.push_back("Sort Key: " + keys);
    return names;
  }
  Names DescribeOp(const Limit& op, const Node&, Line& line) const {
    line.title = "Limit";
    return NamesOf(*op.input);
  }
  Names DescribeOp(const Distinct& op, const Node&, Line& line) const {
    line.title = "HashAggregate";
    Names names = NamesOf(*op.input);
    std::string keys;
    for (const size_t column : op.columns) keys += (keys.empty() ? "" : ", ") + names[column];
    line.details.push_back("Group Key: " + keys);
    return names;
  }
  Names DescribeOp(const Aggregate& op, const Node&, Line& line) const {
    line.title = op.groups.empty() ? "Aggregate" : "HashAggregate";
    const Names input = NamesOf(*op.input);
    if (!op.groups.empty()) line.details.push_back("Group Key: " + TextList(op.groups, input));
    if (op.parallel) line.details.push_back("Parallel: by key ranges, where the table is large");
    Names names;
    for (const ExprPtr& group : op.groups) names.push_back(Text(group, input));
    for (const AggregateCall& call : op.calls) {
      names.push_back(fmt::format("({}({}{}))", call.proc->name, call.distinct ? "DISTINCT " : "",
                                  call.args.empty() ? "*" : TextList(call.args, input)));
    }
    return names;
  }
  Names DescribeOp(const Join& op, const Node&, Line& line) const {
    Names left = NamesOf(*op.left);
    const Names right = NamesOf(*op.right);
    if (op.left_keys.empty()) {
      line.title = "Nested Loop" + JoinKind(op.type) + (op.type == analyze::JoinType::kInner ? "" : " Join");
    } else {
      line.title = "Hash" + JoinKind(op.type) + " Join";
      std::vector<std::string> terms;
      for (size_t i = 0; i < op.left_keys.size(); ++i) {
        terms.push_back(fmt::format("({} = {})", Text(op.left_keys[i], left), Text(op.right_keys[i], right)));
      }
      line.details.push_back("Hash Cond: " + And(terms));
    }
    left.insert(left.end(), right.begin(), right.end());
    if (op.on != nullptr) line.details.push_back("Join Filter: " + Text(op.on, left));
    return left;
  }
  Names DescribeOp(const Append& op, const Node&, Line& line) const {
    line.title = "Append";
    return NamesOf(*op.inputs[0]);
  }
  Names DescribeOp(const SetOperation& op, const Node&, Line& line) const {
    line.title = op.op == analyze::SetOperation::kIntersect ? "HashSetOp Intersect" : "HashSetOp Except";
    if (op.all) line.title += " All";
    return NamesOf(*op.left);
  }
  Names DescribeOp(const LockRows& op, const Node&, Line& line) const {
    line.title = "LockRows";
    return NamesOf(*op.input);
  }
  Names DescribeOp(const Insert& op, const Node& node, Line& line) const {
    line.title = "Insert on " + op.table->name;
    if (op.conflict) {
      line.details.push_back(op.conflict->update ? "Conflict Resolution: UPDATE" : "Conflict Resolution: NOTHING");
      if (op.conflict->blind)
        line.details.push_back("Blind Upsert: on (the whole row is given, and no counter or index must know the old one)");
    }
    return Unknown(node);
  }
  Names DescribeOp(const Update& op, const Node& node, Line& line) const {
    const bool by_key = std::holds_alternative<PointGet>(op.input->op);
    line.title = (by_key ? "Point Update on " : "Update on ") + op.table->name;
    return Unknown(node);
  }
  Names DescribeOp(const Delete& op, const Node& node, Line& line) const {
    const bool by_key = std::holds_alternative<PointGet>(op.input->op);
    line.title = (by_key ? "Point Delete on " : "Delete on ") + op.table->name;
    return Unknown(node);
  }

  const Plan& plan_;
  const ExplainOptions& options_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> Explain(const Plan& plan, const ExplainOptions& options) { return Printer(plan, options).Run(); }

}  // namespace mayfly::plan
