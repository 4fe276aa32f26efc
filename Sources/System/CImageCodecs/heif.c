// Reads HEIF (HEVC, AV1) with libheif: the primary item, turned and cropped according to its own properties.
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "heif_library.h"
#include "heif_tiles.h"
#include "kernels.h"
#include "reader.h"
#include "transfer.h"

typedef struct {
    picture_reader reader;
    const heif_library *heif;
    heif_file file;
    heif_view view;
    struct heif_image_handle *primary;
    heif_tiles *tiles;   // NULL for a picture that is decoded as a whole
    heif_planes whole;
    int may_have_help;
    uint8_t *profile;
    int bits, alpha_bits;
    int premultiplied;
    uint16_t transfer;
    uint8_t *to_bytes;  // the table of a colour's values in 8 bits; NULL if they stay as they are
    uint8_t *alpha_to_bytes;
    uint32_t row;
} heif_reader;

// Finds the tiles that the picture's row `y` crosses. A picture that is decoded as a whole is one tile.
static codec_status find_tiles(heif_reader *self, uint32_t y, const heif_planes **tiles) {
    if (self->tiles != NULL) return heif_tiles_at(self->tiles, y, tiles);
    *tiles = &self->whole;
    if (self->whole.image != NULL) return CODEC_OK;
    const picture_info *info = &self->reader.info;
    return heif_planes_decode(
        self->heif, self->primary, info->width, info->height, info->has_alpha, &self->whole);
}

static codec_status make_table(uint16_t transfer, int bits, uint8_t **table) {
    if (bits == 8 && transfer_is_like_srgb(transfer)) return CODEC_OK;
    *table = malloc((size_t)1 << bits);
    if (*table == NULL) return CODEC_OUT_OF_MEMORY;
    transfer_table(transfer, bits, 1, *table);
    return CODEC_OK;
}

