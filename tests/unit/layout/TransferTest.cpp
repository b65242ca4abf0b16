//===- TransferTest.cpp - Transfers executed with numbers on all devices ---------------------===//
#include "Generators.h"
#include "VectorCases.h"

#include "layout/Legality.h"
#include "layout/Owner.h"
#include "layout/Region.h"
#include "layout/Transfer.h"

#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <rapidcheck/gtest.h>

using namespace vescale::layout;

namespace {

using Values = std::vector<int64_t>;

int64_t combine(Reduction reduction, int64_t a, int64_t b) {
  switch (reduction) {
  case Reduction::sum:
    return a + b;
  case Reduction::max:
    return std::max(a, b);
  case Reduction::min:
    return std::min(a, b);
  case Reduction::prod:
    return a * b;
  case Reduction::bitAnd:
    return a & b;
  case Reduction::bitOr:
    return a | b;
  }
  return 0;
}

int64_t identityOf(Reduction reduction) {
  switch (reduction) {
  case Reduction::sum:
  case Reduction::bitOr:
    return 0;
  case Reduction::max:
    return std::numeric_limits<int64_t>::min();
  case Reduction::min:
    return std::numeric_limits<int64_t>::max();
  case Reduction::prod:
    return 1;
  case Reduction::bitAnd:
    return -1;
  }
  return 0;
}

void forEachElement(const Shape &shape, const std::function<void(const Shape &, int64_t)> &visit) {
  Shape element(shape.size(), 0);
  int64_t count = elementCount(shape);
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i;
    for (size_t d = shape.size(); d-- > 0; rest /= shape[d])
      element[d] = rest % shape[d];
    visit(element, i);
  }
}

/// For each element of the global tensor, where the device holds it; -1 where it does not.
std::vector<int64_t> placesOn(const Layout &layout, const Shape &shape, int64_t position) {
  std::vector<int64_t> places(elementCount(shape), -1);
  LocalRegion local = localRegion(layout, shape, layout.mesh().coordinate(position));
  for (const Piece &piece : local.pieces)
    forEachElement(piece.box.size, [&](const Shape &within, int64_t) {
      int64_t global = 0, place = piece.localOffset;
      for (size_t d = 0; d < shape.size(); ++d) {
        global = global * shape[d] + piece.box.offset[d] + within[d];
        place += within[d] * local.strides[d];
      }
      places[global] = place;
    });
  return places;
}

/// The index of a device along the partial axes, as one number.
int64_t partialIndex(const Layout &layout, int64_t position) {
  Coordinate coordinate = layout.mesh().coordinate(position);
  int64_t index = 0;
  if (layout.partial())
    for (const SubAxis &axis : layout.partial()->axes)
      index = index * axis.size + indexAlong(layout.mesh(), axis, coordinate);
  return index;
}

/// Some value of an element that differs between contributions.
int64_t contribution(int64_t element, int64_t index) {
  return (element * 2654435761 + index * 40503 + 7) % 11 + 1;
}

/// What a whole tensor in this layout means, from the arrays of all devices: checks that replicas
/// agree and that exactly the right devices hold each element.
Values meaning(const Layout &layout, const Shape &shape, const std::vector<Values> &locals) {
  const Mesh &mesh = layout.mesh();
  int64_t count = elementCount(shape);
  std::vector<std::map<int64_t, int64_t>> contributions(count);
  for (int64_t p = 0; p < mesh.numDevices(); ++p) {
    std::vector<int64_t> places = placesOn(layout, shape, p);
    for (int64_t e = 0; e < count; ++e) {
      if (places[e] < 0)
        continue;
      auto [known, isNew] = contributions[e].emplace(partialIndex(layout, p), locals[p][places[e]]);
      RC_ASSERT(known->second == locals[p][places[e]]);
    }
  }
  int64_t expected = 1;
  if (layout.partial())
    for (const SubAxis &axis : layout.partial()->axes)
      expected *= axis.size;
  Values result(count);
  for (int64_t e = 0; e < count; ++e) {
    RC_ASSERT(static_cast<int64_t>(contributions[e].size()) == expected);
    std::optional<int64_t> value;
    for (const auto &[index, one] : contributions[e])
      value = value ? combine(layout.partial()->reduction, *value, one) : one;
    result[e] = *value;
  }
  return result;
}

