// HEIF (HEVC, AV1) by libheif: the primary item, turned and cropped as its own properties say.
#include <stdlib.h>
#include <string.h>

#include <libheif/heif.h>

#include "reader.h"

typedef struct {
    picture_reader reader;
    struct heif_context *file;
    struct heif_image_handle *primary;
    struct heif_image *image;
    uint8_t *profile;
    const uint8_t *pixels;
    int stride;
    uint32_t row;
    int has_alpha;
} heif_reader;

static codec_status status_of(struct heif_error error) {
    switch (error.code) {
    case heif_error_Ok:
        return CODEC_OK;
    case heif_error_Unsupported_filetype:
    case heif_error_Unsupported_feature:
        return CODEC_UNSUPPORTED;
    case heif_error_Memory_allocation_error:
        return CODEC_OUT_OF_MEMORY;
    default:
        return CODEC_UNREADABLE;
    }
}

static codec_status decode(heif_reader *self) {
    struct heif_decoding_options *options = heif_decoding_options_alloc();
    if (options == NULL) return CODEC_OUT_OF_MEMORY;
    options->convert_hdr_to_8bit = 1;
    options->strict_decoding = 1;
    struct heif_error error = heif_decode_image(
        self->primary, &self->image, heif_colorspace_RGB, heif_chroma_interleaved_RGBA, options);
    heif_decoding_options_free(options);
    if (error.code != heif_error_Ok) return status_of(error);
    struct heif_error warning;
    if (heif_image_get_decoding_warnings(self->image, 0, &warning, 1) > 0) return CODEC_UNREADABLE;
    return CODEC_OK;
}

static codec_status start(picture_reader *reader, int eighths, uint32_t *width, uint32_t *height) {
    heif_reader *self = (heif_reader *)reader;
    (void)eighths;
    codec_status status = decode(self);
    if (status != CODEC_OK) return status;
    self->pixels = heif_image_get_plane_readonly(self->image, heif_channel_interleaved, &self->stride);
    // The coded picture decides, not what the container said of it.
    if (self->pixels == NULL ||
        heif_image_get_primary_width(self->image) != (int)reader->info.width ||
        heif_image_get_primary_height(self->image) != (int)reader->info.height ||
        self->stride < (int)reader->info.width * 4)
        return CODEC_UNREADABLE;
    *width = reader->info.width;
    *height = reader->info.height;
    return CODEC_OK;
}

static codec_status next_row(picture_reader *reader, uint8_t *row) {
    heif_reader *self = (heif_reader *)reader;
    if (self->row >= reader->info.height) return CODEC_UNREADABLE;
    memcpy(row, self->pixels + (size_t)self->row * (size_t)self->stride, (size_t)reader->info.width * 4);
    self->row++;
    if (self->has_alpha) lay_over_white(row, reader->info.width);
    return CODEC_OK;
}

static codec_status finish(picture_reader *reader) {
    (void)reader;
    return CODEC_OK;
}

static void close_reader(picture_reader *reader) {
    heif_reader *self = (heif_reader *)reader;
    if (self->image != NULL) heif_image_release(self->image);
    if (self->primary != NULL) heif_image_handle_release(self->primary);
    if (self->file != NULL) heif_context_free(self->file);
    free(self->profile);
    free(self);
}

static codec_status read_colours(heif_reader *self) {
    picture_info *info = &self->reader.info;
    size_t size = heif_image_handle_get_raw_color_profile_size(self->primary);
    if (size > 0 && size <= MAX_PROFILE_BYTES) {
        self->profile = malloc(size);
        if (self->profile == NULL) return CODEC_OUT_OF_MEMORY;
        if (heif_image_handle_get_raw_color_profile(self->primary, self->profile).code == heif_error_Ok) {
            info->profile = self->profile;
            info->profile_size = size;
        }
    }
    struct heif_color_profile_nclx *nclx = NULL;
    if (heif_image_handle_get_nclx_color_profile(self->primary, &nclx).code == heif_error_Ok && nclx) {
        info->primaries = (uint16_t)nclx->color_primaries;
        heif_nclx_color_profile_free(nclx);
    }
    return CODEC_OK;
}

static codec_status read_header(heif_reader *self, const uint8_t *bytes, size_t count) {
    self->file = heif_context_alloc();
    if (self->file == NULL) return CODEC_OUT_OF_MEMORY;
    heif_context_set_max_decoding_threads(self->file, 0);
    struct heif_error error = heif_context_read_from_memory_without_copy(self->file, bytes, count, NULL);
    if (error.code != heif_error_Ok) return status_of(error);
    error = heif_context_get_primary_image_handle(self->file, &self->primary);
    if (error.code != heif_error_Ok) return status_of(error);
    int width = heif_image_handle_get_width(self->primary);
    int height = heif_image_handle_get_height(self->primary);
    if (width <= 0 || height <= 0) return CODEC_UNREADABLE;
    self->reader.info.width = (uint32_t)width;
    self->reader.info.height = (uint32_t)height;
    self->reader.info.model = PIXELS_RGB;
    self->has_alpha = heif_image_handle_has_alpha_channel(self->primary);
    return read_colours(self);
}

codec_status picture_open_heif(const uint8_t *bytes, size_t count, picture_reader **reader) {
    heif_reader *self = calloc(1, sizeof *self);
    if (self == NULL) return CODEC_OUT_OF_MEMORY;
    self->reader.start = start;
    self->reader.row = next_row;
    self->reader.finish = finish;
    self->reader.close = close_reader;
    codec_status status = read_header(self, bytes, count);
    if (status != CODEC_OK) {
        close_reader(&self->reader);
        return status;
    }
    *reader = &self->reader;
    return CODEC_OK;
}

void picture_codecs_prepare(void) {
    heif_init(NULL);
}
