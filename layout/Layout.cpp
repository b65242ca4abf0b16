#include "layout/Layout.h"

#include "layout/Hash.h"
#include "layout/Legality.h"
#include "layout/Parse.h"

#include <algorithm>
#include <fmt/format.h>

namespace vescale::layout {

static size_t hashOf(size_t seed, const SubAxis &part) {
  return combineHash(combineHash(combineHash(seed, part.axis), part.pre), part.size);
}

Layout::Layout() : Layout(fromChecked(Mesh(), {})) {}

StatusOr<Layout> Layout::get(Mesh mesh, std::vector<Dim> dims, std::optional<Partial> partial,
                             std::optional<Ragged> ragged) {
  Status legal = checkParts(mesh, dims, partial, ragged);
  if (!legal.ok())
    return legal;
  return fromChecked(std::move(mesh), std::move(dims), std::move(partial), std::move(ragged));
}

Layout Layout::fromChecked(Mesh mesh, std::vector<Dim> dims, std::optional<Partial> partial,
                           std::optional<Ragged> ragged) {
  if (partial && partial->axes.empty())
    partial.reset();
  size_t hash = combineHash(mesh.hash(), dims.size());
  for (const Dim &dim : dims) {
    hash = combineHash(hash, dim.size());
    for (const Cut &cut : dim)
      hash = combineHash(combineHash(hashOf(hash, cut.axis), cut.interleave), cut.block);
  }
  if (partial) {
    std::sort(partial->axes.begin(), partial->axes.end());
    hash = combineHash(hash, static_cast<uint64_t>(partial->reduction) + 1);
    for (const SubAxis &axis : partial->axes)
      hash = hashOf(hash, axis);
  }
  if (ragged)
    hash = combineHash(combineHash(hashOf(hash, ragged->axis), ragged->dims), ragged->units.hash());
  return Layout(std::make_shared<const Storage>(
      Storage{std::move(mesh), std::move(dims), std::move(partial), std::move(ragged), hash}));
}

Layout Layout::replicated(Mesh mesh, int rank) {
  return fromChecked(std::move(mesh), std::vector<Dim>(rank));
}

StatusOr<Layout> Layout::parse(const Mesh &mesh, std::string_view text) {
  return parseLayout(mesh, text);
}

bool Layout::isReplicated() const {
  return !partial() && !ragged() &&
         std::all_of(dims().begin(), dims().end(), [](const Dim &dim) { return dim.empty(); });
}

std::vector<SubAxis> Layout::shardingAxes() const {
  std::vector<SubAxis> axes;
  for (const Dim &dim : dims())
    for (const Cut &cut : dim)
      axes.push_back(cut.axis);
  if (ragged())
    axes.push_back(ragged()->axis);
  return axes;
}

std::vector<SubAxis> Layout::usedAxes() const {
  std::vector<SubAxis> axes = shardingAxes();
  if (partial())
    axes.insert(axes.end() - (ragged() ? 1 : 0), partial()->axes.begin(), partial()->axes.end());
  return axes;
}

std::vector<SubAxis> Layout::unusedAxes() const {
  std::vector<SubAxis> used = usedAxes(), result;
  for (int axis = 0; axis < mesh().rank(); ++axis) {
    std::vector<SubAxis> parts = unusedParts(mesh(), axis, used);
    result.insert(result.end(), parts.begin(), parts.end());
  }
  return result;
}

bool Layout::equals(const Layout &other) const {
  return mesh() == other.mesh() && dims() == other.dims() && partial() == other.partial() &&
         ragged() == other.ragged();
}

std::string Layout::str() const {
  std::string text = "[";
  for (int d = 0; d < rank(); ++d)
    text += fmt::format("{}{{{}}}", d ? ", " : "", layout::str(mesh(), dim(d)));
  text += "]";
  if (partial())
    text += ", partial = " + layout::str(mesh(), *partial());
  if (ragged())
    text += ", ragged = " + layout::str(mesh(), *ragged());
  return text;
}

static constexpr std::pair<Reduction, std::string_view> reductionNames[] = {
    {Reduction::sum, "sum"},   {Reduction::max, "max"},    {Reduction::min, "min"},
    {Reduction::prod, "prod"}, {Reduction::bitAnd, "and"}, {Reduction::bitOr, "or"}};

std::string_view str(Reduction reduction) {
  for (const auto &[value, name] : reductionNames)
    if (value == reduction)
      return name;
  return {};
}

std::optional<Reduction> reductionNamed(std::string_view name) {
  for (const auto &[value, known] : reductionNames)
    if (known == name)
      return value;
  return std::nullopt;
}

std::string str(const Mesh &mesh, const Cut &cut) {
  std::string text = str(mesh, cut.axis);
  if (cut.interleave != 1)
    text += fmt::format(" / {}", cut.interleave);
  if (cut.block != 1)
    text += fmt::format(" by {}", cut.block);
  return text;
}

std::string str(const Mesh &mesh, const Dim &dim) {
  std::string text;
  for (const Cut &cut : dim)
    text += (text.empty() ? "" : ", ") + str(mesh, cut);
  return text;
}

std::string str(const Mesh &mesh, const Partial &partial) {
  std::string text;
  for (const SubAxis &axis : partial.axes)
    text +=
        fmt::format("{}{}: {}", text.empty() ? "" : ", ", str(partial.reduction), str(mesh, axis));
  return "[" + text + "]";
}

std::string str(const Mesh &mesh, const Ragged &ragged) {
  return fmt::format("{{{}, dims = {}, units = [{}]}}", str(mesh, ragged.axis), ragged.dims,
                     ragged.units.str());
}

} // namespace vescale::layout
