// Makes pictures for tests with the codecs' own encoders, and reads JPEG back.
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
    int rgb;          ///< RGB as it is, under Adobe's marker.
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
    int transfer;     ///< H.273, with primaries only; 0 for sRGB's.
    int premultiplied;  ///< Says that the colours are multiplied with alpha.
    const uint8_t *xmp;
    int xmp_count;
    const uint8_t *item;  ///< Of a type nobody knows.
    int item_count;
    int thumbnail;    ///< A black one.
    int pictures;     ///< How many there are, 0 as 1; the first is the primary one.
} fixture_heif_options;

fixture_file fixture_heif(const uint8_t *rgba, int width, int height, fixture_heif_options options);

typedef struct {
    int avif;
    int depth;        ///< 8 or 10; 8 for AVIF, as Debian's libaom writes beyond its buffers when coding more.
    int halved;       ///< Chroma at half the size.
    int full_range;
    int primaries;    ///< These two by H.273.
    int matrix;
    int grey;
} fixture_ycc_options;

/// A lossless HEIF whose planes are computed here from R'G'B' (RGBA).
fixture_file fixture_heif_ycc(const uint8_t *rgba, int width, int height, fixture_ycc_options options);

typedef enum {
    FIXTURE_DISPLAY_P3,
    FIXTURE_ADOBE_RGB,
    FIXTURE_ADOBE_RGB_GAMMA_1_5,  ///< Adobe's primaries with another curve.
    FIXTURE_PROPHOTO,
    FIXTURE_REC_2020,             ///< Its primaries with sRGB's curve.
    FIXTURE_SRGB,
    FIXTURE_RGB_TABLE,            ///< By a table of 17³ colours.
    FIXTURE_CMYK_TABLE,
    FIXTURE_GREY_GAMMA_1,
    FIXTURE_GREY_GAMMA_1_5,
} fixture_profile_kind;

fixture_file fixture_profile(fixture_profile_kind kind);
/// sRGB, but with this text wherever a profile can hold one.
fixture_file fixture_profile_with_text(const char *text);
/// Converts colours (0 to 1 in each channel; 1 is full ink) with a profile to sRGB (0 to 1, three per colour). Returns 0
/// on failure.
int fixture_to_srgb(
    const uint8_t *profile, size_t size, const double *colours, int channels, size_t count, float *srgb);

typedef struct {
    double mean;
    double worst;
} fixture_difference;

double fixture_ciede2000(const double one[3], const double other[3]);
/// The CIEDE2000 difference of sRGB (0 to 1, three per pixel) and RGBA.
fixture_difference fixture_compare(const float *expected, const uint8_t *seen, size_t count);

// Samples between 0 and 255.

void fixture_chart(uint8_t *samples, int width, int height, int channels);
void fixture_ramps(uint8_t *samples, int width, int height, int channels);
/// RGBA like a photo's.
void fixture_scene(uint8_t *rgba, int width, int height);
/// Reduces with Lanczos-3 to sRGB (0 to 1, three per pixel).
void fixture_resample(const uint8_t *rgba, int width, int height, int to_width, int to_height, float *srgb);

/// zlib's format, as PNG's compressed chunks have it.
fixture_file fixture_deflate(const uint8_t *bytes, size_t count);
/// This many zeroes in zlib's format.
fixture_file fixture_deflate_zeroes(size_t count);
uint32_t fixture_crc32(const uint8_t *bytes, size_t count);

/// Fills RGBA pixels with detail everywhere, like a photo's, the same every time.
void fixture_texture(uint8_t *rgba, int width, int height);
/// Fills RGBA pixels with four quarters, each of its own colour (four times RGB).
void fixture_quarters(uint8_t *rgba, int width, int height, const uint8_t *colours, uint8_t alpha);

/// RGBA, four bytes per pixel. The caller must free it.
uint8_t *fixture_decode_jpeg(const uint8_t *bytes, size_t count, int *width, int *height);
