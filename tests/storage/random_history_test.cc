// A random history on an engine and on a model that is too simple to be wrong: puts, deletes, ranges, savepoints, clock moves,
// flushes, compactions, maintenance, bulk loads, old views, reopening. The seed is printed; MAYFLY_SEED repeats one,
// MAYFLY_HISTORY_STEPS lengthens it.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>

#include "tests/storage/engine_harness.h"

namespace mayfly::storage {
namespace {

struct ModelRow {
  std::string payload;
  Tag tag;
};
using ModelTable = std::map<std::string, ModelRow>;
using Model = std::map<uint32_t, ModelTable>;  // by storage id

// What a table shows at `now`: "name=payload@tag ...".
std::string Shown(const ModelTable& rows, const TableOptions& table, int64_t now) {
  std::string text;
  for (const auto& [name, row] : rows) {
    if (table.layout == ValueLayout::kTagged && IsExpired(row.tag, table.ttl_ms, now)) continue;
    text += name + '=' + row.payload + '@' + std::to_string(table.layout == ValueLayout::kTagged ? row.tag : kNeverTag) + ' ';
  }
  return text;
}

std::string Shown(const ReadView& view, const TableOptions& table, bool reverse) {
  std::vector<std::string> rows;
  auto scan = view.NewScan(table, Whole(table), {.reverse = reverse});
  const auto append = [&](const StoredRow& row) {
    rows.push_back(std::string(row.key.substr(4)) + '=' + std::string(row.payload) + '@' + std::to_string(row.tag) + ' ');
  };
  while (Must(scan->NextPage(7, append)) == 7) {
  }
  if (reverse) std::reverse(rows.begin(), rows.end());
  std::string text;
  for (const std::string& row : rows) text += row;
  return text;
}

class History {
 public:
  History(EngineKind kind, uint64_t seed) : db_(kind), random_(seed) {}

  void Run(int steps) {
    for (int i = 0; i < steps && !testing::Test::HasFailure(); ++i) {
      step_ = i;
      Step();
    }
  }

 private:
  struct OldView {
    std::unique_ptr<ReadView> view;
    Model model;
    int64_t counter;
  };

  uint64_t Pick(uint64_t below) { return random_() % below; }
  const TableOptions& PickTable() { return Pick(3) == 0 ? kPlainTable : kTtlTable; }
  std::string PickName() { return std::string(1, static_cast<char>('a' + Pick(26))) + std::to_string(Pick(3)); }
  Tag PickTag() {
    if (Pick(10) == 0) return kNeverTag;
    return db_.engine().TtlNowMs() + static_cast<int64_t>(Pick(4000)) - 2000;
  }

  void Step() {
    switch (Pick(20)) {
      case 0: db_.AdvanceMs(static_cast<int64_t>(Pick(1500))); break;
      case 1: db_.AdvanceMs(-static_cast<int64_t>(Pick(500))); break;
      case 2: Must(db_.engine().FlushMemtables()); break;
      case 3: Must(db_.engine().CompactTable(PickTable().table)); break;
      case 4: Must(db_.engine().RunMaintenance()); break;
      case 5:
        if (views_.size() < 4) views_.push_back({db_.engine().NewReadView(), model_, counter_});
        break;
      case 6:
        if (!views_.empty()) views_.erase(views_.begin() + static_cast<long>(Pick(views_.size())));
        break;
      case 7: Reopen(); break;
      case 8: BulkLoadSome(); break;
      default: RunTransaction(); break;
    }
    Compare();
  }

  void Reopen() {
    if (!db_.persistent() || Pick(4) != 0) return;
    views_.clear();
    const int64_t before = db_.engine().TtlNowMs();
    db_.Reopen();
    EXPECT_GE(db_.engine().TtlNowMs(), before);
  }

