// Decodes tiles on up to two threads. The reading thread takes one row of tiles after the other and decodes tiles itself
// while it waits; a second thread decodes ahead meanwhile, at most to the end of the next row of tiles. So the tiles' decoding,
// the picture's reduction and its encoding overlap, and two rows of tiles are in memory, not the whole picture. libheif's own
// threads do neither: they fill the whole picture before they give any row.
//
// Each thread has a context of its own, so the threads share nothing in libheif.
#include "heif_tiles.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// The rows of tiles in memory: the one that is read, and the next.
#define ROWS_AHEAD 2
// libheif needs little stack; libde265 has a thread of its own. The standard size would use up the worker's address space.
#define HELPER_STACK_BYTES (1u << 20)

typedef enum { TILE_WAITING = 0, TILE_BEGUN, TILE_DONE } tile_state;

typedef struct {
    heif_planes planes;
    tile_state state;
    codec_status status;
} tile_slot;

struct heif_tiles {
    const heif_library *heif;
    const heif_file *file;
    uint32_t columns, tile_width, tile_height;
    heif_view own, helpers;
    heif_planes *row;   // what heif_tiles_at gives
    uint32_t rows_read; // rows of tiles that it has given
    int has_helper;
    pthread_t helper;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    // Guarded by the lock:
    tile_slot *slots;  // of tile i: i modulo their number
    size_t next;       // the first tile that no thread has begun
    size_t end;        // the first tile that must wait until a row of tiles has been read
    int closed;        // after a failure, or at the end: no other tile is begun
};

static size_t slot_count(const heif_tiles *self) {
    return (size_t)self->columns * ROWS_AHEAD;
}

static codec_status find_tile(
    const heif_tiles *self, heif_view *view, size_t tile, struct heif_image_handle **picture) {
    return heif_status_of(
        self->heif->context_get_image_handle(view->context, self->file->contents.tiles[tile], picture));
}

static codec_status decode_tile(const heif_tiles *self, heif_view *view, size_t tile, heif_planes *planes) {
    const heif_library *heif = self->heif;
    struct heif_image_handle *picture = NULL;
    codec_status status = find_tile(self, view, tile, &picture);
    if (status != CODEC_OK) return status;
    if (heif->image_handle_get_width(picture) == (int)self->tile_width &&
        heif->image_handle_get_height(picture) == (int)self->tile_height)
        status = heif_planes_decode(heif, picture, self->tile_width, self->tile_height, 0, planes);
    else
        status = CODEC_UNREADABLE;
    heif->image_handle_release(picture);
    return status;
}

// Begins the next tile, decodes it and tells the other thread. The caller holds the lock, which is free meanwhile. Returns 0
// when there is no tile to begin.
static int decode_next(heif_tiles *self, heif_view *view) {
    if (self->closed || self->next >= self->end) return 0;
    size_t tile = self->next++;
    tile_slot *slot = &self->slots[tile % slot_count(self)];
    slot->state = TILE_BEGUN;
    pthread_mutex_unlock(&self->lock);
    codec_status status = decode_tile(self, view, tile, &slot->planes);
    pthread_mutex_lock(&self->lock);
    slot->status = status;
    slot->state = TILE_DONE;
    if (status != CODEC_OK) self->closed = 1;
    pthread_cond_broadcast(&self->changed);
    return 1;
}

static void *help(void *argument) {
    heif_tiles *self = argument;
    // Without a context of its own the helper leaves all tiles to the reading thread.
    if (heif_view_open(self->heif, &self->helpers, self->file) == CODEC_OK) {
        pthread_mutex_lock(&self->lock);
        while (!self->closed && self->next < self->file->contents.tile_count)
            if (!decode_next(self, &self->helpers)) pthread_cond_wait(&self->changed, &self->lock);
        pthread_mutex_unlock(&self->lock);
    }
    heif_view_close(self->heif, &self->helpers);
    return NULL;
}

void heif_tiles_get_help(heif_tiles *self) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return;
    if (pthread_attr_setstacksize(&attributes, HELPER_STACK_BYTES) == 0)
        self->has_helper = pthread_create(&self->helper, &attributes, help, self) == 0;
    pthread_attr_destroy(&attributes);
}

