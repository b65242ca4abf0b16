//===- Linker.cpp - a schedule, its kernels and the runtime as one file ---===//

#include "compiler/driver/Linker.h"

#include "runtime/seal/Seal.h"
#include "runtime/train/LinkCommand.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

using llvm::SmallString;
using llvm::StringRef;
using vescale::layout::Status;
using vescale::layout::StatusOr;

namespace vescale {
namespace {

/// A folder that is removed with all that is in it.
class TemporaryFolder {
public:
  ~TemporaryFolder() {
    if (!path.empty())
      llvm::sys::fs::remove_directories(path);
  }
  std::error_code create() { return llvm::sys::fs::createUniqueDirectory("vescale-compile", path); }
  std::string file(StringRef name) const {
    SmallString<128> result(path);
    llvm::sys::path::append(result, name);
    return std::string(result);
  }

private:
  SmallString<128> path;
};

Status writeFile(const std::string &path, StringRef bytes) {
  std::error_code error;
  llvm::raw_fd_ostream stream(path, error);
  if (!error) {
    stream << bytes;
    stream.close();
    error = stream.error();
    stream.clear_error();
  }
  return error ? Status::error("cannot write " + path + ": " + error.message()) : Status::success();
}

/// Runs a command; on failure the message ends with what it printed.
Status run(const std::vector<std::string> &command, const std::string &log) {
  auto program = llvm::sys::findProgramByName(command[0]);
  if (!program)
    return Status::error("linking needs " + command[0] + ", which is not installed");
  std::vector<StringRef> arguments(command.begin(), command.end());
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(log), StringRef(log)};
  std::string error;
  int code = llvm::sys::ExecuteAndWait(*program, arguments, std::nullopt, redirects, 0, 0, &error);
  if (code == 0)
    return Status::success();
  auto printed = llvm::MemoryBuffer::getFile(log);
  return Status::error(command[0] + " failed: " + error + (printed ? (*printed)->getBuffer().str() : ""));
}

StatusOr<std::string> findArchive(const std::string &given) {
  if (!given.empty()) {
    if (!llvm::sys::fs::exists(given))
      return Status::error("there is no runtime archive " + given);
    return given;
  }
  static int anchor;
  SmallString<256> folder(llvm::sys::fs::getMainExecutable(nullptr, &anchor));
  llvm::sys::path::remove_filename(folder);
  // Beside an installed compiler, and in Bazel's output.
  for (StringRef place : {"../lib/libvescale_training.a", "../../runtime/libvescale_training.a",
                          "../../../runtime/libvescale_training.a"}) {
    SmallString<256> path(folder);
    llvm::sys::path::append(path, place);
    if (llvm::sys::fs::exists(path))
      return std::string(path);
  }
  return Status::error("the runtime archive libvescale_training.a is not beside " + std::string(folder) +
                       "; name it with --runtime");
}

} // namespace

std::string kernelTableSource(const runtime::Schedule &schedule, StringRef scheduleFile) {
  std::string text;
  llvm::raw_string_ostream out(text);
  auto define = [&](StringRef symbol) {
    out << "  .balign 64\n  .globl " << symbol << "\n" << symbol << ":\n";
  };
  out << "  .section .rodata\n";
  define("vescale_schedule");
  out << "  .incbin \"" << scheduleFile << "\"\n";
  out << ".Lschedule_end:\n";
  define("vescale_schedule_size");
  out << "  .quad .Lschedule_end - vescale_schedule\n";
  define("vescale_kernel_count");
  out << "  .quad " << schedule.kernels.size() << "\n";
  define("vescale_kernels_checksum");
  out << "  .quad " << schedule.kernelsChecksum << "\n";
  out << "  .section .data.rel.ro, \"aw\"\n";
  define("vescale_kernels");
  for (const std::string &kernel : schedule.kernels)
    out << "  .quad " << kernel << "\n";
  out << "  .quad 0\n";
  out << "  .section .note.GNU-stack, \"\", @progbits\n";
  return text;
}

Status linkExecutable(const runtime::Schedule &schedule, StringRef object, const std::string &archive,
                      const std::string &output) {
  StatusOr<std::string> runtimeArchive = findArchive(archive);
  if (!runtimeArchive.ok())
    return runtimeArchive.status();
  TemporaryFolder folder;
  if (std::error_code error = folder.create())
    return Status::error("cannot create a temporary folder: " + error.message());
  std::vector<uint8_t> bytes = runtime::encodeSchedule(schedule);
  std::string scheduleFile = folder.file("schedule.bin"), table = folder.file("table.s");
  std::vector<std::string> objects = {table};
  if (Status status = writeFile(scheduleFile, StringRef(reinterpret_cast<const char *>(bytes.data()), bytes.size()));
      !status.ok())
    return status;
  if (Status status = writeFile(table, kernelTableSource(schedule, scheduleFile)); !status.ok())
    return status;
  if (!object.empty()) {
    objects.push_back(folder.file("kernels.o"));
    if (Status status = writeFile(objects.back(), object); !status.ok())
      return status;
  }
  // Beside the output, since a rename does not cross file systems.
  std::string unfinished = output + ".unfinished";
  Status linked = run(runtime::linkCommand(objects, *runtimeArchive, unfinished), folder.file("log"));
  if (linked.ok())
    linked = runtime::sealFile(unfinished);
  if (!linked.ok()) {
    llvm::sys::fs::remove(unfinished);
    return linked;
  }
  if (std::error_code error = llvm::sys::fs::rename(unfinished, output))
    return Status::error("cannot rename " + unfinished + " to " + output + ": " + error.message());
  return Status::success();
}

} // namespace vescale
