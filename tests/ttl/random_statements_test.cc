// Random statements on one TTL table, moves of the clock, upkeep and restarts, beside a model of a few lines. A failure prints its seed.
#include <algorithm>
#include <map>
#include <random>

#include "tests/harness/sql_harness.h"

namespace mayfly::ttl {
namespace {

using harness::EverySqlEngine;
using harness::SqlServer;

constexpr int64_t kTtlMs = 1000;
constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

// What the contract says of table (id int, v int, ms bigint), by event time or by processing time.
class Model {
 public:
  struct Row {
    int v = 0;
    std::optional<int64_t> ms;
    int64_t tag = kNever;
  };
  using Rows = std::map<int, Row>;

  explicit Model(bool event_time) : event_time_(event_time) {}

  void Put(int id, int v, std::optional<int64_t> ms, int64_t now) { rows_[id] = {v, ms, event_time_ ? ms.value_or(kNever) : now}; }
  Row* Find(int id, int64_t now) {
    const auto found = rows_.find(id);
    return found == rows_.end() || Expired(found->second, now) ? nullptr : &found->second;
  }
  void Erase(int id) { rows_.erase(id); }
  std::vector<int> Living(int64_t now) const {
    std::vector<int> ids;
    for (const auto& [id, row] : rows_) {
      if (!Expired(row, now)) ids.push_back(id);
    }
    return ids;
  }
  std::string Print(int64_t now) const {
    std::string text;
    for (const int id : Living(now)) {
      const Row& row = rows_.at(id);
      text += fmt::format("{}{}|{}|{}", text.empty() ? "" : ";", id, row.v, row.ms ? std::to_string(*row.ms) : "NULL");
    }
    return text;
  }

 private:
  static bool Expired(const Row& row, int64_t now) { return row.tag != kNever && row.tag + kTtlMs <= now; }

  const bool event_time_;
  Rows rows_;
};

class RandomStatements : public EverySqlEngine {
 protected:
  int Pick(int below) { return static_cast<int>(random_() % static_cast<uint64_t>(below)); }
  std::optional<int64_t> PickTime() {
    if (Pick(6) == 0) return std::nullopt;
    return now_ + Pick(3000) - 1500;
  }
  static std::string Text(std::optional<int64_t> ms) { return ms ? std::to_string(*ms) : "NULL"; }
  static constexpr std::string_view kAll = "SELECT id, v, ms FROM t ORDER BY id";

  // One statement on the server and on the model.
  void Write(Model& model) {
    const int id = Pick(12);
    const int v = Pick(1000);
    const std::optional<int64_t> ms = PickTime();
    Model::Row* row = model.Find(id, now_);
    const std::string_view one = row != nullptr ? "1" : "0";
    switch (Pick(8)) {
      case 0: {
        const std::string tag = Tag(fmt::format("INSERT INTO t VALUES ({}, {}, {})", id, v, Text(ms)));
        EXPECT_EQ(tag.substr(0, 5), row != nullptr ? "23505" : "INSER");
        if (row == nullptr) model.Put(id, v, ms, now_);
        break;
      }
      case 1:
        EXPECT_EQ(Tag(fmt::format("INSERT INTO t VALUES ({}, {}, {}) ON CONFLICT (id) DO UPDATE SET v = EXCLUDED.v, ms = EXCLUDED.ms", id, v,
                                  Text(ms))),
                  "INSERT 0 1");
        model.Put(id, v, ms, now_);
        break;
      case 2:
        EXPECT_EQ(Tag(fmt::format("INSERT INTO t VALUES ({}, {}, {}) ON CONFLICT (id) DO UPDATE SET v = t.v + 1", id, v, Text(ms))),
                  "INSERT 0 1");
        row != nullptr ? model.Put(id, row->v + 1, row->ms, now_) : model.Put(id, v, ms, now_);
        break;
      case 3:
        EXPECT_EQ(Tag(fmt::format("INSERT INTO t VALUES ({}, {}, {}) ON CONFLICT DO NOTHING", id, v, Text(ms))),
                  row != nullptr ? "INSERT 0 0" : "INSERT 0 1");
        if (row == nullptr) model.Put(id, v, ms, now_);
        break;
      case 4:
        EXPECT_EQ(Tag(fmt::format("UPDATE t SET v = {} WHERE id = {}", v, id)), fmt::format("UPDATE {}", one));
        if (row != nullptr) model.Put(id, v, row->ms, now_);
        break;
      case 5:
        EXPECT_EQ(Tag(fmt::format("UPDATE t SET ms = {} WHERE id = {}", Text(ms), id)), fmt::format("UPDATE {}", one));
        if (row != nullptr) model.Put(id, row->v, ms, now_);
        break;
      case 6: {
        const std::vector<int> living = model.Living(now_);
        EXPECT_EQ(Tag("UPDATE t SET v = v + 1"), fmt::format("UPDATE {}", living.size()));
        for (const int each : living) {
          const Model::Row old = *model.Find(each, now_);
          model.Put(each, old.v + 1, old.ms, now_);
        }
        break;
      }
      default:
        EXPECT_EQ(Tag(fmt::format("DELETE FROM t WHERE id = {}", id)), fmt::format("DELETE {}", one));
        if (row != nullptr) model.Erase(id);
    }
  }

