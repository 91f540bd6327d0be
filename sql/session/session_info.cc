// What functions, system tables and type input may ask of a session.
#include "catalog/describe.h"
#include "sql/session/session_impl.h"

namespace mayfly::session {

std::vector<std::string> SessionImpl::CurrentSchemas(bool with_implicit) const {
  std::vector<std::string> schemas;
  bool lists_catalog = false;
  for (const std::string& name : search_path_) {
    if (catalog_->FindSchema(name) == nullptr) continue;
    lists_catalog = lists_catalog || name == "pg_catalog";
    schemas.push_back(name);
  }
  if (with_implicit && !lists_catalog) schemas.insert(schemas.begin(), "pg_catalog");
  return schemas;
}

std::optional<std::string> SessionImpl::GetSetting(std::string_view name) const {
  if (!settings_.Get(name)) return std::nullopt;
  return settings_.Show(name);
}

std::string SessionImpl::SetSetting(std::string_view name, std::string_view value, bool is_local) {
  settings_.Set(name, value, is_local).value();
  RefreshSettings();
  return settings_.Show(name);
}

std::optional<std::string> SessionImpl::DescribeObject(std::string_view what, Oid oid, int32_t sub_id, bool pretty) const {
  return catalog::DescribeObject(*catalog_, search_path_, what, oid, sub_id, pretty);
}

std::optional<bool> SessionImpl::IsVisible(std::string_view what, Oid oid) const {
  return catalog::IsVisible(*catalog_, search_path_, what, oid);
}

void SessionImpl::ForEachSetting(FunctionRef<void(const SettingRow&)> fn) const {
  for (const session::SettingRow& row : AllSettings()) {
    const std::string value = *settings_.Get(row.name);
    const std::string reset = settings_.ResetValue(row.name);
    SettingRow out;
    out.name = row.name;
    out.value = value;
    out.unit = row.unit;
    out.category = row.category;
    out.description = row.description;
    out.context = row.context == SettingContext::kInternal ? "internal" : row.context == SettingContext::kPostmaster ? "postmaster" : "user";
    out.type = row.type == SettingType::kBool      ? "bool"
               : row.type == SettingType::kInteger ? "integer"
               : row.type == SettingType::kEnum    ? "enum"
                                                   : "string";
    out.boot_value = row.default_value;
    out.reset_value = reset;
    out.min_value = row.min;
    out.max_value = row.max;
    for (std::string_view rest = row.values.substr(0, row.values.find('/')); !rest.empty();) {
      const size_t end = std::min(rest.find(','), rest.size());
      out.enum_values.push_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    fn(out);
  }
}

}  // namespace mayfly::session
