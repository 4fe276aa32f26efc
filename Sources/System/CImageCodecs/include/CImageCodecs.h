// The photo worker's interface to the codecs: one reader for every format, which gives rows from top to bottom, the pixel
// kernels, and the JPEG writer. The rules (limits, sizes, order) are in PhotoDecoding.
#pragma once

#include <stddef.h>
#include <stdint.h>

#define CODEC_ENUM __attribute__((enum_extensibility(closed)))
#define CODEC_CASE(name) __attribute__((swift_name(#name)))

typedef enum CODEC_ENUM {
    CODEC_OK CODEC_CASE(ok) = 0,
    CODEC_UNSUPPORTED CODEC_CASE(unsupported),   ///< A variant of the format that this codec does not decode.
    CODEC_UNREADABLE CODEC_CASE(unreadable),    ///< Damaged or incomplete.
    CODEC_OUT_OF_MEMORY CODEC_CASE(outOfMemory),
} codec_status;

/// The meaning of a pixel's four samples.
typedef enum CODEC_ENUM {
    PIXELS_RGB CODEC_CASE(rgb) = 0,        ///< Red, green, blue, and alpha or 255.
    PIXELS_GREY CODEC_CASE(grey),           ///< Grey three times, and alpha or 255.
    PIXELS_CMYK CODEC_CASE(cmyk),           ///< 255 is full ink.
    PIXELS_CMYK_INVERTED CODEC_CASE(invertedCMYK),  ///< 0 is full ink, as in Adobe's files.
} pixel_model;

typedef struct {
    uint32_t width;        ///< From the header, before scaling and orientation.
    uint32_t height;
    pixel_model model;
    int sample_bytes;      ///< 1, or 2 in the machine's byte order.
    int has_alpha;         ///< Whether the fourth sample is straight (not premultiplied) alpha.
    const uint8_t *profile;  ///< The ICC profile, or NULL; valid as long as the reader.
    size_t profile_size;
    // Used without a profile:
    uint16_t primaries;    ///< The code point of ITU-T H.273.
    double gamma;          ///< PNG's exponent from samples to light; 0 for sRGB's own curve.
    double chromaticities[8];  ///< PNG's x and y of white, red, green and blue; 0 for sRGB's.
    int orientation;       ///< The Exif orientation that a HEIF's container states and the rows do not have yet; otherwise 0.
    const uint8_t *exif;   ///< The TIFF data of the Exif block (PNG, WebP); valid as long as the reader.
    size_t exif_size;
} picture_info;

/// The view that libheif has of a HEIF or AVIF: the head, and behind it the whole file as mere data.
typedef struct {
    const uint8_t *head;    ///< The boxes that describe the primary picture and nothing else.
    size_t head_count;
    uint16_t primaries;     ///< The colours that the bitstream declares, by ITU-T H.273; 2 is unspecified. Used when the
    uint16_t transfer;      ///< container has neither a profile nor code points.
    const uint32_t *tiles;  ///< The numbers of the coded pictures that make up the primary picture, from left to right and
    size_t tile_count;      ///< from top to bottom; none for a picture that is decoded as a whole.
    int orientation;        ///< The Exif orientation of a picture of tiles.
} heif_contents;

typedef struct picture_reader picture_reader;

/// Loads libheif, which is not linked because it takes longer to load than a small JPEG takes to decode. Opening a HEIF
/// loads it too, while the sandbox still allows access to files.
void picture_prepare_heif(void);

// Opening reads the header and decodes no pixel. `bytes` must outlive the reader. A failure creates no reader.

/// A file that `has_end_marker` is taken with whatever scans it has. One without needs at least one scan for every
/// coefficient, since the later scans of a progressive picture may be missing.
codec_status picture_open_jpeg(const uint8_t *bytes, size_t count, int has_end_marker, picture_reader **reader);
codec_status picture_open_png(const uint8_t *bytes, size_t count, picture_reader **reader);
/// Copies `contents`. Tiles are decoded one by one, with `may_have_help` on two threads.
codec_status picture_open_heif(
    const uint8_t *bytes, size_t count, const heif_contents *contents, int may_have_help, picture_reader **reader);
codec_status picture_open_webp(const uint8_t *bytes, size_t count, picture_reader **reader);

const picture_info *picture_reader_info(const picture_reader *reader);
/// Begins to decode at `eighths`/8 of the size (1 to 8; formats other than JPEG always use 8) and sets the decoded size.
codec_status picture_reader_start(picture_reader *reader, int eighths, uint32_t *width, uint32_t *height);
/// Reads the next row, 4 × width samples.
codec_status picture_reader_row(picture_reader *reader, uint8_t *row);
/// Checks what can be checked only after the last row.
codec_status picture_reader_finish(picture_reader *reader);
void picture_reader_close(picture_reader *reader);

// Kernels. Pictures are rows of four bytes per pixel without padding.

/// Reduces a picture row by row with a separable Lanczos-3 filter on encoded values.
typedef struct resampler resampler;
/// NULL when out of memory.
resampler *resampler_create(uint32_t from_width, uint32_t from_height, uint32_t width, uint32_t height);
/// The buffer for the next source row.
uint8_t *resampler_row(resampler *r);
/// Takes the row that the caller wrote into the buffer.
void resampler_advance(resampler *r);
/// The next finished row, which the caller may change and which is valid until the next call. NULL when the resampler needs
/// more source rows.
uint8_t *resampler_next(resampler *r);
void resampler_destroy(resampler *r);

/// Turns a picture upright according to its Exif orientation, 1 to 8 (TIFF 6.0). From 5 on, width and height are exchanged.
void pixels_orient(
    const uint8_t *pixels, uint32_t width, uint32_t height, int orientation, uint8_t *output);

/// Converts rows to sRGB: with the picture's profile if that fits its model, otherwise with its primaries or its gamma and
/// chromaticities, otherwise without a profile (from CMYK, each of red, green and blue is the light that its ink and black
/// leave).
typedef struct colour_converter colour_converter;
/// NULL when out of memory. `info` must outlive the converter.
colour_converter *colour_converter_create(const picture_info *info);
/// Whether the conversion must come before resampling. Alpha is blended over white in encoded sRGB values, as in browsers,
/// and samples of 16 bits must keep their precision until they have sRGB's curve.
int colour_converter_is_first(const colour_converter *converter);
/// Converts one row. `source` has the picture's samples, and `target` gets four bytes per pixel. Both may be the same buffer
/// when samples are bytes.
void colour_converter_row(colour_converter *converter, void *source, uint8_t *target, uint32_t width);
void colour_converter_destroy(colour_converter *converter);

/// Writes a baseline JPEG with 4:2:0 subsampling, optimised Huffman tables, a JFIF header and nothing else.
typedef struct jpeg_writer jpeg_writer;
codec_status jpeg_writer_create(uint32_t width, uint32_t height, int quality, jpeg_writer **writer);
codec_status jpeg_writer_row(jpeg_writer *writer, const uint8_t *row);
/// Ends the file after the last row. The caller must free `*jpeg`.
codec_status jpeg_writer_finish(jpeg_writer *writer, uint8_t **jpeg, size_t *count);
void jpeg_writer_destroy(jpeg_writer *writer);
