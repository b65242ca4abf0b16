//===- ProgramWriter.cpp - Text of a random program, and what is known of its values --------===//

#include "tests/differential/ProgramWriter.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vescale::analysis {

std::string typeOf(const std::string &element, const Sizes &shape) {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + element + ">";
}

std::string listOf(const Sizes &numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return "[" + text + "]";
}

int64_t elementsOf(const Sizes &shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

std::string Written::type() const { return typeOf(element, shape); }

ProgramWriter::ProgramWriter(Choice &choice, std::function<bool(const std::string &)> supported)
    : choice(choice), real(choice.percent(50) ? "f32" : "f64"), supported(std::move(supported)) {}

Sizes ProgramWriter::randomShape(int64_t minimalRank) {
  while (true) {
    Sizes shape(choice.between(std::max<int64_t>(minimalRank, choice.percent(10) ? 0 : 1), 4));
    for (int64_t &size : shape)
      size = choice.percent(3) ? 0 : choice.percent(10) ? 1 : choice.between(2, 9);
    if (elementsOf(shape) <= 200)
      return shape;
  }
}

Written ProgramWriter::argument(const std::string &element, const Sizes &shape) {
  Written made{"%a" + std::to_string(arguments.size()), element, shape};
  // Integer arguments lie in [0, 8).
  if (!made.isReal())
    made.bound = 8, made.grid = 0;
  arguments.push_back(made);
  return made;
}

Written ProgramWriter::value(const std::string &element, const Sizes &shape) {
  std::vector<Written> fitting;
  for (const Written &one : pool)
    if (one.element == element && one.shape == shape)
      fitting.push_back(one);
  if (!fitting.empty() && choice.percent(75))
    return choice.of(fitting);
  Written made = argument(element, shape);
  keep(made);
  return made;
}

Written ProgramWriter::anyReal(int64_t minimalRank, bool notEmpty) {
  std::vector<Written> fitting;
  for (const Written &one : pool)
    if (one.element == real && one.rank() >= minimalRank && elementsOf(one.shape) <= 400 &&
        (!notEmpty || elementsOf(one.shape) > 0))
      fitting.push_back(one);
  // The newer, the likelier: programs become deep.
  if (!fitting.empty() && choice.percent(80))
    return fitting[std::max(choice.below(fitting.size()), choice.below(fitting.size()))];
  Sizes shape = randomShape(minimalRank);
  while (notEmpty && elementsOf(shape) == 0)
    shape = randomShape(minimalRank);
  Written made = argument(real, shape);
  keep(made);
  return made;
}

std::string ProgramWriter::generator() {
  rng = "%rng";
  return rng;
}

Written ProgramWriter::constant(const std::string &element, const Sizes &shape, double number) {
  Written made{freshName(), element, shape, std::abs(number), 3};
  std::string text = std::to_string(number);
  line(made.name + " = vs.constant dense<" +
       (made.isReal() ? text : std::to_string(int64_t(number))) + "> : " + made.type());
  return made;
}

std::vector<Written> ProgramWriter::writeMany(const std::string &op, const std::string &text,
                                              const std::vector<std::string> &operandTypes,
                                              std::vector<Written> results,
                                              const std::vector<bool> &reusable) {
  std::string name = freshName(), types, operands;
  for (const std::string &type : operandTypes)
    operands += (operands.empty() ? "" : ", ") + type;
  for (size_t i = 0; i < results.size(); ++i) {
    results[i].name = results.size() == 1 ? name : name + "#" + std::to_string(i);
    types += (i ? ", " : "") + results[i].type();
    if (reusable[i])
      pool.push_back(results[i]);
    else
      outputs.push_back(results[i]);
  }
  bool exact = std::all_of(reusable.begin(), reusable.end(), [](bool one) { return one; });
  std::string body = text;
  if (!exact) {
    if (!body.empty() && body.back() == '}')
      body = body.substr(0, body.size() - 1) + ", inexact}";
    else
      body += " {inexact}";
  }
  std::string count = results.size() == 1 ? "" : ":" + std::to_string(results.size());
  line(name + count + " = vs." + op + " " + body + " : (" + operands + ") -> (" + types + ")");
  return results;
}

Written ProgramWriter::write(const std::string &op, const std::string &text,
                             const std::vector<Written> &operands, Written result, bool reusable) {
  std::vector<std::string> types;
  for (const Written &operand : operands)
    types.push_back(operand.type());
  return writeMany(op, text, types, {result}, {reusable})[0];
}

Written ProgramWriter::bounded(Written x, double limit, bool reusable) {
  if (x.bound <= limit || !supports("constant") || !supports("clamp"))
    return x;
  Written low = constant(x.element, x.shape, -limit), high = constant(x.element, x.shape, limit);
  Written result = x;
  result.bound = limit;
  return write("clamp", x.name + ", " + low.name + ", " + high.name, {x, low, high}, result,
               reusable);
}

Written ProgramWriter::onGrid(Written x, bool inexact) {
  if (x.grid <= 3)
    return x;
  Written up = constant(x.element, x.shape, 8), down = constant(x.element, x.shape, 0.125);
  std::string scaled = freshName(), rounded = freshName();
  line(scaled + " = vs.mul " + x.name + ", " + up.name + " : " + x.type());
  line(rounded + " = vs.round " + scaled + (inexact ? " {rounds_inexact}" : "") + " : " + x.type());
  Written result = x;
  result.grid = 3;
  return write("mul", rounded + ", " + down.name, {x, down}, result);
}

Written ProgramWriter::tame(Written x) {
  if (std::log2(x.bound + 1) + x.grid <= 8 || !supports("constant"))
    return x;
  return onGrid(bounded(x));
}

void ProgramWriter::writeInexact(const std::string &op, const std::string &text,
                                 const std::vector<Written> &operands, Written result) {
  bool rounds = supports("constant") && supports("round") && supports("mul");
  Written made = write(op, text, operands, result, false);
  if (!rounds)
    return;
  made.grid = 60;
  onGrid(bounded(made, 16, /*reusable=*/false), /*inexact=*/true);
}

std::string ProgramWriter::finish(const std::string &name,
                                  const std::vector<std::string> &attributes) {
  std::string parameters, types, values;
  if (!rng.empty())
    parameters = rng + ": !vs.rng" + (attributes.empty() ? "" : " {vs.role = \"rng\"}");
  for (size_t i = 0; i < arguments.size(); ++i)
    parameters += (parameters.empty() ? "" : ", ") + arguments[i].name + ": " +
                  arguments[i].type() + (attributes.empty() ? "" : attributes[i]);
  for (const Written &one : outputs) {
    types += (types.empty() ? "" : ", ") + one.type();
    values += (values.empty() ? "" : ", ") + one.name;
  }
  return "func.func @" + name + "(" + parameters + ") -> (" + types + ")" +
         (attributes.empty() ? "" : " attributes {inexact}") + " {\n" + lines + "  return " +
         values + (values.empty() ? "" : " : " + types) + "\n}\n";
}

std::string ProgramWriter::finishProgram() {
  size_t begin = pool.size() > 4 ? pool.size() - 4 : 0;
  outputs.insert(outputs.end(), pool.begin() + begin, pool.end());
  return finish("f", {});
}

std::string ProgramWriter::finishModel() {
  size_t begin = pool.size() > 4 ? pool.size() - 4 : 0, trainable = arguments.size();
  outputs.insert(outputs.end(), pool.begin() + begin, pool.end());
  Written loss = constant(real, {}, 0);
  for (const Written &one : outputs) {
    if (one.element != real || !one.differentiable)
      continue;
    Written weight = argument(real, one.shape);
    Sizes dims(one.shape.size());
    std::iota(dims.begin(), dims.end(), 0);
    Written product = one, sum{freshName(), real, {}}, next = sum;
    product.name = freshName();
    next.name = freshName();
    line(product.name + " = vs.mul " + one.name + ", " + weight.name + " : " + one.type());
    line(sum.name + " = vs.reduce sum " + product.name + " dims = " + listOf(dims) + " : " +
         one.type() + " -> " + sum.type());
    line(next.name + " = vs.add " + loss.name + ", " + sum.name + " : " + sum.type());
    loss = next;
  }
  outputs = {loss};
  std::vector<std::string> attributes;
  for (size_t i = 0; i < arguments.size(); ++i) {
    bool trained = i < trainable && arguments[i].isReal() && choice.percent(80);
    std::string name = ", vs.name = \"a" + std::to_string(i) + "\"";
    attributes.push_back(trained ? " {vs.role = \"parameter\", vs.init = #vs.normal<1.0>, vs.decay = " +
                                       std::string(choice.percent(50) ? "true" : "false") + name + "}"
                                 : " {vs.role = \"batch\"" + name + "}");
  }
  return finish("loss", attributes);
}

} // namespace vescale::analysis
