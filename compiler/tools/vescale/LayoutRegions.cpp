/// `vescale layout regions`: what each device holds of a tensor.
#include "compiler/tools/vescale/Command.h"
#include "compiler/tools/vescale/Layout.h"
#include "compiler/tools/vescale/LayoutArguments.h"
#include "compiler/tools/vescale/LayoutPicture.h"

#include "layout/Region.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace vescale::tools {

using namespace vescale::layout;

namespace {

/// Every device is listed.
constexpr int64_t deviceLimit = int64_t(1) << 20;

struct Options {
  std::string mesh, shape, layout;
  bool json = false;
};

void printJson(const Layout &layout, const Shape &shape) {
  const Mesh &mesh = layout.mesh();
  nlohmann::ordered_json devices = nlohmann::ordered_json::array();
  for (int64_t position = 0; position < mesh.numDevices(); ++position) {
    Coordinate coordinate = mesh.coordinate(position);
    nlohmann::ordered_json boxes = nlohmann::ordered_json::array();
    for (const Box &box : region(layout, shape, coordinate))
      boxes.push_back({{"offset", box.offset}, {"size", box.size}});
    devices.push_back({{"rank", mesh.deviceId(position)},
                       {"coordinate", coordinate},
                       {"local_shape", localShape(layout, shape, coordinate)},
                       {"boxes", boxes}});
  }
  nlohmann::ordered_json json = {{"devices", devices}};
  fmt::print("{}\n", json.dump());
}

Status runRegions(const Options &options) {
  StatusOr<Mesh> mesh = readMesh("--mesh", options.mesh);
  if (!mesh.ok())
    return mesh.status();
  if (mesh->numDevices() > deviceLimit)
    return Status::error(fmt::format("--mesh '{}': {} devices are more than the {} that can be "
                                     "listed",
                                     options.mesh, mesh->numDevices(), deviceLimit));
  StatusOr<Shape> shape = readShape("--shape", options.shape);
  if (!shape.ok())
    return shape.status();
  StatusOr<Layout> layout = readLayout("--layout", options.layout, *mesh, *shape);
  if (!layout.ok())
    return layout.status();
  if (options.json)
    printJson(*layout, *shape);
  else
    fmt::print("{}", drawLayout(*layout, *shape));
  return Status();
}

} // namespace

void addLayoutRegions(CLI::App &group) {
  auto options = std::make_shared<Options>();
  CLI::App *command = group.add_subcommand("regions", "Show what each device holds of a tensor");
  command->add_option("--mesh", options->mesh, "Axes and sizes: x=2,y=4")
      ->required()
      ->type_name("MESH");
  command->add_option("--shape", options->shape, "Sizes of the tensor: 10x6")
      ->required()
      ->type_name("SHAPE");
  command
      ->add_option("--layout", options->layout,
                   "Axes for each dim, [{\"x\"}, {}], or a placement for each axis, [S(0), R]")
      ->required()
      ->type_name("LAYOUT");
  command->add_flag("--json", options->json, "Print JSON instead of a picture");
  command->footer("Example:\n"
                  "  vescale layout regions --mesh x=2,y=4 --shape 10x6 --layout '[{\"x\"}, "
                  "{\"y\"}]'");
  setAction(*command, [options] { return runRegions(*options); });
}

} // namespace vescale::tools
