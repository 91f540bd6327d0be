// format_type, pg_typeof, the to_reg* look-ups and the counts of NULLs (PostgreSQL manual, 9.26 and 9.2).
#include "sql/func/array_function.h"
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

void AppendTypeName(const KernelCall& call, Oid oid, bool typmod_given, int32_t typmod, std::string& out) {
  if (!oid.valid()) {
    out += '-';
    return;
  }
  if (types::AppendSqlTypeName(oid, typmod_given, typmod, out)) return;
  // The resolver prints digits for what it does not know.
  std::string name;
  Names(call).AppendName("regtype", oid, name);
  out += !name.empty() && name[0] >= '0' && name[0] <= '9' ? "?\?\?" : name;
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
    AppendTypeName(call, oid, given, typmod, text);
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

// 'integer, text' of '23 25': the argument types of a function.
void Oidvectortypes(const KernelCall& call) {
  std::string text;
  for (size_t i = 0; i < call.rows.count; ++i) {
    const ArrayArgument types(call, 0, call.rows[i]);
    text.clear();
    for (size_t at = 0; at < types->count(); ++at) {
      if (at > 0) text += ", ";
      AppendTypeName(call, Oid{types->Element(at).get<uint32_t>()}, false, -1, text);
    }
    call.result.SetBytes(call.rows[i], text);
  }
}

// The collation of the argument's type: there is no other way to have one yet.
void PgCollationFor(const KernelCall& call) {
  const types::TypeDesc& type = *call.arg_types[0].type;
  const types::TypeOps* ops = type.element != nullptr ? type.element->ops : type.ops;
  const bool collatable = ops == &types::kTextOps || ops == &types::kVarcharOps || ops == &types::kBpcharOps || ops == &types::kUnknownOps;
  if (!collatable && ops != &types::kNameOps) {
    Throw(SqlError::Make(kDatatypeMismatch, "collations are not supported by type {}", types::FormatType(type)));
  }
  for (size_t i = 0; i < call.rows.count; ++i) call.result.SetBytes(call.rows[i], collatable ? "\"default\"" : "\"C\"");
}

namespace {

// 'a=b' -> a, b; without '=' the value is NULL.
class OptionsFunction final : public SetFunction {
 public:
  explicit OptionsFunction(const SetFunctionCall& call) : value_(call.args[0]), options_(*call.arg_types[0].type->element, value_.bytes()) {}
  size_t Next(size_t rows_max, std::span<types::Vector* const> columns) override {
    size_t row = 0;
    for (; row < rows_max && next_ < options_.count(); ++next_) {
      if (options_.IsNull(next_)) continue;
      const types::Datum option = options_.Element(next_);
      const size_t equals = option.bytes().find('=');
      columns[0]->SetBytes(row, option.bytes().substr(0, equals));
      if (equals == std::string_view::npos) {
        columns[1]->SetNull(row);
      } else {
        columns[1]->SetBytes(row, option.bytes().substr(equals + 1));
      }
      ++row;
    }
    return row;
  }

 private:
  types::Datum value_;
  types::ArrayReader options_;
  size_t next_ = 0;
};

}  // namespace

std::unique_ptr<SetFunction> PgOptionsToTable(const SetFunctionCall& call) { return std::make_unique<OptionsFunction>(call); }

void PgNumNulls(const KernelCall& call) { CountNulls(call, true); }
void PgNumNonnulls(const KernelCall& call) { CountNulls(call, false); }

}  // namespace mayfly::func
