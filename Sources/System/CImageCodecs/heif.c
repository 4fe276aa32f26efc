// Reads HEIF (HEVC, AV1) with libheif: the primary item, turned and cropped according to its own properties.
#include <stdlib.h>
#include <string.h>

#include "heif_library.h"
#include "kernels.h"
#include "reader.h"
#include "transfer.h"

typedef struct {
    const uint8_t *samples;  // two bytes each above 8 bits
    size_t stride;           // in bytes
} plane;

typedef struct {
    picture_reader reader;
    const heif_library *heif;
    struct heif_context *file;
    struct heif_image_handle *primary;
    struct heif_image *image;
    uint8_t *profile;
    plane red, green, blue, alpha;
    int bits, alpha_bits;
    int premultiplied;
    uint16_t transfer;
    uint8_t *to_bytes;  // the table of a colour's values in 8 bits; NULL if they stay as they are
    uint8_t *alpha_to_bytes;
    uint32_t row;
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

// Decodes the picture into planes at its own bit depth. libheif converts matrix and range correctly, but its interleaving
// and its reduction to 8 bits cost memory and time, and would ruin pictures with a high dynamic range.
static codec_status decode(heif_reader *self) {
    const heif_library *heif = self->heif;
    struct heif_decoding_options *options = heif->decoding_options_alloc();
    if (options == NULL) return CODEC_OUT_OF_MEMORY;
    options->strict_decoding = 1;
    struct heif_error error =
        heif->decode_image(self->primary, &self->image, heif_colorspace_RGB, heif_chroma_444, options);
    heif->decoding_options_free(options);
    if (error.code != heif_error_Ok) return status_of(error);
    struct heif_error warning;
    if (heif->image_get_decoding_warnings(self->image, 0, &warning, 1) > 0) return CODEC_UNREADABLE;
    return CODEC_OK;
}

// Finds one plane of the decoded picture and checks its size and depth. The coded picture counts, not the container's
// statements about it.
static codec_status find_plane(heif_reader *self, enum heif_channel channel, plane *found, int *bits) {
    const heif_library *heif = self->heif;
    int stride = 0;
    found->samples = heif->image_get_plane_readonly(self->image, channel, &stride);
    found->stride = (size_t)stride;
    if (found->samples == NULL) return CODEC_UNREADABLE;
    int depth = heif->image_get_bits_per_pixel_range(self->image, channel);
    if (depth < 8 || depth > 16 || (*bits != 0 && *bits != depth)) return CODEC_UNSUPPORTED;
    *bits = depth;
    int width = (int)self->reader.info.width, height = (int)self->reader.info.height;
    return heif->image_get_width(self->image, channel) == width &&
            heif->image_get_height(self->image, channel) == height &&
            stride >= width * (depth > 8 ? 2 : 1)
        ? CODEC_OK : CODEC_UNREADABLE;
}

static codec_status find_planes(heif_reader *self) {
    codec_status status;
    if ((status = find_plane(self, heif_channel_R, &self->red, &self->bits)) != CODEC_OK ||
        (status = find_plane(self, heif_channel_G, &self->green, &self->bits)) != CODEC_OK ||
        (status = find_plane(self, heif_channel_B, &self->blue, &self->bits)) != CODEC_OK)
        return status;
    if (!self->reader.info.has_alpha) return CODEC_OK;
    return find_plane(self, heif_channel_Alpha, &self->alpha, &self->alpha_bits);
}

static codec_status make_table(uint16_t transfer, int bits, uint8_t **table) {
    if (bits == 8 && transfer_is_like_srgb(transfer)) return CODEC_OK;
    *table = malloc((size_t)1 << bits);
    if (*table == NULL) return CODEC_OUT_OF_MEMORY;
    transfer_table(transfer, bits, *table);
    return CODEC_OK;
}

static codec_status start(picture_reader *reader, int eighths, uint32_t *width, uint32_t *height) {
    heif_reader *self = (heif_reader *)reader;
    (void)eighths;
    codec_status status;
    if ((status = decode(self)) != CODEC_OK || (status = find_planes(self)) != CODEC_OK ||
        (status = make_table(self->transfer, self->bits, &self->to_bytes)) != CODEC_OK ||
        (self->alpha_bits > 8 &&
         (status = make_table(TRANSFER_SRGB, self->alpha_bits, &self->alpha_to_bytes)) != CODEC_OK))
        return status;
    *width = reader->info.width;
    *height = reader->info.height;
    return CODEC_OK;
}

FOR_MANY_CPUS
static void interleave(
    const uint8_t *red, const uint8_t *green, const uint8_t *blue, uint32_t width, uint8_t *row) {
    for (uint32_t x = 0; x < width; x++) {
        uint32_t pixel = (uint32_t)red[x] | (uint32_t)green[x] << 8 | (uint32_t)blue[x] << 16 | 255u << 24;
        memcpy(row + x * 4, &pixel, 4);
    }
}

// Maps one row of a plane through a table and writes it to every fourth byte.
static void look_up(
    const plane *from, uint32_t y, uint32_t width, int bits, const uint8_t *table, uint8_t *target) {
    const uint8_t *bytes = from->samples + y * from->stride;
    const uint16_t *words = (const uint16_t *)(const void *)bytes;
    uint32_t mask = (1u << bits) - 1;
    for (uint32_t x = 0; x < width; x++) {
        uint8_t value = bits > 8 ? table[words[x] & mask] : table == NULL ? bytes[x] : table[bytes[x]];
        target[x * 4] = value;
    }
}

static void divide_by_alpha(uint8_t *row, uint32_t width) {
    for (uint32_t x = 0; x < width; x++, row += 4) {
        unsigned alpha = row[3];
        if (alpha == 255 || alpha == 0) continue;
        for (int c = 0; c < 3; c++) {
            unsigned value = (row[c] * 255 + alpha / 2) / alpha;
            row[c] = (uint8_t)(value > 255 ? 255 : value);
        }
    }
}

static codec_status next_row(picture_reader *reader, uint8_t *row) {
    heif_reader *self = (heif_reader *)reader;
    uint32_t width = reader->info.width, y = self->row++;
    if (y >= reader->info.height) return CODEC_UNREADABLE;
    if (self->to_bytes == NULL) {
        interleave(
            self->red.samples + y * self->red.stride, self->green.samples + y * self->green.stride,
            self->blue.samples + y * self->blue.stride, width, row);
    } else {
        look_up(&self->red, y, width, self->bits, self->to_bytes, row);
        look_up(&self->green, y, width, self->bits, self->to_bytes, row + 1);
        look_up(&self->blue, y, width, self->bits, self->to_bytes, row + 2);
        for (uint32_t x = 0; x < width; x++) row[x * 4 + 3] = 255;
    }
    if (self->alpha.samples == NULL) return CODEC_OK;
    look_up(&self->alpha, y, width, self->alpha_bits, self->alpha_to_bytes, row + 3);
    if (self->premultiplied) divide_by_alpha(row, width);
    return CODEC_OK;
}

static codec_status finish(picture_reader *reader) {
    (void)reader;
    return CODEC_OK;
}

static void close_reader(picture_reader *reader) {
    heif_reader *self = (heif_reader *)reader;
    if (self->image != NULL) self->heif->image_release(self->image);
    if (self->primary != NULL) self->heif->image_handle_release(self->primary);
    if (self->file != NULL) self->heif->context_free(self->file);
    free(self->profile);
    free(self->to_bytes);
    free(self->alpha_to_bytes);
    free(self);
}

// Reads the colours from the profile, which has primaries and a curve of its own; otherwise from the container's code
// points, and otherwise from the bitstream's.
static codec_status read_colours(heif_reader *self, coded_colours coded) {
    const heif_library *heif = self->heif;
    picture_info *info = &self->reader.info;
    size_t size = heif->image_handle_get_raw_color_profile_size(self->primary);
    if (size > 0 && size <= MAX_PROFILE_BYTES) {
        self->profile = malloc(size);
        if (self->profile == NULL) return CODEC_OUT_OF_MEMORY;
        struct heif_error error = heif->image_handle_get_raw_color_profile(self->primary, self->profile);
        if (error.code != heif_error_Ok) return status_of(error);
        info->profile = self->profile;
        info->profile_size = size;
        self->transfer = TRANSFER_SRGB;
        return CODEC_OK;
    }
    struct heif_color_profile_nclx *nclx = NULL;
    struct heif_error error = heif->image_handle_get_nclx_color_profile(self->primary, &nclx);
    if (error.code != heif_error_Ok || nclx == NULL) {
        info->primaries = coded.primaries;
        self->transfer = coded.transfer;
        return CODEC_OK;
    }
    info->primaries = (uint16_t)nclx->color_primaries;
    self->transfer = (uint16_t)nclx->transfer_characteristics;
    heif->nclx_color_profile_free(nclx);
    return CODEC_OK;
}

static codec_status read_header(heif_reader *self, const uint8_t *bytes, size_t count, coded_colours coded) {
    const heif_library *heif = self->heif;
    self->file = heif->context_alloc();
    if (self->file == NULL) return CODEC_OUT_OF_MEMORY;
    heif->context_set_max_decoding_threads(self->file, 0);
    struct heif_error error =
        heif->context_read_from_memory_without_copy(self->file, bytes, count, NULL);
    if (error.code != heif_error_Ok) return status_of(error);
    error = heif->context_get_primary_image_handle(self->file, &self->primary);
    if (error.code != heif_error_Ok) return status_of(error);
    int width = heif->image_handle_get_width(self->primary);
    int height = heif->image_handle_get_height(self->primary);
    if (width <= 0 || height <= 0) return CODEC_UNREADABLE;
    self->reader.info.width = (uint32_t)width;
    self->reader.info.height = (uint32_t)height;
    self->reader.info.model = PIXELS_RGB;
    self->reader.info.sample_bytes = 1;
    self->reader.info.has_alpha = heif->image_handle_has_alpha_channel(self->primary) != 0;
    self->premultiplied = heif->image_handle_is_premultiplied_alpha(self->primary) != 0;
    return read_colours(self, coded);
}

codec_status picture_open_heif(
    const uint8_t *bytes, size_t count, coded_colours coded, picture_reader **reader) {
    const heif_library *heif = heif_library_load();
    if (heif == NULL) return CODEC_UNSUPPORTED;
    heif_reader *self = calloc(1, sizeof *self);
    if (self == NULL) return CODEC_OUT_OF_MEMORY;
    self->heif = heif;
    self->reader.start = start;
    self->reader.row = next_row;
    self->reader.finish = finish;
    self->reader.close = close_reader;
    codec_status status = read_header(self, bytes, count, coded);
    if (status != CODEC_OK) {
        close_reader(&self->reader);
        return status;
    }
    *reader = &self->reader;
    return CODEC_OK;
}

void picture_prepare_heif(void) {
    heif_library_load();
}
