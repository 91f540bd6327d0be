// Choosing the best of several overloads that all fit (PostgreSQL manual, 10.3, step 4).
#include <algorithm>

#include "sql/analyze/known_types.h"
#include "sql/analyze/resolve.h"

namespace mayfly::analyze {

using Types = std::span<const TypeDesc* const>;

void KeepMatching(Types actual, std::vector<Candidate>& candidates) {
  std::erase_if(candidates,
                [&](const Candidate& candidate) { return !CanCoerceAll(actual, candidate.args, CastContext::kImplicit); });
}

namespace {

// Keeps the candidates with the most arguments for which `matches`.
template <typename Matches>
void KeepBest(Types actual, std::vector<Candidate>& candidates, Matches&& matches) {
  size_t best = 0;
  std::vector<size_t> counts;
  counts.reserve(candidates.size());
  for (const Candidate& candidate : candidates) {
    size_t count = 0;
    for (size_t i = 0; i < actual.size(); ++i) {
      if (!IsUnknown(actual[i]) && matches(actual[i], candidate.args[i])) ++count;
    }
    counts.push_back(count);
    best = std::max(best, count);
  }
  size_t index = 0;
  std::erase_if(candidates, [&](const Candidate&) { return counts[index++] != best; });
}

// For each unknown argument: the category that its type must have, and whether it must be preferred. False where the candidates
// disagree.
struct Slot {
  char category = '\0';
  bool preferred = false;
};
bool FindSlots(Types actual, const std::vector<Candidate>& candidates, std::vector<Slot>& slots) {
  for (size_t i = 0; i < actual.size(); ++i) {
    if (!IsUnknown(actual[i])) continue;
    Slot& slot = slots[i];
    bool conflict = false;
    for (const Candidate& candidate : candidates) {
      const TypeDesc& type = *candidate.args[i];
      if (slot.category == '\0') {
        slot = {type.category, type.preferred};
      } else if (type.category == slot.category) {
        slot.preferred = slot.preferred || type.preferred;
      } else if (type.category == 'S') {
        // An unknown literal looks like a string: strings win.
        slot = {type.category, type.preferred};
      } else {
        conflict = true;
      }
    }
    if (conflict && slot.category != 'S') return false;
  }
  return true;
}

bool FitsSlots(Types actual, const Candidate& candidate, const std::vector<Slot>& slots) {
  for (size_t i = 0; i < actual.size(); ++i) {
    if (!IsUnknown(actual[i])) continue;
    const TypeDesc& type = *candidate.args[i];
    if (type.category != slots[i].category || (slots[i].preferred && !type.preferred)) return false;
  }
  return true;
}

}  // namespace

const Candidate* SelectCandidate(Types actual, std::vector<Candidate> candidates, Candidate& storage) {
  const auto take = [&](Candidate& candidate) {
    storage = std::move(candidate);
    return &storage;
  };
  KeepBest(actual, candidates, [](const TypeDesc* type, const TypeDesc* declared) { return type == declared; });
  if (candidates.size() == 1) return take(candidates[0]);
  KeepBest(actual, candidates, [](const TypeDesc* type, const TypeDesc* declared) {
    return type == declared || (declared->preferred && declared->category == type->category);
  });
  if (candidates.size() == 1) return take(candidates[0]);

  const auto unknowns = static_cast<size_t>(std::count_if(actual.begin(), actual.end(), IsUnknown));
  if (unknowns == 0) return nullptr;
  std::vector<Slot> slots(actual.size());
  if (FindSlots(actual, candidates, slots)) {
    const auto fits = [&](const Candidate& candidate) { return FitsSlots(actual, candidate, slots); };
    if (std::any_of(candidates.begin(), candidates.end(), fits)) {
      std::erase_if(candidates, [&](const Candidate& candidate) { return !fits(candidate); });
    }
    if (candidates.size() == 1) return take(candidates[0]);
  }
  if (unknowns == actual.size()) return nullptr;

  // Last resort: where all known arguments have one type, the unknown ones are assumed to have it too.
  const TypeDesc* known = nullptr;
  for (const TypeDesc* type : actual) {
    if (IsUnknown(type)) continue;
    if (known != nullptr && known != type) return nullptr;
    known = type;
  }
  const std::vector<const TypeDesc*> assumed(actual.size(), known);
  KeepMatching(assumed, candidates);
  return candidates.size() == 1 ? take(candidates[0]) : nullptr;
}

}  // namespace mayfly::analyze