std::vector<Values> arbitraryLocals(const Layout &layout, const Shape &shape) {
  std::vector<Values> locals;
  for (int64_t p = 0; p < layout.mesh().numDevices(); ++p) {
    locals.emplace_back(localElements(layout, shape, layout.mesh().coordinate(p)), -1000);
    std::vector<int64_t> places = placesOn(layout, shape, p);
    for (size_t e = 0; e < places.size(); ++e)
      if (places[e] >= 0)
        locals.back()[places[e]] = contribution(e, partialIndex(layout, p));
  }
  return locals;
}

/// Executes a reception as a communicator would; every element is stored before it is reduced.
Values execute(const Reception &reception, const std::vector<Values> &sources) {
  Values local(reception.localElements, -999);
  std::vector<bool> stored(reception.localElements, false);
  if (reception.fill)
    std::fill(local.begin(), local.end(), identityOf(*reception.fill));
  int64_t before = -1;
  for (const BoxCopy &copy : reception.copies) {
    RC_ASSERT(copy.source >= before);
    before = copy.source;
    forEachRun(copy, [&](int64_t from, int64_t to, const CopyDim &run) {
      for (int64_t i = 0; i < run.size; ++i) {
        int64_t value = sources[copy.source][from + i * run.sourceStride];
        int64_t &place = local[to + i * run.targetStride];
        RC_ASSERT(stored[to + i * run.targetStride] == copy.accumulate);
        place = copy.accumulate ? combine(*reception.reduction, place, value) : value;
      }
      for (int64_t i = 0; i < run.size; ++i)
        stored[to + i * run.targetStride] = true;
    });
  }
  if (!reception.fill) {
    RC_ASSERT(std::find(stored.begin(), stored.end(), false) == stored.end());
  }
  return local;
}

void checkTransfer(const Layout &from, const Layout &to, const Shape &shape) {
  StatusOr<Transfer> transfer = Transfer::get(from, to, shape);
  RC_ASSERT(transfer.ok());
  std::vector<Values> sources = arbitraryLocals(from, shape);
  std::vector<Values> targets;
  for (int64_t p = 0; p < to.mesh().numDevices(); ++p)
    targets.push_back(execute(transfer->receive(p), sources));
  RC_ASSERT(meaning(to, shape, targets) == meaning(from, shape, sources));
}

RC_GTEST_PROP(Transfer, givesTheTargetLayoutOnOneMesh, ()) {
  Mesh mesh = arbitraryMesh();
  Shape shape = arbitraryShape();
  checkTransfer(arbitraryLayout(mesh, shape), arbitraryLayout(mesh, shape), shape);
}

RC_GTEST_PROP(Transfer, givesTheTargetLayoutBetweenMeshes, ()) {
  Shape shape = arbitraryShape();
  Layout from = arbitraryLayout(arbitraryMesh(12), shape);
  Layout to = arbitraryLayout(arbitraryMesh(12), shape);
  checkTransfer(from, to, shape);
}

RC_GTEST_PROP(Transfer, sendIsReceiveSeenFromTheOtherSide, ()) {
  bool sameMesh = arbitraryInteger(0, 1) == 0;
  Shape shape = arbitraryShape();
  Mesh mesh = arbitraryMesh(12);
  Layout from = arbitraryLayout(mesh, shape);
  Layout to = arbitraryLayout(sameMesh ? mesh : arbitraryMesh(12), shape);
  Transfer transfer = *Transfer::get(from, to, shape);
  std::vector<std::vector<Dispatch>> expected(from.mesh().numDevices());
  for (int64_t p = 0; p < to.mesh().numDevices(); ++p) {
    Reception reception = transfer.receive(p);
    for (const BoxCopy &copy : reception.copies)
      expected[copy.source].push_back({p, reception.targetDevice, copy});
  }
  for (int64_t p = 0; p < from.mesh().numDevices(); ++p) {
    std::vector<Dispatch> sent = transfer.send(p);
    RC_ASSERT(sent.size() == expected[p].size());
    for (size_t i = 0; i < sent.size(); ++i) {
      RC_ASSERT(sent[i].target == expected[p][i].target);
      RC_ASSERT(sent[i].targetDevice == expected[p][i].targetDevice);
      RC_ASSERT(sent[i].copy.accumulate == expected[p][i].copy.accumulate);
      RC_ASSERT(sent[i].copy.box == expected[p][i].copy.box);
      RC_ASSERT(sent[i].copy.sourceOffset == expected[p][i].copy.sourceOffset);
      RC_ASSERT(sent[i].copy.targetOffset == expected[p][i].copy.targetOffset);
      RC_ASSERT(sent[i].copy.dims == expected[p][i].copy.dims);
    }
  }
}

