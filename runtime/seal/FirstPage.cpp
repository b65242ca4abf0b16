//===- FirstPage.cpp - The code that runs before the rest of an executable ---------===//
//
// A file that was cut short can be mapped but not read behind its end: the program would die of a
// bus error or jump into zeros wherever it first needs a missing byte. This code lies in the file's
// first page together with all that the kernel needs to start it, so that it either runs whole or
// the kernel refuses the file. It has no library, no relocations and no data outside the page.
//
//===----------------------------------------------------------------------===//

#include "runtime/seal/SealRecord.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/syscall.h>

using vescale::runtime::addToSeal;
using vescale::runtime::SealRecord;

extern "C" __attribute__((visibility("hidden"))) const SealRecord vescaleSealRecord;

// The kernel leaves argc at the stack's top; rdx belongs to the program.
asm(R"(
  .section .record, "ax"
  .globl vescaleSealRecord
  .hidden vescaleSealRecord
vescaleSealRecord:
  .fill 24, 1, 0
  .globl _start
_start:
  push %rdx
  push %rdx
  lea 16(%rsp), %rdi
  call vescaleCheckSeal
  pop %rdx
  pop %rdx
  jmp *%rax
)");

namespace {

long systemCall(long number, long a, long b, long c) {
  long result;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c)
               : "rcx", "r11", "memory");
  return result;
}

/// A line for standard error, and the end of the process.
class Complaint {
public:
  explicit Complaint(const char *program) {
    add("error: ");
    add(program);
    add(": this executable ");
  }
  void add(const char *text) {
    for (; *text && length < sizeof(line); ++text)
      line[length++] = *text;
  }
  void add(uint64_t number) {
    char digits[21];
    char *first = digits + 20;
    *first = 0;
    do {
      *--first = static_cast<char>('0' + number % 10);
    } while (number /= 10);
    add(first);
  }
  [[noreturn]] void end() {
    add("; copy it again or compile the model again\n");
    systemCall(SYS_write, 2, reinterpret_cast<long>(line), static_cast<long>(length));
    while (true)
      systemCall(SYS_exit_group, 1, 0, 0);
  }

private:
  char line[1024];
  uint64_t length = 0;
};

const char *pathFromKernel(const uint64_t *auxiliary) {
  for (; auxiliary[0] != AT_NULL; auxiliary += 2)
    if (auxiliary[0] == AT_EXECFN)
      return reinterpret_cast<const char *>(auxiliary[1]);
  return "";
}

} // namespace

/// Returns the address at which the program begins. A file that cannot be opened, as it may be
/// executed but not read, goes unchecked.
extern "C" uint64_t vescaleCheckSeal(const uint64_t *stack) {
  const uint64_t *environment = stack + 1 + stack[0] + 1;
  while (*environment)
    ++environment;
  const char *path = pathFromKernel(environment + 1);
  const SealRecord &record = vescaleSealRecord;

  long file = systemCall(SYS_open, reinterpret_cast<long>("/proc/self/exe"), O_RDONLY, 0);
  if (file < 0)
    file = systemCall(SYS_open, reinterpret_cast<long>(path), O_RDONLY, 0);
  if (file < 0)
    return record.entry;
  uint64_t size = static_cast<uint64_t>(systemCall(SYS_lseek, file, 0, 2));
  if (size != record.fileSize) {
    Complaint complaint(path);
    complaint.add(size < record.fileSize ? "was cut short: it has " : "was altered: it has ");
    complaint.add(size);
    complaint.add(" of its ");
    complaint.add(record.fileSize);
    complaint.add(" bytes");
    complaint.end();
  }
  systemCall(SYS_lseek, file, 0, 0);

  constexpr uint64_t capacity = uint64_t(1) << 16;
  uint64_t words[capacity / 8];
  uint64_t state = size;
  for (uint64_t done = 0; done < size;) {
    uint64_t wanted = size - done < capacity ? size - done : capacity;
    words[(wanted - 1) / 8] = 0;
    for (uint64_t have = 0; have < wanted;) {
      long count = systemCall(SYS_read, file, reinterpret_cast<long>(words) + static_cast<long>(have),
                              static_cast<long>(wanted - have));
      if (count <= 0) {
        Complaint complaint(path);
        complaint.add("cannot be read at byte ");
        complaint.add(done + have);
        complaint.end();
      }
      have += static_cast<uint64_t>(count);
    }
    if (done == 0)
      words[(vescale::runtime::sealRecordOffset + 8) / 8] = 0;
    state = addToSeal(state, words, (wanted + 7) / 8);
    done += wanted;
  }
  systemCall(SYS_close, file, 0, 0);
  if (state != record.checksum) {
    Complaint complaint(path);
    complaint.add("was altered: its checksum does not match its ");
    complaint.add(size);
    complaint.add(" bytes");
    complaint.end();
  }
  return record.entry;
}
