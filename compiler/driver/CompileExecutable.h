//===- CompileExecutable.h - from a model to a training executable -*- C++ -*-===//

#ifndef VESCALE_COMPILER_DRIVER_COMPILEEXECUTABLE_H
#define VESCALE_COMPILER_DRIVER_COMPILEEXECUTABLE_H

#include "compiler/pipelines/TrainingOptions.h"
#include "compiler/report/Report.h"
#include "layout/Status.h"

#include <cstdint>
#include <string>

namespace vescale {

struct CompileOptions {
  /// The model, an MLIR file.
  std::string model;
  /// The plan file; empty: none.
  std::string plan;
  /// The file that describes the machine, by whose prices is placed; empty: one CPU host.
  std::string cluster;
  TrainingOptions training;
  /// Whether someone asked for values of `training`: then a model that has its training step already is an error.
  bool trainingGiven = false;
  /// The executable to write.
  std::string output;
  /// libvescale_training.a; empty: looked for beside the compiler.
  std::string runtimeArchive;
  std::string targetCpu = "x86-64-v3";
  /// Bytes of the arena of a device; 0: any.
  int64_t memoryBudget = 0;
  /// Whether the executable can write gradients; costs memory.
  bool keepGradients = false;
  /// Where the module after each stage is written; empty: nowhere.
  std::string dumpDirectory;
};

/// Compiles the model and links it with the training runtime into one executable, which is written to a
/// temporary name beside `output` and renamed when it is complete. Warnings and
/// remarks go to the error stream; errors are the message of the status. Needs g++. Where `report` is
/// given, it becomes what the program holds and sends.
layout::Status compileExecutable(const CompileOptions &options, Report *report = nullptr);

} // namespace vescale

#endif // VESCALE_COMPILER_DRIVER_COMPILEEXECUTABLE_H
