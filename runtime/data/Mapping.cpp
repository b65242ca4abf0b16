#include "runtime/data/Mapping.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace vescale::runtime;
using vescale::layout::Status;
using vescale::layout::StatusOr;

Mapping::Mapping(Mapping &&other) noexcept
    : bytes(std::exchange(other.bytes, nullptr)), length(std::exchange(other.length, 0)) {}

Mapping &Mapping::operator=(Mapping &&other) noexcept {
  std::swap(bytes, other.bytes);
  std::swap(length, other.length);
  return *this;
}

Mapping::~Mapping() {
  if (bytes)
    munmap(const_cast<uint8_t *>(bytes), static_cast<size_t>(length));
}

StatusOr<Mapping> Mapping::open(const std::string &path) {
  auto failure = [&](const char *what) {
    return Status::error(fmt::format("{}: {}: {}", path, what, std::strerror(errno)));
  };
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return failure("cannot open");
  struct stat information;
  if (fstat(file, &information) != 0) {
    Status status = failure("cannot inspect");
    close(file);
    return status;
  }
  if (!S_ISREG(information.st_mode)) {
    close(file);
    return Status::error(fmt::format("{}: not a regular file", path));
  }
  Mapping mapping;
  if (information.st_size > 0) {
    size_t length = static_cast<size_t>(information.st_size);
    void *address = mmap(nullptr, length, PROT_READ, MAP_PRIVATE, file, 0);
    if (address == MAP_FAILED) {
      Status status = failure("cannot map");
      close(file);
      return status;
    }
    mapping.bytes = static_cast<const uint8_t *>(address);
    mapping.length = information.st_size;
  }
  close(file);
  return mapping;
}
