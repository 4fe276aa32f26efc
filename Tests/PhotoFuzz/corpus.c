// Writes the pictures that fuzzing begins with into a folder: small, one for each format and variant, the same every
// time.
//
//   corpus FOLDER
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <webp/encode.h>
#include <webp/mux.h>

#include "CImageFixtures.h"

#define WIDTH 44
#define HEIGHT 28

static const char *folder;
static uint8_t texture[WIDTH * HEIGHT * 4], clear[WIDTH * HEIGHT * 4];
// A TIFF header and one entry: orientation 6.
static const uint8_t exif[] = {
    'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0,
};

static void keep(const char *name, fixture_file file) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *output = fopen(path, "wb");
    if (output == NULL || file.count == 0 || fwrite(file.bytes, 1, file.count, output) != file.count ||
        fclose(output) != 0) {
        fprintf(stderr, "corpus: could not make %s\n", path);
        exit(1);
    }
    free(file.bytes);
}

static void put(fixture_file *file, const void *bytes, size_t count) {
    file->bytes = realloc(file->bytes, file->count + count);
    if (count > 0) memcpy(file->bytes + file->count, bytes, count);
    file->count += count;
}

static void put32(fixture_file *file, uint32_t value) {
    uint8_t bytes[] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value};
    put(file, bytes, 4);
}

// `file` with `bytes` put in at `offset`.
static fixture_file with(fixture_file file, size_t offset, const fixture_file *inserted) {
    fixture_file result = {0};
    put(&result, file.bytes, offset);
    put(&result, inserted->bytes, inserted->count);
    put(&result, file.bytes + offset, file.count - offset);
    free(file.bytes);
    return result;
}

static fixture_file segment(uint8_t marker, const char *name, size_t name_count, const uint8_t *body, size_t count) {
    fixture_file result = {0};
    size_t length = 2 + name_count + count;
    uint8_t head[] = {0xFF, marker, (uint8_t)(length >> 8), (uint8_t)length};
    put(&result, head, 4);
    put(&result, name, name_count);
    put(&result, body, count);
    return result;
}

static fixture_file chunk(const char *type, const uint8_t *body, size_t count) {
    fixture_file result = {0};
    put32(&result, (uint32_t)count);
    put(&result, type, 4);
    put(&result, body, count);
    put32(&result, fixture_crc32(result.bytes + 4, count + 4));
    return result;
}

static const fixture_jpeg_options usual = {.channels = 3, .quality = 85, .subsampling = 2};

static fixture_file plain_jpeg(void) {
    return fixture_jpeg(texture, WIDTH, HEIGHT, usual);
}

static void jpegs(const fixture_file *profile) {
    static const struct {
        const char *name;
        fixture_jpeg_options options;
    } variants[] = {
        {"baseline-420.jpg", {.channels = 3, .quality = 85, .subsampling = 2}},
        {"baseline-444.jpg", {.channels = 3, .quality = 85, .subsampling = 1}},
        {"progressive.jpg", {.channels = 3, .quality = 85, .subsampling = 2, .progressive = 1}},
        {"scans.jpg", {.channels = 3, .quality = 85, .subsampling = 2, .scans = 18}},
        {"arithmetic.jpg", {.channels = 3, .quality = 85, .subsampling = 2, .arithmetic = 1}},
        {"arithmetic-progressive.jpg",
         {.channels = 3, .quality = 85, .subsampling = 2, .arithmetic = 1, .progressive = 1}},
        {"grey.jpg", {.channels = 1, .quality = 85}},
        {"restart.jpg", {.channels = 3, .quality = 85, .subsampling = 2, .restart_rows = 1}},
        {"cmyk.jpg", {.channels = 4, .quality = 85}},
        {"ycck.jpg", {.channels = 4, .quality = 85, .ycck = 1}},
        {"cmyk-no-adobe.jpg", {.channels = 4, .quality = 85, .no_adobe = 1}},
    };
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        keep(variants[i].name, fixture_jpeg(texture, WIDTH, HEIGHT, variants[i].options));
    keep("one-pixel.jpg", fixture_jpeg(texture, 1, 1, usual));
    uint8_t *large = malloc(640 * 420 * 4);
    fixture_texture(large, 640, 420);
    // Large enough to be decoded at less than its size, and resampled.
    keep("scaled.jpg", fixture_jpeg(large, 640, 420, usual));
    keep("halved.jpg", fixture_jpeg(large, 396, 300, usual));
    free(large);
    fixture_file part = segment(0xE1, "Exif\0", 6, exif, sizeof exif);
    keep("exif.jpg", with(plain_jpeg(), 2, &part));
    part = segment(0xE2, "ICC_PROFILE\0\1\1", 14, profile->bytes, profile->count);
    keep("profile.jpg", with(plain_jpeg(), 2, &part));
    fixture_file table = fixture_profile(FIXTURE_RGB_TABLE);
    part = segment(0xE2, "ICC_PROFILE\0\1\1", 14, table.bytes, table.count);
    keep("profile-of-tables.jpg", with(plain_jpeg(), 2, &part));
}

