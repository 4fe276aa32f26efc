// Declarations that the pixel kernels share.
#pragma once

#include "CImageCodecs.h"

// Compiles a function for AVX2 and for any CPU. The loader picks the better one at start.
#if defined(__x86_64__)
#define FOR_MANY_CPUS __attribute__((target_clones("avx2", "default")))
#else
#define FOR_MANY_CPUS
#endif
