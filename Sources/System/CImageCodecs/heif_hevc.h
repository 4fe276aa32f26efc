// A decoder of HEVC for libheif, which knows libde265 only in part: it takes a picture whose bitstream ends early, and the rows
// that are missing have whatever was in memory.
#pragma once

#include "heif_library.h"

/// Makes libheif decode with it. Without libde265, libheif keeps to the decoders that it has. Must be called once, before
/// there are threads.
void heif_hevc_register(const heif_library *heif);
