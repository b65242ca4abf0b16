//===- NumberText.cpp - Numbers as people write them ---------------------------------------===//

#include "dialects/vs/NumberText.h"

#include <algorithm>
#include <charconv>

std::string vescale::vs::numberText(double number) {
  char buffer[32];
  std::to_chars_result result = std::to_chars(buffer, buffer + sizeof(buffer), number);
  std::string text(buffer, result.ptr);
  // MLIR reads a number without a point as an integer.
  if (text.find('.') == std::string::npos)
    text.insert(std::min(text.find('e'), text.size()), ".0");
  return text;
}
