//===- Explain.cpp - Answers about a planned program in plain sentences ---------------------------===//

#include "compiler/explain/Explain.h"

#include "analysis/plan/NearestNames.h"
#include "analysis/plan/PlanOrigin.h"
#include "compiler/report/Quantities.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace vescale {

using analysis::PlanSection;
using layout::Status;

namespace {

/// The function that people ask about: the training step, or the only one.
std::string mainFunction(const Report &report) {
  for (const TensorReport &tensor : report.tensors)
    if (tensor.function == "step")
      return "step";
  return report.tensors.empty() ? "step" : report.tensors.front().function;
}

const TensorReport *findTensor(const PlannedProgram &program, const std::string &name) {
  std::string function = mainFunction(program.report);
  for (const TensorReport &tensor : program.report.tensors)
    if (tensor.function == function && tensor.name == name)
      return &tensor;
  return nullptr;
}

/// Why a wish is there: the line of the plan, or that the model asks.
std::string originOfWish(const PlannedProgram &program, const analysis::LayoutDecision &decision) {
  static constexpr std::string_view constraint = "the constraint on ";
  std::string name = decision.value;
  if (name.compare(0, constraint.size(), constraint) == 0)
    name = name.substr(constraint.size());
  if (program.plan) {
    const TensorReport *tensor = findTensor(program, name);
    std::string gradient = analysis::parameterOfGradient(name);
    PlanSection section = !gradient.empty()                          ? PlanSection::gradients
                          : !tensor || tensor->role == "batch"       ? PlanSection::values
                          : tensor->role == "state"                  ? PlanSection::optimizerState
                                                                     : PlanSection::parameters;
    std::string origin =
        analysis::originOf(*program.plan, section, gradient.empty() ? name : gradient,
                           decision.strategy == "further");
    if (!origin.empty())
      return "the plan asks for it (" + origin + ")";
  }
  return "a wish asks for it";
}

std::string reasons(const PlannedProgram &program, const std::string &function,
                    const std::string &value, const std::string &axis, const char *indent) {
  std::string text = program.provenance.explain(
      function, value, axis,
      [&](const analysis::LayoutDecision &decision) { return originOfWish(program, decision); });
  std::string indented;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = text.find('\n', begin) + 1;
    indented += indent + text.substr(begin, end - begin);
    begin = end;
  }
  return indented;
}

std::string priceText(int64_t bytes, double seconds, int64_t runs) {
  std::string text = fmt::format("a device receives {}, predicted {}", bytesText(bytes),
                                 secondsText(seconds));
  return runs == 1 ? text : fmt::format("{}, {} times a step", text, runs);
}

/// `Of the ways to lay out vs.add ..., ...`: what was taken there, and the next best.
std::string alternativesText(const RedistributionReport &move) {
  const Alternative *chosen = nullptr, *other = nullptr;
  for (const Alternative &one : move.alternatives) {
    const Alternative *&kind = one.chosen ? chosen : other;
    if (!kind)
      kind = &one;
  }
  if (!chosen || !other)
    return "";
  std::string text =
      fmt::format("Laying out {} as {} takes {} there, with what moves and computes.\n", move.user,
                  chosen->layouts, secondsText(chosen->seconds));
  double difference = other->seconds - chosen->seconds;
  text += fmt::format("The best other way, {}, takes {}{}.\n", other->layouts,
                      secondsText(other->seconds),
                      difference > 0 ? fmt::format(", {} more", secondsText(difference))
                      : difference < 0
                          ? fmt::format(", {} less, but more in the ops around it",
                                        secondsText(-difference))
                          : std::string(": the same"));
  return text;
}

/// What met at a redistribution, with the reasons of each.
std::string meetingText(const PlannedProgram &program, const RedistributionReport &move) {
  std::string text;
  std::set<std::string> told;
  auto tell = [&](const std::string &value, const std::string &axis) {
    if (!told.insert(value + "\n" + axis).second)
      return;
    text += reasons(program, move.function, value, axis, "  ");
  };
  for (const Meeting &met : move.met) {
    if (program.provenance.chain(move.function, met.value, met.axis).empty())
      continue;
    tell(met.value, met.axis);
  }
  for (const std::string &axis : program.provenance.axesOf(move.function, move.value))
    if (std::any_of(move.met.begin(), move.met.end(),
                    [&](const Meeting &met) { return met.axis == axis; }) ||
        move.met.empty())
      tell(move.value, axis);
  return text.empty() ? text : "The decisions behind it:\n" + text;
}

std::string movesText(const PlannedProgram &program, const std::string &function,
                      const std::string &name) {
  std::string text;
  int64_t count = 0;
  auto ofCollectives = [&](const RedistributionReport &move) {
    for (const CollectiveReport &one : program.report.collectives)
      if (one.redistribution == move.number && one.value == name)
        return true;
    return false;
  };
  for (const RedistributionReport &move : program.report.redistributions) {
    if (move.function != function || (move.value != name && !ofCollectives(move)))
      continue;
    ++count;
    std::string ids;
    for (const CollectiveReport &one : program.report.collectives)
      if (one.redistribution == move.number)
        ids += fmt::format("{}{}", ids.empty() ? "" : ", ", one.id);
    text += fmt::format("  {}{}: {}; {}.\n    {}.\n",
                        move.steps.empty() ? "nothing" : fmt::format("{}", fmt::join(move.steps, ", ")),
                        ids.empty() ? "" : " (collective " + ids + ")",
                        priceText(move.bytes, move.seconds, move.runs),
                        move.location.empty() ? "no place" : "at " + move.location, move.cause);
    std::string alternatives = alternativesText(move);
    for (size_t begin = 0; begin < alternatives.size();) {
      size_t end = alternatives.find('\n', begin) + 1;
      text += "    " + alternatives.substr(begin, end - begin);
      begin = end;
    }
  }
  if (count == 0)
    return fmt::format("{} does not move in @{}.\n", name, function);
  return fmt::format("{} moves {} in @{}:\n{}", name,
                     count == 1 ? std::string("once") : fmt::format("{} times", count), function, text);
}

