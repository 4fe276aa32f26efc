#include "heif_hevc.h"

#include <dlfcn.h>
#include <libde265/de265.h>
#include <libheif/heif_plugin.h>
#include <stdlib.h>
#include <string.h>

#define DE265_FUNCTIONS(F) \
    F(init) F(new_decoder) F(free_decoder) F(push_NAL) F(flush_data) F(decode) \
    F(get_next_picture) F(release_next_picture) F(get_warning) F(set_image_allocation_functions) \
    F(set_image_plane) F(get_image_plane_user_data) F(get_image_plane) F(get_image_width) F(get_image_height) \
    F(get_chroma_format) F(get_bits_per_pixel) F(get_image_full_range_flag) F(get_image_colour_primaries) \
    F(get_image_transfer_characteristics) F(get_image_matrix_coefficients)

typedef struct {
#define DE265_MEMBER(name) __typeof__(de265_##name) *name;
    DE265_FUNCTIONS(DE265_MEMBER)
#undef DE265_MEMBER
} de265_library;

typedef struct {
    de265_decoder_context *context;
    int is_cropped_above;  // the visible picture does not begin where the coded one does
} hevc_decoder;

static const heif_library *heif;
static de265_library de265;

// Noise that new pictures are filled with, to be recognised where nothing was decoded. The second half repeats the first.
#define NOISE_BYTES 4096u
static uint8_t noise[2][2 * NOISE_BYTES + 16];  // for samples of one byte, and of two: both within 8 bits

static void make_noise(void) {
    uint64_t state = 0x9E3779B97F4A7C15u;
    for (size_t i = 0; i < NOISE_BYTES; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        noise[0][i] = (uint8_t)(state >> 56);
        noise[1][i] = i % 2 == 0 ? (uint8_t)(state >> 48) : 0;
    }
    for (int words = 0; words < 2; words++)
        for (size_t i = NOISE_BYTES; i < sizeof noise[0]; i++) noise[words][i] = noise[words][i - NOISE_BYTES];
}

static const uint8_t *noise_of_row(int words, size_t y) {
    return noise[words] + y * 98 % NOISE_BYTES;
}

static void fill(uint8_t *plane, size_t stride, size_t height, int words) {
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < stride; x += NOISE_BYTES)
            memcpy(plane + y * stride + x, noise_of_row(words, y), stride - x < NOISE_BYTES ? stride - x : NOISE_BYTES);
}

static void release_buffer(de265_decoder_context *context, struct de265_image *image, void *data) {
    (void)context;
    (void)data;
    for (int c = 0; c < 3; c++) free(de265.get_image_plane_user_data(image, c));
}

static int get_buffer(
    de265_decoder_context *context, struct de265_image_spec *spec, struct de265_image *image, void *data) {
    hevc_decoder *decoder = data;
    (void)context;
    decoder->is_cropped_above = spec->crop_left != 0 || spec->crop_top != 0;
    enum de265_chroma chroma = de265.get_chroma_format(image);
    size_t alignment = spec->alignment < 16 ? 16 : (size_t)spec->alignment;
    void *planes[3] = {NULL};
    size_t strides[3] = {0};
    for (int c = 0; c < (chroma == de265_chroma_mono ? 1 : 3); c++) {
        int is_halved = c > 0 && (chroma == de265_chroma_420 || chroma == de265_chroma_422);
        size_t width = (size_t)spec->width / (is_halved ? 2 : 1);
        size_t height = (size_t)spec->height / (c > 0 && chroma == de265_chroma_420 ? 2 : 1);
        int words = de265.get_bits_per_pixel(image, c) > 8;
        strides[c] = (width + alignment - 1) / alignment * alignment * (words ? 2 : 1);
        // libde265's fast code writes some bytes behind the plane.
        if (posix_memalign(&planes[c], 64, strides[c] * height + 64) != 0) {
            while (c-- > 0) free(planes[c]);
            return 0;
        }
        if (c == 0) fill(planes[0], strides[0], height, words);
    }
    for (int c = 0; c < 3; c++) de265.set_image_plane(image, c, planes[c], (int)strides[c], planes[c]);
    return 1;
}

