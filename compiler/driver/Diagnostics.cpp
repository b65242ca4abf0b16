//===- Diagnostics.cpp - what the compiler says to a user -----------------===//

#include "compiler/driver/Diagnostics.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace vescale {
namespace {

/// The longest line of a file that is shown: functions with many arguments stand on one line.
constexpr size_t longestShownLine = 160;

/// The first place in a file that a location speaks of; null where there is none.
FileLineColLoc placeOf(Location location) {
  FileLineColLoc place;
  location->walk([&](Location inner) {
    place = dyn_cast<FileLineColLoc>(inner);
    return place ? WalkResult::interrupt() : WalkResult::advance();
  });
  return place;
}

/// A line of one of the files; empty where it is not among them.
StringRef lineOf(const llvm::SourceMgr &sources, FileLineColLoc place) {
  for (unsigned buffer = 1; buffer <= sources.getNumBuffers(); ++buffer) {
    const llvm::MemoryBuffer *memory = sources.getMemoryBuffer(buffer);
    if (memory->getBufferIdentifier() != place.getFilename().getValue())
      continue;
    StringRef rest = memory->getBuffer();
    for (unsigned line = 1; line < place.getLine() && !rest.empty(); ++line)
      rest = rest.split('\n').second;
    return rest.split('\n').first;
  }
  return "";
}

/// Whether a location is that of a whole file: modules begin in its first line, or have no place.
bool isWholeModule(FileLineColLoc place, StringRef line) {
  return place.getLine() == 0 || line.ltrim().starts_with("module");
}

} // namespace

DiagnosticCollector::DiagnosticCollector(MLIRContext *context, llvm::SourceMgr &sources)
    : sources(sources), handler(context, [this](Diagnostic &diagnostic) {
        std::string described = describe(diagnostic);
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
          text += (text.empty() ? "" : "\n") + described;
        else
          llvm::errs() << (diagnostic.getSeverity() == DiagnosticSeverity::Warning ? "warning: " : "remark: ")
                       << described << "\n";
        return success();
      }) {}

std::string DiagnosticCollector::describe(Diagnostic &diagnostic) const {
  std::string result;
  llvm::raw_string_ostream stream(result);
  auto one = [&](Diagnostic &part) {
    FileLineColLoc place = placeOf(part.getLocation());
    StringRef line = place ? lineOf(sources, place) : "";
    bool located = place && !isWholeModule(place, line);
    if (located)
      stream << place.getFilename().getValue() << ":" << place.getLine() << ":" << place.getColumn() << ": ";
    if (part.getSeverity() == DiagnosticSeverity::Note)
      stream << "note: ";
    stream << part.str();
    if (located && !line.empty() && line.size() <= longestShownLine) {
      stream << "\n" << line << "\n";
      stream.indent(place.getColumn() ? place.getColumn() - 1 : 0) << "^";
    }
  };
  one(diagnostic);
  for (Diagnostic &note : diagnostic.getNotes()) {
    stream << "\n";
    one(note);
  }
  return result;
}

} // namespace vescale