  void RunTransaction() {
    auto txn = db_.Begin(Pick(2) == 0 ? Isolation::kReadCommitted : Isolation::kRepeatableRead);
    Model model = model_;
    int64_t counter = counter_;
    struct Saved {
      Model model;
      int64_t counter;
    };
    std::vector<Saved> savepoints;
    for (uint64_t writes = 1 + Pick(6); writes > 0; --writes) {
      const TableOptions& table = PickTable();
      const std::string name = PickName();
      switch (Pick(8)) {
        case 0:
          Must(txn->Delete(table, Key(table, name)));
          model[table.table.value].erase(name);
          break;
        case 1: {
          const std::string end = name + "~";
          if (Pick(4) == 0) {
            Must(txn->DeleteRange(table, {Key(table, name), Key(table, end)}));
            ModelTable& rows = model[table.table.value];
            rows.erase(rows.lower_bound(name), rows.lower_bound(end));
          }
          break;
        }
        case 2:
          EXPECT_EQ(txn->SetSavepoint(), savepoints.size());
          savepoints.push_back({model, counter});
          break;
        case 3:
          if (savepoints.empty()) break;
          if (const size_t at = Pick(savepoints.size()); Pick(2) == 0) {
            Must(txn->RollbackToSavepoint(at));
            model = savepoints[at].model;
            counter = savepoints[at].counter;
            savepoints.resize(at + 1);
          } else {
            txn->ReleaseSavepoint(at);
            savepoints.resize(at);
          }
          break;
        case 4: {
          const auto delta = static_cast<int64_t>(Pick(10)) - 5;
          Must(txn->AddToCounter("n", delta));
          counter += delta;
          break;
        }
        default: {
          const Tag tag = PickTag();
          const std::string payload = std::to_string(step_) + std::string(Pick(40), 'x');
          Must(txn->Put(table, Key(table, name), payload, tag));
          model[table.table.value].insert_or_assign(name, ModelRow{payload, tag});
        }
      }
    }
    CompareView(*txn, model, counter, "own writes");
    if (Pick(5) == 0) return txn->Rollback();
    Must(txn->Commit(Pick(3) == 0 ? Durability::kFlushed : Durability::kBuffered));
    model_ = std::move(model);
    counter_ = counter;
  }

  void BulkLoadSome() {
    const TableOptions& table = PickTable();
    auto txn = db_.Begin();
    auto load = Must(txn->NewBulkLoad(table));
    Model model = model_;
    ModelTable& rows = model[table.table.value];
    const int64_t now = txn->ttl_now_ms();
    bool duplicate = false;
    for (uint64_t count = Pick(6); count > 0; --count) {
      const std::string name = PickName();
      const Tag tag = PickTag();
      const auto found = rows.find(name);
      const bool there =
          found != rows.end() && (table.layout == ValueLayout::kPlain || !IsExpired(found->second.tag, table.ttl_ms, now) ||
                                  found->second.payload.starts_with("load"));
      duplicate = duplicate || there;
      Must(load->Append(Key(table, name), "load" + std::to_string(step_), tag));
      rows.insert_or_assign(name, ModelRow{"load" + std::to_string(step_), tag});
    }
    const std::optional<std::string> reported = Must(load->Finish());
    if (reported.has_value() || duplicate) return;
    Must(txn->Commit(Durability::kBuffered));
    model_ = std::move(model);
  }

  void Compare() {
    CompareView(*db_.engine().NewReadView(), model_, counter_, "now");
    for (const OldView& old : views_) CompareView(*old.view, old.model, old.counter, "old view");
    const TableOptions& table = PickTable();
    const std::string name = PickName();
    const ModelTable& rows = model_[table.table.value];
    const auto found = rows.find(name);
    const bool expected = found != rows.end() && (table.layout == ValueLayout::kPlain ||
                                                  !IsExpired(found->second.tag, table.ttl_ms, db_.engine().TtlNowMs()));
    EXPECT_EQ(db_.Latest(table, name), expected ? found->second.payload : "(none)") << "step " << step_;
  }

  void CompareView(const ReadView& view, Model& model, int64_t counter, const char* what) {
    for (const TableOptions& table : {kPlainTable, kTtlTable}) {
      EXPECT_EQ(Shown(view, table, Pick(2) == 0), Shown(model[table.table.value], table, view.ttl_now_ms()))
          << what << ", step " << step_;
    }
    EXPECT_EQ(Must(view.ReadCounter("n")), counter) << what << ", step " << step_;
  }
  void CompareView(const ReadView& view, const Model& model, int64_t counter, const char* what) {
    Model copy = model;
    CompareView(view, copy, counter, what);
  }

  EngineHarness db_;
  std::mt19937_64 random_;
  Model model_;
  int64_t counter_ = 0;
  std::vector<OldView> views_;
  int step_ = 0;
};

class RandomHistory : public testing::TestWithParam<EngineKind> {};
INSTANTIATE_TEST_SUITE_P(All, RandomHistory, testing::Values(EngineKind::kMemory, EngineKind::kRocksDb), EngineParamName);

TEST_P(RandomHistory, TheEngineAgreesWithTheModel) {
  const char* seed_text = std::getenv("MAYFLY_SEED");
  const char* steps_text = std::getenv("MAYFLY_HISTORY_STEPS");
  const uint64_t seed = seed_text != nullptr ? std::strtoull(seed_text, nullptr, 10) : std::random_device{}();
  const int steps = steps_text != nullptr ? std::atoi(steps_text) : 1000;
  SCOPED_TRACE("MAYFLY_SEED=" + std::to_string(seed));
  std::printf("MAYFLY_SEED=%llu\n", static_cast<unsigned long long>(seed));
  History(GetParam(), seed).Run(steps);
}

}  // namespace
}  // namespace mayfly::storage
