// Functions that tell about the session: names, settings, encodings (PostgreSQL manual, 9.26).
#include <array>

#include "sql/func/lift.h"
#include "sql/func/text_result.h"
#include "sql/types/array.h"

namespace mayfly::func {

namespace {

SessionInfo& Session(const KernelCall& call) {
  if (call.context.session == nullptr) Throw(SqlError::NotSupported("a function about the session outside of one"));
  return *call.context.session;
}

void SetAll(const KernelCall& call, std::string_view text) {
  for (size_t i = 0; i < call.rows.count; ++i) call.result.SetBytes(call.rows[i], text);
}
template <typename T>
void SetAllValues(const KernelCall& call, T value) {
  for (size_t i = 0; i < call.rows.count; ++i) call.result.Set<T>(call.rows[i], value);
}
void SetAllNull(const KernelCall& call) {
  for (size_t i = 0; i < call.rows.count; ++i) call.result.SetNull(call.rows[i]);
}

std::string Setting(const KernelCall& call, std::string_view name) {
  return Session(call).GetSetting(name).value_or(std::string());
}

// pg_enc by number: what clients ask for pg_database.encoding. Only UTF8 is ever a server encoding here.
constexpr std::array<std::string_view, 42> kEncodings = {
    "SQL_ASCII",  "EUC_JP",     "EUC_CN",  "EUC_KR",  "EUC_TW",  "EUC_JIS_2004",  "UTF8",    "MULE_INTERNAL", "LATIN1",
    "LATIN2",     "LATIN3",     "LATIN4",  "LATIN5",  "LATIN6",  "LATIN7",        "LATIN8",  "LATIN9",        "LATIN10",
    "WIN1256",    "WIN1258",    "WIN866",  "WIN874",  "KOI8R",   "WIN1251",       "WIN1252", "ISO_8859_5",    "ISO_8859_6",
    "ISO_8859_7", "ISO_8859_8", "WIN1250", "WIN1253", "WIN1254", "WIN1255",       "WIN1257", "KOI8U",         "SJIS",
    "BIG5",       "GBK",        "UHC",     "GB18030", "JOHAB",   "SHIFT_JIS_2004"};

}  // namespace

void CurrentDatabase(const KernelCall& call) { SetAll(call, Session(call).database_name()); }
void CurrentUser(const KernelCall& call) { SetAll(call, Session(call).user_name()); }
void SessionUser(const KernelCall& call) { SetAll(call, Session(call).session_user_name()); }
void PgBackendPid(const KernelCall& call) { SetAllValues<int32_t>(call, Session(call).backend_pid()); }

// The first schema of the search path that exists; NULL where there is none.
void CurrentSchema(const KernelCall& call) {
  const std::vector<std::string> schemas = Session(call).CurrentSchemas(false);
  if (schemas.empty()) {
    SetAllNull(call);
  } else {
    SetAll(call, schemas[0]);
  }
}

void CurrentSchemas(const KernelCall& call) {
  for (size_t i = 0; i < call.rows.count; ++i) {
    types::ArrayBuilder builder(*call.result_type.type->element);
    const bool with_implicit = call.args[0]->Get(call.rows[i]).get<bool>();
    for (const std::string& schema : Session(call).CurrentSchemas(with_implicit))
      builder.Append(types::Datum(std::string_view(schema)));
    call.result.SetDatum(call.rows[i], builder.Finish(call.result.heap()), true);
  }
}

void PgsqlVersion(const KernelCall& call) {
  SetAll(call, fmt::format("PostgreSQL {} (Mayfly)", Setting(call, "server_version")));
}

void ShowConfigByName(const KernelCall& call) {
  Lift<std::string_view(std::string_view)>(call, [&](std::string_view name) {
    const std::optional<std::string> value = Session(call).GetSetting(name);
    if (!value) Throw(SqlError::Make(kUndefinedObject, "unrecognized configuration parameter \"{}\"", name));
    return call.result.heap().Copy(*value);
  });
}
void ShowConfigByNameMissingOk(const KernelCall& call) {
  Lift<std::optional<std::string_view>(std::string_view, bool)>(call, [&](std::string_view name, bool missing_ok) {
    const std::optional<std::string> value = Session(call).GetSetting(name);
    if (!value && !missing_ok) Throw(SqlError::Make(kUndefinedObject, "unrecognized configuration parameter \"{}\"", name));
    return value ? std::optional(call.result.heap().Copy(*value)) : std::nullopt;
  });
}

// set_config(name, value, is_local). A NULL value sets the default.
void SetConfigByName(const KernelCall& call) {
  for (size_t i = 0; i < call.rows.count; ++i) {
    const size_t row = call.rows[i];
    if (call.args[0]->IsNull(row)) Throw(SqlError::Make(kNullValueNotAllowed, "SET requires parameter name"));
    if (call.args[1]->IsNull(row)) Throw(SqlError::NotSupported("set_config() with a NULL value"));
    const bool is_local = !call.args[2]->IsNull(row) && call.args[2]->Get(row).get<bool>();
    const types::Datum name = call.args[0]->Get(row);
    const types::Datum value = call.args[1]->Get(row);
    call.result.SetBytes(row, Session(call).SetSetting(name.bytes(), value.bytes(), is_local));
  }
}

void Getdatabaseencoding(const KernelCall& call) { SetAll(call, "UTF8"); }
void PgClientEncoding(const KernelCall& call) { SetAll(call, Setting(call, "client_encoding")); }
void PGEncodingToChar(const KernelCall& call) {
  Lift<std::string_view(int32_t)>(call, [](int32_t encoding) {
    return encoding >= 0 && static_cast<size_t>(encoding) < kEncodings.size() ? kEncodings[static_cast<size_t>(encoding)]
                                                                              : std::string_view();
  });
}
// Names are compared without case and without anything but letters and digits ('utf-8' is UTF8); -1 for an unknown one.
void PGCharToEncoding(const KernelCall& call) {
  const auto plain = [](std::string_view name) {
    std::string text;
    for (const char c : name) {
      if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) text += c;
      if (c >= 'A' && c <= 'Z') text += static_cast<char>(c + 32);
    }
    return text;
  };
  Lift<int32_t(std::string_view)>(call, [&](std::string_view name) {
    const std::string wanted = plain(name);
    for (size_t i = 0; i < kEncodings.size(); ++i) {
      if (plain(kEncodings[i]) == wanted) return static_cast<int32_t>(i);
    }
    return wanted == "unicode" ? 6 : -1;
  });
}
void PgEncodingMaxLengthSql(const KernelCall& call) {
  Lift<std::optional<int32_t>(int32_t)>(call, [](int32_t encoding) { return encoding == 6 ? std::optional(4) : std::nullopt; });
}

void PgIsInRecovery(const KernelCall& call) { SetAllValues(call, false); }
void PgJitAvailable(const KernelCall& call) { SetAllValues(call, false); }
void PgTriggerDepth(const KernelCall& call) { SetAllValues<int32_t>(call, 0); }
void PgMyTempSchema(const KernelCall& call) { SetAllValues<uint32_t>(call, 0); }
void PgIsOtherTempSchema(const KernelCall& call) { SetAllValues(call, false); }
void RowSecurityActive(const KernelCall& call) { SetAllValues(call, false); }

// NULL, as over a Unix socket: addresses are not shown yet.
void InetServerAddr(const KernelCall& call) { SetAllNull(call); }
void InetServerPort(const KernelCall& call) { SetAllNull(call); }
void InetClientAddr(const KernelCall& call) { SetAllNull(call); }
void InetClientPort(const KernelCall& call) { SetAllNull(call); }

}  // namespace mayfly::func
