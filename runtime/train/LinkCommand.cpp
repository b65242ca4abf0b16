#include "runtime/train/LinkCommand.h"

std::vector<std::string> vescale::runtime::linkCommand(const std::vector<std::string> &objects,
                                                       const std::string &archive,
                                                       const std::string &output) {
  std::vector<std::string> command = {"g++", "-o", output};
  command.insert(command.end(), objects.begin(), objects.end());
  command.push_back(archive);
  // libxsmm calls the BLAS that stands after it; libxsmmnoblas only fills in what nothing else
  // defines.
  for (const char *option :
       {"-l:libxsmm.a", "-l:libopenblas.a", "-l:libxsmmnoblas.a", "-static", "-Wl,--strip-debug",
        "-ldl", "-lpthread", "-lm"})
    command.push_back(option);
  return command;
}
