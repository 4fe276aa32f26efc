#include <string.h>

#include "CImageCodecs.h"

#define TILE 32

void pixels_orient(
    const uint8_t *pixels, uint32_t width, uint32_t height, int orientation, uint8_t *output) {
    ptrdiff_t w = width, h = height, last = w * h - 1;
    // The position of the upright picture's first pixel in the source, and the steps in the source for one pixel to the
    // right and one down.
    const struct {
        ptrdiff_t origin, right, down;
    } walks[] = {
        {0, 1, w}, {w - 1, -1, w}, {last, -1, -w}, {w * (h - 1), 1, -w},
        {0, w, 1}, {w * (h - 1), -w, 1}, {last, -w, -1}, {w - 1, w, -1},
    };
    ptrdiff_t origin = walks[orientation - 1].origin;
    ptrdiff_t right = walks[orientation - 1].right, down = walks[orientation - 1].down;
    ptrdiff_t out_width = orientation < 5 ? w : h, out_height = orientation < 5 ? h : w;
    // Works in tiles for the CPU's cache, because a turned row is a column in the source.
    for (ptrdiff_t top = 0; top < out_height; top += TILE)
        for (ptrdiff_t left = 0; left < out_width; left += TILE)
            for (ptrdiff_t y = top; y < top + TILE && y < out_height; y++)
                for (ptrdiff_t x = left; x < left + TILE && x < out_width; x++)
                    memcpy(output + (y * out_width + x) * 4, pixels + (origin + y * down + x * right) * 4, 4);
}
