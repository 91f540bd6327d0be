#include "sql/session/instance.h"

#include <random>

#include "sql/session/instance_impl.h"
#include "sql/session/session_impl.h"

namespace mayfly::session {

namespace {

SqlError Fatal(SqlError error) { return std::move(error).As(Severity::kFatal); }

}  // namespace

InstanceImpl::InstanceImpl(storage::Engine& engine, const Clock& clock, std::unique_ptr<catalog::Catalog> catalog, InstanceOptions options,
                           std::map<std::string, std::string> settings)
    : engine_(engine),
      clock_(clock),
      catalog_(std::move(catalog)),
      options_(std::move(options)),
      settings_(std::move(settings)),
      memory_(options_.memory_limit_bytes) {}

Result<std::unique_ptr<Session>> InstanceImpl::NewSession(const StartupRequest& request) {
  const catalog::SnapshotPtr snapshot = catalog_->Current();
  const catalog::RoleDescriptor* role = snapshot->FindRole(request.user);
  if (role == nullptr) {
    return Fatal(SqlError::Make(kInvalidAuthorizationSpecification, "role \"{}\" does not exist", request.user));
  }
  if (!role->can_login) {
    return Fatal(SqlError::Make(kInvalidAuthorizationSpecification, "role \"{}\" is not permitted to log in", request.user));
  }
  const std::string& database = request.database.empty() ? request.user : request.database;
  if (snapshot->FindDatabase(database) == nullptr) {
    return Fatal(SqlError::Make(kInvalidCatalogName, "database \"{}\" does not exist", database));
  }
  Settings settings(settings_);
  settings.SetInternal("session_authorization", request.user);
  for (const auto& [name, value] : request.settings) {
    if (Status set = settings.SetAtStartup(name, value); !set.ok()) return Fatal(std::move(set).error());
  }
  uint64_t seed = options_.random_seed + static_cast<uint64_t>(request.backend_pid);
  if (options_.random_seed == 0) seed = (uint64_t{std::random_device{}()} << 32) | std::random_device{}();
  StartupRequest resolved = request;
  resolved.database = database;
  return std::unique_ptr<Session>(std::make_unique<SessionImpl>(*this, resolved, role->oid, std::move(settings), seed));
}

std::optional<std::string> InstanceImpl::PasswordVerifier(std::string_view user) const {
  const catalog::SnapshotPtr snapshot = catalog_->Current();
  const catalog::RoleDescriptor* role = snapshot->FindRole(user);
  if (role == nullptr || role->password_verifier.empty()) return std::nullopt;
  return role->password_verifier;
}

std::string InstanceImpl::Setting(std::string_view name) const { return Settings(settings_).Get(name).value_or(std::string()); }

Result<std::unique_ptr<Instance>> OpenInstance(storage::Engine& engine, const Clock& clock, const InstanceOptions& options) {
  std::map<std::string, std::string> values;
  for (const auto& [name, text] : options.settings) {
    const SettingRow* row = FindSetting(name);
    if (row == nullptr) return SqlError::Make(kUndefinedObject, "unrecognized configuration parameter \"{}\"", name);
    if (row->context == SettingContext::kInternal) return SqlError::Make(kCantChangeRuntimeParam, "parameter \"{}\" cannot be changed", name);
    TRY(std::string, value, CheckSetting(*row, text));
    std::string key(row->name);
    for (char& c : key) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    values[key] = std::move(value);
  }
  TRY(std::unique_ptr<catalog::Catalog>, catalog, catalog::OpenCatalog(engine, options.bootstrap));
  return std::unique_ptr<Instance>(std::make_unique<InstanceImpl>(engine, clock, std::move(catalog), options, std::move(values)));
}

StatementTimer::~StatementTimer() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void StatementTimer::Arm(Session* session, int64_t timeout_ms) {
  const std::lock_guard lock(mutex_);
  deadlines_[session] = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  if (!thread_.joinable()) thread_ = std::thread([this] { Run(); });
  changed_.notify_all();
}

void StatementTimer::Disarm(Session* session) {
  const std::lock_guard lock(mutex_);
  deadlines_.erase(session);
}

void StatementTimer::Run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const Time now = std::chrono::steady_clock::now();
    Time next = now + std::chrono::hours(1);
    for (auto at = deadlines_.begin(); at != deadlines_.end();) {
      if (at->second <= now) {
        at->first->RequestInterrupt(SqlError::Make(kQueryCanceled, "canceling statement due to statement timeout"));
        at = deadlines_.erase(at);
      } else {
        next = std::min(next, at->second);
        ++at;
      }
    }
    changed_.wait_until(lock, next);
  }
}

}  // namespace mayfly::session
