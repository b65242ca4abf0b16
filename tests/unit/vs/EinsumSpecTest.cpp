//===- EinsumSpecTest.cpp ------------------------------------------------------------------===//

#include "dialects/vs/EinsumSpec.h"

#include <gtest/gtest.h>

namespace vescale::vs {
namespace {

TEST(EinsumSpec, SortsLettersByTheirPlaces) {
  std::string error;
  std::optional<EinsumSpec> spec = EinsumSpec::parse("bhqd,bhkd->bhqk", error);
  ASSERT_TRUE(spec) << error;
  EXPECT_EQ(spec->batch(), "bh");
  EXPECT_EQ(spec->contracted(), "d");
  EXPECT_EQ(spec->lhsFree(), "q");
  EXPECT_EQ(spec->rhsFree(), "k");
  EXPECT_EQ(spec->letters(), "bhqkd");
  EXPECT_EQ(spec->str(), "bhqd,bhkd->bhqk");
}

TEST(EinsumSpec, KeepsTheOrderOfTheOutput) {
  std::string error;
  std::optional<EinsumSpec> spec = EinsumSpec::parse("xdb,ybd->byx", error);
  ASSERT_TRUE(spec) << error;
  EXPECT_EQ(spec->batch(), "b");
  EXPECT_EQ(spec->contracted(), "d");
  EXPECT_EQ(spec->lhsFree() + spec->rhsFree(), "xy");
}

TEST(EinsumSpec, ScalarsHaveNoLetters) {
  std::string error;
  std::optional<EinsumSpec> spec = EinsumSpec::parse(",->", error);
  ASSERT_TRUE(spec) << error;
  EXPECT_EQ(spec->letters(), "");
}

TEST(EinsumSpec, UpperAndLowerCaseAreTwoLetters) {
  std::string error;
  std::optional<EinsumSpec> spec = EinsumSpec::parse("aA,aA->A", error);
  ASSERT_TRUE(spec) << error;
  EXPECT_EQ(spec->contracted(), "a");
  EXPECT_EQ(spec->batch(), "A");
}

struct Refusal {
  const char *spec, *error;
};

class RefusedEinsumSpec : public testing::TestWithParam<Refusal> {};

TEST_P(RefusedEinsumSpec, NamesTheFault) {
  std::string error;
  EXPECT_FALSE(EinsumSpec::parse(GetParam().spec, error));
  EXPECT_NE(error.find(GetParam().error), std::string::npos) << error;
}

INSTANTIATE_TEST_SUITE_P(
    All, RefusedEinsumSpec,
    testing::Values(Refusal{"", "must read"}, Refusal{"ab->a", "must read"},
                    Refusal{"ab,b", "must read"}, Refusal{"a->b,c", "must read"},
                    Refusal{"ab,bc,cd->ad", "\",\" in rhs"}, Refusal{"a b,b->a", "\" \" in lhs"},
                    Refusal{"ab,bc->a-c", "\"-\" in the output"},
                    Refusal{"aa,ab->b", "\"a\" twice in lhs"},
                    Refusal{"ab,bb->a", "\"b\" twice in rhs"},
                    Refusal{"ab,bc->aca", "\"a\" twice in the output"},
                    Refusal{"ab,bc->acz", "\"z\" in the output, but in no input"},
                    Refusal{"ab,bc->c", "\"a\" in lhs only"},
                    Refusal{"ab,bc->a", "\"c\" in rhs only"}));

} // namespace
} // namespace vescale::vs
