//===- Multiversion.h - One function, several instruction sets ------------===//

#ifndef VESCALE_RUNTIME_LIBRARY_MULTIVERSION_H
#define VESCALE_RUNTIME_LIBRARY_MULTIVERSION_H

/// Compiles a function for any x86-64 and once more for AVX2 with FMA; the loader picks. Sanitizers
/// cannot run the resolver, which executes before they are set up, and get the plain version.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define VESCALE_MULTIVERSION __attribute__((target_clones("default", "arch=haswell")))
#else
#define VESCALE_MULTIVERSION
#endif

#endif // VESCALE_RUNTIME_LIBRARY_MULTIVERSION_H
