#include "png_colours.h"

#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "reader.h"

// libpng 1.6.39 does not know cICP, and it refuses a profile for small faults such as a wrong length.
static const png_byte kept[] = "cICP\0iCCP";

void png_colours_keep(png_structp codec) {
    png_set_keep_unknown_chunks(codec, PNG_HANDLE_CHUNK_ALWAYS, kept, 2);
}

static const png_unknown_chunk *find(png_structp codec, png_infop header, const char *name) {
    png_unknown_chunkp chunks;
    int count = png_get_unknown_chunks(codec, header, &chunks);
    for (int i = 0; i < count; i++)
        if (memcmp(chunks[i].name, name, 4) == 0) return &chunks[i];
    return NULL;
}

static int is_one_of(unsigned value, const char *values) {
    return value != 0 && strchr(values, (int)value) != NULL;
}

// cICP (PNG, third edition, 11.3.2.6): primaries, transfer, matrix and range. Numbers that mean nothing here are ignored with
// the whole chunk.
static int read_cicp(png_structp codec, png_infop header, picture_info *info, png_colours *colours) {
    const png_unknown_chunk *chunk = find(codec, header, "cICP");
    if (chunk == NULL || chunk->size != 4) return 0;
    const uint8_t *numbers = chunk->data;
    if (!is_one_of(numbers[0], "\1\5\6\7\11\13\14") || numbers[2] != 0 || numbers[3] > 1 ||
        !is_one_of(numbers[1], "\1\4\5\6\10\15\16\17\20\22"))
        return 0;
    info->primaries = numbers[0];
    colours->transfer = numbers[1];
    colours->is_full_range = numbers[3];
    colours->has_cicp = 1;
    return 1;
}

// Inflates as much of the profile as there is.
static void read_profile(png_structp codec, png_infop header, picture_info *info, png_colours *colours) {
    const png_unknown_chunk *chunk = find(codec, header, "iCCP");
    const uint8_t *name_end = chunk == NULL || chunk->size == 0 ? NULL : memchr(chunk->data, 0, chunk->size);
    if (name_end == NULL) return;
    size_t start = (size_t)(name_end - chunk->data) + 2;  // behind the number of the method
    if (start >= chunk->size) return;
    uint8_t *profile = malloc(MAX_PROFILE_BYTES);
    if (profile == NULL) return;
    z_stream stream = {
        .next_in = chunk->data + start, .avail_in = (uInt)(chunk->size - start), .next_out = profile,
        .avail_out = MAX_PROFILE_BYTES};
    if (inflateInit(&stream) == Z_OK) {
        inflate(&stream, Z_FINISH);
        inflateEnd(&stream);
    }
    colours->profile = profile;
    // A profile that fills all the room goes on.
    if (stream.avail_out == 0 || stream.avail_out == MAX_PROFILE_BYTES) return;
    info->profile = profile;
    info->profile_size = MAX_PROFILE_BYTES - stream.avail_out;
}

// PNG (third edition), section 4.3: cICP takes precedence over a profile, a profile over sRGB, and sRGB over gamma and
// primaries. A gamma within 5 % of 1/2.2 counts as sRGB's curve, because programs write it with that meaning.
void png_colours_read(png_structp codec, png_infop header, picture_info *info, png_colours *colours) {
    double gamma, c[8];
    if (read_cicp(codec, header, info, colours)) return;
    read_profile(codec, header, info, colours);
    if (png_get_valid(codec, header, PNG_INFO_sRGB) != 0) return;
    if (png_get_gAMA(codec, header, &gamma) == PNG_INFO_gAMA && gamma > 0.1 && gamma < 10 &&
        (gamma < 0.95 / 2.2 || gamma > 1.05 / 2.2))
        info->gamma = 1 / gamma;
    if (info->model == PIXELS_RGB &&
        png_get_cHRM(codec, header, c, c + 1, c + 2, c + 3, c + 4, c + 5, c + 6, c + 7) == PNG_INFO_cHRM)
        memcpy(info->chromaticities, c, sizeof c);
}