// Whether a block of the coded picture, the smallest that is coded by itself, is as it was before decoding. Its neighbours may
// have changed its edges.
static int is_untouched(const uint8_t *plane, size_t stride, size_t x, size_t y, int words) {
    size_t bytes = words ? 16 : 8, from = (x + 4) * (words ? 2 : 1);
    for (size_t row = y + 4; row < y + 12; row++)
        if (memcmp(plane + row * stride + from, noise_of_row(words, row) + from % NOISE_BYTES, bytes) != 0) return 0;
    return 1;
}

static int is_complete(const hevc_decoder *decoder, const struct de265_image *image) {
    if (decoder->is_cropped_above) return 1;
    int stride, words = de265.get_bits_per_pixel(image, 0) > 8;
    const uint8_t *plane = de265.get_image_plane(image, 0, &stride);
    int width = de265.get_image_width(image, 0), height = de265.get_image_height(image, 0);
    for (int y = 0; y + 16 <= height; y += 16)
        for (int x = 0; x + 16 <= width; x += 16)
            if (is_untouched(plane, (size_t)stride, (size_t)x, (size_t)y, words)) return 0;
    return 1;
}

static struct heif_error result(enum heif_error_code code) {
    return (struct heif_error){code, heif_suberror_Unspecified, ""};
}

static const char *name(void) {
    return "libde265, complete pictures only";
}

static int supports(enum heif_compression_format format) {
    return format == heif_compression_HEVC ? 1000 : 0;
}

static void free_decoder(void *data) {
    hevc_decoder *decoder = data;
    if (decoder->context != NULL) de265.free_decoder(decoder->context);
    free(decoder);
}

static struct heif_error new_decoder(void **data) {
    static struct de265_image_allocation allocation = {get_buffer, release_buffer};
    hevc_decoder *decoder = calloc(1, sizeof *decoder);
    *data = decoder;
    if (decoder == NULL) return result(heif_error_Memory_allocation_error);
    decoder->context = de265.new_decoder();
    if (decoder->context == NULL) {
        free_decoder(decoder);
        return result(heif_error_Memory_allocation_error);
    }
    de265.set_image_allocation_functions(decoder->context, &allocation, decoder);
    return result(heif_error_Ok);
}

// Takes NAL units, each behind its length.
static struct heif_error push_data(void *data, const void *bytes, size_t count) {
    hevc_decoder *decoder = data;
    const uint8_t *unit = bytes;
    while (count > 0) {
        if (count < 4) return result(heif_error_Invalid_input);
        size_t length = (size_t)unit[0] << 24 | (size_t)unit[1] << 16 | (size_t)unit[2] << 8 | unit[3];
        if (length > count - 4) return result(heif_error_Invalid_input);
        de265.push_NAL(decoder->context, unit + 4, (int)length, 0, NULL);
        unit += 4 + length;
        count -= 4 + length;
    }
    return result(heif_error_Ok);
}

static struct heif_error copy_planes(const struct de265_image *from, struct heif_image *image) {
    int planes = de265.get_chroma_format(from) == de265_chroma_mono ? 1 : 3;
    static const enum heif_channel channels[] = {heif_channel_Y, heif_channel_Cb, heif_channel_Cr};
    int bits = de265.get_bits_per_pixel(from, 0);
    for (int c = 0; c < planes; c++) {
        if (de265.get_bits_per_pixel(from, c) != bits) return result(heif_error_Unsupported_feature);
        int width = de265.get_image_width(from, c), height = de265.get_image_height(from, c), stride, room;
        if (width <= 0 || height <= 0) return result(heif_error_Invalid_input);
        const uint8_t *source = de265.get_image_plane(from, c, &stride);
        struct heif_error error = heif->image_add_plane(image, channels[c], width, height, bits);
        if (error.code != heif_error_Ok) return error;
        uint8_t *target = heif->image_get_plane(image, channels[c], &room);
        if (source == NULL || target == NULL) return result(heif_error_Memory_allocation_error);
        size_t bytes = (size_t)width * (bits > 8 ? 2 : 1);
        for (int y = 0; y < height; y++)
            memcpy(target + (size_t)y * (size_t)room, source + (size_t)y * (size_t)stride, bytes);
    }
    return result(heif_error_Ok);
}