std::string whole(const PlannedProgram &program, const std::string &name) {
  const TensorReport *tensor = findTensor(program, name);
  bool unmatched = program.plan && tensor && tensor->role == "parameter" &&
                   analysis::originOf(*program.plan, PlanSection::parameters, name).empty();
  return fmt::format("{} is whole on every device: {}.\n", name,
                     unmatched ? "no key of the plan matches it, and nothing that cuts reached it"
                               : "no wish that cuts it reached it");
}

std::string layoutReasons(const PlannedProgram &program, const std::string &function,
                          const std::string &name) {
  std::string text;
  for (const std::string &axis : program.provenance.axesOf(function, name))
    text += reasons(program, function, name, axis, "");
  return text.empty() ? whole(program, name) : text;
}

std::string tensorText(const Report &report, const TensorReport &tensor) {
  std::string parts;
  for (const LocalPart &part : tensor.parts)
    parts += fmt::format("{}{}{}", parts.empty() ? "" : ", ", shapeText(part.shape),
                         part.devices == report.devices ? ""
                                                        : fmt::format(" on {} devices", part.devices));
  return fmt::format("{} is a {} of shape {}, {}, laid out {}{}; a device holds {}, {}.\n", tensor.name,
                     tensor.role.empty() ? "tensor" : tensor.role, shapeText(tensor.shape),
                     tensor.elementType, tensor.layout.empty() ? "whole" : tensor.layout,
                     tensor.placements.empty() ? "" : " = " + tensor.placements, parts,
                     bytesText(tensor.bytes));
}

std::vector<std::string> names(const PlannedProgram &program, const char *role) {
  std::vector<std::string> all;
  for (const TensorReport &tensor : program.report.tensors)
    if (!role || tensor.role == role)
      all.push_back(tensor.name);
  if (!role)
    all.insert(all.end(), program.tags.begin(), program.tags.end());
  return all;
}

} // namespace

layout::StatusOr<std::string> explainParameter(const PlannedProgram &program,
                                               const std::string &name) {
  const TensorReport *tensor = findTensor(program, name);
  if (!tensor || tensor->role != "parameter")
    return Status::error(fmt::format("--parameter '{}': the model has no parameter of this name{}", name,
                                     analysis::suggestion(name, names(program, "parameter"))));
  return tensorText(program.report, *tensor) + layoutReasons(program, tensor->function, name) +
         movesText(program, tensor->function, name);
}

layout::StatusOr<std::string> explainValue(const PlannedProgram &program, const std::string &name) {
  std::string function = mainFunction(program.report);
  if (const TensorReport *tensor = findTensor(program, name))
    return tensorText(program.report, *tensor) + layoutReasons(program, function, name) +
           movesText(program, function, name);
  if (std::find(program.tags.begin(), program.tags.end(), name) == program.tags.end() &&
      !program.provenance.knows(function, name))
    return Status::error(fmt::format("--value '{}': the program has no tag or argument of this name{}",
                                     name, analysis::suggestion(name, names(program, nullptr))));
  std::string text;
  for (const analysis::LayoutDecision &decision : program.provenance.decisions())
    if (decision.function == function && decision.value == name)
      text = fmt::format("{} is laid out {}.\n", name, decision.layout);
  return text + layoutReasons(program, function, name) + movesText(program, function, name);
}

layout::StatusOr<std::string> explainCollective(const PlannedProgram &program, int64_t id) {
  std::string function = mainFunction(program.report);
  const CollectiveReport *found = nullptr;
  int64_t least = -1, most = -1;
  for (const CollectiveReport &one : program.report.collectives) {
    if (one.function != function)
      continue;
    if (one.id == id)
      found = &one;
    least = least < 0 ? one.id : std::min(least, one.id);
    most = std::max(most, one.id);
  }
  if (!found)
    return Status::error(fmt::format(
        "--collective {}: @{} has no collective of this number; {}", id, function,
        most < 0 ? "it has none" : fmt::format("they run from {} to {} (vescale plan lists them)", least, most)));
  std::string text = fmt::format(
      "Collective {} of @{}: {} over {} of {} {}{}, at {}.\n", id, function, found->kind,
      fmt::join(found->axes, ", "), shapeText(found->shape), found->elementType,
      found->value.empty() ? "" : " for " + found->value,
      found->location.empty() ? "an unknown place" : found->location);
  std::string price = priceText(found->bytes, found->seconds, found->runs);
  price[0] = 'A';
  text += price + ".\n";
  for (const RedistributionReport &move : program.report.redistributions) {
    if (move.number != found->redistribution)
      continue;
    text += fmt::format("It takes {} from {} to {}.\n", move.value, move.from, move.to);
    text += "Cause: " + move.cause + ".\n";
    text += meetingText(program, move);
    text += alternativesText(move);
    if (!move.runnerUp.empty())
      text += fmt::format("The next best way of the move itself, {}.\n", move.runnerUp);
  }
  return text;
}

} // namespace vescale