static void pngs(const fixture_file *profile, const fixture_file *grey_profile) {
    static const uint8_t palette[] = {0, 0, 0, 255, 255, 255, 200, 30, 30, 30, 200, 30}, alphas[] = {0, 128};
    static const int types[][5] = {{0, 1, 2, 4, 8}, {0}, {8, 16}, {1, 2, 4, 8}, {8, 16}, {0}, {8, 16}};
    char name[64];
    for (int type = 0; type < 7; type++)
        for (int i = 0; i < 5 && types[type][i] != 0; i++)
            for (int interlaced = 0; interlaced < 2; interlaced++) {
                fixture_png_options options = {
                    .bit_depth = types[type][i], .colour_type = type, .interlaced = interlaced};
                // A palette of as many colours as the depth has.
                if (type == 3) {
                    options.palette = palette;
                    options.palette_count = options.bit_depth == 1 ? 2 : 4;
                    options.palette_alpha = interlaced ? alphas : NULL;
                    options.palette_alpha_count = interlaced ? 2 : 0;
                }
                uint8_t rows[WIDTH * HEIGHT * 8];
                for (size_t byte = 0; byte < sizeof rows; byte++)
                    rows[byte] = type == 3 && options.bit_depth > 1 ? (uint8_t)(byte / 7 % 2)
                                                                    : texture[byte % sizeof texture];
                const char *order = interlaced ? "-interlaced" : "";
                snprintf(name, sizeof name, "type-%d-%d%s.png", type, options.bit_depth, order);
                keep(name, fixture_png(rows, WIDTH, HEIGHT, options));
            }
    uint8_t rows[WIDTH * HEIGHT * 6];
    for (size_t byte = 0; byte < sizeof rows; byte++) rows[byte] = texture[byte % sizeof texture];
    fixture_png_options rgb = {.bit_depth = 8, .colour_type = 2}, deep = {.bit_depth = 16, .colour_type = 2};
    fixture_png_options grey = {.bit_depth = 8};
    // After the header's chunk.
    size_t offset = 33;
    fixture_file part = chunk("tRNS", (const uint8_t[]){0, texture[0], 0, texture[1], 0, texture[2]}, 6);
    keep("transparent-colour.png", with(fixture_png(rows, WIDTH, HEIGHT, rgb), offset, &part));
    part = chunk("tRNS", (const uint8_t[]){0, texture[0]}, 2);
    keep("transparent-grey.png", with(fixture_png(rows, WIDTH, HEIGHT, grey), offset, &part));
    part = chunk("eXIf", exif, sizeof exif);
    keep("exif.png", with(fixture_png(rows, WIDTH, HEIGHT, rgb), offset, &part));
    part = chunk("gAMA", (const uint8_t[]){0, 1, 134, 160}, 4);
    keep("gamma-deep.png", with(fixture_png(rows, WIDTH, HEIGHT, deep), offset, &part));
    uint8_t large[260 * 180 * 3] = {0};
    for (size_t byte = 0; byte < sizeof large; byte++) large[byte] = (uint8_t)(byte / 7);
    keep("resampled.png", fixture_png(large, 260, 180, rgb));
    for (int kind = 0; kind < 2; kind++) {
        const fixture_file *used = kind == 0 ? profile : grey_profile;
        fixture_file body = {0}, packed = fixture_deflate(used->bytes, used->count);
        put(&body, "profile\0\0", 9);
        put(&body, packed.bytes, packed.count);
        part = chunk("iCCP", body.bytes, body.count);
        fixture_file picture = fixture_png(rows, WIDTH, HEIGHT, kind == 0 ? rgb : grey);
        keep(kind == 0 ? "profile.png" : "grey-profile.png", with(picture, offset, &part));
    }
}

