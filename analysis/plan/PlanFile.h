//===- PlanFile.h - What a user asks of the placement of a model --------------------------===//
//
// A plan file is JSON with comments. It names a mesh and says, by regular expressions on full
// names, how parameters, named values, gradients and optimizer state should be laid out:
//
//   { "mesh": {"dp": 2, "tp": 4},
//     "parameters": { "h\\.\\d+\\.attn\\.qkv\\.weight": ["R", "IS(0, 3)"], "wte\\.weight": ["R", "S(0)"] },
//     "values": { "h\\.\\d+\\.attn\\.input": ["S(0)", "R"] },
//     "gradients": "as-parameters",
//     "optimizer_state": {"like": "parameters", "also-cut-by": "dp"},
//     "recompute": ["h\\.\\d+"], "accumulate": 4, "precision": "bf16",
//     "pipeline": {"axis": "pp", "schedule": "1f1b", "split": "uniform"} }
//
// An entry is a list of placements, one per mesh axis; or a string in the notation of layouts
// and wishes (`[{"dp", ?}p0, {?}]`); or an object with "placements" or "layout", and "priority",
// "open", "also-cut-by". Key order is kept: of two keys that match one name the later one holds.
//
//===-------------------------------------------------------------------------------------===//

#ifndef VESCALE_ANALYSIS_PLAN_PLANFILE_H
#define VESCALE_ANALYSIS_PLAN_PLANFILE_H

#include "layout/Mesh.h"
#include "layout/Status.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vescale::analysis {

/// What one entry of a plan asks of the tensors that its key matches.
struct PlanRequest {
  /// One placement per mesh axis (`R`, `S(0)`, `IS(0, 3)`, ...), or empty.
  std::vector<std::string> placements;
  /// The dims of a wish (`[{"dp"}, {?}]`), or empty.
  std::string layout;
  /// Mesh axes that cut further whatever layout the tensor has otherwise.
  std::vector<std::string> alsoCutBy;
  /// The round of propagation in which the wish takes part; smaller first.
  std::optional<int64_t> priority;
  /// Whether propagation may cut further what the entry lays out.
  bool open = false;

  bool asksForLayout() const { return !placements.empty() || !layout.empty(); }
};

/// A key of a section and what it asks.
struct PlanEntry {
  std::string key;
  PlanRequest request;
  /// Where the key stands in the file, from 1.
  int line = 0;
};

/// A section whose layouts may follow those of another kind of tensor.
struct FollowingSection {
  /// What the layouts follow: "parameters" or "" where the section leaves them open.
  std::string like;
  std::vector<std::string> alsoCutBy;
  /// Entries on single names, which override what the section says as a whole.
  std::vector<PlanEntry> entries;
};

/// How the model is split into pipeline stages.
struct PipelineRequest {
  std::string axis;
  std::string schedule = "1f1b";
  std::string split = "uniform";
};

/// The content of a plan file.
class PlanFile {
public:
  /// Parses a plan. `source` names it in messages. Errors give the line and column where the
  /// text is not JSON, else the key.
  static layout::StatusOr<PlanFile> parse(const std::string &text, const std::string &source);

  /// Reads and parses the file at `path`.
  static layout::StatusOr<PlanFile> read(const std::string &path);

  const layout::Mesh &mesh() const { return planMesh; }
  /// The name that messages give the plan.
  const std::string &source() const { return sourceName; }

  std::vector<PlanEntry> parameters;
  std::vector<PlanEntry> values;
  FollowingSection gradients;
  FollowingSection optimizerState;
  /// Keys of the layers that backward computes again.
  std::vector<std::string> recompute;
  /// Micro-batches of a step; nothing where the plan does not say.
  std::optional<int64_t> accumulate;
  /// Element type of the computation ("f32", "bf16", ...), or empty: as the model is written.
  std::string precision;
  std::optional<PipelineRequest> pipeline;

private:
  explicit PlanFile(layout::Mesh mesh) : planMesh(std::move(mesh)) {}

  layout::Mesh planMesh;
  std::string sourceName;
};

} // namespace vescale::analysis

#endif // VESCALE_ANALYSIS_PLAN_PLANFILE_H
