// The codecs as the photo worker sees them: one reader for every format, that gives rows from top to bottom, the
// pixel kernels, and the writer of all that is stored. Rules (limits, sizes, order) are not made here.
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

/// The meaning of a pixel's four samples.
typedef enum CODEC_ENUM {
    PIXELS_RGB CODEC_CASE(rgb) = 0,        ///< Red, green, blue, and alpha or 255.
    PIXELS_GREY CODEC_CASE(grey),           ///< Grey three times, and alpha or 255.
    PIXELS_CMYK CODEC_CASE(cmyk),           ///< 255 is full ink.
    PIXELS_CMYK_INVERTED CODEC_CASE(invertedCMYK),  ///< 0 is full ink, as Adobe writes it.
} pixel_model;

typedef struct {
    uint32_t width;        ///< As the header says, before scaling and orientation.
    uint32_t height;
    pixel_model model;
    int sample_bytes;      ///< 1, or 2 in the machine's order.
    int has_alpha;         ///< The fourth sample is alpha, with which the others are not multiplied.
    const uint8_t *profile;  ///< The ICC profile, NULL without; lives as long as the reader.
    size_t profile_size;
    // Where there is no profile:
    uint16_t primaries;    ///< By ITU-T H.273.
    double gamma;          ///< What samples are raised to for light, where PNG says so; 0: sRGB's own curve.
    double chromaticities[8];  ///< x, y of white, red, green, blue, where PNG says so; 0: sRGB's.
    const uint8_t *exif;   ///< The Exif block's TIFF, for PNG and WebP; lives as long as the reader.
    size_t exif_size;
} picture_info;

/// The colours that a bitstream declares, by ITU-T H.273; 2 is unspecified.
typedef struct {
    uint16_t primaries;
    uint16_t transfer;
} coded_colours;

typedef struct picture_reader picture_reader;

/// Loads libheif, which is not linked: it takes longer than decoding a small JPEG. Opening a HEIF does so too,
/// where files are still within reach.
void picture_prepare_heif(void);

// Opening reads the header and decodes no pixel. `bytes` must outlive the reader. On failure there is none.

codec_status picture_open_jpeg(const uint8_t *bytes, size_t count, picture_reader **reader);
codec_status picture_open_png(const uint8_t *bytes, size_t count, picture_reader **reader);
/// `coded` counts where the container has neither a profile nor code points.
codec_status picture_open_heif(
    const uint8_t *bytes, size_t count, coded_colours coded, picture_reader **reader);
codec_status picture_open_webp(const uint8_t *bytes, size_t count, picture_reader **reader);

const picture_info *picture_reader_info(const picture_reader *reader);
/// Begins decoding at `eighths`/8 of the size (1 to 8; only JPEG knows other than 8) and tells the size of the
/// rows that come.
codec_status picture_reader_start(picture_reader *reader, int eighths, uint32_t *width, uint32_t *height);
/// The next row, 4 × width samples.
codec_status picture_reader_row(picture_reader *reader, uint8_t *row);
/// After the last row: whether the file is complete.
codec_status picture_reader_finish(picture_reader *reader);
void picture_reader_close(picture_reader *reader);

// Kernels. Pictures are rows of four bytes per pixel without padding.

/// Separable Lanczos-3 on encoded values, fed row by row; only reduces.
typedef struct resampler resampler;
/// NULL: out of memory.
resampler *resampler_create(uint32_t from_width, uint32_t from_height, uint32_t width, uint32_t height);
/// Where the next row is to be written.
uint8_t *resampler_row(resampler *r);
/// The row is there.
void resampler_advance(resampler *r);
/// The next finished row, which may be changed and is good until the next call; NULL: more is needed first.
uint8_t *resampler_next(resampler *r);
void resampler_destroy(resampler *r);

/// Turns a picture by Exif orientation 1 to 8 (TIFF 6.0): `output` is upright; its size is height × width
/// from 5 on.
void pixels_orient(
    const uint8_t *pixels, uint32_t width, uint32_t height, int orientation, uint8_t *output);

/// Makes rows sRGB: by the picture's profile where that fits its model, else by its primaries or its gamma and
/// chromaticities, else plainly (CMYK: each of red, green and blue is what its ink and black leave).
typedef struct colour_converter colour_converter;
/// NULL: out of memory. `info` outlives the converter.
colour_converter *colour_converter_create(const picture_info *info);
/// Whether this must come before resampling: alpha is laid over white among encoded sRGB values, as browsers do
/// it, and 16 bits keep what they are for until the curve is sRGB's.
int colour_converter_is_first(const colour_converter *converter);
/// `source` has the picture's samples, `target` gets four bytes a pixel and may be the source where that has too.
void colour_converter_row(colour_converter *converter, void *source, uint8_t *target, uint32_t width);
void colour_converter_destroy(colour_converter *converter);

/// Writes a baseline JPEG: 4:2:0, optimised Huffman tables, JFIF header and nothing else.
typedef struct jpeg_writer jpeg_writer;
codec_status jpeg_writer_create(uint32_t width, uint32_t height, int quality, jpeg_writer **writer);
codec_status jpeg_writer_row(jpeg_writer *writer, const uint8_t *row);
/// After the last row. `*jpeg` is to be freed.
codec_status jpeg_writer_finish(jpeg_writer *writer, uint8_t **jpeg, size_t *count);
void jpeg_writer_destroy(jpeg_writer *writer);
