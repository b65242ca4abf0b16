// Writes what the compiler would write for the count model, as C++ source: write_count_model RANKS
// FILE. Then prints the command that links it: write_count_model --link OUTPUT ARCHIVE OBJECT...
// And seals it: write_count_model --seal OUTPUT
#include "runtime/seal/Seal.h"
#include "runtime/train/LinkCommand.h"
#include "tests/unit/runtime/CountModel.h"

#include <cstdio>
#include <cstdlib>
#include <string>

using namespace vescale::runtime;

int main(int argc, char **argv) {
  if (argc > 4 && std::string(argv[1]) == "--link") {
    for (const std::string &argument : linkCommand({argv + 4, argv + argc}, argv[3], argv[2]))
      std::printf("%s ", argument.c_str());
    return 0;
  }
  if (argc != 3)
    return 2;
  if (std::string(argv[1]) == "--seal") {
    vescale::layout::Status status = sealFile(argv[2]);
    std::fputs(status.message().c_str(), stderr);
    return status.ok() ? 0 : 1;
  }
  test::CountVariant variant;
  variant.ranks = std::atoll(argv[1]);
  std::vector<uint8_t> schedule = test::compileCountModel(variant);
  FILE *file = std::fopen(argv[2], "w");
  if (!file)
    return 1;
  std::fprintf(
      file, "extern \"C\" {\nextern const unsigned char vescale_schedule[];\nconst unsigned char "
            "vescale_schedule[] = {");
  for (uint8_t byte : schedule)
    std::fprintf(file, "%d,", byte);
  std::fprintf(file,
               "};\nextern const unsigned long vescale_schedule_size;\nconst unsigned long "
               "vescale_schedule_size = %zu;\n"
               "extern const unsigned long vescale_kernels_checksum;\nconst unsigned long "
               "vescale_kernels_checksum = %lu;\n"
               "extern const unsigned long vescale_kernel_count;\nconst unsigned long "
               "vescale_kernel_count = 4;\n}\n",
               schedule.size(), static_cast<unsigned long>(test::countChecksum));
  return std::fclose(file) == 0 ? 0 : 1;
}
