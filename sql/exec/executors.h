// The factories of executors, one file each; and what several of them need.
#pragma once

#include "sql/exec/executor.h"

namespace mayfly::exec {

ExecutorPtr MakePointGet(const plan::PointGet& op, const BuildContext& build);
ExecutorPtr MakeMultiGet(const plan::MultiGet& op, const BuildContext& build);
ExecutorPtr MakeKeyScan(const plan::KeyScan& op, const BuildContext& build);
ExecutorPtr MakeCounterRead(const plan::CounterRead& op, const BuildContext& build);
ExecutorPtr MakeVirtualScan(const plan::VirtualScan& op, const plan::Node& node, const BuildContext& build);
ExecutorPtr MakeFunctionScan(const plan::FunctionScan& op, const plan::Node& node, const BuildContext& build);
ExecutorPtr MakeValues(const plan::Values& op, const plan::Node& node, const BuildContext& build);
ExecutorPtr MakeFilter(const plan::Filter& op, const BuildContext& build);
ExecutorPtr MakeProject(const plan::Project& op, const BuildContext& build);
ExecutorPtr MakeProjectSet(const plan::ProjectSet& op, const plan::Node& node, const BuildContext& build);
ExecutorPtr MakeSort(const plan::Sort& op, const plan::Node& node, const BuildContext& build);
ExecutorPtr MakeLimit(const plan::Limit& op, const BuildContext& build);
ExecutorPtr MakeDistinct(const plan::Distinct& op, const BuildContext& build);
ExecutorPtr MakeAggregate(const plan::Aggregate& op, const plan::Node& node, const BuildContext& build);
ExecutorPtr MakeJoin(const plan::Join& op, const plan::Node& node, const BuildContext& build);
ExecutorPtr MakeAppend(const plan::Append& op, const BuildContext& build);
ExecutorPtr MakeSetOperation(const plan::SetOperation& op, const BuildContext& build);
ExecutorPtr MakeLockRows(const plan::LockRows& op, const BuildContext& build);
ExecutorPtr MakeInsert(const plan::Insert& op, const BuildContext& build);
ExecutorPtr MakeUpdate(const plan::Update& op, const BuildContext& build);
ExecutorPtr MakeDelete(const plan::Delete& op, const BuildContext& build);

}  // namespace mayfly::exec
