// Draws the pictures that are measured: a landscape with a sky, hills, grass, lights, and a sensor's noise. They are
// the same every time, and nobody's.
//
//   pictures FORMAT WIDTH HEIGHT NOISE FILE
//
// FORMAT is jpeg (quality 92, 4:2:0) or png (8-bit RGB). NOISE is the amplitude of the sensor's noise.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>

#define JPEG_QUALITY 92

typedef struct {
    float red, green, blue;
} colour;

static uint32_t hash(uint32_t x, uint32_t y, uint32_t seed) {
    uint32_t h = x * 0x9E3779B1u ^ y * 0x85EBCA77u ^ seed * 0xC2B2AE3Du;
    h = (h ^ h >> 15) * 0x2C1B3C6Du;
    h = (h ^ h >> 12) * 0x297A2D39u;
    return h ^ h >> 15;
}

static float unit(uint32_t h) {
    return (float)(h >> 8) / 16777216.0f;
}

// Smooth noise between 0 and 1 with a grain of one unit.
static float noise(float x, float y, uint32_t seed) {
    float left = floorf(x), top = floorf(y), u = x - left, v = y - top;
    uint32_t column = (uint32_t)(int32_t)left, row = (uint32_t)(int32_t)top;
    u = u * u * (3 - 2 * u);
    v = v * v * (3 - 2 * v);
    float above = unit(hash(column, row, seed)) * (1 - u) + unit(hash(column + 1, row, seed)) * u;
    float below = unit(hash(column, row + 1, seed)) * (1 - u) + unit(hash(column + 1, row + 1, seed)) * u;
    return above * (1 - v) + below * v;
}

// Noise of several grains, each half as large and as strong as the one before.
static float detail(float x, float y, int octaves, uint32_t seed) {
    float sum = 0, strength = 0.5f;
    for (int i = 0; i < octaves; i++, x *= 2, y *= 2, strength *= 0.5f)
        sum += strength * noise(x, y, seed + (uint32_t)i);
    return sum;
}

static colour mix(colour a, colour b, float share) {
    return (colour){
        a.red + (b.red - a.red) * share, a.green + (b.green - a.green) * share, a.blue + (b.blue - a.blue) * share};
}

static float skyline(float x) {
    return 0.42f + 0.05f * sinf(x * 5.1f) + 0.03f * sinf(x * 13.7f + 1) + 0.03f * detail(x * 40, 0, 5, 7);
}

// The scene at x, y, both in parts of its width.
static colour scene(float x, float y, float horizon) {
    static const colour zenith = {72, 118, 196}, haze = {232, 204, 180}, cloud = {248, 246, 242};
    static const colour dark = {34, 52, 24}, light = {150, 158, 78}, lamp = {255, 226, 150};
    if (y < horizon) {
        float white = detail(x * 6, y * 14, 5, 3);
        return mix(mix(zenith, haze, y / horizon), cloud, white > 0.5f ? (white - 0.5f) * 2.6f : 0);
    }
    float depth = (y - horizon) / (0.75f - horizon);
    float blades = detail(x * 420 / (0.4f + depth), y * 150, 4, 11), field = detail(x * 9, y * 9, 4, 5);
    colour ground = mix(dark, light, 0.25f * depth + 0.6f * blades * field + 0.35f * field);
    float column = floorf(x * 24), row = floorf(y * 24), within = unit(hash((uint32_t)column, (uint32_t)row, 17));
    float dx = x * 24 - column - 0.5f, dy = y * 24 - row - 0.5f, radius = 0.08f + 0.2f * within;
    if (within > 0.8f && dx * dx + dy * dy < radius * radius) return mix(ground, lamp, 0.85f);
    return ground;
}

static uint8_t byte(float value) {
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value + 0.5f);
}

static void draw_row(uint8_t *row, int width, int y, const float *horizons, float amplitude) {
    for (int x = 0; x < width; x++, row += 3) {
        colour c = scene((float)x / (float)width, (float)y / (float)width, horizons[x]);
        uint32_t h = hash((uint32_t)x, (uint32_t)y, 99);
        // Four dice make a bell; the colours differ less from each other than from the light.
        float bell = (float)((h & 255) + (h >> 8 & 255) + (h >> 16 & 255) + (h >> 24)) / 255 - 2;
        float tint = (float)(hash((uint32_t)x / 2, (uint32_t)y / 2, 98) & 255) / 255 - 0.5f;
        row[0] = byte(c.red + amplitude * (bell + tint));
        row[1] = byte(c.green + amplitude * bell);
        row[2] = byte(c.blue + amplitude * (bell - tint));
    }
}

static void write_jpeg(FILE *file, const uint8_t *pixels, int width, int height) {
    struct jpeg_compress_struct codec;
    struct jpeg_error_mgr errors;
    codec.err = jpeg_std_error(&errors);
    jpeg_create_compress(&codec);
    jpeg_stdio_dest(&codec, file);
    codec.image_width = (unsigned)width;
    codec.image_height = (unsigned)height;
    codec.input_components = 3;
    codec.in_color_space = JCS_RGB;
    jpeg_set_defaults(&codec);
    jpeg_set_quality(&codec, JPEG_QUALITY, TRUE);
    jpeg_start_compress(&codec, TRUE);
    while (codec.next_scanline < codec.image_height) {
        JSAMPROW row = (JSAMPROW)(pixels + (size_t)codec.next_scanline * (size_t)width * 3);
        jpeg_write_scanlines(&codec, &row, 1);
    }
    jpeg_finish_compress(&codec);
    jpeg_destroy_compress(&codec);
}

static void write_png(FILE *file, const uint8_t *pixels, int width, int height) {
    png_structp codec = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop header = png_create_info_struct(codec);
    png_init_io(codec, file);
    png_set_IHDR(codec, header, (unsigned)width, (unsigned)height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, 0, 0);
    png_write_info(codec, header);
    for (int y = 0; y < height; y++) png_write_row(codec, pixels + (size_t)y * (size_t)width * 3);
    png_write_end(codec, header);
    png_destroy_write_struct(&codec, &header);
}

int main(int count, char **arguments) {
    int width = count == 6 ? atoi(arguments[2]) : 0, height = count == 6 ? atoi(arguments[3]) : 0;
    if (width < 1 || height < 1 || width > 16384 || height > 16384) {
        fputs("usage: pictures jpeg|png WIDTH HEIGHT NOISE FILE\n", stderr);
        return 2;
    }
    float *horizons = malloc(sizeof *horizons * (size_t)width);
    uint8_t *pixels = malloc((size_t)width * (size_t)height * 3);
    FILE *file = fopen(arguments[5], "wb");
    if (horizons == NULL || pixels == NULL || file == NULL) {
        perror(arguments[5]);
        return 1;
    }
    for (int x = 0; x < width; x++) horizons[x] = skyline((float)x / (float)width);
    for (int y = 0; y < height; y++)
        draw_row(pixels + (size_t)y * (size_t)width * 3, width, y, horizons, strtof(arguments[4], NULL));
    (strcmp(arguments[1], "png") == 0 ? write_png : write_jpeg)(file, pixels, width, height);
    if (fclose(file) != 0) {
        perror(arguments[5]);
        return 1;
    }
    return 0;
}
