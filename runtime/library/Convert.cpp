#include "runtime/library/Convert.h"

#include "runtime/library/Multiversion.h"

#include <cstring>

using namespace vescale::runtime;

namespace {

VESCALE_MULTIVERSION void fromBrain(float *__restrict out, const uint16_t *__restrict in,
                                    int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    uint32_t bits = static_cast<uint32_t>(in[i]) << 16;
    std::memcpy(&out[i], &bits, sizeof bits);
  }
}

VESCALE_MULTIVERSION void toBrain(uint16_t *__restrict out, const float *__restrict in,
                                  int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    uint32_t bits;
    std::memcpy(&bits, &in[i], sizeof bits);
    uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
    uint32_t quiet = (bits >> 16) | 0x40u;
    out[i] = static_cast<uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? quiet : rounded);
  }
}

VESCALE_MULTIVERSION void fromHalf(float *__restrict out, const _Float16 *__restrict in,
                                   int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = static_cast<float>(in[i]);
}

VESCALE_MULTIVERSION void toHalf(_Float16 *__restrict out, const float *__restrict in,
                                 int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = static_cast<_Float16>(in[i]);
}

} // namespace

void vescale::runtime::convertToFloat(float *out, const void *in, ElementType type, int64_t count) {
  if (count == 0)
    return; // Pointers of empty tensors may be null.
  if (type == ElementType::BF16)
    fromBrain(out, static_cast<const uint16_t *>(in), count);
  else if (type == ElementType::F16)
    fromHalf(out, static_cast<const _Float16 *>(in), count);
  else
    std::memcpy(out, in, static_cast<size_t>(count) * sizeof(float));
}

void vescale::runtime::convertFromFloat(void *out, ElementType type, const float *in,
                                        int64_t count) {
  if (count == 0)
    return; // Pointers of empty tensors may be null.
  if (type == ElementType::BF16)
    toBrain(static_cast<uint16_t *>(out), in, count);
  else if (type == ElementType::F16)
    toHalf(static_cast<_Float16 *>(out), in, count);
  else
    std::memcpy(out, in, static_cast<size_t>(count) * sizeof(float));
}
