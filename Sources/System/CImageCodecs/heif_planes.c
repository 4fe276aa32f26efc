#include "heif_planes.h"

// Decodes the picture into planes at its own bit depth. libheif converts matrix and range correctly, but its interleaving
// and its reduction to 8 bits cost memory and time, and would ruin pictures with a high dynamic range.
static codec_status decode(
    const heif_library *heif, const struct heif_image_handle *picture, struct heif_image **image) {
    struct heif_decoding_options *options = heif->decoding_options_alloc();
    if (options == NULL) return CODEC_OUT_OF_MEMORY;
    options->strict_decoding = 1;
    struct heif_error error =
        heif->decode_image(picture, image, heif_colorspace_RGB, heif_chroma_444, options);
    heif->decoding_options_free(options);
    if (error.code != heif_error_Ok) return heif_status_of(error);
    struct heif_error warning;
    if (heif->image_get_decoding_warnings(*image, 0, &warning, 1) > 0) return CODEC_UNREADABLE;
    return CODEC_OK;
}

// Finds one plane of the decoded picture and checks its size and depth. The coded picture counts, not the container's
// statements about it.
static codec_status find(
    const heif_library *heif, const struct heif_image *image, enum heif_channel channel, int width, int height,
    plane *found, int *bits) {
    int stride = 0;
    found->samples = heif->image_get_plane_readonly(image, channel, &stride);
    found->stride = (size_t)stride;
    if (found->samples == NULL) return CODEC_UNREADABLE;
    int depth = heif->image_get_bits_per_pixel_range(image, channel);
    if (depth < 8 || depth > 16 || (*bits != 0 && *bits != depth)) return CODEC_UNSUPPORTED;
    *bits = depth;
    return heif->image_get_width(image, channel) == width && heif->image_get_height(image, channel) == height &&
            stride >= width * (depth > 8 ? 2 : 1)
        ? CODEC_OK : CODEC_UNREADABLE;
}

codec_status heif_planes_decode(
    const heif_library *heif, const struct heif_image_handle *picture, uint32_t width, uint32_t height, int has_alpha,
    heif_planes *planes) {
    codec_status status = decode(heif, picture, &planes->image);
    if (status != CODEC_OK) return status;
    const struct heif_image *image = planes->image;
    int w = (int)width, h = (int)height;
    if ((status = find(heif, image, heif_channel_R, w, h, &planes->red, &planes->bits)) != CODEC_OK ||
        (status = find(heif, image, heif_channel_G, w, h, &planes->green, &planes->bits)) != CODEC_OK ||
        (status = find(heif, image, heif_channel_B, w, h, &planes->blue, &planes->bits)) != CODEC_OK)
        return status;
    if (!has_alpha) return CODEC_OK;
    return find(heif, image, heif_channel_Alpha, w, h, &planes->alpha, &planes->alpha_bits);
}

void heif_planes_release(const heif_library *heif, heif_planes *planes) {
    if (planes->image != NULL) heif->image_release(planes->image);
    *planes = (heif_planes){0};
}
