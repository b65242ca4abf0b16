//===- Mapping.h - A file in memory, to read -------------------------------===//

#ifndef VESCALE_RUNTIME_DATA_MAPPING_H
#define VESCALE_RUNTIME_DATA_MAPPING_H

#include "layout/Status.h"

#include <cstdint>
#include <string>

namespace vescale::runtime {

/// A read-only memory mapping of a whole regular file; empty files map to no bytes. Movable.
class Mapping {
public:
  Mapping() = default;
  Mapping(Mapping &&other) noexcept;
  Mapping &operator=(Mapping &&other) noexcept;
  ~Mapping();

  /// Errors name the path and the reason of the system.
  static layout::StatusOr<Mapping> open(const std::string &path);

  const uint8_t *data() const { return bytes; }
  int64_t size() const { return length; }

private:
  const uint8_t *bytes = nullptr;
  int64_t length = 0;
};

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_DATA_MAPPING_H
