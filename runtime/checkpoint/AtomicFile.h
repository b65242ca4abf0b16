//===- AtomicFile.h - Files that exist whole or not at all -------------------===//

#ifndef VESCALE_RUNTIME_CHECKPOINT_ATOMICFILE_H
#define VESCALE_RUNTIME_CHECKPOINT_ATOMICFILE_H

#include "layout/Status.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace vescale::runtime {

/// A file of known size that is written in memory under a temporary name beside its final one, then
/// synced and renamed. Without `commit` the temporary file disappears. Movable.
class AtomicFile {
public:
  AtomicFile() = default;
  AtomicFile(AtomicFile &&other) noexcept;
  AtomicFile &operator=(AtomicFile &&other) noexcept;
  ~AtomicFile();

  /// Reserves `size` bytes on the disk. Errors name the path and the reason of the system. Only a
  /// regular file is ever replaced.
  static layout::StatusOr<AtomicFile> create(const std::string &path, int64_t size);

  /// The bytes to fill; several threads may write to different parts.
  uint8_t *data() const { return bytes; }
  int64_t size() const { return length; }

  /// Syncs the bytes, renames the file and syncs its directory. Afterwards the object is empty.
  layout::Status commit();

private:
  void discard();

  std::string finalPath, temporaryPath;
  int file = -1;
  uint8_t *bytes = nullptr;
  int64_t length = 0;
};

/// Writes a whole text as an AtomicFile.
layout::Status writeFileAtomically(const std::string &path, std::string_view text);

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_CHECKPOINT_ATOMICFILE_H
