//===- LayoutBench.cpp - What the planner and the compiler call most -------------------------===//
//
// Budgets: the region of one device under 1 us, rank classes of 16,384 devices under 1 ms, layouts
// with 16,384 ragged units compared like any other.
//
//===-----------------------------------------------------------------------------------------===//
#include "layout/Canonical.h"
#include "layout/Owner.h"
#include "layout/Parse.h"
#include "layout/RankClass.h"
#include "layout/Region.h"
#include "layout/Transfer.h"

#include <benchmark/benchmark.h>

using namespace vescale::layout;

namespace {

Mesh wideMesh() { return *parseMesh("dp=128,tp=16,pp=8"); }

void regionOf(benchmark::State &state, const char *text, const Shape &shape) {
  Mesh mesh = wideMesh();
  Layout layout = *parseLayout(mesh, text);
  Coordinate coordinate = {77, 5, 3};
  for (auto _ : state)
    benchmark::DoNotOptimize(region(layout, shape, coordinate));
}

void regionOfPlainCuts(benchmark::State &state) {
  regionOf(state, "[{\"dp\"}, {\"tp\", \"pp\"}]", {4096, 8192});
}
BENCHMARK(regionOfPlainCuts);

void regionOfUnevenCuts(benchmark::State &state) {
  regionOf(state, "[{\"dp\", \"pp\"}, {\"tp\" by 8}, {}]", {4097, 1000, 7});
}
BENCHMARK(regionOfUnevenCuts);

void regionOfInterleavedCuts(benchmark::State &state) {
  regionOf(state, "[{\"tp\" / 3}, {\"dp\"}]", {12288, 4096});
}
BENCHMARK(regionOfInterleavedCuts);

void regionOfRaggedCuts(benchmark::State &state) {
  regionOf(state, "[{\"pp\"}, {}, {\"dp\"}], ragged = {\"tp\", dims = 2, units = [3, 5 x 14, 7]}",
           {64, 10, 128});
}
BENCHMARK(regionOfRaggedCuts);

void localShapeOfPlainCuts(benchmark::State &state) {
  Layout layout = *parseLayout(wideMesh(), "[{\"dp\"}, {\"tp\", \"pp\"}]");
  Shape shape = {4096, 8192};
  Coordinate coordinate = {77, 5, 3};
  for (auto _ : state)
    benchmark::DoNotOptimize(localShape(layout, shape, coordinate));
}
BENCHMARK(localShapeOfPlainCuts);

void ownerOfAnElement(benchmark::State &state) {
  Layout layout = *parseLayout(wideMesh(), "[{\"dp\"}, {\"tp\", \"pp\"}]");
  Shape shape = {4097, 8191};
  for (auto _ : state)
    benchmark::DoNotOptimize(owner(layout, shape, {4000, 77}));
}
BENCHMARK(ownerOfAnElement);

void rankClasses(benchmark::State &state, const std::vector<const char *> &texts, int tensors) {
  Mesh mesh = wideMesh();
  std::vector<PlacedTensor> placed;
  for (int i = 0; i < tensors; ++i)
    placed.push_back({*parseLayout(mesh, texts[i % texts.size()]), {4096 + i % 4, 8192, 128}});
  int64_t classes = 0;
  for (auto _ : state)
    classes = RankClasses::get(mesh, placed)->size();
  state.counters["classes"] = classes;
}

void rankClassesOfEvenCuts(benchmark::State &state) {
  rankClasses(state, {"[{}, {\"dp\"}, {\"tp\", \"pp\"}]", "[{}, {\"tp\"}, {}]"}, 400);
}
BENCHMARK(rankClassesOfEvenCuts)->Unit(benchmark::kMicrosecond);

void rankClassesOfUnevenCuts(benchmark::State &state) {
  rankClasses(state, {"[{\"dp\", \"pp\"}, {}, {\"tp\"}]", "[{\"tp\", \"pp\"}, {\"dp\"}, {}]"}, 400);
}
BENCHMARK(rankClassesOfUnevenCuts)->Unit(benchmark::kMicrosecond);

Mesh flatMesh() { return *parseMesh("fs=16384"); }

std::vector<int64_t> changingUnits() {
  std::vector<int64_t> units;
  for (int64_t i = 0; i < 16384; ++i)
    units.push_back(i % 97);
  return units;
}

Layout raggedLayout(const RunLengths &units) {
  return *Layout::get(flatMesh(), {{}}, std::nullopt, Ragged{{0, 1, 16384}, 1, units});
}

void rankClassesOfManyRaggedUnits(benchmark::State &state) {
  RunLengths units(changingUnits());
  std::vector<PlacedTensor> placed = {{raggedLayout(units), {units.sum()}}};
  int64_t classes = 0;
  for (auto _ : state)
    classes = RankClasses::get(flatMesh(), placed)->size();
  state.counters["classes"] = classes;
}
BENCHMARK(rankClassesOfManyRaggedUnits)->Unit(benchmark::kMicrosecond);

void compareRunsOfUnits(benchmark::State &state) {
  std::vector<RunLengths::Run> runs = {{0, 17}, {5, 1}, {12, 16366}};
  Layout a = raggedLayout(RunLengths(runs)), b = raggedLayout(RunLengths(runs));
  for (auto _ : state)
    benchmark::DoNotOptimize(a == b);
  state.counters["characters"] = a.str().size();
}
BENCHMARK(compareRunsOfUnits);

void compareChangingUnits(benchmark::State &state) {
  Layout a = raggedLayout(RunLengths(changingUnits()));
  std::vector<int64_t> units = changingUnits();
  std::swap(units[1], units[2]);
  Layout b = raggedLayout(RunLengths(units));
  for (auto _ : state)
    benchmark::DoNotOptimize(a == b);
}
BENCHMARK(compareChangingUnits);

void regionAmongManyRaggedUnits(benchmark::State &state) {
  RunLengths units(changingUnits());
  Layout layout = raggedLayout(units);
  Shape shape = {units.sum()};
  for (auto _ : state)
    benchmark::DoNotOptimize(region(layout, shape, {12345}));
}
BENCHMARK(regionAmongManyRaggedUnits);

void transferOfOneDevice(benchmark::State &state, const char *from, const char *to) {
  Mesh mesh = wideMesh();
  Shape shape = {4096, 8192};
  Transfer transfer = *Transfer::get(*parseLayout(mesh, from), *parseLayout(mesh, to), shape);
  int64_t copies = 0;
  for (auto _ : state)
    copies = transfer.receive(4321).copies.size();
  state.counters["copies"] = copies;
}

void transferToAnotherDim(benchmark::State &state) {
  transferOfOneDevice(state, "[{\"tp\"}, {\"dp\"}]", "[{}, {\"dp\", \"tp\"}]");
}
BENCHMARK(transferToAnotherDim)->Unit(benchmark::kMicrosecond);

void transferAllGather(benchmark::State &state) {
  transferOfOneDevice(state, "[{\"dp\"}, {}]", "[{}, {}]");
}
BENCHMARK(transferAllGather)->Unit(benchmark::kMicrosecond);

} // namespace
