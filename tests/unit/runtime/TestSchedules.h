//===- TestSchedules.h - Schedules written by hand for tests --------------===//
#ifndef VESCALE_TESTS_UNIT_RUNTIME_TESTSCHEDULES_H
#define VESCALE_TESTS_UNIT_RUNTIME_TESTSCHEDULES_H

#include "runtime/format/Schedule.h"

#include <string>
#include <utility>
#include <vector>

namespace vescale::runtime::test {

/// Builds the program of the only class, or of each class in turn. Buffers are placed one after
/// another, so that none overlaps another.
class ScheduleBuilder {
public:
  /// `mesh` as in layout/Parse.h. All ranks are of class 0 until `classes` says otherwise.
  explicit ScheduleBuilder(const std::string &mesh);

  Schedule schedule;

  /// The following add to the class that `useClass` chose.
  void useClass(uint32_t index);
  uint32_t stream(const std::string &name);
  uint32_t event();
  uint32_t buffer(uint64_t bytes);
  uint32_t scalar(const Scalar &scalar);
  void emit(uint32_t stream, Operation operation, std::vector<Operand> operands = {},
            const std::string &label = "");

  uint32_t layout(const std::string &text, uint32_t mesh = 0);
  uint32_t kernel(const std::string &symbol);
  /// A tensor that has `buffer` in the current class and in no other; see `place`.
  uint32_t tensor(const std::string &name, TensorRole role, std::vector<int64_t> shape,
                  ElementType element, uint32_t layout, uint32_t buffer);
  void place(uint32_t tensor, uint32_t buffer);

  /// All bytes of a buffer.
  Operand read(uint32_t buffer) const { return whole(buffer, Access::Read); }
  Operand write(uint32_t buffer) const { return whole(buffer, Access::Write); }
  Operand update(uint32_t buffer) const { return whole(buffer, Access::ReadWrite); }

  /// Records an event on one stream and lets the other wait for it.
  void order(uint32_t before, uint32_t after);

  Program &program() { return schedule.programs[current]; }

private:
  Operand whole(uint32_t buffer, Access access) const;
  uint32_t current = 0;
};

} // namespace vescale::runtime::test

#endif // VESCALE_TESTS_UNIT_RUNTIME_TESTSCHEDULES_H
