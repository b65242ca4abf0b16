//===- Status.h - Success, or a message that says what is wrong ------------------------------===//
//
// Layout and runtime code report errors as values: they link into programs that are built without
// exceptions.
//
//===-----------------------------------------------------------------------------------------===//
#ifndef VESCALE_LAYOUT_STATUS_H
#define VESCALE_LAYOUT_STATUS_H

#include <cassert>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace vescale::layout {

/// Success, or one message. Success costs a null pointer.
class [[nodiscard]] Status {
public:
  Status() = default;

  static Status success() { return Status(); }
  static Status error(std::string message) { return Status(std::move(message), 0); }
  /// An error in a text; `column` counts from 1, and the message starts with it.
  static Status errorAt(int column, const std::string &message) {
    return Status("column " + std::to_string(column) + ": " + message, column);
  }

  bool ok() const { return !failure; }
  /// Empty on success.
  const std::string &message() const {
    static const std::string none;
    return failure ? failure->message : none;
  }
  /// Where in the parsed text the error is, from 1; 0 where the error is not in a text.
  int column() const { return failure ? failure->column : 0; }

private:
  struct Failure {
    std::string message;
    int column;
  };

  Status(std::string message, int column)
      : failure(std::make_shared<const Failure>(Failure{std::move(message), column})) {}

  std::shared_ptr<const Failure> failure;
};

/// A value, or the reason why there is none.
template <class T> class [[nodiscard]] StatusOr {
public:
  StatusOr(T value) : content(std::move(value)) {}
  StatusOr(Status status) : failure(std::move(status)) {
    assert(!failure.ok() && "a success needs a value");
  }

  bool ok() const { return content.has_value(); }
  const Status &status() const { return failure; }
  const std::string &message() const { return failure.message(); }

  T &operator*() & { return value(); }
  const T &operator*() const & { return value(); }
  T &&operator*() && { return std::move(value()); }
  T *operator->() { return &value(); }
  const T *operator->() const { return &value(); }

  T &value() {
    assert(ok() && "value of a failed StatusOr");
    return *content;
  }
  const T &value() const {
    assert(ok() && "value of a failed StatusOr");
    return *content;
  }

private:
  std::optional<T> content;
  Status failure;
};

} // namespace vescale::layout

#endif
