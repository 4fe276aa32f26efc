// Reads WebP with libwebp: the still picture, or the first frame of an animation on a white canvas.
#include <stdlib.h>
#include <string.h>

#include <webp/decode.h>
#include <webp/demux.h>

#include "reader.h"

typedef struct {
    picture_reader reader;
    WebPDemuxer *file;
    WebPIterator frame;
    WebPChunkIterator profile;
    WebPChunkIterator exif;
    uint8_t *pixels;
    uint32_t row;
} webp_reader;

static codec_status start(picture_reader *reader, int eighths, uint32_t *width, uint32_t *height) {
    webp_reader *self = (webp_reader *)reader;
    (void)eighths;
    size_t stride = (size_t)reader->info.width * 4, size = stride * reader->info.height;
    self->pixels = malloc(size);
    if (self->pixels == NULL) return CODEC_OUT_OF_MEMORY;
    memset(self->pixels, 0xFF, size);

    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config)) return CODEC_UNSUPPORTED;
    size_t offset = (size_t)self->frame.y_offset * stride + (size_t)self->frame.x_offset * 4;
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = self->pixels + offset;
    config.output.u.RGBA.stride = (int)stride;
    config.output.u.RGBA.size = size - offset;
    VP8StatusCode status = WebPDecode(self->frame.fragment.bytes, self->frame.fragment.size, &config);
    WebPFreeDecBuffer(&config.output);
    if (status == VP8_STATUS_OUT_OF_MEMORY) return CODEC_OUT_OF_MEMORY;
    if (status == VP8_STATUS_UNSUPPORTED_FEATURE) return CODEC_UNSUPPORTED;
    if (status != VP8_STATUS_OK) return CODEC_UNREADABLE;
    *width = reader->info.width;
    *height = reader->info.height;
    return CODEC_OK;
}

static codec_status next_row(picture_reader *reader, uint8_t *row) {
    webp_reader *self = (webp_reader *)reader;
    if (self->row >= reader->info.height) return CODEC_UNREADABLE;
    size_t stride = (size_t)reader->info.width * 4;
    memcpy(row, self->pixels + self->row * stride, stride);
    self->row++;
    return CODEC_OK;
}

static codec_status finish(picture_reader *reader) {
    (void)reader;
    return CODEC_OK;
}

static void close_reader(picture_reader *reader) {
    webp_reader *self = (webp_reader *)reader;
    WebPDemuxReleaseIterator(&self->frame);
    WebPDemuxReleaseChunkIterator(&self->profile);
    WebPDemuxReleaseChunkIterator(&self->exif);
    if (self->file != NULL) WebPDemuxDelete(self->file);
    free(self->pixels);
    free(self);
}

static codec_status read_header(webp_reader *self, const uint8_t *bytes, size_t count) {
    WebPData data = {.bytes = bytes, .size = count};
    self->file = WebPDemux(&data);  // also NULL for an incomplete file
    if (self->file == NULL) return CODEC_UNREADABLE;
    if (!WebPDemuxGetFrame(self->file, 1, &self->frame) || !self->frame.complete) return CODEC_UNREADABLE;
    picture_info *info = &self->reader.info;
    info->width = WebPDemuxGetI(self->file, WEBP_FF_CANVAS_WIDTH);
    info->height = WebPDemuxGetI(self->file, WEBP_FF_CANVAS_HEIGHT);
    info->model = PIXELS_RGB;
    info->sample_bytes = 1;
    WebPBitstreamFeatures features;
    if (WebPGetFeatures(self->frame.fragment.bytes, self->frame.fragment.size, &features) != VP8_STATUS_OK ||
        features.width != self->frame.width || features.height != self->frame.height)
        return CODEC_UNREADABLE;
    uint64_t right = (uint64_t)self->frame.x_offset + (uint64_t)self->frame.width;
    uint64_t bottom = (uint64_t)self->frame.y_offset + (uint64_t)self->frame.height;
    if (self->frame.x_offset < 0 || self->frame.y_offset < 0 || right > info->width || bottom > info->height)
        return CODEC_UNREADABLE;
    info->has_alpha = features.has_alpha;
    if (WebPDemuxGetChunk(self->file, "ICCP", 1, &self->profile) &&
        self->profile.chunk.size <= MAX_PROFILE_BYTES) {
        info->profile = self->profile.chunk.bytes;
        info->profile_size = self->profile.chunk.size;
    }
    if (WebPDemuxGetChunk(self->file, "EXIF", 1, &self->exif)) {
        info->exif = self->exif.chunk.bytes;
        info->exif_size = self->exif.chunk.size;
    }
    return CODEC_OK;
}

codec_status picture_open_webp(const uint8_t *bytes, size_t count, picture_reader **reader) {
    webp_reader *self = calloc(1, sizeof *self);
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