  void Upkeep() {
    storage::Engine& engine = server_.engine();
    switch (Pick(4)) {
      case 0: storage::Must(engine.FlushMemtables()); break;
      case 1: storage::Must(engine.RunMaintenance()); break;
      case 2: storage::Must(engine.CompactTable(options_.table)); break;
      default: storage::Must(engine.Checkpoint());
    }
  }

  void MoveClock() {
    server_.AdvanceMs(Pick(5) == 0 ? -Pick(2000) : Pick(400));
    now_ = std::max(now_, server_.clock().NowMicros() / 1000);
  }

  void Run(bool event_time, uint64_t seed) {
    SCOPED_TRACE(fmt::format("{} time, seed {}", event_time ? "event" : "processing", seed));
    random_.seed(seed);
    now_ = std::max(now_, server_.engine().TtlNowMs());
    Do(fmt::format("DROP TABLE IF EXISTS t; CREATE TABLE t (id int PRIMARY KEY, v int, ms bigint) WITH ('table.kv.row.ttl' = '1s'{})",
                   event_time ? ", 'table.kv.row.ttl.time-column' = 'ms'" : ""));
    options_ = server_.OptionsOf("t");
    Model model(event_time);
    auto reader = server_.Connect();
    std::string frozen;  // what the reader's snapshot shows
    for (int step = 0; step < 400 && !HasFailure(); ++step) {
      const int what = Pick(100);
      if (what < 60) {
        Write(model);
      } else if (what < 75) {
        MoveClock();
      } else if (what < 90) {
        Upkeep();
      } else if (what < 97) {
        EXPECT_EQ(reader->ErrorOf("ROLLBACK; BEGIN ISOLATION LEVEL REPEATABLE READ"), "");
        frozen = model.Print(now_);
        EXPECT_EQ(reader->Rows(kAll), frozen);
      } else {
        reader.reset();
        Restart();
        reader = server_.Connect();
        // After an orderly end the time goes on where it stood.
        frozen = model.Print(now_);
        EXPECT_EQ(reader->ErrorOf("BEGIN ISOLATION LEVEL REPEATABLE READ"), "");
        EXPECT_EQ(reader->Rows(kAll), frozen);
      }
      EXPECT_EQ(Rows(kAll), model.Print(now_)) << "step " << step;
      EXPECT_EQ(Rows("SELECT count(*) FROM t"), std::to_string(model.Living(now_).size())) << "step " << step;
      if (!frozen.empty()) {
        EXPECT_EQ(reader->Rows(kAll), frozen) << "step " << step;
      }
    }
  }

  std::mt19937_64 random_;
  int64_t now_ = SqlServer::kStartMs;
  storage::TableOptions options_;
};
INSTANTIATE_TEST_SUITE_P(Engines, RandomStatements, harness::kEveryEngine, storage::EngineParamName);

TEST_P(RandomStatements, AgreeWithTheContract) {
  const uint64_t first = std::random_device{}();
  for (uint64_t seed = first; seed < first + 2; ++seed) {
    Run(/*event_time=*/true, seed);
    Run(/*event_time=*/false, seed);
  }
}

}  // namespace
}  // namespace mayfly::ttl
