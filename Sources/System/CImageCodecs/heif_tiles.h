// A picture that is made of tiles, as phones write it, decoded one row of tiles after the other.
#pragma once

#include "heif_planes.h"

typedef struct heif_tiles heif_tiles;

/// Opens the tiles of a picture of this size. CODEC_UNSUPPORTED when the tiles do not cover it in columns and rows of one
/// size; libheif may be able to read the picture as a whole nevertheless.
codec_status heif_tiles_open(
    const heif_library *heif, const heif_file *file, uint32_t width, uint32_t height, heif_tiles **tiles);
uint32_t heif_tiles_width(const heif_tiles *tiles);
uint32_t heif_tiles_height(const heif_tiles *tiles);

/// Lets a second thread decode too. Has no effect where the system has no thread or no memory for it.
void heif_tiles_get_help(heif_tiles *tiles);
/// Gives the decoded tiles of the row of tiles that has the picture's row `y`, from left to right. They are valid until the
/// next row of tiles. The rows must be read from top to bottom, and not after a failure.
codec_status heif_tiles_at(heif_tiles *tiles, uint32_t y, const heif_planes **row);
void heif_tiles_close(heif_tiles *tiles);
