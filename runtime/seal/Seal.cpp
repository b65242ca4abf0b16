#include "runtime/seal/Seal.h"

#include "runtime/checkpoint/AtomicFile.h"
#include "runtime/seal/SealRecord.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <vector>

using namespace vescale::runtime;
using vescale::layout::Status;
using vescale::layout::StatusOr;

namespace {

/// What FirstPage.cpp is compiled to: the bytes of the first page from sealRecordOffset on.
constexpr unsigned char firstPage[] = {
#include "runtime/seal/FirstPage.inc"
};

constexpr uint64_t pageBytes = 4096;
static_assert(sizeof(Elf64_Ehdr) == sealRecordOffset);

uint64_t roundUp(uint64_t value, uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// Copies of the structures of an ELF file; `count` of them at `offset`.
template <class T>
StatusOr<std::vector<T>> structures(std::string_view file, uint64_t offset, uint64_t count) {
  if (offset > file.size() || count > (file.size() - offset) / sizeof(T))
    return Status::error("its headers do not lie within the file");
  std::vector<T> result(count);
  std::memcpy(result.data(), file.data() + offset, count * sizeof(T));
  return result;
}

class Sealer {
public:
  explicit Sealer(std::string_view file) : file(file) {}
  StatusOr<std::string> seal();

private:
  Status read();
  uint64_t moved(uint64_t offset) const {
    return offset + prefix + (offset >= dataEnd ? padding : 0);
  }
  void moveSegments();

  std::string_view file;
  Elf64_Ehdr header{};
  std::vector<Elf64_Phdr> segments;
  std::vector<Elf64_Shdr> sections;
  uint64_t prefix = pageBytes; // bytes in front of the old file
  uint64_t dataEnd = 0;        // offset in the old file behind the last loaded byte
  uint64_t padding = 0;        // zeros inserted there
};

Status Sealer::read() {
  StatusOr<std::vector<Elf64_Ehdr>> headers = structures<Elf64_Ehdr>(file, 0, 1);
  if (!headers.ok())
    return headers.status();
  header = headers->front();
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_machine != EM_X86_64 ||
      header.e_type != ET_EXEC)
    return Status::error("it is no executable for x86-64 with fixed addresses");
  auto programHeaders = structures<Elf64_Phdr>(file, header.e_phoff, header.e_phnum);
  if (!programHeaders.ok())
    return programHeaders.status();
  segments = std::move(*programHeaders);
  auto sectionHeaders = structures<Elf64_Shdr>(file, header.e_shoff, header.e_shnum);
  if (!sectionHeaders.ok())
    return sectionHeaders.status();
  sections = std::move(*sectionHeaders);
  for (const Elf64_Phdr &segment : segments) {
    if (segment.p_type == PT_INTERP)
      return Status::error("it needs a dynamic loader: link it with -static");
    if (segment.p_type != PT_LOAD)
      continue;
    prefix = std::max(prefix, segment.p_align);
    dataEnd = std::max(dataEnd, segment.p_offset + segment.p_filesz);
  }
  if (segments.empty() || dataEnd > file.size())
    return Status::error("it has no segments, or they do not lie within the file");
  return Status::success();
}

/// The kernel clears the rest of the page in which a segment's bytes end. It would do so before the
/// first page runs, and in vain where the file ends earlier: the last segment is made to end with
/// a page of the file.
void Sealer::moveSegments() {
  uint64_t lowest = ~uint64_t(0);
  for (Elf64_Phdr &segment : segments) {
    if (segment.p_type == PT_LOAD) {
      lowest = std::min(lowest, segment.p_vaddr);
      if (segment.p_offset + segment.p_filesz == dataEnd && segment.p_memsz > segment.p_filesz) {
        uint64_t end = segment.p_vaddr + segment.p_filesz;
        padding = roundUp(end, pageBytes) - end;
        segment.p_filesz += padding;
        segment.p_memsz = std::max(segment.p_memsz, segment.p_filesz);
      }
    }
    segment.p_offset += prefix;
  }
  Elf64_Phdr first{};
  first.p_type = PT_LOAD;
  first.p_flags = PF_R | PF_X;
  first.p_vaddr = first.p_paddr = lowest / pageBytes * pageBytes - prefix;
  first.p_filesz = first.p_memsz = pageBytes;
  first.p_align = pageBytes;
  segments.insert(segments.begin(), first);
}

StatusOr<std::string> Sealer::seal() {
  if (Status status = read(); !status.ok())
    return status;
  moveSegments();
  uint64_t tableOffset = roundUp(sealRecordOffset + sizeof(firstPage), 8);
  uint64_t tableBytes = segments.size() * sizeof(Elf64_Phdr);
  if (tableOffset + tableBytes > pageBytes)
    return Status::error(fmt::format("its {} segments do not fit the first page", segments.size()));

  SealRecord record{};
  record.entry = header.e_entry;
  header.e_entry = segments.front().p_vaddr + sealRecordOffset + sizeof(SealRecord);
  header.e_phoff = tableOffset;
  header.e_phnum = static_cast<Elf64_Half>(segments.size());
  uint64_t oldSections = header.e_shoff;
  header.e_shoff = moved(oldSections);
  for (Elf64_Shdr &section : sections)
    section.sh_offset = moved(section.sh_offset);

  std::string result(prefix, '\0');
  result.append(file.substr(0, dataEnd)).append(padding, '\0').append(file.substr(dataEnd));
  record.fileSize = result.size();
  auto put = [&](uint64_t offset, const void *bytes, uint64_t size) {
    std::memcpy(result.data() + offset, bytes, size);
  };
  put(sealRecordOffset, firstPage, sizeof(firstPage));
  put(0, &header, sizeof(header));
  put(tableOffset, segments.data(), tableBytes);
  put(moved(oldSections), sections.data(), sections.size() * sizeof(Elf64_Shdr));
  put(sealRecordOffset, &record, sizeof(record));

  std::vector<uint64_t> words((result.size() + 7) / 8);
  std::memcpy(words.data(), result.data(), result.size());
  record.checksum = addToSeal(result.size(), words.data(), words.size());
  put(sealRecordOffset, &record, sizeof(record));
  return result;
}

} // namespace

StatusOr<std::string> vescale::runtime::seal(std::string_view executable) {
  return Sealer(executable).seal();
}

Status vescale::runtime::sealFile(const std::string &path) {
  struct stat attributes {};
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream bytes;
  if (stat(path.c_str(), &attributes) != 0 || !(bytes << stream.rdbuf()))
    return Status::error(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  StatusOr<std::string> sealed = seal(bytes.str());
  if (!sealed.ok())
    return Status::error(fmt::format("cannot seal {}: {}", path, sealed.status().message()));
  if (Status status = writeFileAtomically(path, *sealed); !status.ok())
    return status;
  if (chmod(path.c_str(), attributes.st_mode & 07777) != 0)
    return Status::error(fmt::format("cannot make {} executable: {}", path, std::strerror(errno)));
  return Status::success();
}
