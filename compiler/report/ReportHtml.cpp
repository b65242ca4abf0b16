//===- ReportHtml.cpp - The report as one page -----------------------------------------------------===//
//
// The page is one file: styles inline, pictures as inline SVG, no scripts. Every mesh axis has a
// colour; a tensor's picture shows bands of that colour where the axis cuts it.
//
//===-----------------------------------------------------------------------------------------===//

#include "compiler/report/HtmlParts.h"
#include "compiler/report/Quantities.h"
#include "compiler/report/Report.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace vescale {

using html::escape;

namespace {

/// The layer of a name, `h.3` of `h.3.mlp.output`: what stands up to its first number; empty where it
/// has none.
std::string layerOf(const std::string &name) {
  size_t begin = name.rfind(' ') == std::string::npos ? 0 : name.rfind(' ') + 1;
  for (size_t at = begin; at < name.size();) {
    size_t dot = name.find('.', at);
    std::string part = name.substr(at, dot == std::string::npos ? dot : dot - at);
    if (!part.empty() && part.find_first_not_of("0123456789") == std::string::npos)
      return name.substr(begin, at + part.size() - begin);
    if (dot == std::string::npos)
      break;
    at = dot + 1;
  }
  return "";
}

/// Things by layer, in the order of first appearance.
template <class T> class ByLayer {
public:
  std::vector<const T *> &of(const std::string &layer) {
    auto [known, isNew] = index.try_emplace(layer, groups.size());
    if (isNew)
      groups.push_back({layer, {}});
    return groups[known->second].second;
  }
  const auto &all() const { return groups; }

private:
  std::map<std::string, size_t> index;
  std::vector<std::pair<std::string, std::vector<const T *>>> groups;
};

class Page {
public:
  explicit Page(const Report &report) : report(report) {
    size_t begin = 0;
    while (begin < report.mesh.size()) {
      size_t equals = report.mesh.find('=', begin), end = report.mesh.find(", ", begin);
      axes.push_back(report.mesh.substr(begin, equals - begin));
      begin = end == std::string::npos ? report.mesh.size() : end + 2;
    }
  }

  std::string str(const std::string &title) const {
    return html::document(title, header(title) + memory() + groups() + tensors() + moves() + launches());
  }

private:
  /// The number of an axis's colour.
  size_t colour(const std::string &axis) const {
    auto found = std::find(axes.begin(), axes.end(), axis.substr(0, axis.find(':')));
    return static_cast<size_t>(found - axes.begin()) % html::colours;
  }
  std::string chip(const std::string &axis) const {
    return fmt::format("<span class=\"chip c{}\">{}</span>", colour(axis), escape(axis));
  }
  std::string chips(const std::vector<std::string> &names) const {
    std::string text;
    for (const std::string &name : names)
      text += chip(name);
    return text;
  }

  static std::string card(const std::string &label, const std::string &value) {
    return fmt::format("<div class=\"card\"><b>{}</b><span>{}</span></div>", escape(value), escape(label));
  }

  std::string header(const std::string &title) const {
    int64_t count = 0, bytes = 0;
    double seconds = 0;
    for (const CollectiveGroup &group : report.groups())
      if (group.function == mainFunction()) {
        count += group.count;
        bytes += group.bytes;
        seconds += group.seconds;
      }
    std::string legend;
    for (const std::string &axis : axes)
      legend += chip(axis);
    return fmt::format(
        "<header><h1>{}</h1><p>{} {}</p></header><section class=\"cards\">{}{}{}{}{}</section>",
        escape(title),
        report.mesh.empty() ? "One device" : "Mesh " + escape(report.mesh), legend,
        card("devices", std::to_string(report.devices)),
        card("planned memory of a device", bytesText(report.arenaBytes())),
        card("collectives of a step", std::to_string(count)),
        card("received by a device", bytesText(bytes)),
        card("predicted communication", secondsText(seconds)));
  }

  /// The training step, or what there is.
  std::string mainFunction() const {
    for (const MemoryReport &one : report.memory)
      if (one.function == "step")
        return "step";
    return report.memory.empty() ? "" : report.memory.front().function;
  }

