//===- Trace.h - Timelines for Perfetto and chrome://tracing ------------------===//
//
// The JSON of Chrome's trace event format with the field names of Kineto, PyTorch's profiler, so
// that the tools for its traces read ours: a rank is a process (pid), a stream is a thread (tid),
// times are microseconds.
//
//===----------------------------------------------------------------------===//

#ifndef VESCALE_RUNTIME_TRACE_TRACE_H
#define VESCALE_RUNTIME_TRACE_TRACE_H

#include "layout/Status.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace vescale::runtime {

/// Something that a stream of a rank did, from `begin` to `end` in nanoseconds of one clock for all
/// ranks.
struct TraceEvent {
  std::string name;
  std::string category; ///< "kernel", "collective", "gpu_memcpy", "user_annotation", ...
  int64_t rank = 0, stream = 0;
  int64_t begin = 0, end = 0;
  std::vector<std::pair<std::string, std::string>> arguments; ///< Shown when the event is selected.
};

/// Writes a trace, whole or not at all. Times are relative to the earliest event.
/// \param streams names of the streams of each rank, streams[rank][stream]; ranks without names get
/// none.
layout::Status writeTrace(const std::string &path, const std::vector<TraceEvent> &events,
                          const std::vector<std::vector<std::string>> &streams);

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_TRACE_TRACE_H
