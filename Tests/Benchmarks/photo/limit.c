// The limit: what the codecs alone cost. One picture to a photo and a thumbnail as a C program would that trusts its
// input: no sandbox, no checks, no clean-up, the file mapped, each row given to the encoder as soon as it is decoded.
// Compiled once per format (-DLIMIT_JPEG, _PNG, _HEIF), so that each starts with its own codec only. The Lanczos kernel
// is the worker's.
//
//   limit-FORMAT INPUT PHOTO THUMBNAIL
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jpeglib.h>

#include "CImageCodecs.h"

#define PHOTO_EDGE 2048
#define LEAST_EDGE 1920  // a JPEG that lands between this and PHOTO_EDGE by the codec's own scaling stays so
#define THUMBNAIL_EDGE 480
#define QUALITY 80

static struct jpeg_error_mgr errors;

static uint32_t fitted(uint32_t side, uint32_t longest, uint32_t edge) {
    return longest <= edge ? side : (uint32_t)(((uint64_t)side * edge * 2 + longest) / (longest * 2));
}

typedef struct {
    struct jpeg_compress_struct codec;
    FILE *file;
} encoder;

static void encoder_begin(encoder *e, const char *path, uint32_t width, uint32_t height) {
    e->file = fopen(path, "wb");
    e->codec.err = &errors;
    jpeg_create_compress(&e->codec);
    jpeg_stdio_dest(&e->codec, e->file);
    e->codec.image_width = width;
    e->codec.image_height = height;
    e->codec.input_components = 4;
    e->codec.in_color_space = JCS_EXT_RGBX;
    jpeg_set_defaults(&e->codec);
    jpeg_set_quality(&e->codec, QUALITY, TRUE);
    e->codec.optimize_coding = TRUE;
    jpeg_start_compress(&e->codec, TRUE);
}

static void encoder_row(encoder *e, const uint8_t *row) {
    JSAMPROW rows[] = {(JSAMPROW)row};
    jpeg_write_scanlines(&e->codec, rows, 1);
}

static void encoder_end(encoder *e) {
    jpeg_finish_compress(&e->codec);
    fclose(e->file);
}

// Both outputs, fed with rows of the photo.
typedef struct {
    encoder photo, thumbnail;
    resampler *reduce;  // to the thumbnail; NULL where the photo is as small
    uint8_t *small;
    uint32_t width, height, small_width, small_height, small_rows;
} outputs;

static void outputs_begin(outputs *o, char **paths, uint32_t width, uint32_t height) {
    uint32_t longest = width > height ? width : height;
    o->width = width;
    o->height = height;
    o->small_width = fitted(width, longest, THUMBNAIL_EDGE);
    o->small_height = fitted(height, longest, THUMBNAIL_EDGE);
    o->small = malloc((size_t)o->small_width * o->small_height * 4);
    if (longest > THUMBNAIL_EDGE)
        o->reduce = resampler_create(width, height, o->small_width, o->small_height);
    encoder_begin(&o->photo, paths[0], width, height);
    encoder_begin(&o->thumbnail, paths[1], o->small_width, o->small_height);
}

static void outputs_row(outputs *o, const uint8_t *row, uint32_t y) {
    encoder_row(&o->photo, row);
    if (o->reduce == NULL) {
        memcpy(o->small + (size_t)y * o->width * 4, row, (size_t)o->width * 4);
        return;
    }
    memcpy(resampler_row(o->reduce), row, (size_t)o->width * 4);
    resampler_advance(o->reduce);
    for (const uint8_t *small; (small = resampler_next(o->reduce)) != NULL; o->small_rows++)
        memcpy(o->small + (size_t)o->small_rows * o->small_width * 4, small, (size_t)o->small_width * 4);
}

static void outputs_end(outputs *o) {
    encoder_end(&o->photo);
    for (uint32_t y = 0; y < o->small_height; y++)
        encoder_row(&o->thumbnail, o->small + (size_t)y * o->small_width * 4);
    encoder_end(&o->thumbnail);
}

typedef void (*row_source)(void *state, uint8_t *row);

// Rows as they come, or by way of Lanczos-3 where they are too many.
static void convert(row_source next, void *state, uint32_t width, uint32_t height, char **paths) {
    outputs o = {0};
    uint32_t longest = width > height ? width : height;
    if (longest <= PHOTO_EDGE) {
        uint8_t *row = malloc((size_t)width * 4);
        outputs_begin(&o, paths, width, height);
        for (uint32_t y = 0; y < height; y++) {
            next(state, row);
            outputs_row(&o, row, y);
        }
        outputs_end(&o);
        return;
    }
    uint32_t photo_width = fitted(width, longest, PHOTO_EDGE), photo_height = fitted(height, longest, PHOTO_EDGE);
    resampler *reduce = resampler_create(width, height, photo_width, photo_height);
    outputs_begin(&o, paths, photo_width, photo_height);
    for (uint32_t y = 0, rows = 0; y < height; y++) {
        next(state, resampler_row(reduce));
        resampler_advance(reduce);
        for (const uint8_t *row; (row = resampler_next(reduce)) != NULL; rows++) outputs_row(&o, row, rows);
    }
    outputs_end(&o);
}

