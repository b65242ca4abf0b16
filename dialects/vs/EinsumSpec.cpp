//===- EinsumSpec.cpp - The letters of a contraction ---------------------------------------===//

#include "dialects/vs/EinsumSpec.h"

namespace vescale::vs {

static bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static bool contains(std::string_view text, char letter) {
  return text.find(letter) != std::string_view::npos;
}

static std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

/// Checks that `part` holds letters only, each once.
static bool checkPart(std::string_view part, std::string_view name, std::string &error) {
  for (size_t i = 0; i < part.size(); ++i) {
    if (!isLetter(part[i])) {
      error = "has " + quoted(part.substr(i, 1)) + " in " + std::string(name) + " " +
              quoted(part) + "; dims are letters a-z and A-Z";
      return false;
    }
    if (contains(part.substr(0, i), part[i])) {
      error = "has the letter " + quoted(part.substr(i, 1)) + " twice in " + std::string(name) +
              " " + quoted(part);
      return false;
    }
  }
  return true;
}

std::optional<EinsumSpec> EinsumSpec::parse(std::string_view text, std::string &error) {
  size_t comma = text.find(',');
  size_t arrow = text.find("->");
  if (comma == std::string_view::npos || arrow == std::string_view::npos || arrow < comma) {
    error = "must read \"lhs,rhs->out\"";
    return std::nullopt;
  }
  EinsumSpec spec{std::string(text.substr(0, comma)),
                  std::string(text.substr(comma + 1, arrow - comma - 1)),
                  std::string(text.substr(arrow + 2))};
  if (!checkPart(spec.lhs, "lhs", error) || !checkPart(spec.rhs, "rhs", error) ||
      !checkPart(spec.out, "the output", error))
    return std::nullopt;
  for (char letter : spec.out)
    if (!contains(spec.lhs, letter) && !contains(spec.rhs, letter)) {
      error = "has the letter " + quoted({&letter, 1}) + " in the output, but in no input";
      return std::nullopt;
    }
  auto checkUsed = [&](std::string_view part, std::string_view other, std::string_view name) {
    for (char letter : part)
      if (!contains(other, letter) && !contains(spec.out, letter)) {
        error = "has the letter " + quoted({&letter, 1}) + " in " + std::string(name) +
                " only; reduce that dim first";
        return false;
      }
    return true;
  };
  if (!checkUsed(spec.lhs, spec.rhs, "lhs") || !checkUsed(spec.rhs, spec.lhs, "rhs"))
    return std::nullopt;
  return spec;
}

std::string EinsumSpec::batch() const {
  std::string letters;
  for (char letter : out)
    if (contains(lhs, letter) && contains(rhs, letter))
      letters += letter;
  return letters;
}

std::string EinsumSpec::contracted() const {
  std::string letters;
  for (char letter : lhs)
    if (!contains(out, letter))
      letters += letter;
  return letters;
}

std::string EinsumSpec::lhsFree() const {
  std::string letters;
  for (char letter : out)
    if (!contains(rhs, letter))
      letters += letter;
  return letters;
}

std::string EinsumSpec::rhsFree() const {
  std::string letters;
  for (char letter : out)
    if (!contains(lhs, letter))
      letters += letter;
  return letters;
}

} // namespace vescale::vs
