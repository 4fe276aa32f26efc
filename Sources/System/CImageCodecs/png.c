// Reads PNG with libpng: every colour type and depth. Skips text and unknown chunks.
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "kernels.h"
#include "png_colours.h"
#include "reader.h"
#include "transfer.h"

typedef struct {
    picture_reader reader;
    png_structp codec;
    png_infop header;
    jmp_buf escape;
    const uint8_t *next;
    size_t left;
    uint8_t *whole;    // all rows of an interlaced picture
    uint8_t *narrow;   // a row as libpng gives it, where it becomes four bytes per pixel here, with 16 bytes of room
    uint32_t row;
    png_colours colours;
    int sample_bytes;  // of libpng's rows
    int samples;       // of a pixel of libpng's rows
    uint8_t *table;    // maps libpng's values of a colour to 8 bits; NULL if they stay as they are
    int has_ended;     // the file ended before the bytes that libpng wanted
} png_reader;

static void fail(png_structp codec, png_const_charp message) {
    (void)message;
    png_reader *self = png_get_error_ptr(codec);
    longjmp(self->escape, 1);
}

static void ignore(png_structp codec, png_const_charp message) {
    (void)codec;
    (void)message;
}

static void read_bytes(png_structp codec, png_bytep target, size_t count) {
    png_reader *self = png_get_io_ptr(codec);
    if (count > self->left) {
        self->has_ended = 1;
        png_error(codec, "truncated");
    }
    memcpy(target, self->next, count);
    self->next += count;
    self->left -= count;
}

static int is_little_endian(void) {
    const uint16_t one = 1;
    return *(const uint8_t *)&one == 1;
}

static void set_transforms(png_reader *self) {
    png_set_expand(self->codec);
    if (self->sample_bytes == 2) {
        png_set_expand_16(self->codec);
        if (is_little_endian()) png_set_swap(self->codec);
    } else {
        png_set_scale_16(self->codec);
    }
    png_set_gray_to_rgb(self->codec);
    // Pixels of 8 bits without alpha stay at three bytes here, because libpng adds a fourth slowly.
    if (self->sample_bytes == 2) png_set_add_alpha(self->codec, 0xFFFF, PNG_FILLER_AFTER);
}

static codec_status make_table(png_reader *self) {
    const png_colours *colours = &self->colours;
    if (!colours->has_cicp || (colours->is_full_range && transfer_is_like_srgb(colours->transfer))) return CODEC_OK;
    self->sample_bytes = png_get_bit_depth(self->codec, self->header) == 16 ? 2 : 1;
    self->table = malloc((size_t)1 << (self->sample_bytes * 8));
    if (self->table == NULL) return CODEC_OUT_OF_MEMORY;
    transfer_table(colours->transfer, self->sample_bytes * 8, colours->is_full_range, self->table);
    return CODEC_OK;
}

static codec_status start(picture_reader *reader, int eighths, uint32_t *width, uint32_t *height) {
    png_reader *self = (png_reader *)reader;
    (void)eighths;
    self->sample_bytes = reader->info.sample_bytes;
    codec_status status = make_table(self);
    if (status != CODEC_OK) return status;
    if (setjmp(self->escape)) return CODEC_UNREADABLE;
    set_transforms(self);
    int passes = png_set_interlace_handling(self->codec);
    png_read_update_info(self->codec, self->header);
    size_t stride = png_get_rowbytes(self->codec, self->header), pixels = reader->info.width;
    self->samples = stride == pixels * 3 ? 3 : 4;
    if (stride != pixels * (size_t)(self->samples * self->sample_bytes)) return CODEC_UNSUPPORTED;
    if (self->samples == 3 || self->table != NULL) {
        self->narrow = malloc(stride + 16);
        if (self->narrow == NULL) return CODEC_OUT_OF_MEMORY;
    }
    if (passes > 1) {
        self->whole = malloc(stride * reader->info.height);
        if (self->whole == NULL) return CODEC_OUT_OF_MEMORY;
        for (int pass = 0; pass < passes; pass++)
            for (uint32_t y = 0; y < reader->info.height; y++)
                png_read_row(self->codec, self->whole + y * stride, NULL);
    }
    *width = reader->info.width;
    *height = reader->info.height;
    return CODEC_OK;
}

static void read_row(png_reader *self, uint8_t *row) {
    size_t stride = png_get_rowbytes(self->codec, self->header);
    if (self->whole != NULL)
        memcpy(row, self->whole + self->row * stride, stride);
    else
        png_read_row(self->codec, row, NULL);
}

typedef uint8_t byte16 __attribute__((vector_size(16), aligned(1)));

// Widens pixels from three bytes to four. Reads up to four bytes beyond the row.
FOR_MANY_CPUS
static void triples_to_fours(const uint8_t *triples, uint32_t width, uint8_t *row) {
    uint32_t x = 0;
    for (; x + 4 <= width; x += 4) {
        byte16 from = *(const byte16 *)(triples + (size_t)x * 3);
        *(byte16 *)(row + (size_t)x * 4) = __builtin_shufflevector(
            from, (byte16){255}, 0, 1, 2, 16, 3, 4, 5, 16, 6, 7, 8, 16, 9, 10, 11, 16);
    }
    for (; x < width; x++) {
        memcpy(row + (size_t)x * 4, triples + (size_t)x * 3, 3);
        row[(size_t)x * 4 + 3] = 255;
    }
}

