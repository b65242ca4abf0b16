//===- Report.h - What a compiled program holds and sends -------------------------------------===//
//
// One record for the tables of `vescale compile` and `vescale plan`, their JSON, and tests that pin
// collectives and memory. Sizes are those of the device that has most, unless they say otherwise.
//
//===-----------------------------------------------------------------------------------------===//

#ifndef VESCALE_COMPILER_REPORT_REPORT_H
#define VESCALE_COMPILER_REPORT_REPORT_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace vescale {

/// What some devices hold of a tensor.
struct LocalPart {
  std::vector<int64_t> shape;
  /// How many devices hold a part of this shape.
  int64_t devices = 0;
};

/// An argument of a function: a parameter, a state, a part of the batch, ...
struct TensorReport {
  std::string function;
  /// "parameter", "state", "batch", "rng", "scalar", or empty.
  std::string role;
  std::string name;
  std::string elementType;
  std::vector<int64_t> shape;
  /// `[{"tp"}, {}]`; empty where the program is not placed.
  std::string layout;
  /// One placement for each mesh axis, `[R, S(0)]`; empty where they cannot say it.
  std::string placements;
  /// Mesh axes that cut it, in mesh order.
  std::vector<std::string> axes;
  /// The different local shapes, the one with most elements first.
  std::vector<LocalPart> parts;
  /// Of the largest part.
  int64_t bytes = 0;
};

/// One launch of communication.
struct CollectiveReport {
  std::string function;
  /// The number that all devices know it by; -1 where it has none yet.
  int64_t id = -1;
  /// `all_reduce`, `all_gather`, `reduce_scatter`, ...
  std::string kind;
  /// Mesh axes along which devices communicate: names, or parts of axes as `"x":(1)2`.
  std::vector<std::string> axes;
  /// The tensors of the launch: several where collectives were bucketed.
  int64_t tensors = 1;
  /// How often a step runs it.
  int64_t runs = 1;
  /// Type of the first tensor: `f32`, its shape, its layouts.
  std::string elementType;
  std::vector<int64_t> shape;
  std::string before, after;
  /// See layout/StepPrice.h; of one run, all tensors together.
  int64_t payloadBytes = 0, bytes = 0;
  /// Predicted time of one run; 0 where no link costs are known.
  double seconds = 0;
  /// `model.mlir:12:8`.
  std::string location;
  /// The named tensor that it is for: `h.0.attn.output`.
  std::string value;
  /// The number of the redistribution that it is a step of; -1 where that is not known.
  int64_t redistribution = -1;
};

/// A tensor at an op whose layout asks that another one moves.
struct Meeting {
  /// The axis that both want.
  std::string axis;
  /// The tensor that keeps it, and the dim that it cuts.
  std::string value;
  int dim = 0;
};

/// One way to lay out an op's tensors.
struct Alternative {
  /// `[{"dp"}, {}], [{}, {}] -> [{"dp"}, {}]`.
  std::string layouts;
  /// What moving and computing would take at this op alone.
  double seconds = 0;
  bool chosen = false;
};

/// A change of a layout, as placement decided it. Later stages make collectives of it.
struct RedistributionReport {
  int64_t number = 0;
  std::string function;
  /// The value that changes, and the op (or "the end of the function") that needs it changed.
  std::string value, user;
  std::string elementType;
  std::vector<int64_t> shape;
  std::string from, to;
  std::string location;
  int64_t runs = 1;
  /// The steps of its plan, as `all_gather over dp`, and their price together, of one run.
  std::vector<std::string> steps;
  int64_t bytes = 0;
  double seconds = 0;
  /// The next best plan and why it lost; empty where there is none.
  std::string runnerUp;
  /// Why, as a sentence without its end.
  std::string cause;
  /// The axes that the value gives up, or takes, and who else has them at the user.
  std::vector<Meeting> met;
  /// Ways to lay out the user, cheapest first; only where asked for.
  std::vector<Alternative> alternatives;
};

/// Bytes by kind: "parameters", "states", "batch", "other inputs", "gradients", "activations",
/// "temporaries".
using BytesByKind = std::map<std::string, int64_t>;

/// The memory of a device while a function runs.
struct MemoryReport {
  std::string function;
  /// What the runtime allocates, once.
  int64_t arenaBytes = 0;
  /// What lies in memory all the time: parameters, states, batch.
  BytesByKind persistent;
  /// What else is needed at the moment when most is.
  BytesByKind atPeak;
  /// The op at that moment.
  std::string peakLocation;
  /// Sum of `persistent` and `atPeak`: no allocation can do with less.
  int64_t neededBytes = 0;
};

/// Launches of one kind over the same axes in one function.
struct CollectiveGroup {
  std::string function, kind;
  std::vector<std::string> axes;
  /// Runs in a step, and their sums.
  int64_t count = 0, payloadBytes = 0, bytes = 0;
  double seconds = 0;
};

struct Report {
  /// `dp=2, tp=2`; empty for one device.
  std::string mesh;
  int64_t devices = 1;
  std::vector<TensorReport> tensors;
  /// In program order, local steps left out.
  std::vector<CollectiveReport> collectives;
  /// Only of programs that were watched while they were placed.
  std::vector<RedistributionReport> redistributions;
  std::vector<MemoryReport> memory;

  /// In the order in which the groups first appear.
  std::vector<CollectiveGroup> groups() const;
  /// The arena that the runtime allocates: the largest of all functions.
  int64_t arenaBytes() const;
};

/// The report as one JSON object; what its members mean is what those of Report mean.
std::string toJson(const Report &report);

/// A few lines: the memory planned, and collectives by kind and axes.
std::string toSummary(const Report &report);

/// All of it as tables.
std::string toText(const Report &report);

/// All of it as one HTML page that needs nothing else.
std::string toHtml(const Report &report, const std::string &title);

} // namespace vescale

#endif // VESCALE_COMPILER_REPORT_REPORT_H
