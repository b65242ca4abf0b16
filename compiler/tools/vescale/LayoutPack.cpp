/// `vescale layout pack`: ragged packing of tensors into one buffer of equal shards.
#include "compiler/tools/vescale/Command.h"
#include "compiler/tools/vescale/Layout.h"
#include "compiler/tools/vescale/Terminal.h"

#include "layout/RaggedPacking.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <memory>
#include <string>
#include <vector>

namespace vescale::tools {

using namespace vescale::layout;

namespace {

/// Units are listed for each device, which bounds how many devices a listing can name.
constexpr int64_t deviceLimit = int64_t(1) << 20;

struct Options {
  int64_t devices = 0;
  int64_t align = 1;
  std::vector<std::string> tensors;
  std::string order = "given";
  bool json = false;
};

/// Reads name:elements:granularity[:alignment].
StatusOr<PackedTensor> parseTensor(const std::string &text) {
  auto wrong = [&](const std::string &why) {
    return Status::error(fmt::format("--tensor '{}': {}", text, why));
  };
  std::vector<std::string_view> parts;
  std::string_view rest = text;
  for (size_t colon; (colon = rest.find(':')) != rest.npos; rest.remove_prefix(colon + 1))
    parts.push_back(rest.substr(0, colon));
  parts.push_back(rest);
  if (parts.size() < 3 || parts.size() > 4 || parts[0].empty())
    return wrong("expected name:elements:granularity or name:elements:granularity:alignment");
  static constexpr const char *fields[] = {"elements", "granularity", "alignment"};
  int64_t numbers[3] = {0, 1, 1};
  for (size_t i = 1; i < parts.size(); ++i) {
    const char *end = parts[i].data() + parts[i].size();
    auto [stop, error] = std::from_chars(parts[i].data(), end, numbers[i - 1]);
    if (error == std::errc::result_out_of_range)
      return wrong(fmt::format("{} '{}' do not fit 63 bits", fields[i - 1], parts[i]));
    if (error != std::errc() || stop != end)
      return wrong(fmt::format("{} '{}' is not a whole number", fields[i - 1], parts[i]));
  }
  return PackedTensor{std::string(parts[0]), numbers[0], numbers[1], numbers[2]};
}

void printJson(const PackingProblem &problem, const PackingResult &result) {
  nlohmann::ordered_json json;
  json["shard_elements"] = result.shardElements;
  json["tensors"] = nlohmann::ordered_json::array();
  json["starts"] = result.starts;
  json["units"] = nlohmann::ordered_json::array();
  for (size_t i = 0; i < problem.tensors.size(); ++i) {
    json["tensors"].push_back(problem.tensors[i].name);
    json["units"].push_back(packedUnits(problem, result, i).values());
  }
  json["order"] = result.order;
  json["padding"] = result.padding;
  json["optimal"] = result.optimal();
  json["gap"] = result.gap;
  json["lower_bound"] = result.provenBound;
  fmt::print("{}\n", json.dump());
}

/// What one device holds: pieces of tensors and, as tensor -1, padding.
struct Piece {
  int tensor;
  int64_t elements;
  int64_t units;

