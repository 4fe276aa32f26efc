#include "heif_file.h"

#include <stdlib.h>
#include <string.h>

codec_status heif_status_of(struct heif_error error) {
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

static size_t size_of(const heif_file *file) {
    return file->contents.head_count + file->count;
}

static int64_t position(void *data) {
    return (int64_t)((heif_view *)data)->position;
}

static int seek(int64_t to, void *data) {
    heif_view *view = data;
    if (to < 0 || (uint64_t)to > size_of(view->file)) return 1;
    view->position = (size_t)to;
    return 0;
}

static int read_part(void *target, size_t size, void *data) {
    heif_view *view = data;
    const heif_file *file = view->file;
    size_t head_count = file->contents.head_count, copied = 0;
    if (size > size_of(file) - view->position) return 1;
    if (view->position < head_count) {
        copied = head_count - view->position < size ? head_count - view->position : size;
        memcpy(target, file->contents.head + view->position, copied);
    }
    if (copied < size)
        memcpy((uint8_t *)target + copied, file->bytes + (view->position + copied - head_count), size - copied);
    view->position += size;
    return 0;
}

static enum heif_reader_grow_status wait_for_size(int64_t size, void *data) {
    return size < 0 || (uint64_t)size > size_of(((heif_view *)data)->file) ? heif_reader_grow_status_size_beyond_eof
                                                                           : heif_reader_grow_status_size_reached;
}

codec_status heif_view_open(const heif_library *heif, heif_view *view, const heif_file *file) {
    static const struct heif_reader reader = {
        .reader_api_version = 1, .get_position = position, .read = read_part, .seek = seek,
        .wait_for_file_size = wait_for_size};
    view->file = file;
    view->position = 0;
    view->context = heif->context_alloc();
    if (view->context == NULL) return CODEC_OUT_OF_MEMORY;
    heif->context_set_max_decoding_threads(view->context, 0);
    return heif_status_of(heif->context_read_from_reader(view->context, &reader, view, NULL));
}

void heif_view_close(const heif_library *heif, heif_view *view) {
    if (view->context != NULL) heif->context_free(view->context);
    view->context = NULL;
}

static void *copy(const void *from, size_t count) {
    void *result = malloc(count > 0 ? count : 1);
    if (result != NULL && count > 0) memcpy(result, from, count);
    return result;
}

codec_status heif_file_open(heif_file *file, const uint8_t *bytes, size_t count, const heif_contents *contents) {
    file->bytes = bytes;
    file->count = count;
    file->contents = *contents;
    file->contents.head = copy(contents->head, contents->head_count);
    file->contents.tiles = copy(contents->tiles, contents->tile_count * sizeof *contents->tiles);
    return file->contents.head == NULL || file->contents.tiles == NULL ? CODEC_OUT_OF_MEMORY : CODEC_OK;
}

void heif_file_close(heif_file *file) {
    free((void *)file->contents.head);
    free((void *)file->contents.tiles);
    *file = (heif_file){0};
}
