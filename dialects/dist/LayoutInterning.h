//===- LayoutInterning.h - One address for each mesh, layout and wish -------------------===//

#ifndef VESCALE_DIALECTS_DIST_LAYOUTINTERNING_H
#define VESCALE_DIALECTS_DIST_LAYOUTINTERNING_H

#include "layout/Layout.h"
#include "layout/Mesh.h"
#include "layout/Wish.h"

#include <mutex>
#include <shared_mutex>
#include <unordered_set>

namespace vescale::dist {

/// Keeps one copy of each distinct object. Attributes hold the address of the copy, since the
/// storage of attributes is never destroyed and so cannot own memory. Safe to use from several
/// threads; the copies live as long as this object, which is as long as the context.
template <class T> class Interned {
public:
  const T *get(const T &object) {
    {
      std::shared_lock<std::shared_mutex> lock(mutex);
      auto found = objects.find(object);
      if (found != objects.end())
        return &*found;
    }
    std::unique_lock<std::shared_mutex> lock(mutex);
    // Elements of an unordered_set keep their address when it grows.
    return &*objects.insert(object).first;
  }

private:
  struct Hash {
    size_t operator()(const T &object) const { return object.hash(); }
  };
  std::shared_mutex mutex;
  std::unordered_set<T, Hash> objects;
};

struct LayoutInterning {
  Interned<layout::Mesh> meshes;
  Interned<layout::Layout> layouts;
  Interned<layout::Wish> wishes;
};

} // namespace vescale::dist

#endif // VESCALE_DIALECTS_DIST_LAYOUTINTERNING_H
