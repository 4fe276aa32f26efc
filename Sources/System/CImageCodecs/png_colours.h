// The colours that a PNG states.
#pragma once

#include <png.h>

#include "CImageCodecs.h"

typedef struct {
    uint8_t *profile;  // freed by the reader
    int has_cicp;      // then these count, and nothing else that the file says about its colours
    uint16_t transfer;
    int is_full_range;
} png_colours;

/// Makes libpng keep the chunks that png_colours_read reads itself.
void png_colours_keep(png_structp codec);
/// Reads them after the header. `info` must have its model.
void png_colours_read(png_structp codec, png_infop header, picture_info *info, png_colours *colours);