static void heifs(const fixture_file *profile) {
    uint8_t large[128 * 96 * 4];
    fixture_texture(large, 128, 96);
    for (int avif = 0; avif < 2; avif++) {
        const char *ending = avif ? "avif" : "heic";
        char name[64];
        for (int orientation = 1; orientation < 9; orientation += 1 + avif) {
            snprintf(name, sizeof name, "orientation-%d.%s", orientation, ending);
            fixture_heif_options options = {.avif = avif, .orientation = orientation};
            keep(name, fixture_heif(texture, WIDTH, HEIGHT, options));
        }
        snprintf(name, sizeof name, "alpha.%s", ending);
        fixture_heif_options options = {.avif = avif, .orientation = 1, .alpha = 1};
        keep(name, fixture_heif(clear, WIDTH, HEIGHT, options));
        snprintf(name, sizeof name, "profile.%s", ending);
        keep(name, fixture_heif(texture, WIDTH, HEIGHT, (fixture_heif_options){
            .avif = avif, .orientation = 1, .profile = profile->bytes, .profile_count = profile->count,
            .exif = exif, .exif_count = sizeof exif}));
        snprintf(name, sizeof name, "wide-colours.%s", ending);
        options = (fixture_heif_options){.avif = avif, .orientation = 1, .primaries = 12};
        keep(name, fixture_heif(texture, WIDTH, HEIGHT, options));
        snprintf(name, sizeof name, "large.%s", ending);
        keep(name, fixture_heif(large, 128, 96, (fixture_heif_options){.avif = avif, .orientation = 1}));
    }
    keep("deep.heic", fixture_heif_ycc(texture, WIDTH, HEIGHT, (fixture_ycc_options){
        .depth = 10, .halved = 1, .full_range = 1, .primaries = 12, .matrix = 6}));
    keep("grey.heic", fixture_heif_ycc(texture, WIDTH, HEIGHT, (fixture_ycc_options){
        .depth = 8, .full_range = 1, .primaries = 1, .matrix = 6, .grey = 1}));
}

static fixture_file animation(int lossless) {
    WebPAnimEncoderOptions options;
    WebPConfig config;
    WebPPicture frame;
    WebPData data = {0};
    fixture_file file = {0};
    WebPAnimEncoderOptionsInit(&options);
    WebPConfigInit(&config);
    config.lossless = lossless;
    WebPAnimEncoder *encoder = WebPAnimEncoderNew(WIDTH, HEIGHT, &options);
    for (int i = 0; i < 2; i++) {
        WebPPictureInit(&frame);
        frame.use_argb = 1;
        frame.width = WIDTH;
        frame.height = HEIGHT;
        WebPPictureImportRGBA(&frame, i == 0 ? texture : clear, WIDTH * 4);
        WebPAnimEncoderAdd(encoder, &frame, i * 100, &config);
        WebPPictureFree(&frame);
    }
    WebPAnimEncoderAdd(encoder, NULL, 200, NULL);
    WebPAnimEncoderAssemble(encoder, &data);
    put(&file, data.bytes, data.size);
    WebPDataClear(&data);
    WebPAnimEncoderDelete(encoder);
    return file;
}

static fixture_file with_chunks(fixture_file picture, const fixture_file *profile) {
    WebPData image = {picture.bytes, picture.count}, data = {0};
    WebPData icc = {profile->bytes, profile->count}, tiff = {exif, sizeof exif};
    fixture_file file = {0};
    WebPMux *mux = WebPMuxCreate(&image, 1);
    WebPMuxSetChunk(mux, "ICCP", &icc, 1);
    WebPMuxSetChunk(mux, "EXIF", &tiff, 1);
    WebPMuxAssemble(mux, &data);
    put(&file, data.bytes, data.size);
    WebPDataClear(&data);
    WebPMuxDelete(mux);
    free(picture.bytes);
    return file;
}

static void webps(const fixture_file *profile) {
    keep("lossy.webp", fixture_webp(texture, WIDTH, HEIGHT, 0));
    keep("lossless.webp", fixture_webp(texture, WIDTH, HEIGHT, 1));
    keep("alpha-lossy.webp", fixture_webp(clear, WIDTH, HEIGHT, 0));
    keep("alpha-lossless.webp", fixture_webp(clear, WIDTH, HEIGHT, 1));
    keep("animated-lossy.webp", animation(0));
    keep("animated-lossless.webp", animation(1));
    uint8_t *large = malloc(300 * 200 * 4);
    fixture_texture(large, 300, 200);
    keep("resampled.webp", fixture_webp(large, 300, 200, 0));
    free(large);
    keep("chunks.webp", with_chunks(fixture_webp(texture, WIDTH, HEIGHT, 0), profile));
}

int main(int count, char **arguments) {
    if (count != 2) {
        fputs("usage: corpus FOLDER\n", stderr);
        return 2;
    }
    folder = arguments[1];
    fixture_texture(texture, WIDTH, HEIGHT);
    memcpy(clear, texture, sizeof clear);
    for (int i = 0; i < WIDTH * HEIGHT; i++) clear[i * 4 + 3] = (uint8_t)(i * 5);
    fixture_file profile = fixture_profile(FIXTURE_DISPLAY_P3), grey = fixture_profile(FIXTURE_GREY_GAMMA_1);
    jpegs(&profile);
    pngs(&profile, &grey);
    heifs(&profile);
    webps(&profile);
    return 0;
}
