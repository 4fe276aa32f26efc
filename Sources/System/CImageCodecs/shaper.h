// The colours of a profile that is three curves and a matrix, as cameras' and screens' are, to sRGB: what Little CMS
// does with them, in a third of its time.
#pragma once

#include <stdint.h>

#include <lcms2.h>

typedef struct shaper shaper;

/// Whether the profile is no more than curves and a matrix.
int shaper_fits(cmsHPROFILE profile);
/// NULL: out of memory, or the matrix cannot be turned around.
shaper *shaper_create(cmsHPROFILE profile, cmsHPROFILE srgb);
/// In place, four bytes a pixel; the fourth stays.
void shaper_row(const shaper *s, uint8_t *row, uint32_t width);
void shaper_destroy(shaper *s);
