// PNG by libpng: every colour type and depth as 8-bit RGBA over white; text and unknown chunks are skipped.
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "reader.h"

typedef struct {
    picture_reader reader;
    png_structp codec;
    png_infop header;
    jmp_buf escape;
    const uint8_t *next;
    size_t left;
    uint8_t *whole;  // all rows of an interlaced picture
    uint32_t row;
    int has_alpha;
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
    if (count > self->left) png_error(codec, "truncated");
    memcpy(target, self->next, count);
    self->next += count;
    self->left -= count;
}

static void set_transforms(png_reader *self) {
    png_set_expand(self->codec);
    png_set_scale_16(self->codec);
    png_set_gray_to_rgb(self->codec);
    png_set_add_alpha(self->codec, 0xFF, PNG_FILLER_AFTER);
}

static codec_status start(picture_reader *reader, int eighths, uint32_t *width, uint32_t *height) {
    png_reader *self = (png_reader *)reader;
    size_t stride = (size_t)reader->info.width * 4;
    (void)eighths;
    if (setjmp(self->escape)) return CODEC_UNREADABLE;
    set_transforms(self);
    int passes = png_set_interlace_handling(self->codec);
    png_read_update_info(self->codec, self->header);
    if (png_get_rowbytes(self->codec, self->header) != stride) return CODEC_UNSUPPORTED;
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

static codec_status next_row(picture_reader *reader, uint8_t *row) {
    png_reader *self = (png_reader *)reader;
    if (self->row >= reader->info.height) return CODEC_UNREADABLE;
    if (setjmp(self->escape)) return CODEC_UNREADABLE;
    size_t stride = (size_t)reader->info.width * 4;
    if (self->whole != NULL)
        memcpy(row, self->whole + self->row * stride, stride);
    else
        png_read_row(self->codec, row, NULL);
    self->row++;
    if (self->has_alpha) lay_over_white(row, reader->info.width);
    return CODEC_OK;
}

static codec_status finish(picture_reader *reader) {
    png_reader *self = (png_reader *)reader;
    if (setjmp(self->escape)) return CODEC_UNREADABLE;
    png_read_end(self->codec, NULL);
    return CODEC_OK;
}

static void close_reader(picture_reader *reader) {
    png_reader *self = (png_reader *)reader;
    png_destroy_read_struct(&self->codec, &self->header, NULL);
    free(self->whole);
    free(self);
}

// PNG (third edition) 11.3.2: a profile stands above sRGB, and that above gamma and primaries. A gamma within 5 % of
// 1/2.2 means sRGB's curve: that is what programs write it for.
static void read_colours(png_reader *self) {
    picture_info *info = &self->reader.info;
    double gamma, c[8];
    if (png_get_valid(self->codec, self->header, PNG_INFO_iCCP | PNG_INFO_sRGB) != 0) return;
    if (png_get_gAMA(self->codec, self->header, &gamma) == PNG_INFO_gAMA && gamma > 0.1 && gamma < 10 &&
        (gamma < 0.95 / 2.2 || gamma > 1.05 / 2.2))
        info->gamma = 1 / gamma;
    if (info->model == PIXELS_RGB &&
        png_get_cHRM(self->codec, self->header, c, c + 1, c + 2, c + 3, c + 4, c + 5, c + 6, c + 7) ==
            PNG_INFO_cHRM)
        memcpy(info->chromaticities, c, sizeof c);
}

static codec_status read_header(png_reader *self) {
    static const png_byte skipped[] = "tEXt\0zTXt\0iTXt\0sPLT\0hIST\0tIME\0pCAL\0sCAL\0oFFs\0pHYs";
    if (setjmp(self->escape)) return CODEC_UNREADABLE;
    png_set_read_fn(self->codec, self, read_bytes);
    png_set_keep_unknown_chunks(self->codec, PNG_HANDLE_CHUNK_NEVER, skipped, (int)sizeof skipped / 5);
    png_set_chunk_malloc_max(self->codec, MAX_PROFILE_BYTES);
    png_set_chunk_cache_max(self->codec, 16);
    png_set_user_limits(self->codec, 0x7FFFFFFF, 0x7FFFFFFF);
    png_read_info(self->codec, self->header);

    picture_info *info = &self->reader.info;
    int colours = png_get_color_type(self->codec, self->header);
    info->width = png_get_image_width(self->codec, self->header);
    info->height = png_get_image_height(self->codec, self->header);
    info->model = colours & PNG_COLOR_MASK_COLOR ? PIXELS_RGB : PIXELS_GREY;
    self->has_alpha = (colours & PNG_COLOR_MASK_ALPHA) != 0 ||
                      png_get_valid(self->codec, self->header, PNG_INFO_tRNS) != 0;
    png_charp name;
    png_bytep profile;
    png_uint_32 size;
    int compression;
    if (png_get_iCCP(self->codec, self->header, &name, &compression, &profile, &size) == PNG_INFO_iCCP) {
        info->profile = profile;
        info->profile_size = size;
    }
    read_colours(self);
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