#ifdef LIMIT_JPEG
static void next_jpeg_row(void *state, uint8_t *row) {
    JSAMPROW rows[] = {row};
    jpeg_read_scanlines(state, rows, 1);
}

// Lands within LEAST_EDGE and PHOTO_EDGE where it can, else just above, never below.
static unsigned eighths_for(uint32_t longest) {
    for (unsigned eighths = 8; eighths > 0 && longest > PHOTO_EDGE; eighths--) {
        uint32_t edge = (longest * eighths + 7) / 8;
        if (edge <= PHOTO_EDGE) return edge >= LEAST_EDGE ? eighths : eighths + 1;
    }
    return longest > PHOTO_EDGE ? 1 : 8;
}

static void run(const uint8_t *bytes, size_t count, char **paths) {
    struct jpeg_decompress_struct codec;
    codec.err = &errors;
    jpeg_create_decompress(&codec);
    jpeg_mem_src(&codec, bytes, count);
    jpeg_read_header(&codec, TRUE);
    codec.out_color_space = JCS_EXT_RGBX;
    codec.scale_num = eighths_for(codec.image_width > codec.image_height ? codec.image_width : codec.image_height);
    codec.scale_denom = 8;
    jpeg_start_decompress(&codec);
    convert(next_jpeg_row, &codec, codec.output_width, codec.output_height, paths);
}
#endif

#ifdef LIMIT_PNG
#include <png.h>

typedef struct {
    const uint8_t *next;
} source;

static void read_bytes(png_structp codec, png_bytep target, size_t count) {
    source *from = png_get_io_ptr(codec);
    memcpy(target, from->next, count);
    from->next += count;
}

static void next_png_row(void *state, uint8_t *row) {
    png_read_row(state, row, NULL);
}

static void run(const uint8_t *bytes, size_t count, char **paths) {
    source from = {bytes};
    png_structp codec = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop header = png_create_info_struct(codec);
    (void)count;
    png_set_read_fn(codec, &from, read_bytes);
    png_set_crc_action(codec, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
    png_read_info(codec, header);
    png_set_expand(codec);
    png_set_scale_16(codec);
    png_set_gray_to_rgb(codec);
    png_set_filler(codec, 0xFF, PNG_FILLER_AFTER);
    png_read_update_info(codec, header);
    uint32_t width = png_get_image_width(codec, header), height = png_get_image_height(codec, header);
    convert(next_png_row, codec, width, height, paths);
}
#endif

#ifdef LIMIT_HEIF
#include <libheif/heif.h>

typedef struct {
    const uint8_t *next[3];  // red, green, blue
    int stride[3];
    uint32_t width;
} planes;

__attribute__((target_clones("avx2", "default")))
static void next_heif_row(void *state, uint8_t *row) {
    planes *from = state;
    const uint8_t *red = from->next[0], *green = from->next[1], *blue = from->next[2];
    for (uint32_t x = 0; x < from->width; x++) {
        uint32_t pixel = (uint32_t)red[x] | (uint32_t)green[x] << 8 | (uint32_t)blue[x] << 16 | 255u << 24;
        memcpy(row + x * 4, &pixel, 4);
    }
    for (int c = 0; c < 3; c++) from->next[c] += from->stride[c];
}

static void run(const uint8_t *bytes, size_t count, char **paths) {
    static const enum heif_channel channels[] = {heif_channel_R, heif_channel_G, heif_channel_B};
    struct heif_context *file = heif_context_alloc();
    struct heif_image_handle *primary;
    struct heif_image *image;
    heif_context_set_max_decoding_threads(file, 0);
    heif_context_read_from_memory_without_copy(file, bytes, count, NULL);
    heif_context_get_primary_image_handle(file, &primary);
    // In planes: libheif interleaves more slowly.
    heif_decode_image(primary, &image, heif_colorspace_RGB, heif_chroma_444, NULL);
    planes from = {.width = (uint32_t)heif_image_get_primary_width(image)};
    for (int c = 0; c < 3; c++)
        from.next[c] = heif_image_get_plane_readonly(image, channels[c], &from.stride[c]);
    convert(
        next_heif_row, &from, from.width, (uint32_t)heif_image_get_primary_height(image), paths);
}
#endif

int main(int count, char **arguments) {
    struct stat info;
    if (count != 4) return 2;
    int file = open(arguments[1], O_RDONLY);
    if (file < 0 || fstat(file, &info) < 0) return 1;
    const uint8_t *bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    if (bytes == MAP_FAILED) return 1;
    jpeg_std_error(&errors);
    run(bytes, (size_t)info.st_size, arguments + 2);
    fflush(NULL);
    _exit(0);
}
