// libpg_query is built from 15.1's headers, ours are those of the installed 15.x: each node tag that the library can print is forged from
// our header's number and must come out under its own name. One process a tag, since a wrong one may crash.
#include "sql/parse/pg_nodes.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <string>

extern "C" {
char* pg_query_node_to_json(const void* node);
void* pg_query_enter_memory_context();
void pg_query_exit_memory_context(void* context);
}

namespace mayfly::parse {
namespace {

struct NamedTag {
  ::NodeTag tag;
  const char* name;
};

#define TAG(name) NamedTag{T_##name, #name}
const NamedTag kTags[] = {
    TAG(Alias),          TAG(RangeVar),        TAG(IntoClause),       TAG(GroupingFunc),   TAG(NamedArgExpr),    TAG(BoolExpr),
    TAG(SubLink),        TAG(CaseExpr),        TAG(CaseWhen),         TAG(RowExpr),        TAG(CoalesceExpr),    TAG(MinMaxExpr),
    TAG(SQLValueFunction), TAG(XmlExpr),       TAG(NullTest),         TAG(BooleanTest),    TAG(SetToDefault),    TAG(CurrentOfExpr),
    TAG(JoinExpr),       TAG(OnConflictExpr),  TAG(TypeName),         TAG(ColumnRef),      TAG(ParamRef),        TAG(A_Expr),
    TAG(TypeCast),       TAG(CollateClause),   TAG(RoleSpec),         TAG(FuncCall),       TAG(A_Star),          TAG(A_Indices),
    TAG(A_Indirection),  TAG(A_ArrayExpr),     TAG(ResTarget),        TAG(MultiAssignRef), TAG(SortBy),          TAG(WindowDef),
    TAG(RangeSubselect), TAG(RangeFunction),   TAG(RangeTableSample), TAG(RangeTableFunc), TAG(ColumnDef),       TAG(TableLikeClause),
    TAG(IndexElem),      TAG(DefElem),         TAG(LockingClause),    TAG(XmlSerialize),   TAG(PartitionSpec),   TAG(GroupingSet),
    TAG(WithClause),     TAG(InferClause),     TAG(OnConflictClause), TAG(CTESearchClause), TAG(CTECycleClause), TAG(CommonTableExpr),
    TAG(InsertStmt),     TAG(DeleteStmt),      TAG(UpdateStmt),       TAG(MergeStmt),      TAG(SelectStmt),      TAG(AlterTableStmt),
    TAG(AlterTableCmd),  TAG(GrantStmt),       TAG(GrantRoleStmt),    TAG(CopyStmt),       TAG(CreateStmt),      TAG(Constraint),
    TAG(DefineStmt),     TAG(DropStmt),        TAG(TruncateStmt),     TAG(CommentStmt),    TAG(FetchStmt),       TAG(IndexStmt),
    TAG(RenameStmt),     TAG(TransactionStmt), TAG(ViewStmt),         TAG(VacuumStmt),     TAG(VacuumRelation),  TAG(ExplainStmt),
    TAG(CreateTableAsStmt), TAG(VariableSetStmt), TAG(VariableShowStmt), TAG(DiscardStmt), TAG(LockStmt),        TAG(CheckPointStmt),
    TAG(CreateSchemaStmt), TAG(PrepareStmt),   TAG(ExecuteStmt),      TAG(DeallocateStmt), TAG(DeclareCursorStmt), TAG(ListenStmt),
};
#undef TAG

// What the library calls a zeroed node with this tag; empty where it died over it.
std::string LibraryName(::NodeTag tag) {
  int fds[2];
  if (pipe(fds) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    alignas(16) char node[512] = {};
    std::memcpy(node, &tag, sizeof tag);
    pg_query_enter_memory_context();
    const char* json = pg_query_node_to_json(node);
    const ssize_t written = json == nullptr ? 0 : write(fds[1], json, std::min<size_t>(std::strlen(json), 100));
    _exit(written > 0 ? 0 : 1);
  }
  close(fds[1]);
  char buffer[128];
  const ssize_t size = read(fds[0], buffer, sizeof buffer);
  close(fds[0]);
  int status = 0;
  waitpid(child, &status, 0);
  const std::string json(buffer, size > 0 ? static_cast<size_t>(size) : 0);  // {"SelectStmt":{…}}
  const size_t begin = json.find('"');
  return begin == std::string::npos ? std::string() : json.substr(begin + 1, json.find('"', begin + 1) - begin - 1);
}

TEST(NodeAbi, TagsOfTheHeadersAreTheLibrarys) {
  for (const NamedTag& tag : kTags) EXPECT_EQ(LibraryName(tag.tag), tag.name) << tag.tag;
}

}  // namespace
}  // namespace mayfly::parse
