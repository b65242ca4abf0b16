#include "runtime/data/Tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>
#include <sys/stat.h>

using namespace vescale::runtime;
using vescale::layout::Status;
using vescale::layout::StatusOr;
namespace fs = std::filesystem;

namespace {

int64_t tokenBytes(TokenType type) {
  return type == TokenType::bytes ? 1 : type == TokenType::uint16 ? 2 : 4;
}

const char *tokenTypeName(TokenType type) {
  return type == TokenType::bytes ? "bytes" : type == TokenType::uint16 ? "uint16" : "uint32";
}

uint32_t tokenAt(const uint8_t *data, TokenType type, int64_t index) {
  if (type == TokenType::bytes)
    return data[index];
  if (type == TokenType::uint16) {
    uint16_t token;
    std::memcpy(&token, data + 2 * index, sizeof token);
    return token;
  }
  uint32_t token;
  std::memcpy(&token, data + 4 * index, sizeof token);
  return token;
}

/// Collects the files below `directory` in sorted order, links to files included.
Status listFiles(const fs::path &directory, std::vector<std::string> &files) {
  std::error_code error;
  std::vector<fs::path> entries;
  for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error))
    entries.push_back(entry->path());
  if (error)
    return Status::error(fmt::format("{}: cannot list: {}", directory.string(), error.message()));
  std::sort(entries.begin(), entries.end());
  for (const fs::path &entry : entries) {
    fs::file_status link = fs::symlink_status(entry, error), target = fs::status(entry, error);
    if (fs::is_regular_file(target))
      files.push_back(entry.string());
    else if (fs::is_directory(link))
      if (Status status = listFiles(entry, files); !status.ok())
        return status;
  }
  return Status::success();
}

} // namespace

StatusOr<TokenType> vescale::runtime::parseTokenType(const std::string &text) {
  for (TokenType type : {TokenType::bytes, TokenType::uint16, TokenType::uint32})
    if (text == tokenTypeName(type))
      return type;
  return Status::error(fmt::format("'{}' is no token type: bytes, uint16 or uint32", text));
}

TokenType vescale::runtime::usualTokenType(const std::string &path) {
  return fs::path(path).extension() == ".bin" ? TokenType::uint16 : TokenType::bytes;
}

Status Tokens::add(const std::string &path) {
  StatusOr<Mapping> mapping = Mapping::open(path);
  if (!mapping.ok())
    return mapping.status();
  if (mapping->size() % tokenBytes(type) != 0)
    return Status::error(fmt::format("{}: {} bytes are no whole number of {} tokens", path,
                                     mapping->size(), tokenTypeName(type)));
  begins.push_back(begins.back() + mapping->size() / tokenBytes(type));
  files.push_back({path, std::move(*mapping)});
  return Status::success();
}

StatusOr<Tokens> Tokens::open(const std::string &path, TokenType type, int64_t vocabulary) {
  Tokens tokens;
  tokens.root = path;
  tokens.type = type;
  tokens.vocabulary = vocabulary;
  std::vector<std::string> paths = {path};
  std::error_code error;
  if (fs::is_directory(path, error)) {
    paths.clear();
    if (Status status = listFiles(path, paths); !status.ok())
      return status;
    if (paths.empty())
      return Status::error(fmt::format("{}: the directory holds no files", path));
  }
  std::set<std::pair<dev_t, ino_t>> seen;
  for (const std::string &file : paths) {
    struct stat information;
    if (stat(file.c_str(), &information) == 0 &&
        !seen.insert({information.st_dev, information.st_ino}).second)
      continue;
    if (Status status = tokens.add(file); !status.ok())
      return status;
  }
  return tokens;
}

template <typename Integer> Status Tokens::read(int64_t first, int64_t count, Integer *out) const {
  size_t file =
      static_cast<size_t>(std::upper_bound(begins.begin(), begins.end(), first) - begins.begin()) -
      1;
  while (count > 0) {
    int64_t inFile = first - begins[file];
    int64_t taken = std::min(count, begins[file + 1] - first);
    const uint8_t *data = files[file].mapping.data();
    for (int64_t i = 0; i < taken; ++i) {
      uint32_t token = tokenAt(data, type, inFile + i);
      if (vocabulary > 0 && token >= vocabulary)
        return Status::error(
            fmt::format("{}: token {} at byte {} is outside the model's vocabulary of {}",
                        files[file].path, token, (inFile + i) * tokenBytes(type), vocabulary));
      out[i] = static_cast<Integer>(token);
    }
    out += taken;
    first += taken;
    count -= taken;
    ++file;
  }
  return Status::success();
}

template Status Tokens::read(int64_t, int64_t, int32_t *) const;
template Status Tokens::read(int64_t, int64_t, int64_t *) const;