RC_GTEST_PROP(Transfer, bringsOnlyWhatTheDeviceDoesNotHold, ()) {
  Mesh mesh = arbitraryMesh();
  Shape shape = arbitraryShape();
  Layout from = arbitraryLayout(mesh, shape);
  Layout to = arbitraryLayout(mesh, shape);
  RC_PRE(!from.partial() && !to.partial());
  Transfer transfer = *Transfer::get(from, to, shape);
  for (int64_t p = 0; p < mesh.numDevices(); ++p) {
    std::vector<int64_t> held = placesOn(from, shape, p), wanted = placesOn(to, shape, p);
    int64_t missing = 0;
    for (size_t e = 0; e < held.size(); ++e)
      missing += wanted[e] >= 0 && held[e] < 0;
    RC_ASSERT(transfer.receive(p).missingElements() == missing);
  }
}

TEST(Transfer, exchangesAreThoseOfTheReference) {
  for (const auto &test : vectorCases("exchanges")) {
    SCOPED_TRACE(test["id"].get<std::string>());
    Mesh mesh = meshOf(test["mesh"]);
    Shape shape = test["shape"].get<Shape>();
    StatusOr<Transfer> transfer =
        Transfer::get(layoutOf(mesh, test["from"]), layoutOf(mesh, test["to"]), shape);
    ASSERT_TRUE(transfer.ok()) << transfer.message();
    int64_t busiest = 0;
    for (int64_t p = 0; p < mesh.numDevices(); ++p) {
      int64_t missing = transfer->receive(p).missingElements();
      EXPECT_EQ(missing, test["missing"][p].get<int64_t>()) << "rank " << p;
      busiest = std::max(busiest, missing);
    }
    EXPECT_EQ(busiest, test["busiest"].get<int64_t>());
  }
}

Transfer transferOf(const char *mesh, const char *from, const char *to, const Shape &shape) {
  Mesh parsed = *parseMesh(mesh);
  StatusOr<Transfer> transfer = Transfer::get(layoutOf(parsed, from), layoutOf(parsed, to), shape);
  EXPECT_TRUE(transfer.ok()) << transfer.message();
  return *transfer;
}

TEST(Transfer, replicasShareTheSendingAndGroupsGatherAmongThemselves) {
  Transfer transfer = transferOf("x=2,y=3", "[{\"x\"}]", "[{}]", {4});
  for (int64_t p = 0; p < 6; ++p) {
    Reception reception = transfer.receive(p);
    ASSERT_EQ(reception.copies.size(), 2u);
    EXPECT_EQ(reception.copies[0].source, p % 3);
    EXPECT_EQ(reception.copies[1].source, p % 3 + 3);
  }
}

/// Between meshes without a common device, from a layout that several replicas hold.
RC_GTEST_PROP(Transfer, replicasServeAsManyReceiversEachBetweenMeshes, ()) {
  auto evenLayout = [](const Mesh &mesh) {
    std::vector<Dim> dims(2);
    for (int axis = 0; axis < mesh.rank(); ++axis)
      if (int64_t place = arbitraryInteger(0, 2); place < 2)
        dims[place].push_back({wholeAxis(mesh, axis)});
    return *Layout::get(mesh, dims);
  };
  auto mesh = [](std::vector<Axis> axes, int64_t firstDevice) {
    int64_t count = 1;
    for (const Axis &axis : axes)
      count *= axis.size;
    std::vector<int64_t> devices(count);
    std::iota(devices.begin(), devices.end(), firstDevice);
    return *Mesh::get(std::move(axes), devices);
  };
  int64_t sizes[3];
  for (int64_t &size : sizes)
    size = int64_t(1) << arbitraryInteger(0, 2);
  Mesh ours = mesh({{"x", sizes[0]}, {"y", sizes[1]}, {"z", sizes[2]}}, 0);
  for (int64_t &size : sizes)
    size = int64_t(1) << arbitraryInteger(0, 2);
  Mesh theirs = mesh({{"a", sizes[0]}, {"b", sizes[1]}, {"c", sizes[2]}}, 100);
  Layout from = evenLayout(ours), to = evenLayout(theirs);
  Shape shape = {64, 64};
  Transfer transfer = *Transfer::get(from, to, shape);
  // By shard, how many receivers each of its replicas serves.
  std::map<std::vector<Box>, std::vector<size_t>> served;
  for (int64_t p = 0; p < ours.numDevices(); ++p)
    served[region(from, shape, ours.coordinate(p))].push_back(transfer.send(p).size());
  for (const auto &[shard, counts] : served) {
    auto [least, most] = std::minmax_element(counts.begin(), counts.end());
    RC_ASSERT(*most - *least <= 1);
  }
}