  std::string memory() const {
    std::string text;
    for (const MemoryReport &one : report.memory) {
      std::vector<std::pair<std::string, int64_t>> kinds(one.persistent.begin(), one.persistent.end());
      kinds.insert(kinds.end(), one.atPeak.begin(), one.atPeak.end());
      std::stable_sort(kinds.begin(), kinds.end(),
                       [](const auto &a, const auto &b) { return a.second > b.second; });
      std::string bar, legend;
      size_t number = 0;
      auto add = [&](const std::string &kind, int64_t bytes) {
        if (bytes <= 0)
          return;
        size_t shade = number++ % html::colours;
        double share = 100.0 * static_cast<double>(bytes) / std::max<int64_t>(one.arenaBytes, 1);
        bar += fmt::format("<i class=\"c{}\" style=\"width:{:.3f}%\" title=\"{}: {}\"></i>", shade, share,
                           escape(kind), bytesText(bytes));
        legend += fmt::format("<li><i class=\"dot c{}\"></i>{} <b>{}</b></li>", shade, escape(kind),
                              bytesText(bytes));
      };
      for (const auto &[kind, bytes] : kinds)
        add(kind, bytes);
      add("gaps", one.arenaBytes - one.neededBytes);
      text += fmt::format("<h3>@{} <small>{} planned, {} needed at the peak{}</small></h3>"
                          "<div class=\"bar\">{}</div><ul class=\"legend\">{}</ul>",
                          escape(one.function), bytesText(one.arenaBytes), bytesText(one.neededBytes),
                          one.peakLocation.empty() ? "" : " at " + escape(one.peakLocation), bar, legend);
    }
    return "<section><h2>Memory of a device</h2>" + text + "</section>";
  }

  std::string groups() const {
    std::string rows;
    for (const CollectiveGroup &group : report.groups())
      rows += fmt::format("<tr><td>@{}</td><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
                          "<td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
                          escape(group.function), escape(group.kind), chips(group.axes), group.count,
                          bytesText(group.payloadBytes), bytesText(group.bytes), secondsText(group.seconds));
    if (rows.empty())
      return "";
    return "<section><h2>Collectives</h2><table><tr><th>in</th><th>kind</th><th>along</th><th class=\"n\">count"
           "</th><th class=\"n\">tensors</th><th class=\"n\">received</th><th class=\"n\">predicted</th></tr>" +
           rows + "</table></section>";
  }

  std::string tensorRow(const TensorReport &tensor) const {
    std::string parts;
    for (const LocalPart &part : tensor.parts)
      parts += (parts.empty() ? "" : ", ") + shapeText(part.shape) +
               (part.devices == report.devices ? "" : fmt::format(" on {}", part.devices));
    return fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td class=\"mono\">{} {}</td><td class=\"mono\">{}</td>"
                       "<td class=\"mono\">{}</td><td class=\"n\">{}</td></tr>",
                       picture(tensor), escape(tensor.name), escape(tensor.role), shapeText(tensor.shape),
                       escape(tensor.elementType),
                       escape(tensor.placements.empty() ? tensor.layout : tensor.placements), parts,
                       bytesText(tensor.bytes));
  }

  /// The last two dims as a rectangle, with bands along the dims that axes cut.
  std::string picture(const TensorReport &tensor) const {
    std::vector<std::vector<std::string>> dims = html::axesOfDims(tensor.layout);
    constexpr int width = 44, height = 26;
    std::string shapes = fmt::format("<rect class=\"whole\" width=\"{}\" height=\"{}\" rx=\"3\"/>", width, height);
    auto bands = [&](const std::vector<std::string> &cutting, bool rows) {
      if (cutting.empty())
        return;
      constexpr int count = 4;
      for (int i = 0; i < count; ++i) {
        double step = double(rows ? height : width) / count;
        shapes += fmt::format("<rect class=\"f{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
                              "opacity=\"{}\"/>",
                              colour(cutting[i % cutting.size()]), rows ? 0 : i * step, rows ? i * step : 0,
                              rows ? width : step, rows ? step : height, i % 2 ? "0.35" : "0.75");
      }
    };
    size_t rank = dims.size();
    if (rank == 1) {
      bands(dims[0], false);
    } else if (rank > 1) {
      std::vector<std::string> leading;
      for (size_t d = 0; d + 1 < rank; ++d)
        leading.insert(leading.end(), dims[d].begin(), dims[d].end());
      bands(leading, true);
      bands(dims[rank - 1], false);
    }
    return fmt::format("<svg viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" aria-label=\"{2}\">{3}"
                       "</svg>",
                       width, height, escape(tensor.layout.empty() ? "whole" : tensor.layout), shapes);
  }

