/// `vescale layout redistribute`: the cheapest way from one layout to another.
#include "compiler/tools/vescale/Command.h"
#include "compiler/tools/vescale/Layout.h"
#include "compiler/tools/vescale/LayoutArguments.h"
#include "compiler/tools/vescale/LayoutPicture.h"

#include "layout/Redistribution.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <memory>
#include <sstream>

namespace vescale::tools {

using namespace vescale::layout;

namespace {

struct Options {
  std::string mesh, shape, type = "f32", from, to, cluster;
  bool collectivesOnly = false;
  bool json = false;
};

constexpr std::pair<const char *, int64_t> typeSizes[] = {
    {"f64", 8}, {"f32", 4}, {"bf16", 2}, {"f16", 2}, {"i64", 8},      {"i32", 4},
    {"i16", 2}, {"i8", 1},  {"ui8", 1},  {"i1", 1},  {"f8E4M3FN", 1}, {"f8E5M2", 1}};

StatusOr<int64_t> readType(const std::string &text) {
  std::string known;
  for (const auto &[name, size] : typeSizes) {
    if (text == name)
      return size;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  return Status::error(fmt::format("--type '{}': not an element type; there are {}", text, known));
}

StatusOr<std::shared_ptr<const LinkCosts>> readCluster(const std::string &path) {
  if (path.empty())
    return std::shared_ptr<const LinkCosts>();
  std::ifstream file(path);
  std::stringstream text;
  if (!file || !(text << file.rdbuf()))
    return Status::error(fmt::format("--cluster '{}': the file cannot be read", path));
  StatusOr<LinkCosts> links = LinkCosts::parse(text.str());
  if (!links.ok())
    return Status::error(fmt::format("--cluster '{}': {}", path, links.message()));
  return std::make_shared<const LinkCosts>(*links);
}

std::vector<std::string> names(const Mesh &mesh, const std::vector<SubAxis> &axes) {
  std::vector<std::string> result;
  for (const SubAxis &axis : axes)
    // A whole axis by its name alone, a part as layouts write it.
    result.push_back(isWhole(mesh, axis) ? mesh.axis(axis.axis).name : str(mesh, axis));
  return result;
}

void printJson(const Plan &plan, const Mesh &mesh) {
  nlohmann::ordered_json steps = nlohmann::ordered_json::array();
  for (const Step &step : plan.steps())
    steps.push_back({{"kind", std::string(str(step.kind))},
                     {"layout", step.after.str()},
                     {"axes", names(mesh, step.axes)},
                     {"bytes", step.bytes},
                     {"launches", step.launches}});
  nlohmann::ordered_json json = {{"steps", steps},
                                 {"bytes", plan.bytes()},
                                 {"launches", plan.launches()},
                                 {"lower_bound_bytes", plan.lowerBoundBytes()},
                                 {"seconds", plan.seconds()},
                                 {"search_cut_short", plan.searchCutShort()},
                                 {"gap", plan.gap()},
                                 {"runner_up", plan.runnerUp()}};
  fmt::print("{}\n", json.dump());
}

std::string price(int64_t bytes, int launches, double seconds) {
  std::string text = fmt::format("{} byte{}, {} launch{}", bytes, bytes == 1 ? "" : "s", launches,
                                 launches == 1 ? "" : "es");
  return seconds > 0 ? text + fmt::format(", {:.3g} us", seconds * 1e6) : text;
}

/// The layouts one below the other, and between them what each step does and costs.
void printPicture(const Plan &plan, const Layout &from, const Shape &shape) {
  const Mesh &mesh = from.mesh();
  fmt::print("{}\n{}", from.str(), drawLayout(from, shape));
  for (const Step &step : plan.steps()) {
    fmt::print("\n  | {} over {}: {}\n  v\n\n{}\n{}", str(step.kind),
               step.axes.empty() ? "no axis"
                                 : fmt::format("{}", fmt::join(names(mesh, step.axes), ", ")),
               price(step.bytes, step.launches, step.seconds), step.after.str(),
               drawLayout(step.after, shape));
  }
  fmt::print("\nThe busiest device receives {}; no plan can do with less than {} bytes.\n",
             price(plan.bytes(), plan.launches(), plan.seconds()), plan.lowerBoundBytes());
  if (!plan.runnerUp().empty())
    fmt::print("The next best, {}.\n", plan.runnerUp());
  if (plan.searchCutShort())
    fmt::print("The search reached its limit: a plan could be cheaper by {:.1f} % at most.\n",
               100 * plan.gap());
}

Status runRedistribute(const Options &options) {
  StatusOr<Mesh> mesh = readMesh("--mesh", options.mesh);
  if (!mesh.ok())
    return mesh.status();
  StatusOr<Shape> shape = readShape("--shape", options.shape);
  if (!shape.ok())
    return shape.status();
  StatusOr<int64_t> elementBytes = readType(options.type);
  if (!elementBytes.ok())
    return elementBytes.status();
  StatusOr<Layout> from = readLayout("--from", options.from, *mesh, *shape);
  if (!from.ok())
    return from.status();
  StatusOr<Layout> to = readLayout("--to", options.to, *mesh, *shape);
  if (!to.ok())
    return to.status();
  auto links = readCluster(options.cluster);
  if (!links.ok())
    return links.status();
  RedistributionOptions planning;
  planning.links = *links;
  planning.collectivesOnly = options.collectivesOnly;
  StatusOr<Plan> plan = planRedistribution(*from, *to, *shape, *elementBytes, planning);
  if (!plan.ok())
    return plan.status();
  if (options.json)
    printJson(*plan, *mesh);
  else
    printPicture(*plan, *from, *shape);
  return Status();
}

} // namespace

void addLayoutRedistribute(CLI::App &group) {
  auto options = std::make_shared<Options>();
  CLI::App *command =
      group.add_subcommand("redistribute", "Plan the cheapest way from one layout to another");
  command->add_option("--mesh", options->mesh, "Axes and sizes: x=2,y=4")
      ->required()
      ->type_name("MESH");
  command->add_option("--shape", options->shape, "Sizes of the tensor: 16x8")
      ->required()
      ->type_name("SHAPE");
  command->add_option("--type", options->type, "Element type: f32, bf16, i64, ...")
      ->type_name("TYPE")
      ->capture_default_str();
  command
      ->add_option("--from", options->from,
                   "Axes for each dim, [{\"x\"}, {}], or a placement for each axis, [S(0), R]")
      ->required()
      ->type_name("LAYOUT");
  command->add_option("--to", options->to, "The same for the layout to reach")
      ->required()
      ->type_name("LAYOUT");
  command
      ->add_option("--cluster", options->cluster,
                   "JSON file with the latency and bandwidth of each axis; plans by seconds")
      ->type_name("FILE");
  command->add_flag("--collectives-only", options->collectivesOnly, "Do not use exchange");
  command->add_flag("--json", options->json, "Print JSON instead of a picture");
  command->footer(
      "Example:\n"
      "  vescale layout redistribute --mesh x=2,y=4 --shape 16x8 --from '[{\"x\"}, {}]' "
      "--to '[{}, {\"y\"}]'");
  setAction(*command, [options] { return runRedistribute(*options); });
}

} // namespace vescale::tools
