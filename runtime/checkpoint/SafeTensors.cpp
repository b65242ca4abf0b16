#include "runtime/checkpoint/SafeTensors.h"

#include "runtime/checkpoint/RegionCopy.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>

using namespace vescale::runtime;
using vescale::layout::Status;
using vescale::layout::StatusOr;
using Json = nlohmann::ordered_json;

namespace {

constexpr std::pair<const char *, ElementType> types[] = {
    {"F64", ElementType::F64}, {"F32", ElementType::F32}, {"BF16", ElementType::BF16},
    {"F16", ElementType::F16}, {"I64", ElementType::I64}, {"I32", ElementType::I32},
    {"I16", ElementType::I16}, {"I8", ElementType::I8},   {"U8", ElementType::UI8},
    {"BOOL", ElementType::I1}};

const char *typeName(ElementType element) {
  for (auto [name, type] : types)
    if (type == element)
      return name;
  return nullptr;
}

/// Bytes of a tensor; nothing if a size is negative or the product does not fit.
std::optional<int64_t> tensorBytes(const std::vector<int64_t> &shape, ElementType element) {
  int64_t bytes = elementBytes(element);
  for (int64_t size : shape)
    if (size < 0 || __builtin_mul_overflow(bytes, size, &bytes))
      return std::nullopt;
  return bytes;
}

/// A list of non-negative integers, or nothing.
std::optional<std::vector<int64_t>> integers(const Json &json) {
  if (!json.is_array())
    return std::nullopt;
  std::vector<int64_t> result;
  for (const Json &item : json) {
    if (!item.is_number_unsigned() || item.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX))
      return std::nullopt;
    result.push_back(item.get<int64_t>());
  }
  return result;
}

} // namespace

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

StatusOr<SafeTensorsWriter>
SafeTensorsWriter::create(const std::string &path, std::vector<StoredTensor> tensors,
                          const std::map<std::string, std::string> &metadata) {
  SafeTensorsWriter writer;
  Json header = Json::object();
  if (!metadata.empty())
    header["__metadata__"] = metadata;
  int64_t end = 0;
  for (StoredTensor &tensor : tensors) {
    const char *type = typeName(tensor.element);
    std::optional<int64_t> bytes = tensorBytes(tensor.shape, tensor.element);
    if (!type || !bytes)
      return Status::error(fmt::format("{}: tensor {} of type {} cannot be stored", path,
                                       tensor.name, elementName(tensor.element)));
    if (header.contains(tensor.name) || tensor.name == "__metadata__")
      return Status::error(fmt::format("{}: two tensors are named {}", path, tensor.name));
    tensor.begin = end;
    tensor.bytes = *bytes;
    end += *bytes;
    header[tensor.name] = {
        {"dtype", type}, {"shape", tensor.shape}, {"data_offsets", {tensor.begin, end}}};
  }
  // Names that are not UTF-8 must not throw.
  std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.resize((text.size() + 7) / 8 * 8, ' ');
  StatusOr<AtomicFile> file = AtomicFile::create(path, 8 + static_cast<int64_t>(text.size()) + end);
  if (!file.ok())
    return file.status();
  uint64_t length = text.size();
  std::memcpy(file->data(), &length, 8);
  std::memcpy(file->data() + 8, text.data(), text.size());
  writer.dataBegin = 8 + static_cast<int64_t>(text.size());
  writer.file = std::move(*file);
  writer.tensors = std::move(tensors);
  return writer;
}

void SafeTensorsWriter::write(size_t index, const layout::LocalRegion &region,
                              const void *local) const {
  copyToGlobal(data(index), static_cast<const uint8_t *>(local), region, tensors[index].shape,
               elementBytes(tensors[index].element));
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

StatusOr<SafeTensorsReader> SafeTensorsReader::open(const std::string &path) {
  StatusOr<Mapping> mapping = Mapping::open(path);
  if (!mapping.ok())
    return mapping.status();
  SafeTensorsReader reader;
  reader.mapping = std::move(*mapping);
  if (Status status = reader.parse(path); !status.ok())
    return status;
  return reader;
}

Status SafeTensorsReader::parse(const std::string &path) {
  auto damaged = [&](const std::string &what) {
    return Status::error(fmt::format("{}: not a sound safetensors file: {}", path, what));
  };
  uint64_t length = 0;
  if (mapping.size() < 8)
    return damaged(fmt::format("{} bytes are too few for a header", mapping.size()));
  std::memcpy(&length, mapping.data(), 8);
  if (length > static_cast<uint64_t>(mapping.size() - 8))
    return damaged(fmt::format("a header of {} bytes in a file of {}", length, mapping.size()));
  dataBegin = 8 + static_cast<int64_t>(length);
  const char *text = reinterpret_cast<const char *>(mapping.data()) + 8;
  Json header = Json::parse(text, text + length, nullptr, false);
  if (!header.is_object())
    return damaged("the header is no JSON object");
  for (auto &[name, entry] : header.items()) {
    if (name == "__metadata__") {
      if (!entry.is_object())
        return damaged("the metadata is no object");
      for (auto &[key, value] : entry.items()) {
        if (!value.is_string())
          return damaged(fmt::format("metadata {} is no text", key));
        texts[key] = value.get<std::string>();
      }
      continue;
    }
    if (!entry.is_object() || !entry.contains("dtype") || !entry["dtype"].is_string() ||
        !entry.contains("shape") || !entry.contains("data_offsets"))
      return damaged(fmt::format("tensor {} has no dtype, shape and data_offsets", name));
    StoredTensor tensor;
    tensor.name = name;
    std::string type = entry["dtype"].get<std::string>();
    auto known = std::find_if(std::begin(types), std::end(types),
                              [&](auto &pair) { return type == pair.first; });
    if (known == std::end(types))
      return damaged(fmt::format("tensor {} has the unknown dtype {}", name, type));
    tensor.element = known->second;
    auto shape = integers(entry["shape"]), offsets = integers(entry["data_offsets"]);
    if (!shape || !offsets || offsets->size() != 2)
      return damaged(fmt::format("tensor {} has a bad shape or bad data_offsets", name));
    tensor.shape = *shape;
    tensor.begin = (*offsets)[0];
    tensor.bytes = (*offsets)[1] - (*offsets)[0];
    if (tensorBytes(tensor.shape, tensor.element) != tensor.bytes)
      return damaged(fmt::format("tensor {} has {} bytes, which is not the size of its shape", name,
                                 tensor.bytes));
    tensors.push_back(std::move(tensor));
  }
  std::sort(tensors.begin(), tensors.end(), [](const StoredTensor &a, const StoredTensor &b) {
    return std::tie(a.begin, a.bytes) < std::tie(b.begin, b.bytes);
  });
  int64_t end = 0;
  for (const StoredTensor &tensor : tensors) {
    if (tensor.begin != end)
      return damaged(fmt::format("tensor {} starts at byte {}, but the one before it ends at {}",
                                 tensor.name, tensor.begin, end));
    end += tensor.bytes;
  }
  if (dataBegin + end != mapping.size())
    return damaged(
        fmt::format("{} bytes of tensors in a file that has {}", end, mapping.size() - dataBegin));
  return Status::success();
}

const StoredTensor *SafeTensorsReader::find(const std::string &name) const {
  for (const StoredTensor &tensor : tensors)
    if (tensor.name == name)
      return &tensor;
  return nullptr;
}

void SafeTensorsReader::read(const StoredTensor &tensor, const layout::LocalRegion &region,
                             void *local) const {
  copyFromGlobal(static_cast<uint8_t *>(local), data(tensor), region, tensor.shape,
                 elementBytes(tensor.element));
}
