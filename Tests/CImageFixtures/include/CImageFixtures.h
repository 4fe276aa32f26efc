// Makes the pictures that tests need, with the codecs' own encoders; and reads JPEG back.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint8_t *bytes;  ///< To be freed; NULL on failure.
    size_t count;
} fixture_file;

typedef struct {
    int channels;     ///< 1 grey, 3 RGB, 4 CMYK.
    int quality;
    int subsampling;  ///< 1: 4:4:4, 2: 4:2:0.
    int progressive;
    int arithmetic;
    int restart_rows;
    int ycck;
    int no_adobe;     ///< CMYK without the Adobe marker.
    int scans;        ///< Progressive with so many scans, 2 to 64; 0: as usual.
} fixture_jpeg_options;

/// `pixels`: four bytes each, RGBA or CMYK.
fixture_file fixture_jpeg(const uint8_t *pixels, int width, int height, fixture_jpeg_options options);

typedef struct {
    int bit_depth;
    int colour_type;
    int interlaced;
    const uint8_t *palette;  ///< RGB triples.
    int palette_count;
    const uint8_t *palette_alpha;
    int palette_alpha_count;
} fixture_png_options;

/// `rows`: as PNG stores them, without padding between rows.
fixture_file fixture_png(const uint8_t *rows, int width, int height, fixture_png_options options);

fixture_file fixture_webp(const uint8_t *rgba, int width, int height, int lossless);

typedef struct {
    int avif;
    int alpha;
    int orientation;  ///< 1 to 8, by irot and imir.
    const uint8_t *exif;
    int exif_count;
    const uint8_t *profile;
    size_t profile_count;
    int primaries;    ///< H.273, 0 for none.
} fixture_heif_options;

fixture_file fixture_heif(const uint8_t *rgba, int width, int height, fixture_heif_options options);

typedef enum {
    FIXTURE_DISPLAY_P3,
    FIXTURE_ADOBE_RGB,
    FIXTURE_SRGB,
    FIXTURE_GREY_GAMMA_1,
} fixture_profile_kind;

fixture_file fixture_profile(fixture_profile_kind kind);

/// zlib's format, as PNG's compressed chunks have it.
fixture_file fixture_deflate(const uint8_t *bytes, size_t count);
uint32_t fixture_crc32(const uint8_t *bytes, size_t count);

/// Fills RGBA pixels with detail everywhere, like a photo's, the same every time.
void fixture_texture(uint8_t *rgba, int width, int height);
/// Fills RGBA pixels with four quarters, each of its own colour (four times RGB).
void fixture_quarters(uint8_t *rgba, int width, int height, const uint8_t *colours, uint8_t alpha);

/// RGBA, four bytes a pixel; to be freed.
uint8_t *fixture_decode_jpeg(const uint8_t *bytes, size_t count, int *width, int *height);