TEST(Transfer, strangersThatWantOneShardTakeTurns) {
  Mesh ours = *Mesh::get({{"x", 2}, {"y", 2}}, {0, 1, 2, 3});
  Mesh theirs = *Mesh::get({{"c", 4}}, {4, 5, 6, 7});
  Transfer transfer =
      *Transfer::get(*parseLayout(ours, "[{\"y\"}]"), *parseLayout(theirs, "[{\"c\"}]"), {8});
  for (int64_t p = 0; p < 4; ++p)
    EXPECT_EQ(transfer.send(p).size(), 1u) << p;
}

TEST(Transfer, contiguousBoxesAreOneLoop) {
  Transfer transfer = transferOf("x=4", "[{\"x\"}, {}, {}]", "[{}, {}, {}]", {8, 3, 5});
  for (const BoxCopy &copy : transfer.receive(1).copies)
    EXPECT_EQ(copy.dims, (std::vector<CopyDim>{{30, 1, 1}}));
}

TEST(Transfer, contributionsComeInRankOrderAlsoWhereOneIsLocal) {
  Transfer transfer = transferOf("x=4", "[{}], partial = [sum: \"x\"]", "[{\"x\"}]", {4});
  Reception reception = transfer.receive(2);
  ASSERT_EQ(reception.copies.size(), 4u);
  for (int64_t source = 0; source < 4; ++source) {
    EXPECT_EQ(reception.copies[source].source, source);
    EXPECT_EQ(reception.copies[source].accumulate, source != 0);
    EXPECT_EQ(reception.copies[source].sourceOffset, 2);
  }
  EXPECT_EQ(reception.reduction, Reduction::sum);
  EXPECT_EQ(reception.missingElements(), 3);
}

TEST(Transfer, aCutBecomesPartialWithoutCommunication) {
  Transfer transfer = transferOf("x=4", "[{\"x\"}]", "[{}], partial = [max: \"x\"]", {8});
  for (int64_t p = 0; p < 4; ++p) {
    Reception reception = transfer.receive(p);
    EXPECT_EQ(reception.missingElements(), 0);
    EXPECT_EQ(reception.fill, Reduction::max);
    ASSERT_EQ(reception.copies.size(), 1u);
    EXPECT_EQ(reception.copies[0].targetOffset, 2 * p);
  }
}

TEST(Transfer, raggedSendMatrixOfThePublishedCase) {
  // 60 elements, units 5, 0, 10, 15 to equal units on four devices.
  Transfer transfer = transferOf("x=4", "[{}], ragged = {\"x\", dims = 1, units = [5, 0, 10, 15]}",
                                 "[{}], ragged = {\"x\", dims = 1, units = [1, 1, 1, 1]}", {60});
  const int64_t matrix[4][4] = {{10, 0, 0, 0}, {0, 0, 0, 0}, {5, 15, 0, 0}, {0, 0, 15, 15}};
  for (int64_t source = 0; source < 4; ++source) {
    int64_t sent[4] = {};
    for (const Dispatch &dispatch : transfer.send(source))
      sent[dispatch.target] += dispatch.copy.elements();
    for (int64_t target = 0; target < 4; ++target)
      EXPECT_EQ(sent[target], matrix[source][target]) << source << " to " << target;
  }
}

TEST(Transfer, illegalLayoutsAreRefusedWithTheirSide) {
  Mesh mesh = *parseMesh("x=2");
  StatusOr<Transfer> transfer =
      Transfer::get(layoutOf(mesh, "[{}]"), layoutOf(mesh, "[{\"x\" / 3}]"), {4});
  ASSERT_FALSE(transfer.ok());
  EXPECT_EQ(transfer.message().rfind("target layout: dim 0", 0), 0u) << transfer.message();
}

} // namespace
