// format_type, pg_typeof, the to_reg* look-ups and the counts of NULLs (PostgreSQL manual, 9.26 and 9.2).
#include "sql/func/lift.h"
#include "sql/func/text_result.h"
#include "sql/types/format_type.h"

namespace mayfly::func {

namespace {

const types::NameResolver& Names(const KernelCall& call) {
  if (call.context.io.names == nullptr) Throw(SqlError::NotSupported("looking up a name outside of a session"));
  return *call.context.io.names;
}

// NULL where the name resolves to nothing; malformed names are errors.
void ToRegKernel(const KernelCall& call, std::string_view kind) {
  Lift<std::optional<uint32_t>(std::string_view)>(call, [&](std::string_view name) -> std::optional<uint32_t> {
    Result<Oid> oid = Names(call).ResolveName(kind, name);
    if (oid.ok()) return oid->value;
    const SqlState state = oid.error().state;
    if (state == kUndefinedTable || state == kUndefinedObject || state == kUndefinedFunction || state == kInvalidSchemaName)
      return std::nullopt;
    Throw(std::move(oid).error());
  });
}

void CountNulls(const KernelCall& call, bool nulls) {
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    int32_t count = 0;
    for (const types::Vector* argument : call.args) count += argument->IsNull(row) == nulls ? 1 : 0;
    call.result.Set(row, count);
  }
}

}  // namespace

// format_type(oid, typmod): NULL for a NULL oid; a NULL typmod means that none is known.
void FormatType(const KernelCall& call) {
  std::string text;
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    if (call.args[0]->IsNull(row)) {
      call.result.SetNull(row);
      continue;
    }
    const Oid oid{call.args[0]->Get(row).get<uint32_t>()};
    const bool given = !call.args[1]->IsNull(row);
    const int32_t typmod = given ? call.args[1]->Get(row).get<int32_t>() : -1;
    text.clear();
    if (!oid.valid()) {
      text = "-";
    } else if (!types::AppendSqlTypeName(oid, given, typmod, text)) {
      Names(call).AppendName("regtype", oid, text);
      // The resolver prints digits for what it does not know.
      if (!text.empty() && text[0] >= '0' && text[0] <= '9') text = "???";
    }
    call.result.SetBytes(row, text);
  }
}

void PgTypeof(const KernelCall& call) {
  for (size_t i = 0; i < call.rows.count; ++i) call.result.Set(call.rows[i], call.arg_types[0].type->oid.value);
}

void TextRegclass(const KernelCall& call) {
  Lift<uint32_t(std::string_view)>(
      call, [&](std::string_view name) { return Names(call).ResolveName("regclass", name).value().value; });
}
void ToRegclass(const KernelCall& call) { ToRegKernel(call, "regclass"); }
void ToRegtype(const KernelCall& call) { ToRegKernel(call, "regtype"); }
void ToRegproc(const KernelCall& call) { ToRegKernel(call, "regproc"); }
void ToRegprocedure(const KernelCall& call) { ToRegKernel(call, "regprocedure"); }
void ToRegoper(const KernelCall& call) { ToRegKernel(call, "regoper"); }
void ToRegoperator(const KernelCall& call) { ToRegKernel(call, "regoperator"); }
void ToRegnamespace(const KernelCall& call) { ToRegKernel(call, "regnamespace"); }
void ToRegrole(const KernelCall& call) { ToRegKernel(call, "regrole"); }

void PgNumNulls(const KernelCall& call) { CountNulls(call, true); }
void PgNumNonnulls(const KernelCall& call) { CountNulls(call, false); }

}  // namespace mayfly::func
