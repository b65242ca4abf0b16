#include "runtime/checkpoint/AtomicFile.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace vescale::runtime;
using vescale::layout::Status;
using vescale::layout::StatusOr;

static Status failure(const std::string &path, const char *what, int error) {
  return Status::error(fmt::format("{}: {}: {}", path, what, std::strerror(error)));
}

AtomicFile::AtomicFile(AtomicFile &&other) noexcept { *this = std::move(other); }

AtomicFile &AtomicFile::operator=(AtomicFile &&other) noexcept {
  std::swap(finalPath, other.finalPath);
  std::swap(temporaryPath, other.temporaryPath);
  std::swap(file, other.file);
  std::swap(bytes, other.bytes);
  std::swap(length, other.length);
  return *this;
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::discard() {
  if (bytes)
    munmap(bytes, static_cast<size_t>(length));
  if (file >= 0) {
    close(file);
    unlink(temporaryPath.c_str());
  }
  bytes = nullptr;
  file = -1;
}

StatusOr<AtomicFile> AtomicFile::create(const std::string &path, int64_t size) {
  // A rename would replace a device, and fail at a directory only once all is written.
  struct stat existing {};
  if (stat(path.c_str(), &existing) == 0 && !S_ISREG(existing.st_mode))
    return Status::error(fmt::format("{}: cannot replace: it is {}", path,
                                     S_ISDIR(existing.st_mode) ? "a directory" : "no regular file"));
  AtomicFile result;
  result.finalPath = path;
  result.temporaryPath = fmt::format("{}.{}.tmp", path, getpid());
  result.length = size;
  result.file = open(result.temporaryPath.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (result.file < 0)
    return failure(path, "cannot create", errno);
  if (size == 0)
    return result;
  // A full disk must be seen here: a store to a mapping cannot report it.
  if (int error = posix_fallocate(result.file, 0, size))
    return failure(path, "cannot reserve space", error);
  void *address =
      mmap(nullptr, static_cast<size_t>(size), PROT_READ | PROT_WRITE, MAP_SHARED, result.file, 0);
  if (address == MAP_FAILED)
    return failure(path, "cannot map", errno);
  result.bytes = static_cast<uint8_t *>(address);
  return result;
}

Status AtomicFile::commit() {
  if (bytes && msync(bytes, static_cast<size_t>(length), MS_SYNC) != 0)
    return failure(finalPath, "cannot write", errno);
  if (fsync(file) != 0)
    return failure(finalPath, "cannot sync", errno);
  if (rename(temporaryPath.c_str(), finalPath.c_str()) != 0)
    return failure(finalPath, "cannot rename", errno);
  if (bytes)
    munmap(bytes, static_cast<size_t>(length));
  bytes = nullptr;
  close(file);
  file = -1;
  std::string directory = std::filesystem::path(finalPath).parent_path().string();
  int handle =
      open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0)
    return failure(finalPath, "cannot open the directory", errno);
  // Some file systems cannot sync directories and say so; the file itself is safe.
  int synced = fsync(handle);
  int error = errno;
  close(handle);
  if (synced != 0 && error != EINVAL && error != ENOTSUP)
    return failure(finalPath, "cannot sync the directory", error);
  return Status::success();
}

Status vescale::runtime::writeFileAtomically(const std::string &path, std::string_view text) {
  StatusOr<AtomicFile> file = AtomicFile::create(path, static_cast<int64_t>(text.size()));
  if (!file.ok())
    return file.status();
  if (!text.empty())
    std::memcpy(file->data(), text.data(), text.size());
  return file->commit();
}