// Waits for one tile, and decodes others meanwhile. Tiles are begun in order, so of several bad tiles the first one's
// status is returned, whichever thread met it. The caller holds the lock.
static codec_status wait_for(heif_tiles *self, size_t tile) {
    tile_slot *slot = &self->slots[tile % slot_count(self)];
    while (slot->state != TILE_DONE) {
        if (decode_next(self, &self->own)) continue;
        if (slot->state == TILE_WAITING) return CODEC_UNREADABLE;
        pthread_cond_wait(&self->changed, &self->lock);
    }
    return slot->status;
}

// Releases the row of tiles that was read last. The caller holds the lock.
static void release_row(heif_tiles *self) {
    size_t first = (size_t)(self->rows_read - 1) * self->columns;
    for (size_t tile = first; tile < first + self->columns; tile++) {
        tile_slot *slot = &self->slots[tile % slot_count(self)];
        heif_planes_release(self->heif, &slot->planes);
        slot->state = TILE_WAITING;
    }
}

static codec_status read_row(heif_tiles *self) {
    codec_status status = CODEC_OK;
    size_t first = (size_t)self->rows_read * self->columns, end = first + slot_count(self);
    pthread_mutex_lock(&self->lock);
    if (self->rows_read > 0) release_row(self);
    self->end = end < self->file->contents.tile_count ? end : self->file->contents.tile_count;
    pthread_cond_broadcast(&self->changed);
    for (size_t column = 0; column < self->columns && status == CODEC_OK; column++) {
        status = wait_for(self, first + column);
        self->row[column] = self->slots[(first + column) % slot_count(self)].planes;
    }
    pthread_mutex_unlock(&self->lock);
    self->rows_read++;
    return status;
}

codec_status heif_tiles_at(heif_tiles *self, uint32_t y, const heif_planes **row) {
    *row = self->row;
    return y / self->tile_height < self->rows_read ? CODEC_OK : read_row(self);
}

uint32_t heif_tiles_width(const heif_tiles *self) {
    return self->tile_width;
}

uint32_t heif_tiles_height(const heif_tiles *self) {
    return self->tile_height;
}

// Measures the first tile. All others must have its size.
static codec_status find_layout(heif_tiles *self, uint32_t width, uint32_t height) {
    struct heif_image_handle *picture = NULL;
    codec_status status = find_tile(self, &self->own, 0, &picture);
    if (status != CODEC_OK) return CODEC_UNSUPPORTED;
    int tile_width = self->heif->image_handle_get_width(picture);
    int tile_height = self->heif->image_handle_get_height(picture);
    self->heif->image_handle_release(picture);
    if (tile_width <= 0 || tile_height <= 0) return CODEC_UNSUPPORTED;
    self->tile_width = (uint32_t)tile_width;
    self->tile_height = (uint32_t)tile_height;
    self->columns = (width - 1) / self->tile_width + 1;
    size_t rows = (height - 1) / self->tile_height + 1;
    return self->file->contents.tile_count == rows * self->columns ? CODEC_OK : CODEC_UNSUPPORTED;
}

static codec_status prepare(heif_tiles *self, uint32_t width, uint32_t height) {
    codec_status status = heif_view_open(self->heif, &self->own, self->file);
    if (status == CODEC_OK) status = find_layout(self, width, height);
    if (status != CODEC_OK) return status;
    self->slots = calloc(slot_count(self), sizeof *self->slots);
    self->row = calloc(self->columns, sizeof *self->row);
    return self->slots == NULL || self->row == NULL ? CODEC_OUT_OF_MEMORY : CODEC_OK;
}

codec_status heif_tiles_open(
    const heif_library *heif, const heif_file *file, uint32_t width, uint32_t height, heif_tiles **tiles) {
    heif_tiles *self = calloc(1, sizeof *self);
    if (self == NULL) return CODEC_OUT_OF_MEMORY;
    self->heif = heif;
    self->file = file;
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->changed, NULL);
    codec_status status = prepare(self, width, height);
    if (status == CODEC_OK)
        *tiles = self;
    else
        heif_tiles_close(self);
    return status;
}

void heif_tiles_close(heif_tiles *self) {
    if (self->has_helper) {
        pthread_mutex_lock(&self->lock);
        self->closed = 1;
        pthread_cond_broadcast(&self->changed);
        pthread_mutex_unlock(&self->lock);
        pthread_join(self->helper, NULL);
    }
    for (size_t i = 0; self->slots != NULL && i < slot_count(self); i++)
        heif_planes_release(self->heif, &self->slots[i].planes);
    heif_view_close(self->heif, &self->own);
    pthread_cond_destroy(&self->changed);
    pthread_mutex_destroy(&self->lock);
    free(self->slots);
    free(self->row);
    free(self);
}
