// Functions that are compiled for several processors, of which the one at hand chooses.
//
// No sum is reordered and nothing is fused (-ffp-contract=off), so that all give the same bits. GCC alone, on Linux:
// Clang passes for Zig, whose targets vary, and on Windows the stack is not aligned for wide registers. The baseline
// serves these. NGRC_NO_CLONES leaves the baseline alone, or whatever the flags ask for, to compare bits.
#pragma once

#include <cstddef>  // defines __GLIBC__

// Inlined whatever its size, so that it is compiled for each processor with its caller.
#if defined(__GNUC__)
#define NGRC_INLINE __attribute__((always_inline)) inline
#else
#define NGRC_INLINE inline
#endif

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__) && !defined(NGRC_NO_CLONES)
// Defines the function `name` as the static function of that name of `Passes<Width>`, a template of the same namespace,
// with the width of this processor's registers (see lanes.hpp). `parameters` and `arguments` stand in parentheses.
#define NGRC_PER_PROCESSOR(Result, name, parameters, arguments)                                                  \
    __attribute__((target("avx512f"))) inline Result name##_512 parameters { return Passes<8>::name arguments; } \
    __attribute__((target("avx2"))) inline Result name##_256 parameters { return Passes<4>::name arguments; }    \
    inline Result name##_128 parameters { return Passes<2>::name arguments; }                                    \
    inline Result name parameters {                                                                              \
        if (__builtin_cpu_supports("avx512f")) return name##_512 arguments;                                      \
        return __builtin_cpu_supports("avx2") ? name##_256 arguments : name##_128 arguments;                     \
    }

// In front of a function, inline and templates included, whose loops the compiler vectorises: they are compiled for
// AVX-512, AVX2 and the baseline. What such a function calls must be inlined to gain. The dynamic linker of glibc
// chooses: musl has no indirect functions, and sanitizers may not be ready yet when a resolver runs.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define NGRC_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#endif
#else
#define NGRC_PER_PROCESSOR(Result, name, parameters, arguments) \
    inline Result name parameters { return Passes<lanes::BASELINE>::name arguments; }
#endif
#if !defined(NGRC_CLONES)
#define NGRC_CLONES
#endif