static codec_status start(picture_reader *reader, int eighths, uint32_t *width, uint32_t *height) {
    heif_reader *self = (heif_reader *)reader;
    (void)eighths;
    if (self->tiles != NULL && self->may_have_help) heif_tiles_get_help(self->tiles);
    const heif_planes *first;
    codec_status status = find_tiles(self, 0, &first);
    if (status != CODEC_OK) return status;
    self->bits = first->bits;
    self->alpha_bits = first->alpha_bits;
    if ((status = make_table(self->transfer, self->bits, &self->to_bytes)) != CODEC_OK ||
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

// Writes the pixels of one tile's row.
static void write_pixels(
    const heif_reader *self, const heif_planes *tile, uint32_t y, uint32_t width, uint8_t *row) {
    if (self->to_bytes == NULL) {
        interleave(
            tile->red.samples + y * tile->red.stride, tile->green.samples + y * tile->green.stride,
            tile->blue.samples + y * tile->blue.stride, width, row);
    } else {
        look_up(&tile->red, y, width, self->bits, self->to_bytes, row);
        look_up(&tile->green, y, width, self->bits, self->to_bytes, row + 1);
        look_up(&tile->blue, y, width, self->bits, self->to_bytes, row + 2);
        for (uint32_t x = 0; x < width; x++) row[x * 4 + 3] = 255;
    }
    if (tile->alpha.samples == NULL) return;
    look_up(&tile->alpha, y, width, self->alpha_bits, self->alpha_to_bytes, row + 3);
    if (self->premultiplied) divide_by_alpha(row, width);
}

static codec_status next_row(picture_reader *reader, uint8_t *row) {
    heif_reader *self = (heif_reader *)reader;
    uint32_t width = reader->info.width, height = reader->info.height, y = self->row++;
    if (y >= height) return CODEC_UNREADABLE;
    const heif_planes *tile;
    codec_status status = find_tiles(self, y, &tile);
    if (status != CODEC_OK) return status;
    uint32_t tile_width = self->tiles == NULL ? width : heif_tiles_width(self->tiles);
    uint32_t tile_height = self->tiles == NULL ? height : heif_tiles_height(self->tiles);
    for (uint32_t x = 0; x < width; x += tile_width, tile++) {
        if (tile->bits != self->bits) return CODEC_UNSUPPORTED;
        uint32_t left = width - x;
        write_pixels(self, tile, y % tile_height, left < tile_width ? left : tile_width, row + (size_t)x * 4);
    }
    return CODEC_OK;
}

static codec_status finish(picture_reader *reader) {
    (void)reader;
    return CODEC_OK;
}

static void close_reader(picture_reader *reader) {
    heif_reader *self = (heif_reader *)reader;
    if (self->tiles != NULL) heif_tiles_close(self->tiles);
    heif_planes_release(self->heif, &self->whole);
    if (self->primary != NULL) self->heif->image_handle_release(self->primary);
    heif_view_close(self->heif, &self->view);
    heif_file_close(&self->file);
    free(self->profile);
    free(self->to_bytes);
    free(self->alpha_to_bytes);
    free(self);
}

// Reads the colours from the profile, which has primaries and a curve of its own; otherwise from the container's code
// points, and otherwise from the bitstream's.
static codec_status read_colours(heif_reader *self) {
    const heif_library *heif = self->heif;
    picture_info *info = &self->reader.info;
    size_t size = heif->image_handle_get_raw_color_profile_size(self->primary);
    if (size > 0 && size <= MAX_PROFILE_BYTES) {
        self->profile = malloc(size);
        if (self->profile == NULL) return CODEC_OUT_OF_MEMORY;
        struct heif_error error = heif->image_handle_get_raw_color_profile(self->primary, self->profile);
        if (error.code != heif_error_Ok) return heif_status_of(error);
        info->profile = self->profile;
        info->profile_size = size;
        self->transfer = TRANSFER_SRGB;
        return CODEC_OK;
    }
    struct heif_color_profile_nclx *nclx = NULL;
    struct heif_error error = heif->image_handle_get_nclx_color_profile(self->primary, &nclx);
    if (error.code != heif_error_Ok || nclx == NULL) {
        info->primaries = self->file.contents.primaries;
        self->transfer = self->file.contents.transfer;
        return CODEC_OK;
    }
    info->primaries = (uint16_t)nclx->color_primaries;
    self->transfer = (uint16_t)nclx->transfer_characteristics;
    heif->nclx_color_profile_free(nclx);
    return CODEC_OK;
}

static codec_status read_header(heif_reader *self) {
    const heif_library *heif = self->heif;
    codec_status status = heif_view_open(heif, &self->view, &self->file);
    if (status != CODEC_OK) return status;
    struct heif_error error = heif->context_get_primary_image_handle(self->view.context, &self->primary);
    if (error.code != heif_error_Ok) return heif_status_of(error);
    int width = heif->image_handle_get_width(self->primary);
    int height = heif->image_handle_get_height(self->primary);
    if (width <= 0 || height <= 0) return CODEC_UNREADABLE;
    self->reader.info.width = (uint32_t)width;
    self->reader.info.height = (uint32_t)height;
    self->reader.info.model = PIXELS_RGB;
    self->reader.info.sample_bytes = 1;
    self->reader.info.has_alpha = heif->image_handle_has_alpha_channel(self->primary) != 0;
    self->premultiplied = heif->image_handle_is_premultiplied_alpha(self->primary) != 0;
    return read_colours(self);
}

// Opens the tiles, if there are any that can be decoded one by one.
static codec_status open_tiles(heif_reader *self) {
    if (self->file.contents.tile_count == 0) return CODEC_OK;
    // libheif turns a picture only as a whole, so these are the sides before it turns.
    int width = self->heif->image_handle_get_ispe_width(self->primary);
    int height = self->heif->image_handle_get_ispe_height(self->primary);
    if (width <= 0 || height <= 0) return CODEC_OK;
    codec_status status =
        heif_tiles_open(self->heif, &self->file, (uint32_t)width, (uint32_t)height, &self->tiles);
    if (status == CODEC_OUT_OF_MEMORY) return status;
    if (status != CODEC_OK) return CODEC_OK;
    self->reader.info.width = (uint32_t)width;
    self->reader.info.height = (uint32_t)height;
    self->reader.info.orientation = self->file.contents.orientation;
    return CODEC_OK;
}

codec_status picture_open_heif(
    const uint8_t *bytes, size_t count, const heif_contents *contents, int may_have_help, picture_reader **reader) {
    const heif_library *heif = heif_library_load();
    if (heif == NULL) return CODEC_UNSUPPORTED;
    heif_reader *self = calloc(1, sizeof *self);
    if (self == NULL) return CODEC_OUT_OF_MEMORY;
    self->heif = heif;
    self->reader.start = start;
    self->reader.row = next_row;
    self->reader.finish = finish;
    self->reader.close = close_reader;
    self->may_have_help = may_have_help;
    codec_status status = heif_file_open(&self->file, bytes, count, contents);
    if (status == CODEC_OK) status = read_header(self);
    if (status == CODEC_OK) status = open_tiles(self);
    if (status != CODEC_OK) {
        close_reader(&self->reader);
        return status;
    }
    *reader = &self->reader;
    return CODEC_OK;
}

void picture_prepare_heif(void) {
    // Each further arena of glibc would take 64 MiB of the worker's address space, and threads hardly meet in malloc.
    mallopt(M_ARENA_MAX, 1);
    heif_library_load();
}
