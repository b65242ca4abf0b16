//===- SafeTensors.h - Tensors in a file -------------------------------------===//
//
// The safetensors format (github.com/huggingface/safetensors): the length of the header in 8
// little-endian bytes, the header as JSON {name: {dtype, shape, data_offsets}}, then the tensors,
// row-major, without gaps. Tensors are global: whatever the mesh, the file is the same.
//
//===----------------------------------------------------------------------===//

#ifndef VESCALE_RUNTIME_CHECKPOINT_SAFETENSORS_H
#define VESCALE_RUNTIME_CHECKPOINT_SAFETENSORS_H

#include "layout/Region.h"
#include "layout/Status.h"
#include "runtime/checkpoint/AtomicFile.h"
#include "runtime/data/Mapping.h"
#include "runtime/format/Schedule.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace vescale::runtime {

/// What a file says about a tensor. `begin` counts bytes after the header.
struct StoredTensor {
  std::string name;
  ElementType element = ElementType::F32;
  std::vector<int64_t> shape;
  int64_t begin = 0, bytes = 0;
};

/// Writes a file in place in memory; ranks write their own regions, concurrently where they are
/// disjoint.
class SafeTensorsWriter {
public:
  /// Lays the tensors out in the given order; `begin` and `bytes` of the entries are computed here.
  /// Errors: two tensors of one name, a type that the format does not have, errors of the file.
  static layout::StatusOr<SafeTensorsWriter>
  create(const std::string &path, std::vector<StoredTensor> tensors,
         const std::map<std::string, std::string> &metadata = {});

  /// The row-major bytes of tensor number `index`.
  uint8_t *data(size_t index) const { return file.data() + dataBegin + tensors[index].begin; }

  /// Copies a rank's part of tensor `index` from its local storage.
  void write(size_t index, const layout::LocalRegion &region, const void *local) const;

  /// Makes the file appear under its name.
  layout::Status commit() { return file.commit(); }

private:
  std::vector<StoredTensor> tensors;
  AtomicFile file;
  int64_t dataBegin = 0;
};

/// Reads a file that is mapped in memory. The header is checked completely: a damaged file is
/// refused.
class SafeTensorsReader {
public:
  /// Errors name the file and what is wrong: length, JSON, types, shapes, offsets that overlap or
  /// leave gaps.
  static layout::StatusOr<SafeTensorsReader> open(const std::string &path);

  /// All tensors, in the order of their bytes.
  const std::vector<StoredTensor> &list() const { return tensors; }
  const std::map<std::string, std::string> &metadata() const { return texts; }

  /// The tensor of this name; nullptr if there is none.
  const StoredTensor *find(const std::string &name) const;

  const uint8_t *data(const StoredTensor &tensor) const {
    return mapping.data() + dataBegin + tensor.begin;
  }

  /// Copies a rank's part of a tensor to its local storage.
  void read(const StoredTensor &tensor, const layout::LocalRegion &region, void *local) const;

private:
  layout::Status parse(const std::string &path);

  Mapping mapping;
  std::vector<StoredTensor> tensors;
  std::map<std::string, std::string> texts;
  int64_t dataBegin = 0;
};

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_CHECKPOINT_SAFETENSORS_H
