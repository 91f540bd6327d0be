// The simple query protocol: all statements of a text, in one implicit transaction unless they say otherwise.
#include "sql/parse/parser.h"
#include "sql/session/guard.h"

namespace mayfly::session {

Result<Step> SessionImpl::StartQuery(std::string_view text, bool may_block, ResultSink& sink) {
  query_text_ = text;
  return Guard(sink, [&]() -> Step {
    if (simple_ == nullptr) {
      // A simple query destroys the unnamed statement and portal.
      prepared_.erase("");
      portals_.erase("");
      std::vector<parse::StatementPtr> statements = parse::Parse(text).value();
      if (statements.empty()) {
        sink.EmptyQuery();
        return Step::kDone;
      }
      simple_ = std::make_unique<SimpleQuery>();
      for (parse::StatementPtr& statement : statements) simple_->statements.push_back(std::move(statement));
    }
    return ContinueSimpleQuery(may_block, sink);
  });
}

Step SessionImpl::ContinueSimpleQuery(bool may_block, ResultSink& sink) {
  while (simple_->next < simple_->statements.size()) {
    const auto& statement = simple_->statements[simple_->next];
    if (simple_->portal == nullptr) {
      RequireUsable(statement.get());
      BeginStatement();
      auto portal = std::make_unique<Portal>();
      portal->prepared = std::make_shared<PreparedStatement>();
      portal->prepared->statement = statement;
      Prepare(*portal->prepared, false);
      portal->result_formats.assign(portal->prepared->columns.size(), Format::kText);
      simple_->portal = std::move(portal);
    }
    Portal& portal = *simple_->portal;
    const Step step = RunPortal(portal, 0, may_block, sink);
    if (step == Step::kCopyIn) copy_->simple = true;
    if (step != Step::kDone) return step;
    const bool is_last = simple_->next + 1 == simple_->statements.size();
    if (is_last && !txn_.in_block() && txn_.CommitMayBlock() && !may_block) return Step::kWouldBlock;
    if (is_last) txn_.CommitImplicit();
    sink.CommandComplete(portal.tag);
    DropEndedPortals();
    simple_->portal.reset();
    ++simple_->next;
  }
  simple_.reset();
  FinishStatement(sink);
  return Step::kDone;
}

}  // namespace mayfly::session