// Maps the colours of a row through the table, and narrows its alpha.
static void look_up(const png_reader *self, const uint8_t *from, uint32_t width, uint8_t *row) {
    const uint16_t *words = (const uint16_t *)(const void *)from;
    for (size_t x = 0, sample = 0; x < width; x++, row += 4) {
        for (int c = 0; c < 3; c++, sample++)
            row[c] = self->table[self->sample_bytes == 2 ? words[sample] : from[sample]];
        row[3] = 255;
        if (self->samples == 4) {
            row[3] = self->sample_bytes == 2 ? (uint8_t)((words[sample] + 128u) / 257) : from[sample];
            sample++;
        }
    }
}

static codec_status next_row(picture_reader *reader, uint8_t *row) {
    png_reader *self = (png_reader *)reader;
    if (self->row >= reader->info.height) return CODEC_UNREADABLE;
    if (setjmp(self->escape)) return CODEC_UNREADABLE;
    read_row(self, self->narrow != NULL ? self->narrow : row);
    self->row++;
    if (self->table != NULL)
        look_up(self, self->narrow, reader->info.width, row);
    else if (self->narrow != NULL)
        triples_to_fours(self->narrow, reader->info.width, row);
    return CODEC_OK;
}

// A file may end behind its last row, as browsers allow, but the checksums that are there must be right.
static codec_status finish(picture_reader *reader) {
    png_reader *self = (png_reader *)reader;
    if (setjmp(self->escape)) return self->has_ended ? CODEC_OK : CODEC_UNREADABLE;
    png_read_end(self->codec, NULL);
    return CODEC_OK;
}

static void close_reader(picture_reader *reader) {
    png_reader *self = (png_reader *)reader;
    png_destroy_read_struct(&self->codec, &self->header, NULL);
    free(self->whole);
    free(self->narrow);
    free(self->table);
    free(self->colours.profile);
    free(self);
}

static codec_status read_header(png_reader *self) {
    static const png_byte skipped[] = "tEXt\0zTXt\0iTXt\0sPLT\0hIST\0tIME\0pCAL\0sCAL\0oFFs\0pHYs";
    if (setjmp(self->escape)) return CODEC_UNREADABLE;
    png_set_read_fn(self->codec, self, read_bytes);
    png_set_keep_unknown_chunks(self->codec, PNG_HANDLE_CHUNK_NEVER, skipped, (int)sizeof skipped / 5);
    png_colours_keep(self->codec);
    png_set_chunk_malloc_max(self->codec, MAX_PROFILE_BYTES);
    png_set_chunk_cache_max(self->codec, 16);
    png_set_user_limits(self->codec, 0x7FFFFFFF, 0x7FFFFFFF);
    png_read_info(self->codec, self->header);

    picture_info *info = &self->reader.info;
    int colours = png_get_color_type(self->codec, self->header);
    info->width = png_get_image_width(self->codec, self->header);
    info->height = png_get_image_height(self->codec, self->header);
    info->model = colours & PNG_COLOR_MASK_COLOR ? PIXELS_RGB : PIXELS_GREY;
    info->has_alpha = (colours & PNG_COLOR_MASK_ALPHA) != 0 ||
                      png_get_valid(self->codec, self->header, PNG_INFO_tRNS) != 0;
    png_colours_read(self->codec, self->header, info, &self->colours);
    // Samples keep 16 bits if the curve is not sRGB's: 8 bits suffice for sRGB's curve, but not for linear light.
    int has_curve = info->profile != NULL || info->gamma != 0;
    info->sample_bytes = has_curve && png_get_bit_depth(self->codec, self->header) == 16 ? 2 : 1;
    png_uint_32 size;
    png_bytep exif;
    if (png_get_eXIf_1(self->codec, self->header, &size, &exif) == PNG_INFO_eXIf) {
        info->exif = exif;
        info->exif_size = size;
    }
    return CODEC_OK;
}

codec_status picture_open_png(const uint8_t *bytes, size_t count, picture_reader **reader) {
    png_reader *self = calloc(1, sizeof *self);
    if (self == NULL) return CODEC_OUT_OF_MEMORY;
    self->reader.start = start;
    self->reader.row = next_row;
    self->reader.finish = finish;
    self->reader.close = close_reader;
    self->next = bytes;
    self->left = count;
    self->codec = png_create_read_struct(PNG_LIBPNG_VER_STRING, self, fail, ignore);
    if (self->codec != NULL) self->header = png_create_info_struct(self->codec);
    codec_status status = self->header == NULL ? CODEC_OUT_OF_MEMORY : read_header(self);
    if (status != CODEC_OK) {
        close_reader(&self->reader);
        return status;
    }
    *reader = &self->reader;
    return CODEC_OK;
}