  static std::string section(const std::string &layer, size_t count, const std::string &note,
                             const std::string &table) {
    bool open = layer.empty();
    return fmt::format("<details{}><summary>{} <small>{}, {}</small></summary>{}</details>", open ? " open" : "",
                       layer.empty() ? "outside the layers" : escape(layer), count, note, table);
  }

  std::string tensors() const {
    ByLayer<TensorReport> layers;
    for (const TensorReport &tensor : report.tensors)
      if (tensor.function == mainFunction())
        layers.of(layerOf(tensor.name)).push_back(&tensor);
    std::string text;
    for (const auto &[layer, members] : layers.all()) {
      std::string rows;
      int64_t bytes = 0;
      for (const TensorReport *tensor : members) {
        rows += tensorRow(*tensor);
        bytes += tensor->bytes;
      }
      text += section(layer, members.size(), bytesText(bytes) + " on a device",
                      "<table><tr><th></th><th>name</th><th>role</th><th>shape</th><th>layout</th><th>a device holds"
                      "</th><th class=\"n\">bytes</th></tr>" + rows + "</table>");
    }
    return "<section><h2>Parameters, states and batch</h2>" + text + "</section>";
  }

  std::string moves() const {
    if (report.redistributions.empty())
      return "";
    ByLayer<RedistributionReport> layers;
    std::map<int64_t, const CollectiveReport *> stepOf;
    for (const CollectiveReport &one : report.collectives)
      stepOf.emplace(one.redistribution, &one);
    for (const RedistributionReport &one : report.redistributions) {
      auto step = stepOf.find(one.number);
      layers.of(layerOf(step == stepOf.end() ? one.value : step->second->value)).push_back(&one);
    }
    std::string text;
    for (const auto &[layer, members] : layers.all()) {
      std::string rows;
      int64_t bytes = 0;
      double seconds = 0;
      for (const RedistributionReport *one : members) {
        bytes += one->runs * one->bytes;
        seconds += one->runs * one->seconds;
        rows += fmt::format("<tr><td class=\"n\">{}</td><td>{}<p class=\"why\">{}.</p></td><td class=\"mono\">{}<br>{}"
                            "</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td></tr>",
                            one->number, escape(one->value), escape(one->cause), escape(one->from),
                            escape(one->to), escape(fmt::format("{}", fmt::join(one->steps, ", "))),
                            bytesText(one->bytes), secondsText(one->seconds), escape(one->location));
      }
      text += section(layer, members.size(), fmt::format("{} received, {}", bytesText(bytes), secondsText(seconds)),
                      "<table><tr><th class=\"n\">#</th><th>value and cause</th><th>from, to</th><th>steps</th>"
                      "<th class=\"n\">received</th><th class=\"n\">predicted</th><th>at</th></tr>" + rows + "</table>");
    }
    return "<section><h2>Redistributions</h2>" + text + "</section>";
  }

  std::string launches() const {
    if (report.collectives.empty())
      return "";
    std::string rows;
    for (const CollectiveReport &one : report.collectives)
      rows += fmt::format("<tr><td class=\"n\">{}</td><td>@{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"mono\">{} {}"
                          "</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td></tr>",
                          one.id, escape(one.function), escape(one.kind), chips(one.axes), escape(one.value),
                          shapeText(one.shape), escape(one.elementType), bytesText(one.bytes),
                          secondsText(one.seconds), escape(one.location));
    return "<section><h2>Every launch</h2><details><summary>in program order <small>" +
           std::to_string(report.collectives.size()) +
           "</small></summary><table><tr><th class=\"n\">id</th><th>in</th><th>kind</th><th>along</th><th>for</th>"
           "<th>tensor</th><th class=\"n\">received</th><th class=\"n\">predicted</th><th>at</th></tr>" +
           rows + "</table></details></section>";
  }

  const Report &report;
  std::vector<std::string> axes;
};

} // namespace

std::string toHtml(const Report &report, const std::string &title) { return Page(report).str(title); }

} // namespace vescale
