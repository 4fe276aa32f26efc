// Reads JPEG with libjpeg-turbo, scaled during decoding, and writes the stored files.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>
#include <jerror.h>

#include "reader.h"

typedef struct {
    struct jpeg_error_mgr manager;
    jmp_buf escape;
    codec_status status;
} error_state;

static void fail(j_common_ptr codec) {
    error_state *state = (error_state *)codec->err;
    switch (codec->err->msg_code) {
    case JERR_OUT_OF_MEMORY:
        state->status = CODEC_OUT_OF_MEMORY;
        break;
    case JERR_BAD_PRECISION:
    case JERR_SOF_UNSUPPORTED:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_ARITH_NOTIMPL:
        state->status = CODEC_UNSUPPORTED;
        break;
    default:
        state->status = CODEC_UNREADABLE;
    }
    longjmp(state->escape, 1);
}

// libjpeg reports damage as a warning (level -1) and fills the missing part with grey. Only damage that costs no pixel is
// accepted.
static void notice(j_common_ptr codec, int level) {
    if (level >= 0) return;
    switch (codec->err->msg_code) {
    case JWRN_EXTRANEOUS_DATA:
    case JWRN_ADOBE_XFORM:
    case JWRN_JFIF_MAJOR:
    case JWRN_NOT_SEQUENTIAL:
    case JWRN_BOGUS_ICC:
        return;
    default:
        fail(codec);
    }
}

static void stay_silent(j_common_ptr codec) {
    (void)codec;
}

static struct jpeg_error_mgr *error_handling(error_state *state) {
    struct jpeg_error_mgr *manager = jpeg_std_error(&state->manager);
    manager->error_exit = fail;
    manager->emit_message = notice;
    manager->output_message = stay_silent;
    return manager;
}

// The whole source is in memory from the start, so a request for more bytes comes at its end. Then libjpeg gets an end marker:
// it often reads a few bytes more than it needs, and warns if the missing bytes would have held pixels.

static void do_nothing(j_decompress_ptr codec) {
    (void)codec;
}

static boolean need_more(j_decompress_ptr codec) {
    static const JOCTET end_marker[] = {0xFF, JPEG_EOI};
    codec->src->next_input_byte = end_marker;
    codec->src->bytes_in_buffer = sizeof end_marker;
    return TRUE;
}

static void skip(j_decompress_ptr codec, long count) {
    if (count <= 0) return;
    if ((size_t)count > codec->src->bytes_in_buffer) ERREXIT(codec, JERR_INPUT_EOF);
    codec->src->next_input_byte += count;
    codec->src->bytes_in_buffer -= (size_t)count;
}

typedef struct {
    picture_reader reader;
    struct jpeg_decompress_struct codec;
    struct jpeg_source_mgr source;
    error_state errors;
    JOCTET *profile;
    int has_end_marker;
} jpeg_reader;

// Whether there was a scan for each component and, in a progressive picture without an end, for each of its coefficients.
// libjpeg would fill in the missing ones without a warning.
static int has_all_scans(const jpeg_reader *self) {
    const struct jpeg_decompress_struct *codec = &self->codec;
    // An arithmetic coder leaves zeroes at its end out, so a decoder cannot tell that bytes are missing.
    if (codec->arith_code && !self->has_end_marker) return 0;
    for (int component = 0; component < codec->num_components; component++) {
        if (codec->comp_info[component].quant_table == NULL) return 0;
        if (self->has_end_marker || codec->coef_bits == NULL) continue;
        for (int i = 0; i < DCTSIZE2; i++)
            if (codec->coef_bits[component][i] < 0) return 0;
    }
    return 1;
}

static codec_status start(picture_reader *reader, int eighths, uint32_t *width, uint32_t *height) {
    jpeg_reader *self = (jpeg_reader *)reader;
    if (setjmp(self->errors.escape)) return self->errors.status;
    self->codec.scale_num = (unsigned)eighths;
    self->codec.scale_denom = 8;
    jpeg_start_decompress(&self->codec);
    if (!has_all_scans(self)) return CODEC_UNREADABLE;
    *width = self->codec.output_width;
    *height = self->codec.output_height;
    return CODEC_OK;
}

static codec_status next_row(picture_reader *reader, uint8_t *row) {
    jpeg_reader *self = (jpeg_reader *)reader;
    if (setjmp(self->errors.escape)) return self->errors.status;
    JSAMPROW rows[] = {row};
    return jpeg_read_scanlines(&self->codec, rows, 1) == 1 ? CODEC_OK : CODEC_UNREADABLE;
}

// Nothing behind the last row is read: a trailer need not be a picture's.
static codec_status finish(picture_reader *reader) {
    (void)reader;
    return CODEC_OK;
}

static void close_reader(picture_reader *reader) {
    jpeg_reader *self = (jpeg_reader *)reader;
    jpeg_destroy_decompress(&self->codec);
    free(self->profile);
    free(self);
}

static codec_status choose_colours(jpeg_reader *self) {
    struct jpeg_decompress_struct *codec = &self->codec;
    switch (codec->jpeg_color_space) {
    case JCS_GRAYSCALE:
        codec->out_color_space = JCS_EXT_RGBX;
        self->reader.info.model = PIXELS_GREY;
        return CODEC_OK;
    case JCS_YCbCr:
    case JCS_RGB:
        codec->out_color_space = JCS_EXT_RGBX;
        self->reader.info.model = PIXELS_RGB;
        return CODEC_OK;
    case JCS_CMYK:
    case JCS_YCCK:
        codec->out_color_space = JCS_CMYK;
        self->reader.info.model = codec->saw_Adobe_marker ? PIXELS_CMYK_INVERTED : PIXELS_CMYK;
        return CODEC_OK;
    default:
        return CODEC_UNSUPPORTED;
    }
}

