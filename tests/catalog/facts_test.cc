// The fact tables contradict neither themselves nor each other (after PostgreSQL's opr_sanity and type_sanity).
#include "catalog/facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace mayfly::catalog {
namespace {

// The declared argument takes a value of `type` as it is: the same, polymorphic, or binary coercible (strings are that for
// PostgreSQL's casts too).
bool Takes(Oid declared, Oid type) {
  if (declared == type) return true;
  const TypeRow* row = FindTypeRow(declared);
  if (row != nullptr && row->kind == 'p') return true;
  const auto is_string = [](Oid oid) { return FindType(oid) != nullptr && (FindType(oid)->category == 'S' || oid == Oid{142}); };
  if (is_string(declared) && is_string(type)) return true;
  const CastRow* cast = FindCast(type, declared);
  return cast != nullptr && cast->method == CastMethod::kBinary;
}

TEST(FactsTest, OidsAscendAndAreFound) {
  const auto check = [](auto rows, auto oid_of, auto find) {
    Oid last;
    for (const auto& row : rows) {
      EXPECT_LT(last, oid_of(row));
      last = oid_of(row);
      EXPECT_EQ(find(last), &row);
    }
  };
  check(
      AllTypes(), [](const TypeRow& row) { return row.desc->oid; }, FindTypeRow);
  check(
      AllProcs(), [](const ProcRow& row) { return row.oid; }, FindProc);
  check(
      AllOperators(), [](const OperatorRow& row) { return row.oid; }, FindOperator);
  EXPECT_GT(AllProcs().size(), 3000u);
}

TEST(FactsTest, AnUnknownOidOrNameIsNotFound) {
  for (const uint32_t oid : {0u, 1u, 9999u, 10000u, 16384u, 4294967295u}) {
    EXPECT_EQ(FindType(Oid{oid}), nullptr);
    EXPECT_EQ(FindProc(Oid{oid}), nullptr);
    EXPECT_EQ(FindOperator(Oid{oid}), nullptr);
  }
  EXPECT_EQ(FindTypeByName("integer"), nullptr);
  EXPECT_TRUE(FindProcsByName("no_such_function").empty());
  EXPECT_TRUE(FindOperatorsByName("@@@#").empty());
  EXPECT_EQ(FindCast(kOidBool, kOidDate), nullptr);
}

TEST(FactsTest, TypesLinkToTheirArraysAndBack) {
  EXPECT_EQ(FindTypeByName("int4"), FindType(kOidInt4));
  for (const TypeRow& row : AllTypes()) {
    SCOPED_TRACE(row.desc->name);
    EXPECT_EQ(FindTypeByName(row.desc->name), row.desc);
    if (row.desc->array != nullptr) {
      EXPECT_EQ(row.desc->array->element, row.desc);
    }
    if (row.desc->category == 'A' && row.element.valid()) {
      EXPECT_EQ(row.desc->element, FindType(row.element));
    }
    if (row.desc->element != nullptr && row.desc->ops != nullptr) {
      EXPECT_NE(row.desc->element->ops, nullptr);
    }
    for (const Oid proc : {row.input, row.output, row.receive, row.send, row.typmod_in, row.typmod_out}) {
      if (proc.valid()) {
        EXPECT_NE(FindProc(proc), nullptr) << proc.value;
      }
    }
    EXPECT_FALSE(row.description.empty());
  }
}

TEST(FactsTest, NoTwoFunctionsAreCalledAlike) {
  std::set<std::pair<std::string_view, std::vector<uint32_t>>> seen;
  for (const ProcRow& row : AllProcs()) {
    EXPECT_TRUE(seen.emplace(row.name, std::vector<uint32_t>(row.args.begin(), row.args.end())).second)
        << row.name << " " << row.oid.value;
    EXPECT_FALSE(row.description.empty()) << row.name;
    EXPECT_EQ(row.out_types.size(), row.out_names.size()) << row.name;
    if (row.variadic.valid()) {
      EXPECT_FALSE(row.args.empty()) << row.name;
    }
    const auto found = FindProcsByName(row.name);
    EXPECT_NE(std::find(found.begin(), found.end(), &row), found.end());
  }
}

TEST(FactsTest, AFunctionHasTheBodyOfItsKind) {
  for (const ProcRow& row : AllProcs()) {
    SCOPED_TRACE(row.name);
    if (row.kernel != nullptr) {
      EXPECT_TRUE(row.kind == 'f' && !row.returns_set);
    }
    if (row.set_function != nullptr) {
      EXPECT_TRUE(row.kind == 'f' && row.returns_set);
    }
    if (row.aggregate != nullptr) {
      EXPECT_EQ(row.kind, 'a');
    }
  }
  EXPECT_TRUE(FindProc(Oid{177})->implemented());  // int4pl
}

TEST(FactsTest, AnImplementedFunctionUsesImplementedTypes) {
  for (const ProcRow& row : AllProcs()) {
    if (!row.implemented()) continue;
    for (const uint32_t arg : row.args) {
      const TypeRow* type = FindTypeRow(Oid{arg});
      ASSERT_NE(type, nullptr) << row.name;
      EXPECT_TRUE(type->desc->ops != nullptr || type->kind == 'p') << row.name << "(" << type->desc->name << ")";
    }
  }
}

TEST(FactsTest, EveryOperatorHasItsFunction) {
  for (const OperatorRow& row : AllOperators()) {
    SCOPED_TRACE(fmt::format("{} {}", row.oid.value, row.name));
    if (!row.proc.valid()) continue;  // a shell: PostgreSQL has none
    const ProcRow* proc = FindProc(row.proc);
    ASSERT_NE(proc, nullptr);
    ASSERT_EQ(proc->args.size(), row.left.valid() ? 2u : 1u);
    if (row.left.valid()) {
      EXPECT_TRUE(Takes(Oid{proc->args.front()}, row.left));
    }
    EXPECT_TRUE(Takes(Oid{proc->args.back()}, row.right));
    EXPECT_TRUE(Takes(row.result, proc->result) || Takes(proc->result, row.result));
  }
}

TEST(FactsTest, CommutatorsAndNegatorsAreMutual) {
  for (const OperatorRow& row : AllOperators()) {
    SCOPED_TRACE(fmt::format("{} {}", row.oid.value, row.name));
    if (row.commutator.valid()) {
      const OperatorRow* other = FindOperator(row.commutator);
      ASSERT_NE(other, nullptr);
      EXPECT_EQ(other->commutator, row.oid);
      EXPECT_EQ(other->left, row.right);
      EXPECT_EQ(other->right, row.left);
    }
    if (row.negator.valid()) {
      const OperatorRow* other = FindOperator(row.negator);
      ASSERT_NE(other, nullptr);
      EXPECT_EQ(other->negator, row.oid);
      EXPECT_EQ(row.result, kOidBool);
    }
  }
}

TEST(FactsTest, NoTwoOperatorsAreCalledAlike) {
  std::set<std::tuple<std::string_view, Oid, Oid>> seen;
  for (const OperatorRow& row : AllOperators()) EXPECT_TRUE(seen.emplace(row.name, row.left, row.right).second) << row.name;
}

TEST(FactsTest, CastsHaveTheirFunctions) {
  for (const CastRow& row : AllCasts()) {
    SCOPED_TRACE(fmt::format("{} -> {}", row.source.value, row.target.value));
    EXPECT_EQ(FindCast(row.source, row.target), &row);
    EXPECT_EQ(row.proc.valid(), row.method == CastMethod::kFunction);
    if (!row.proc.valid()) continue;
    const ProcRow* proc = FindProc(row.proc);
    ASSERT_NE(proc, nullptr);
    ASSERT_FALSE(proc->args.empty());
    EXPECT_TRUE(Takes(Oid{proc->args[0]}, row.source));
    EXPECT_TRUE(Takes(row.target, proc->result));
  }
}

TEST(FactsTest, BtreeOperatorsCompareTheirType) {
  for (const TypeRow& row : AllTypes()) {
    const BtreeOperators operators = FindBtreeOperators(row.desc->oid);
    if (!operators.equal.valid()) continue;
    SCOPED_TRACE(row.desc->name);
    EXPECT_EQ(FindOperator(operators.less)->name.front(), '<');
    EXPECT_EQ(FindOperator(operators.equal)->name.back(), '=');
    EXPECT_EQ(FindOperator(operators.less)->commutator, operators.greater);
  }
  EXPECT_EQ(FindBtreeOperators(kOidVarchar).equal, FindBtreeOperators(kOidText).equal);
  EXPECT_EQ(FindBtreeOperators(kOidInt4Array).equal, Oid{1070});
  EXPECT_FALSE(FindBtreeOperators(kOidJson).equal.valid());
}

TEST(FactsTest, DefaultsOfArgumentsAreKnown) {
  const auto found = FindProcsByName("jsonb_set");
  ASSERT_EQ(found.size(), 1u);
  ASSERT_EQ(found[0]->defaults, 1);
  EXPECT_EQ(found[0]->default_sql[0], "true");
  EXPECT_EQ(found[0]->arg_names[3], "create_if_missing");
}

}  // namespace
}  // namespace mayfly::catalog
