// One picture that libheif has decoded: planes of red, green, blue and perhaps alpha at the picture's own depth.
#pragma once

#include "heif_file.h"

typedef struct {
    const uint8_t *samples;  // two bytes each above 8 bits
    size_t stride;           // in bytes
} plane;

typedef struct {
    struct heif_image *image;
    plane red, green, blue, alpha;
    int bits, alpha_bits;
} heif_planes;

/// Decodes a picture of exactly this size. The caller must release the planes after a failure too.
codec_status heif_planes_decode(
    const heif_library *heif, const struct heif_image_handle *picture, uint32_t width, uint32_t height, int has_alpha,
    heif_planes *planes);
void heif_planes_release(const heif_library *heif, heif_planes *planes);
