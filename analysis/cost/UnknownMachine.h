//===- UnknownMachine.h - Prices where no cluster is described -------------------------------===//

#ifndef VESCALE_ANALYSIS_COST_UNKNOWNMACHINE_H
#define VESCALE_ANALYSIS_COST_UNKNOWNMACHINE_H

namespace vescale::analysis {

/// Relative prices for choices between layouts when nobody says on which machine they are for. The
/// unit is the time in which one device receives one byte. The numbers are those of processes on
/// one CPU host (10 GB/s, 10 GFLOP/s of each core, microseconds to start a message), where choices
/// are closest; faster machines move them apart in the same order for all but tiny tensors.
struct UnknownMachine {
  /// Starting one collective.
  static constexpr double launch = 16384;
  /// One point of an op: one multiply-add, one element.
  static constexpr double point = 1;
  /// The share of a gather of a parameter that is not hidden: nothing of the step has to be
  /// computed before it starts, so it runs beside other work.
  static constexpr double exposedShareOfParameters = 0.25;
};

} // namespace vescale::analysis

#endif // VESCALE_ANALYSIS_COST_UNKNOWNMACHINE_H
