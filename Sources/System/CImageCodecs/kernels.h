// Declarations that the pixel kernels share.
#pragma once

#include "CImageCodecs.h"

// Compiled for AVX2 and for any CPU; the better one is taken at start.
#if defined(__x86_64__)
#define FOR_MANY_CPUS __attribute__((target_clones("avx2", "default")))
#else
#define FOR_MANY_CPUS
#endif
