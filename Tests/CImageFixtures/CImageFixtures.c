#include "CImageFixtures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <libheif/heif.h>
#include <png.h>
#include <webp/encode.h>
#include <zlib.h>

// One scan with the means of all components, then the first component's waves in one band per scan.
static int many_scans(jpeg_scan_info *scans, int count) {
    scans[0] = (jpeg_scan_info){3, {0, 1, 2}, 0, 0, 0, 0};
    for (int i = 1; i < count; i++)
        scans[i] = (jpeg_scan_info){1, {0}, i, i == count - 1 ? 63 : i, 0, 0};
    return count;
}

fixture_file fixture_jpeg(const uint8_t *pixels, int width, int height, fixture_jpeg_options options) {
    struct jpeg_compress_struct codec;
    struct jpeg_error_mgr errors;
    unsigned char *bytes = NULL;
    unsigned long count = 0;
    codec.err = jpeg_std_error(&errors);
    jpeg_create_compress(&codec);
    jpeg_mem_dest(&codec, &bytes, &count);
    codec.image_width = (unsigned)width;
    codec.image_height = (unsigned)height;
    codec.input_components = 4;
    codec.in_color_space = options.channels == 4 ? JCS_CMYK : JCS_EXT_RGBX;
    jpeg_set_defaults(&codec);
    if (options.channels == 1) jpeg_set_colorspace(&codec, JCS_GRAYSCALE);
    if (options.channels == 4) jpeg_set_colorspace(&codec, options.ycck ? JCS_YCCK : JCS_CMYK);
    if (options.rgb) jpeg_set_colorspace(&codec, JCS_RGB);
    if (options.no_adobe) codec.write_Adobe_marker = FALSE;
    jpeg_set_quality(&codec, options.quality, TRUE);
    if (options.channels == 3)
        codec.comp_info[0].h_samp_factor = codec.comp_info[0].v_samp_factor = options.subsampling;
    jpeg_scan_info scans[64];
    if (options.scans) {
        codec.num_scans = many_scans(scans, options.scans);
        codec.scan_info = scans;
    }
    if (options.progressive) jpeg_simple_progression(&codec);
    codec.arith_code = options.arithmetic != 0;
    codec.restart_in_rows = options.restart_rows;
    jpeg_start_compress(&codec, TRUE);
    while (codec.next_scanline < codec.image_height) {
        JSAMPROW row = (JSAMPROW)(pixels + (size_t)codec.next_scanline * (size_t)width * 4);
        jpeg_write_scanlines(&codec, &row, 1);
    }
    jpeg_finish_compress(&codec);
    jpeg_destroy_compress(&codec);
    return (fixture_file){bytes, count};
}

static void append(fixture_file *file, const uint8_t *bytes, size_t count) {
    file->bytes = realloc(file->bytes, file->count + count);
    memcpy(file->bytes + file->count, bytes, count);
    file->count += count;
}

static void append_png(png_structp codec, png_bytep bytes, size_t count) {
    append(png_get_io_ptr(codec), bytes, count);
}

