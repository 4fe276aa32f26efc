// The codecs as the photo worker sees them: one reader for every format, that gives rows of four bytes per
// pixel from top to bottom, and the pixel kernels. Rules (limits, sizes, order) are not made here.
#pragma once

#include <stddef.h>
#include <stdint.h>

#define CODEC_ENUM __attribute__((enum_extensibility(closed)))
#define CODEC_CASE(name) __attribute__((swift_name(#name)))

typedef enum CODEC_ENUM {
    CODEC_OK CODEC_CASE(ok) = 0,
    CODEC_UNSUPPORTED CODEC_CASE(unsupported),   ///< A variant of the format that is not decoded here.
    CODEC_UNREADABLE CODEC_CASE(unreadable),    ///< Damaged or incomplete.
    CODEC_OUT_OF_MEMORY CODEC_CASE(outOfMemory),
} codec_status;

/// What the four bytes of a pixel mean.
typedef enum CODEC_ENUM {
    PIXELS_RGB CODEC_CASE(rgb) = 0,        ///< Red, green, blue, unused.
    PIXELS_GREY CODEC_CASE(grey),           ///< Grey three times, unused.
    PIXELS_CMYK CODEC_CASE(cmyk),           ///< 255 is full ink.
    PIXELS_CMYK_INVERTED CODEC_CASE(invertedCMYK),  ///< 0 is full ink, as Adobe writes it.
} pixel_model;

typedef struct {
    uint32_t width;        ///< As the header says, before scaling and orientation.
    uint32_t height;
    pixel_model model;
    uint16_t primaries;    ///< Colour primaries by ITU-T H.273 where there is no profile; 0 or 2: unknown.
    double gamma;          ///< What samples are raised to for light, where PNG says so; 0: sRGB's own curve.
    double chromaticities[8];  ///< x, y of white, red, green, blue, where PNG says so; 0: sRGB's.
    const uint8_t *profile;  ///< The ICC profile, NULL without; lives as long as the reader.
    size_t profile_size;
    const uint8_t *exif;   ///< The Exif block's TIFF, for PNG and WebP; lives as long as the reader.
    size_t exif_size;
} picture_info;

typedef struct picture_reader picture_reader;

/// Loads what codecs load from files, before files are out of reach.
void picture_codecs_prepare(void);

// Opening reads the header and decodes no pixel. `bytes` must outlive the reader. On failure there is none.

codec_status picture_open_jpeg(const uint8_t *bytes, size_t count, picture_reader **reader);
codec_status picture_open_png(const uint8_t *bytes, size_t count, picture_reader **reader);
codec_status picture_open_heif(const uint8_t *bytes, size_t count, picture_reader **reader);
codec_status picture_open_webp(const uint8_t *bytes, size_t count, picture_reader **reader);

const picture_info *picture_reader_info(const picture_reader *reader);
/// Begins decoding at `eighths`/8 of the size (1 to 8; only JPEG knows other than 8) and tells the size of the
/// rows that come. Alpha is laid over white.
codec_status picture_reader_start(picture_reader *reader, int eighths, uint32_t *width, uint32_t *height);
/// The next row, 4 × width bytes.
codec_status picture_reader_row(picture_reader *reader, uint8_t *row);
/// After the last row: whether the file is complete.
codec_status picture_reader_finish(picture_reader *reader);
void picture_reader_close(picture_reader *reader);

// Kernels. Pictures are rows of four bytes per pixel without padding.

/// Separable Lanczos-3 on encoded values, fed row by row; only reduces.
typedef struct resampler resampler;
/// `output` (4 × width × height bytes) is filled as rows come in. NULL: out of memory.
resampler *resampler_create(
    uint32_t from_width, uint32_t from_height, uint32_t width, uint32_t height, uint8_t *output);
/// Where the next row is to be written.
uint8_t *resampler_row(resampler *r);
/// The row is there.
void resampler_advance(resampler *r);
void resampler_destroy(resampler *r);

/// Turns a picture by Exif orientation 1 to 8 (TIFF 6.0): `output` is upright; its size is height × width
/// from 5 on.
void pixels_orient(
    const uint8_t *pixels, uint32_t width, uint32_t height, int orientation, uint8_t *output);

/// Converts a picture to sRGB in place, by its profile where that fits its model, else by its gamma and
/// primaries, else plainly. The unused fourth byte becomes 255.
void pixels_to_srgb(uint8_t *pixels, size_t count, const picture_info *info);

/// A baseline JPEG: 4:2:0, optimised Huffman tables, JFIF header and nothing else. `*jpeg` is to be freed.
codec_status jpeg_encode(
    const uint8_t *pixels, uint32_t width, uint32_t height, int quality, uint8_t **jpeg, size_t *count);