static struct heif_error copy_picture(const struct de265_image *from, struct heif_image **image) {
    enum de265_chroma chroma = de265.get_chroma_format(from);
    struct heif_error error = heif->image_create(
        de265.get_image_width(from, 0), de265.get_image_height(from, 0),
        chroma == de265_chroma_mono ? heif_colorspace_monochrome : heif_colorspace_YCbCr,
        (enum heif_chroma)chroma, image);
    if (error.code != heif_error_Ok) return error;
    error = copy_planes(from, *image);
    struct heif_color_profile_nclx *colours = error.code == heif_error_Ok ? heif->nclx_color_profile_alloc() : NULL;
    if (colours != NULL) {
        colours->color_primaries = (enum heif_color_primaries)de265.get_image_colour_primaries(from);
        colours->transfer_characteristics =
            (enum heif_transfer_characteristics)de265.get_image_transfer_characteristics(from);
        colours->matrix_coefficients = (enum heif_matrix_coefficients)de265.get_image_matrix_coefficients(from);
        colours->full_range_flag = de265.get_image_full_range_flag(from) != 0;
        error = heif->image_set_nclx_color_profile(*image, colours);
        heif->nclx_color_profile_free(colours);
    }
    if (error.code == heif_error_Ok) return error;
    heif->image_release(*image);
    *image = NULL;
    return error;
}

// Whether the bitstream was decoded to the last block. libde265 gives its pictures out in any case.
static int has_lost_blocks(const hevc_decoder *decoder) {
    int has_lost = 0;
    for (;;) {
        switch (de265.get_warning(decoder->context)) {
        case DE265_OK:
            return has_lost;
        case DE265_WARNING_PREMATURE_END_OF_SLICE_SEGMENT:
        case DE265_WARNING_CTB_OUTSIDE_IMAGE_AREA:
        case DE265_WARNING_SLICEHEADER_INVALID:
        case DE265_WARNING_EOSS_BIT_NOT_SET:
        case DE265_WARNING_SLICE_SEGMENT_ADDRESS_INVALID:
        case DE265_WARNING_DEPENDENT_SLICE_WITH_ADDRESS_ZERO:
            has_lost = 1;
            break;
        default:
            break;
        }
    }
}

static struct heif_error decode_image(void *data, struct heif_image **image) {
    hevc_decoder *decoder = data;
    struct heif_error error = result(heif_error_Ok);
    *image = NULL;
    de265.flush_data(decoder->context);
    for (int more = 1; more;) {
        more = 0;
        if (de265.decode(decoder->context, &more) != DE265_OK) break;
        const struct de265_image *picture = de265.get_next_picture(decoder->context);
        if (picture == NULL) continue;
        if (*image != NULL) heif->image_release(*image);
        *image = NULL;
        error = is_complete(decoder, picture) ? copy_picture(picture, image) : result(heif_error_Invalid_input);
        de265.release_next_picture(decoder->context);
        if (error.code != heif_error_Ok) return error;
    }
    if (*image == NULL) return result(heif_error_Invalid_input);
    if (!has_lost_blocks(decoder)) return error;
    heif->image_release(*image);
    *image = NULL;
    return result(heif_error_Invalid_input);
}

void heif_hevc_register(const heif_library *library) {
    static const struct heif_decoder_plugin plugin = {
        .plugin_api_version = 1, .get_plugin_name = name, .does_support_format = supports,
        .new_decoder = new_decoder, .free_decoder = free_decoder, .push_data = push_data,
        .decode_image = decode_image};
    void *handle = dlopen("libde265.so.0", RTLD_LAZY | RTLD_LOCAL);
    if (handle == NULL) return;
#define DE265_FIND(name) \
    de265.name = (__typeof__(de265.name))dlsym(handle, "de265_" #name); \
    if (de265.name == NULL) return;
    DE265_FUNCTIONS(DE265_FIND)
#undef DE265_FIND
    if (de265.init() != DE265_OK) return;
    heif = library;
    make_noise();
    library->register_decoder_plugin(&plugin);
}
