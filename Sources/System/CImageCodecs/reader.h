// The common first part of every codec's reader.
#pragma once

#include "CImageCodecs.h"

struct picture_reader {
    picture_info info;
    codec_status (*start)(picture_reader *reader, int eighths, uint32_t *width, uint32_t *height);
    codec_status (*row)(picture_reader *reader, uint8_t *row);
    codec_status (*finish)(picture_reader *reader);
    void (*close)(picture_reader *reader);
};

/// Larger ICC profiles are ignored; no camera writes one.
#define MAX_PROFILE_BYTES (4u << 20)