fixture_file fixture_png(const uint8_t *rows, int width, int height, fixture_png_options options) {
    static const int channels[] = {1, 0, 3, 1, 2, 0, 4};
    fixture_file file = {0};
    png_structp codec = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop header = png_create_info_struct(codec);
    png_set_write_fn(codec, &file, append_png, NULL);
    png_set_IHDR(
        codec, header, (unsigned)width, (unsigned)height, options.bit_depth, options.colour_type,
        options.interlaced, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (options.palette) {
        png_color palette[256];
        for (int i = 0; i < options.palette_count; i++)
            palette[i] = (png_color){
                options.palette[i * 3], options.palette[i * 3 + 1], options.palette[i * 3 + 2]};
        png_set_PLTE(codec, header, palette, options.palette_count);
    }
    if (options.palette_alpha)
        png_set_tRNS(codec, header, options.palette_alpha, options.palette_alpha_count, NULL);
    png_set_compression_level(codec, 3);
    png_write_info(codec, header);
    size_t bits = (size_t)channels[options.colour_type] * (size_t)options.bit_depth;
    size_t stride = ((size_t)width * bits + 7) / 8;
    png_bytepp pointers = malloc(sizeof *pointers * (size_t)height);
    for (int y = 0; y < height; y++) pointers[y] = (png_bytep)(rows + (size_t)y * stride);
    png_write_image(codec, pointers);
    png_write_end(codec, header);
    png_destroy_write_struct(&codec, &header);
    free(pointers);
    return file;
}

fixture_file fixture_webp(const uint8_t *rgba, int width, int height, int lossless) {
    fixture_file file = {0};
    uint8_t *bytes = NULL;
    size_t count = lossless ? WebPEncodeLosslessRGBA(rgba, width, height, width * 4, &bytes)
                            : WebPEncodeRGBA(rgba, width, height, width * 4, 90, &bytes);
    if (count > 0) append(&file, bytes, count);
    WebPFree(bytes);
    return file;
}

static struct heif_error append_heif(
    struct heif_context *context, const void *bytes, size_t count, void *file) {
    (void)context;
    append(file, bytes, count);
    return (struct heif_error){heif_error_Ok, heif_suberror_Unspecified, ""};
}

fixture_file fixture_heif(const uint8_t *rgba, int width, int height, fixture_heif_options options) {
    fixture_file file = {0};
    struct heif_context *context = heif_context_alloc();
    struct heif_encoder *encoder = NULL;
    struct heif_image *image = NULL;
    struct heif_image_handle *handle = NULL;
    struct heif_color_profile_nclx *nclx = NULL;
    int stride, bytes = options.alpha ? 4 : 3;
    heif_context_get_encoder_for_format(
        context, options.avif ? heif_compression_AV1 : heif_compression_HEVC, &encoder);
    heif_encoder_set_lossy_quality(encoder, 90);
    heif_encoder_set_parameter_string(encoder, options.avif ? "speed" : "preset", options.avif ? "8" : "ultrafast");
    heif_image_create(
        width, height, heif_colorspace_RGB,
        options.alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB, &image);
    heif_image_add_plane(image, heif_channel_interleaved, width, height, 8);
    uint8_t *plane = heif_image_get_plane(image, heif_channel_interleaved, &stride);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            memcpy(plane + (ptrdiff_t)y * stride + x * bytes, rgba + ((ptrdiff_t)y * width + x) * 4, (size_t)bytes);
    heif_image_set_premultiplied_alpha(image, options.premultiplied);
    if (options.profile) heif_image_set_raw_color_profile(image, "prof", options.profile, options.profile_count);
    struct heif_encoding_options *encoding = heif_encoding_options_alloc();
    encoding->image_orientation = (enum heif_orientation)options.orientation;
    if (options.primaries) {
        nclx = heif_nclx_color_profile_alloc();
        heif_nclx_color_profile_set_color_primaries(nclx, (uint16_t)options.primaries);
        heif_nclx_color_profile_set_transfer_characteristics(
            nclx, (uint16_t)(options.transfer ? options.transfer : 13));
        heif_nclx_color_profile_set_matrix_coefficients(nclx, 6);
        nclx->full_range_flag = 1;
        encoding->output_nclx_profile = nclx;
        heif_image_set_nclx_color_profile(image, nclx);
        encoding->macOS_compatibility_workaround = 0;
        encoding->macOS_compatibility_workaround_no_nclx_profile = 0;
    }
    if (heif_context_encode_image(context, image, encoder, encoding, &handle).code == heif_error_Ok) {
        if (options.exif) heif_context_add_exif_metadata(context, handle, options.exif, options.exif_count);
        if (options.xmp) heif_context_add_XMP_metadata(context, handle, options.xmp, options.xmp_count);
        if (options.item)
            heif_context_add_generic_metadata(context, handle, options.item, options.item_count, "prVt", NULL);
        if (options.thumbnail) {
            for (int y = 0; y < height; y++) memset(plane + (ptrdiff_t)y * stride, 0, (size_t)(width * bytes));
            heif_context_encode_thumbnail(context, image, handle, encoder, encoding, 64, NULL);
        }
        for (int i = 1; i < options.pictures; i++)
            heif_context_encode_image(context, image, encoder, encoding, NULL);
        struct heif_writer writer = {1, append_heif};
        heif_context_write(context, &writer, &file);
        heif_image_handle_release(handle);
    }
    heif_encoding_options_free(encoding);
    heif_nclx_color_profile_free(nclx);
    heif_image_release(image);
    heif_encoder_release(encoder);
    heif_context_free(context);
    return file;
}

// One sample of each plane from R'G'B' by ITU-T H.273, equations 31 to 33 and 38 to 43.
static void planes_of(const uint8_t *rgba, const fixture_ycc_options *options, double ycc[3]) {
    double kr = options->matrix == 1 ? 0.2126 : options->matrix == 9 ? 0.2627 : 0.299;
    double kb = options->matrix == 1 ? 0.0722 : options->matrix == 9 ? 0.0593 : 0.114;
    double r = rgba[0] / 255.0, g = rgba[1] / 255.0, b = rgba[2] / 255.0, y = kr * r + (1 - kr - kb) * g + kb * b;
    double step = 1 << (options->depth - 8), most = (1 << options->depth) - 1;
    double cb = (b - y) / (2 * (1 - kb)), cr = (r - y) / (2 * (1 - kr));
    ycc[0] = options->full_range ? y * most : (16 + 219 * y) * step;
    ycc[1] = 128 * step + cb * (options->full_range ? most : 224 * step);
    ycc[2] = 128 * step + cr * (options->full_range ? most : 224 * step);
}

static void put_sample(uint8_t *plane, int stride, int x, int y, int depth, double value) {
    long most = (1 << depth) - 1, sample = lround(value);
    uint16_t deep = (uint16_t)(sample < 0 ? 0 : sample > most ? most : sample);
    if (depth > 8)
        memcpy(plane + (ptrdiff_t)y * stride + x * 2, &deep, 2);
    else
        plane[(ptrdiff_t)y * stride + x] = (uint8_t)deep;
}

static struct heif_image *ycc_image(const uint8_t *rgba, int width, int height, fixture_ycc_options options) {
    static const enum heif_channel channels[] = {heif_channel_Y, heif_channel_Cb, heif_channel_Cr};
    struct heif_image *image = NULL;
    heif_image_create(
        width, height, options.grey ? heif_colorspace_monochrome : heif_colorspace_YCbCr,
        options.grey ? heif_chroma_monochrome : options.halved ? heif_chroma_420 : heif_chroma_444, &image);
    for (int c = 0; c < (options.grey ? 1 : 3); c++) {
        int side = c > 0 && options.halved ? 2 : 1, stride;
        heif_image_add_plane(image, channels[c], width / side, height / side, options.depth);
        uint8_t *plane = heif_image_get_plane(image, channels[c], &stride);
        for (int y = 0; y < height / side; y++)
            for (int x = 0; x < width / side; x++) {
                double sum = 0, ycc[3];
                for (int i = 0; i < side * side; i++) {
                    planes_of(rgba + ((y * side + i / 2) * width + x * side + i % 2) * 4, &options, ycc);
                    sum += ycc[c];
                }
                put_sample(plane, stride, x, y, options.depth, sum / (side * side));
            }
    }
    return image;
}

fixture_file fixture_heif_ycc(const uint8_t *rgba, int width, int height, fixture_ycc_options options) {
    fixture_file file = {0};
    struct heif_context *context = heif_context_alloc();
    struct heif_encoder *encoder = NULL;
    struct heif_image *image = ycc_image(rgba, width, height, options);
    heif_context_get_encoder_for_format(
        context, options.avif ? heif_compression_AV1 : heif_compression_HEVC, &encoder);
    heif_encoder_set_lossless(encoder, 1);
    heif_encoder_set_parameter_string(encoder, options.avif ? "speed" : "preset", options.avif ? "8" : "ultrafast");
    heif_encoder_set_parameter_string(encoder, "chroma", options.halved ? "420" : "444");
    struct heif_color_profile_nclx *nclx = heif_nclx_color_profile_alloc();
    heif_nclx_color_profile_set_color_primaries(nclx, (uint16_t)options.primaries);
    heif_nclx_color_profile_set_transfer_characteristics(nclx, 13);
    heif_nclx_color_profile_set_matrix_coefficients(nclx, (uint16_t)options.matrix);
    nclx->full_range_flag = (uint8_t)options.full_range;
    heif_image_set_nclx_color_profile(image, nclx);
    struct heif_encoding_options *encoding = heif_encoding_options_alloc();
    encoding->output_nclx_profile = nclx;
    encoding->macOS_compatibility_workaround = 0;
    encoding->macOS_compatibility_workaround_no_nclx_profile = 0;
    if (heif_context_encode_image(context, image, encoder, encoding, NULL).code == heif_error_Ok) {
        struct heif_writer writer = {1, append_heif};
        heif_context_write(context, &writer, &file);
    }
    heif_encoding_options_free(encoding);
    heif_nclx_color_profile_free(nclx);
    heif_image_release(image);
    heif_encoder_release(encoder);
    heif_context_free(context);
    return file;
}

fixture_file fixture_deflate(const uint8_t *bytes, size_t count) {
    uLongf size = compressBound(count);
    fixture_file file = {malloc(size), 0};
    compress2(file.bytes, &size, bytes, count, 9);
    file.count = size;
    return file;
}

fixture_file fixture_deflate_zeroes(size_t count) {
    static uint8_t zeroes[1 << 16];
    uint8_t buffer[1 << 14];
    fixture_file file = {0};
    z_stream stream = {0};
    deflateInit(&stream, 9);
    while (count > 0 || stream.avail_in > 0) {
        if (stream.avail_in == 0) {
            stream.next_in = zeroes;
            stream.avail_in = (uInt)(count < sizeof zeroes ? count : sizeof zeroes);
            count -= stream.avail_in;
        }
        stream.next_out = buffer;
        stream.avail_out = sizeof buffer;
        deflate(&stream, Z_NO_FLUSH);
        append(&file, buffer, sizeof buffer - stream.avail_out);
    }
    int status;
    do {
        stream.next_out = buffer;
        stream.avail_out = sizeof buffer;
        status = deflate(&stream, Z_FINISH);
        append(&file, buffer, sizeof buffer - stream.avail_out);
    } while (status == Z_OK);
    deflateEnd(&stream);
    return file;
}

uint32_t fixture_crc32(const uint8_t *bytes, size_t count) {
    return (uint32_t)crc32(0, bytes, (unsigned)count);
}

uint8_t *fixture_decode_jpeg(const uint8_t *bytes, size_t count, int *width, int *height) {
    struct jpeg_decompress_struct codec;
    struct jpeg_error_mgr errors;
    codec.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&codec);
    jpeg_mem_src(&codec, bytes, count);
    jpeg_read_header(&codec, TRUE);
    codec.out_color_space = JCS_EXT_RGBA;
    jpeg_start_decompress(&codec);
    *width = (int)codec.output_width;
    *height = (int)codec.output_height;
    uint8_t *pixels = malloc((size_t)codec.output_width * codec.output_height * 4);
    while (codec.output_scanline < codec.output_height) {
        JSAMPROW row = pixels + (size_t)codec.output_scanline * codec.output_width * 4;
        jpeg_read_scanlines(&codec, &row, 1);
    }
    jpeg_finish_decompress(&codec);
    jpeg_destroy_decompress(&codec);
    return pixels;
}

void fixture_texture(uint8_t *rgba, int width, int height) {
    uint32_t state = 1;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++, rgba += 4) {
            state = state * 1664525u + 1013904223u;
            int noise = (int)(state >> 27), wave = ((x * 5) ^ (y * 3)) & 63;
            rgba[0] = (uint8_t)(60 + (long)x * 120 / width + noise);
            rgba[1] = (uint8_t)(40 + (long)y * 150 / height + wave);
            rgba[2] = (uint8_t)(120 + wave - noise);
            rgba[3] = 255;
        }
}

void fixture_quarters(uint8_t *rgba, int width, int height, const uint8_t *colours, uint8_t alpha) {
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++, rgba += 4) {
            memcpy(rgba, colours + (y * 2 / height * 2 + x * 2 / width) * 3, 3);
            rgba[3] = alpha;
        }
}