static codec_status read_header(jpeg_reader *self) {
    struct jpeg_decompress_struct *codec = &self->codec;
    if (setjmp(self->errors.escape)) return self->errors.status;
    jpeg_create_decompress(codec);
    codec->src = &self->source;
    jpeg_save_markers(codec, JPEG_APP0 + 2, 0xFFFF);
    jpeg_read_header(codec, TRUE);
    unsigned size = 0;
    if (jpeg_read_icc_profile(codec, &self->profile, &size) && size <= MAX_PROFILE_BYTES) {
        self->reader.info.profile = self->profile;
        self->reader.info.profile_size = size;
    }
    self->reader.info.width = codec->image_width;
    self->reader.info.height = codec->image_height;
    self->reader.info.sample_bytes = 1;
    return choose_colours(self);
}

codec_status picture_open_jpeg(const uint8_t *bytes, size_t count, int has_end_marker, picture_reader **reader) {
    jpeg_reader *self = calloc(1, sizeof *self);
    if (self == NULL) return CODEC_OUT_OF_MEMORY;
    self->reader.start = start;
    self->reader.row = next_row;
    self->reader.finish = finish;
    self->reader.close = close_reader;
    self->has_end_marker = has_end_marker;
    self->codec.err = error_handling(&self->errors);
    self->source.next_input_byte = bytes;
    self->source.bytes_in_buffer = count;
    self->source.init_source = do_nothing;
    self->source.fill_input_buffer = need_more;
    self->source.skip_input_data = skip;
    self->source.resync_to_restart = jpeg_resync_to_restart;
    self->source.term_source = do_nothing;
    codec_status status = read_header(self);
    if (status != CODEC_OK) {
        close_reader(&self->reader);
        return status;
    }
    *reader = &self->reader;
    return CODEC_OK;
}

struct jpeg_writer {
    struct jpeg_compress_struct codec;
    struct jpeg_destination_mgr destination;
    error_state errors;
    uint8_t *jpeg;
    size_t capacity;
};

// The buffer has the largest possible size from the start: four bytes for each pixel, as in the answer, and the headers.
// So it never grows, and pages that stay unused cost nothing. (When libjpeg's own destination grows, it frees the buffer of
// its caller, and it does not report it when growing fails.)
#define HEADER_ROOM (64u << 10)

static codec_status make_room(jpeg_writer *self, uint32_t width, uint32_t height) {
    self->capacity = (size_t)width * height * 4 + HEADER_ROOM;
    self->jpeg = malloc(self->capacity);
    return self->jpeg == NULL ? CODEC_OUT_OF_MEMORY : CODEC_OK;
}

static void begin_file(j_compress_ptr codec) {
    jpeg_writer *self = codec->client_data;
    self->destination.next_output_byte = self->jpeg;
    self->destination.free_in_buffer = self->capacity;
}

static boolean file_is_full(j_compress_ptr codec) {
    ERREXIT(codec, JERR_BUFFER_SIZE);
    return FALSE;
}

static void end_file(j_compress_ptr codec) {
    (void)codec;
}

static codec_status begin(jpeg_writer *self, uint32_t width, uint32_t height, int quality) {
    struct jpeg_compress_struct *codec = &self->codec;
    if (setjmp(self->errors.escape)) return self->errors.status;
    jpeg_create_compress(codec);
    codec->client_data = self;
    codec->dest = &self->destination;
    codec->image_width = width;
    codec->image_height = height;
    codec->input_components = 4;
    codec->in_color_space = JCS_EXT_RGBX;
    jpeg_set_defaults(codec);
    jpeg_set_quality(codec, quality, TRUE);
    codec->optimize_coding = TRUE;
    jpeg_start_compress(codec, TRUE);
    return CODEC_OK;
}

codec_status jpeg_writer_create(uint32_t width, uint32_t height, int quality, jpeg_writer **writer) {
    jpeg_writer *self = calloc(1, sizeof *self);
    if (self == NULL) return CODEC_OUT_OF_MEMORY;
    self->codec.err = error_handling(&self->errors);
    self->destination.init_destination = begin_file;
    self->destination.empty_output_buffer = file_is_full;
    self->destination.term_destination = end_file;
    codec_status status = make_room(self, width, height);
    if (status == CODEC_OK) status = begin(self, width, height, quality);
    if (status != CODEC_OK) {
        jpeg_writer_destroy(self);
        return status;
    }
    *writer = self;
    return CODEC_OK;
}

codec_status jpeg_writer_row(jpeg_writer *self, const uint8_t *row) {
    if (setjmp(self->errors.escape)) return self->errors.status;
    JSAMPROW rows[] = {(JSAMPROW)row};
    jpeg_write_scanlines(&self->codec, rows, 1);
    return CODEC_OK;
}

codec_status jpeg_writer_finish(jpeg_writer *self, uint8_t **jpeg, size_t *count) {
    if (setjmp(self->errors.escape)) return self->errors.status;
    jpeg_finish_compress(&self->codec);
    *jpeg = self->jpeg;
    *count = self->capacity - self->destination.free_in_buffer;
    self->jpeg = NULL;
    return CODEC_OK;
}

void jpeg_writer_destroy(jpeg_writer *self) {
    jpeg_destroy_compress(&self->codec);
    free(self->jpeg);
    free(self);
}
