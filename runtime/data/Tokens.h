//===- Tokens.h - A corpus of tokens -----------------------------------------===//

#ifndef VESCALE_RUNTIME_DATA_TOKENS_H
#define VESCALE_RUNTIME_DATA_TOKENS_H

#include "layout/Status.h"
#include "runtime/data/Mapping.h"

#include <cstdint>
#include <string>
#include <vector>

namespace vescale::runtime {

/// How tokens are stored: plain bytes, or little-endian integers as nanoGPT and Megatron write
/// them.
enum class TokenType { bytes, uint16, uint32 };

/// "bytes", "uint16" or "uint32".
layout::StatusOr<TokenType> parseTokenType(const std::string &text);

/// The usual type of a path: uint16 for a file that ends in .bin, bytes for all else.
TokenType usualTokenType(const std::string &path);

/// A memory-mapped sequence of tokens: one file, or all regular files below a directory, one after
/// the other, sorted by path. Symbolic links to files are followed, links to directories are not; a
/// file that is reached by several names counts once, under its first name. Tokens are checked
/// against the vocabulary when they are read.
class Tokens {
public:
  /// \param vocabulary number of tokens; 0 means unknown, and then nothing is checked.
  /// Errors: nothing at `path`, no files in the directory, a file whose size is no multiple of the
  /// token size.
  static layout::StatusOr<Tokens> open(const std::string &path, TokenType type, int64_t vocabulary);

  /// Number of tokens.
  int64_t size() const { return begins.back(); }

  /// The path that was opened.
  const std::string &path() const { return root; }

  /// Writes tokens [first, first + count) to `out`. Fails if one is not below the vocabulary; the
  /// message names the file, the byte offset, the token and the vocabulary. \pre 0 <= first, first
  /// + count <= size().
  template <typename Integer> layout::Status read(int64_t first, int64_t count, Integer *out) const;

private:
  struct File {
    std::string path;
    Mapping mapping;
  };

  layout::Status add(const std::string &path);

  std::string root;
  TokenType type = TokenType::bytes;
  int64_t vocabulary = 0;
  std::vector<File> files;
  std::vector<int64_t> begins = {0}; ///< First token of each file, and the end.
};

} // namespace vescale::runtime

#endif // VESCALE_RUNTIME_DATA_TOKENS_H
