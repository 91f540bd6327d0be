// pg_proc, pg_operator, pg_cast, pg_opclass, pg_opfamily: the fact tables as clients read them.
#include <map>

#include "catalog/tables/generators.h"
#include "catalog/tables/row_writer.h"

namespace mayfly::catalog {

namespace {

constexpr uint32_t kInternalLanguage = 12;

// pg_cast and pg_opfamily rows get their OIDs when a cluster is made.
constexpr uint32_t kFirstCastOid = 10000;

// Names of input and result arguments, their types and modes: NULLs where there is no result argument (and no name).
void WriteArguments(const ProcRow& proc, RowWriter& row) {
  std::vector<uint32_t> types(proc.args.begin(), proc.args.end());
  std::vector<int32_t> modes(proc.args.size(), 'i');
  std::vector<std::string_view> names(proc.arg_names.begin(), proc.arg_names.end());
  if (proc.variadic.valid() && !modes.empty()) modes.back() = 'v';
  if (names.empty() && !proc.out_names.empty()) names.resize(proc.args.size());
  for (size_t i = 0; i < proc.out_types.size(); ++i) {
    types.push_back(proc.out_types[i]);
    modes.push_back('o');
    names.push_back(proc.out_names[i]);
  }
  if (proc.out_types.empty() && !proc.variadic.valid()) {
    row.Null(2);
  } else {
    row.Array<uint32_t>(kOidOid, types).Array<int32_t>(kOidChar, modes);
  }
  if (names.empty()) {
    row.Null();
  } else {
    row.TextArray(names);
  }
}

void WriteProc(const ProcRow& proc, RowWriter& row) {
  row.Id(proc.oid)
      .Text(proc.name)
      .Id(kPgCatalogSchema)
      .Id(kBootstrapRole)
      .Id(kInternalLanguage)
      .Float4(1)
      .Float4(proc.returns_set ? 1000 : 0);
  row.Id(proc.variadic).Id(0u).Char(proc.kind).Bool(false).Bool(false).Bool(proc.strict).Bool(proc.returns_set);
  row.Char(static_cast<char>(proc.volatility))
      .Char('s')
      .Int2(static_cast<int>(proc.args.size()))
      .Int2(proc.defaults)
      .Id(proc.result);
  row.Vector<uint32_t>(kOidOid, proc.args);
  WriteArguments(proc, row);
  std::string defaults;
  for (const std::string_view text : proc.default_sql) defaults += (defaults.empty() ? "" : ", ") + std::string(text);
  if (defaults.empty()) {
    row.Null();
  } else {
    row.Copy(defaults);
  }
  row.Null().Text(proc.source).Null(4).Emit();
}

}  // namespace

void GeneratePgProc(const GenerateContext&, VirtualRowFn emit) {
  RowWriter row(emit);
  for (const ProcRow& proc : AllProcs()) WriteProc(proc, row);
}

void GeneratePgOperator(const GenerateContext&, VirtualRowFn emit) {
  RowWriter row(emit);
  for (const OperatorRow& op : AllOperators()) {
    row.Id(op.oid)
        .Text(op.name)
        .Id(kPgCatalogSchema)
        .Id(kBootstrapRole)
        .Char(op.left.valid() ? 'b' : 'l')
        .Bool(op.can_merge)
        .Bool(op.can_hash);
    row.Id(op.left).Id(op.right).Id(op.result).Id(op.commutator).Id(op.negator).Id(op.proc).Id(op.restriction).Id(op.join).Emit();
  }
}

void GeneratePgCast(const GenerateContext&, VirtualRowFn emit) {
  RowWriter row(emit);
  uint32_t oid = kFirstCastOid;
  for (const CastRow& cast : AllCasts()) {
    row.Id(oid++)
        .Id(cast.source)
        .Id(cast.target)
        .Id(cast.proc)
        .Char(static_cast<char>(cast.context))
        .Char(static_cast<char>(cast.method))
        .Emit();
  }
}

void GeneratePgOpclass(const GenerateContext&, VirtualRowFn emit) {
  RowWriter row(emit);
  for (const OperatorClassRow& entry : AllOperatorClasses()) {
    row.Id(entry.oid).Id(kBtreeAm).Text(entry.name).Id(kPgCatalogSchema).Id(kBootstrapRole).Id(entry.family).Id(entry.input);
    row.Bool(entry.is_default).Id(entry.key).Emit();
  }
}

void GeneratePgOpfamily(const GenerateContext&, VirtualRowFn emit) {
  RowWriter row(emit);
  std::map<Oid, std::string_view> families;
  for (const OperatorClassRow& entry : AllOperatorClasses()) families.emplace(entry.family, entry.family_name);
  for (const auto& [oid, name] : families) row.Id(oid).Id(kBtreeAm).Text(name).Id(kPgCatalogSchema).Id(kBootstrapRole).Emit();
}

}  // namespace mayfly::catalog
