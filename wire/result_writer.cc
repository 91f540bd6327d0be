#include "wire/result_writer.h"

#include <algorithm>

#include "base/bytes.h"
#include "wire/error_fields.h"

namespace mayfly::wire {
namespace {

void PutLength(std::string& out, size_t at, size_t length) {
  const auto value = ToBigEndian(static_cast<uint32_t>(length));
  std::memcpy(out.data() + at, &value, sizeof value);
}

void AppendValue(std::string& out, const types::TypeDesc& type, const types::Datum& value, Format format,
                 const types::IoContext& io) {
  const size_t start = out.size();
  out.append(4, '\0');
  if (format == Format::kBinary) {
    type.ops->send(type, value, io, out);
  } else {
    type.ops->out(type, value, io, out);
  }
  PutLength(out, start, out.size() - start - 4);
}

}  // namespace

void ResultWriter::AppendRow(const types::Batch& batch, size_t row, std::span<const session::ResultColumn> columns,
                             std::span<const Format> formats, const types::IoContext& io) {
  const size_t start = output_.size();
  const auto count = static_cast<uint16_t>(columns.size());
  output_.append({'D', 0, 0, 0, 0, static_cast<char>(count >> 8), static_cast<char>(count & 0xFF)});
  for (size_t i = 0; i < columns.size(); ++i) {
    const types::Vector& column = *batch.columns[i];
    if (column.IsNull(row)) {
      output_.append(4, '\xFF');
    } else {
      AppendValue(output_, *columns[i].type, column.Get(row), formats[i], io);
    }
  }
  PutLength(output_, start + 1, output_.size() - start - 1);
}

void ResultWriter::Rows(const types::Batch& batch, std::span<const session::ResultColumn> columns,
                        std::span<const Format> formats, const types::IoContext& io) {
  const types::Selection selection = batch.selection();
  for (size_t i = 0; i < selection.count; ++i) {
    AppendRow(batch, selection[i], columns, formats, io);
    DrainIfLarge();
  }
}

void ResultWriter::RowDescription(std::span<const session::ResultColumn> columns, std::span<const Format> formats) {
  Append(output_, backend::RowDescription{columns, formats});
}
void ResultWriter::NoData() { Append(output_, backend::NoData{}); }
void ResultWriter::ParameterDescription(std::span<const Oid> types) { Append(output_, backend::ParameterDescription{types}); }
void ResultWriter::CommandComplete(std::string_view tag) { Append(output_, backend::CommandComplete{tag}); }
void ResultWriter::EmptyQuery() { Append(output_, backend::EmptyQueryResponse{}); }
void ResultWriter::PortalSuspended() { Append(output_, backend::PortalSuspended{}); }

void ResultWriter::CopyInResponse(const session::CopyFormat& format) {
  Append(output_, backend::CopyInResponse{format});
  urgent_ = true;  // the client waits for it before it sends data
}
void ResultWriter::CopyOutResponse(const session::CopyFormat& format) { Append(output_, backend::CopyOutResponse{format}); }
void ResultWriter::CopyData(std::string_view bytes) {
  Append(output_, backend::CopyData{bytes});
  DrainIfLarge();
}
void ResultWriter::CopyDone() { Append(output_, backend::CopyDone{}); }

void ResultWriter::Notice(const SqlError& notice) {
  AppendNoticeResponse(output_, notice, statement_);
  urgent_ = true;
}

void ResultWriter::ParameterStatus(std::string_view name, std::string_view value) {
  const auto same_name = [name](const auto& setting) { return setting.first == name; };
  const auto found = std::find_if(changed_settings_.begin(), changed_settings_.end(), same_name);
  if (found != changed_settings_.end()) {
    found->second = value;
  } else {
    changed_settings_.emplace_back(name, value);
  }
}

void ResultWriter::AppendChangedSettings() {
  if (changed_settings_.empty()) return;
  for (const auto& [name, value] : changed_settings_) Append(output_, backend::ParameterStatus{name, value});
  changed_settings_.clear();
}

}  // namespace mayfly::wire
