// libpq results as values.
#include "sqllogictest/runner/client.h"

#include <cstdlib>

namespace mayfly::slt {
namespace {

void ReadError(const PGresult* result, PGconn* connection, Outcome& outcome) {
  const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const char* message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  outcome.sqlstate = state != nullptr ? state : "08006";
  outcome.message = message != nullptr ? message : PQerrorMessage(connection);
}

void ReadRows(const PGresult* result, Outcome& outcome) {
  const int columns = PQnfields(result);
  for (int column = 0; column < columns; ++column) {
    outcome.names.emplace_back(PQfname(result, column));
    outcome.types.push_back(PQftype(result, column));
  }
  const int rows = PQntuples(result);
  outcome.rows.resize(static_cast<std::size_t>(rows));
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      std::optional<std::string> value;
      if (PQgetisnull(result, row, column) == 0) value = PQgetvalue(result, row, column);
      outcome.rows[static_cast<std::size_t>(row)].push_back(std::move(value));
    }
  }
}

}  // namespace

Client::Client(const std::string& conninfo) : connection_(PQconnectdb(conninfo.c_str()), &PQfinish) {
  PQsetNoticeProcessor(connection_.get(), [](void*, const char*) {}, nullptr);
}

Outcome Client::Run(const std::string& sql) {
  Outcome outcome;
  const std::unique_ptr<PGresult, decltype(&PQclear)> result(PQexec(connection_.get(), sql.c_str()), &PQclear);
  switch (PQresultStatus(result.get())) {
    case PGRES_TUPLES_OK:
      outcome.returns_rows = true;
      ReadRows(result.get(), outcome);
      [[fallthrough]];
    case PGRES_COMMAND_OK:
    case PGRES_EMPTY_QUERY:
      outcome.affected = std::strtoll(PQcmdTuples(result.get()), nullptr, 10);
      break;
    case PGRES_COPY_IN:
    case PGRES_COPY_OUT:
      outcome.sqlstate = "0A000";
      outcome.message = "COPY through the connection is not part of the dialect";
      PQreset(connection_.get());
      break;
    default:
      ReadError(result.get(), connection_.get(), outcome);
  }
  return outcome;
}

}  // namespace mayfly::slt
