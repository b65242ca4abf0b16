//===- JointSettling.cpp - Options of all units, cheapest together ------------------------------===//

#include "passes/placement/JointSettling.h"

#include "layout/Hash.h"

#include "llvm/ADT/STLExtras.h"

namespace vescale {

/// A smaller change of the price is rounding.
static constexpr double leastChange = 2e-14;
/// How many units one trial may change.
static constexpr size_t chainLimit = 12;
/// How often all units are looked at.
static constexpr int passLimit = 6;
/// A value with more units than this is not followed: what hundreds use moves for none of them.
static constexpr size_t unitLimit = 16;

size_t JointSettling::WordsHash::operator()(const std::vector<int64_t> &words) const {
  size_t hash = words.size();
  for (int64_t word : words)
    hash = layout::combineHash(hash, static_cast<size_t>(word));
  return hash;
}

const SettleOption *JointSettling::alone(const SettleUnit &unit) const {
  if (!unit.rule) {
    // Edges stand in the layout of their targets, redistributions give what they give.
    const SettleValue &target = table.values[unit.results.front()];
    return table.options.joined(target.wanted, unit.size());
  }
  auto tensorOf = [&](int index, bool isResult) {
    OptionTensor tensor;
    if (index < 0)
      return tensor;
    const SettleValue &value = table.values[index];
    tensor.shape = value.shape;
    tensor.elementBytes = value.elementBytes;
    tensor.isParameter = value.isParameter;
    if (isResult) {
      tensor.wanted = value.wanted;
      return tensor;
    }
    if (value.given >= 0 && table.prices.isPartial(value.given)) {
      // Only a reduction is shared.
      tensor.uses = static_cast<int>(std::min<size_t>(std::max<size_t>(value.units.size() - 1, 1), 8));
      tensor.available = {value.given};
      tensor.wanted = value.wanted;
    } else if (value.wanted >= 0 && value.wanted != value.given) {
      tensor.available = {value.wanted, value.given};
    } else if (value.given >= 0) {
      tensor.available = {value.given};
    }
    return tensor;
  };
  llvm::SmallVector<OptionTensor> operands, results;
  for (int operand : unit.operands)
    operands.push_back(tensorOf(operand, false));
  for (int result : unit.results)
    results.push_back(tensorOf(result, true));
  return table.options.cheapest(*unit.rule, operands, results);
}

std::vector<const SettleOption *> JointSettling::optionsOf(const SettleUnit &unit) const {
  constexpr size_t suggestions = 3;
  std::vector<const SettleOption *> options;
  auto addOnce = [&](const SettleOption *option) {
    if (!llvm::is_contained(options, option))
      options.push_back(option);
  };
  addOnce(unit.option);
  if (unit.isEdge) {
    for (size_t position = 0; position < unit.size(); ++position) {
      const SettleValue &value = table.values[unit.value(position)];
      if (position < unit.operands.size())
        addOnce(table.options.joined(value.given, unit.size()));
      else
        for (const SettleValue::Taken &use : value.taken)
          addOnce(table.options.joined(use.layout, unit.size()));
    }
    return options;
  }
  if (!unit.rule)
    return options;
  auto tensorOf = [&](int index, bool isResult) {
    OptionTensor tensor;
    if (index < 0)
      return tensor;
    const SettleValue &value = table.values[index];
    tensor.shape = value.shape;
    tensor.elementBytes = value.elementBytes;
    tensor.isParameter = value.isParameter;
    tensor.wanted = value.wanted;
    if (!isResult)
      tensor.available = {value.given};
    auto suggest = [&](int layout) {
      if (layout != tensor.wanted && tensor.suggested.size() < suggestions &&
          !llvm::is_contained(tensor.suggested, layout))
        tensor.suggested.push_back(layout);
    };
    if (!isResult)
      suggest(value.given);
    for (const SettleValue::Taken &use : value.taken)
      suggest(use.layout);
    return tensor;
  };
  llvm::SmallVector<OptionTensor> operands, results;
  for (int operand : unit.operands)
    operands.push_back(tensorOf(operand, false));
  for (int result : unit.results)
    results.push_back(tensorOf(result, true));
  for (const SettleOption *option : table.options.list(*unit.rule, operands, results))
    addOnce(option);
  return options;
}

void JointSettling::chooseAlone() {
  for (size_t unit = 0; unit < table.units.size(); ++unit)
    table.assign(static_cast<int>(unit), alone(table.units[unit]));
}

bool JointSettling::isAtMove(const SettleUnit &unit) const {
  for (size_t position = 0; position < unit.size(); ++position)
    if (int value = unit.value(position); value >= 0 && table.values[value].price > leastChange)
      return true;
  return false;
}

std::vector<int64_t> JointSettling::surroundings(int number) const {
  const SettleUnit &unit = table.units[number];
  std::vector<int64_t> words;
  auto add = [&](const SettleUnit &other) {
    words.push_back(other.rule ? other.rule->number : other.isEdge ? -1 : -2);
    words.push_back(reinterpret_cast<int64_t>(other.option));
  };
  add(unit);
  words.push_back(static_cast<int64_t>(unit.runs));
  for (size_t position = 0; position < unit.size(); ++position) {
    if (unit.value(position) < 0)
      continue;
    const SettleValue &value = table.values[unit.value(position)];
    words.push_back(-3 - value.isArgument - 2 * value.isParameter);
    words.push_back(value.shape);
    words.push_back(value.given);
    words.push_back(value.wanted);
    for (const SettleValue::Taken &use : value.taken)
      words.push_back(use.layout);
    if (value.units.size() > unitLimit)
      continue;
    for (int other : value.units)
      if (other != number)
        add(table.units[other]);
  }
  return words;
}

double JointSettling::follow(int unit, Chain &chain, double change, double goal,
                             size_t &bestLength, double &best) {
  llvm::SmallVector<int, 16> queue = {unit};
  llvm::SmallVector<int, 16> seen = {unit};
  for (size_t next = 0; next < queue.size() && chain.size() < chainLimit; ++next) {
    const SettleUnit &leader = table.units[queue[next]];
    for (size_t position = 0; position < leader.size() && chain.size() < chainLimit; ++position) {
      if (leader.value(position) < 0)
        continue;
      const SettleValue &value = table.values[leader.value(position)];
      if (value.price <= leastChange || value.units.size() > unitLimit)
        continue;
      for (int other : llvm::SmallVector<int, 4>(value.units)) {
        if (llvm::is_contained(seen, other) || chain.size() >= chainLimit)
          continue;
        seen.push_back(other);
        const SettleOption *before = table.units[other].option, *cheapest = nullptr;
        double least = goal;
        int met = leader.option->layouts[position];
        for (const SettleOption *option : optionsOf(table.units[other])) {
          if (option == before)
            continue;
          const SettleUnit &follower = table.units[other];
          bool follows = false;
          for (size_t i = 0; i < follower.size(); ++i)
            follows |= follower.value(i) == leader.value(position) && option->layouts[i] == met;
          if (!follows)
            continue;
          double delta = table.assign(other, option);
          if (change + delta < least) {
            least = change + delta;
            cheapest = option;
          }
          table.assign(other, before);
        }
        if (!cheapest)
          continue;
        chain.push_back({other, before});
        change += table.assign(other, cheapest);
        queue.push_back(other);
        if (change < best) {
          best = change;
          bestLength = chain.size();
        }
      }
    }
  }
  return change;
}

bool JointSettling::tryToImprove(int number) {
  std::vector<int64_t> words = surroundings(number);
  if (failed.count(words))
    return false;
  const SettleUnit &unit = table.units[number];
  double here = 0;
  for (size_t position = 0; position < unit.size(); ++position)
    if (unit.value(position) >= 0)
      here += table.values[unit.value(position)].price;
  Chain bestChain;
  double best = -leastChange;
  const SettleOption *before = unit.option;
  for (const SettleOption *option : optionsOf(unit)) {
    if (option == before)
      continue;
    Chain chain = {{number, before}};
    double change = table.assign(number, option);
    double least = best;
    size_t length = 0;
    if (change < least) {
      least = change;
      length = 1;
    }
    // A chain that costs as much again as what it is to improve leads nowhere.
    follow(number, chain, change, 2 * here, length, least);
    if (length > 0) {
      best = least;
      bestChain.clear();
      for (const auto &link : llvm::ArrayRef(chain).take_front(length))
        bestChain.push_back({link.first, table.units[link.first].option});
    }
    for (const auto &link : llvm::reverse(chain))
      table.assign(link.first, link.second);
  }
  if (bestChain.empty()) {
    failed.insert(std::move(words));
    return false;
  }
  for (const auto &link : bestChain)
    table.assign(link.first, link.second);
  ++improvements;
  return true;
}

void JointSettling::improve() {
  auto count = static_cast<int>(table.units.size());
  int quiet = 0;
  for (int pass = 0; pass < passLimit && quiet < 2; ++pass) {
    bool improved = false;
    for (int i = 0; i < count; ++i) {
      int unit = pass % 2 == 0 ? count - 1 - i : i;
      if (isAtMove(table.units[unit]))
        improved |= tryToImprove(unit);
    }
    quiet = improved ? 0 : quiet + 1;
  }
}

} // namespace vescale