  bool operator==(const Piece &other) const {
    return tensor == other.tensor && elements == other.elements && units == other.units;
  }
};

std::vector<std::vector<Piece>> piecesByDevice(const PackingProblem &problem,
                                               const PackingResult &result) {
  std::vector<std::vector<Piece>> devices(problem.devices);
  std::vector<int64_t> filled(problem.devices);
  int64_t shard = result.shardElements;
  for (int tensor : result.order) {
    if (problem.tensors[tensor].elements == 0)
      continue;
    int64_t start = result.starts[tensor], end = start + problem.tensors[tensor].elements;
    RunLengths units = packedUnits(problem, result, tensor);
    for (int64_t device = start / shard; device * shard < end; ++device) {
      int64_t from = std::max(start - device * shard, int64_t(0));
      int64_t to = std::min(end - device * shard, shard);
      if (from > filled[device])
        devices[device].push_back({-1, from - filled[device], 0});
      devices[device].push_back({tensor, to - from, units[device]});
      filled[device] = to;
    }
  }
  for (int64_t device = 0; device < problem.devices; ++device)
    if (filled[device] < shard)
      devices[device].push_back({-1, shard - filled[device], 0});
  return devices;
}

/// One shard as a bar of `width` characters; each piece ends where its share of the shard ends.
std::string drawShard(const PackingProblem &problem, const std::vector<Piece> &pieces,
                      int64_t shard, int64_t width) {
  std::string bar;
  int64_t position = 0;
  for (const Piece &piece : pieces) {
    auto column = [&](int64_t element) {
      return static_cast<int64_t>(static_cast<double>(element) / shard * width + 0.5);
    };
    size_t length = column(position + piece.elements) - column(position);
    position += piece.elements;
    if (piece.tensor < 0) {
      bar += std::string(length, '.');
      continue;
    }
    std::string label = fmt::format("|{} {}", problem.tensors[piece.tensor].name, piece.units);
    label.resize(length, ' ');
    bar += paintBox(stdout, piece.tensor, label);
  }
  return bar;
}

void printPicture(const PackingProblem &problem, const PackingResult &result) {
  constexpr int64_t width = 64;
  constexpr size_t rowLimit = 40;
  fmt::print("{} devices x {} elements, {:.2f} % padding, {}\n", problem.devices,
             result.shardElements, 100 * result.padding,
             result.optimal()
                 ? "proven smallest"
                 : fmt::format("at most {:.3f} % above the smallest", 100 * result.gap));
  std::vector<std::vector<Piece>> devices = piecesByDevice(problem, result);
  size_t rows = 0;
  for (size_t first = 0, last; first < devices.size(); first = last + 1) {
    // Devices that look the same share a row.
    for (last = first; last + 1 < devices.size() && devices[last + 1] == devices[first];)
      ++last;
    if (++rows > rowLimit) {
      fmt::print("  ... and {} more devices; --json prints all\n", devices.size() - first);
      break;
    }
    std::string name = first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
    fmt::print("{:>11} {}\n", name,
               drawShard(problem, devices[first], result.shardElements, width));
  }
  fmt::print("(name and units of each piece; '.' is padding)\n");
}

Status runPack(const Options &options) {
  if (options.devices < 1 || options.devices > deviceLimit)
    return Status::error(
        fmt::format("--devices {}: expected 1 to {}", options.devices, deviceLimit));
  if (options.align < 1)
    return Status::error(fmt::format("--align {}: expected at least 1", options.align));
  if (options.order != "given" && options.order != "free")
    return Status::error(fmt::format("--order '{}': expected given or free", options.order));
  PackingProblem problem;
  problem.devices = options.devices;
  problem.alignment = options.align;
  problem.order = options.order == "free" ? PackingOrder::free : PackingOrder::given;
  for (const std::string &text : options.tensors) {
    StatusOr<PackedTensor> tensor = parseTensor(text);
    if (!tensor.ok())
      return tensor.status();
    problem.tensors.push_back(*tensor);
  }
  StatusOr<PackingResult> result = packTensors(problem);
  if (!result.ok())
    return result.status();
  if (options.json)
    printJson(problem, *result);
  else
    printPicture(problem, *result);
  return Status();
}

} // namespace

void addLayoutPack(CLI::App &group) {
  auto options = std::make_shared<Options>();
  CLI::App *command = group.add_subcommand("pack", "Pack tensors into one buffer of equal shards");
  command->add_option("--devices", options->devices, "Number of shards")
      ->required()
      ->type_name("N");
  command->add_option("--align", options->align, "A shard is a multiple of this many elements")
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--tensor", options->tensors,
                   "Elements, elements of a block that must not be cut, alignment of the start; "
                   "once for each tensor")
      ->required()
      ->type_name("NAME:ELEMENTS:BLOCK[:ALIGN]");
  command->add_option("--order", options->order, "Keep the given order, or find the best")
      ->type_name("given|free")
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print JSON instead of a picture");
  command->footer("Example:\n"
                  "  vescale layout pack --devices 4 --tensor a:12:4 --tensor b:12:4");
  setAction(*command, [options] { return runPack(*options); });
}

} // namespace vescale::tools
