// Lanczos-3, vertical pass first: it runs over contiguous bytes, and leaves the costlier horizontal pass only
// the rows that are kept. Holds as many source rows as one output row needs, so memory stays flat.
#include <math.h>
#include <stdlib.h>

#include "CImageCodecs.h"

#if defined(__x86_64__)
#define FOR_MANY_CPUS __attribute__((target_clones("arch=haswell", "default")))
#else
#define FOR_MANY_CPUS
#endif

#define LOBES 3.0
#define PI 3.14159265358979323846
#define BLOCK 16  // bytes that are summed together; rows are padded to it

typedef float float4 __attribute__((vector_size(16)));
typedef int32_t int4 __attribute__((vector_size(16)));

typedef struct {
    uint32_t first;  // source index of the first weight
    uint32_t count;
} span;

typedef struct {
    span *spans;
    float *weights;  // `most` for each output index
    uint32_t most;
} axis;

struct resampler {
    axis across, down;
    uint32_t width, height, from_height;
    size_t stride;      // bytes of a source row, padded
    uint8_t *rows;      // a ring of down.most source rows
    const uint8_t **window;  // the rows of one output row, in order
    float *line;        // one row after the vertical pass
    uint8_t *output;
    uint32_t rows_in, rows_out;
};

static double lanczos(double x) {
    if (x == 0) return 1;
    if (x <= -LOBES || x >= LOBES) return 0;
    double a = PI * x;
    return LOBES * sin(a) * sin(a / LOBES) / (a * a);
}

static int axis_create(axis *a, uint32_t from, uint32_t to) {
    double scale = (double)from / to, reach = LOBES * scale;
    a->most = (uint32_t)ceil(reach) * 2 + 1;
    a->spans = calloc(to, sizeof *a->spans);
    a->weights = calloc((size_t)to * a->most, sizeof *a->weights);
    if (a->spans == NULL || a->weights == NULL) return 0;
    for (uint32_t i = 0; i < to; i++) {
        double centre = (i + 0.5) * scale, sum = 0;
        double low = floor(centre - reach + 0.5), high = floor(centre + reach + 0.5);
        uint32_t first = low < 0 ? 0 : (uint32_t)low, end = high > from ? from : (uint32_t)high;
        float *weights = a->weights + (size_t)i * a->most;
        for (uint32_t s = first; s < end; s++) sum += lanczos((s + 0.5 - centre) / scale);
        for (uint32_t s = first; s < end; s++)
            weights[s - first] = (float)(lanczos((s + 0.5 - centre) / scale) / sum);
        a->spans[i] = (span){first, end - first};
    }
    return 1;
}

static void axis_destroy(axis *a) {
    free(a->spans);
    free(a->weights);
}

resampler *resampler_create(
    uint32_t from_width, uint32_t from_height, uint32_t width, uint32_t height, uint8_t *output) {
    resampler *r = calloc(1, sizeof *r);
    if (r == NULL) return NULL;
    r->width = width;
    r->height = height;
    r->from_height = from_height;
    r->output = output;
    r->stride = ((size_t)from_width * 4 + BLOCK - 1) / BLOCK * BLOCK;
    int made = axis_create(&r->across, from_width, width) && axis_create(&r->down, from_height, height);
    if (made) {
        r->rows = calloc(r->down.most, r->stride);
        r->window = calloc(r->down.most, sizeof *r->window);
        r->line = aligned_alloc(64, (r->stride * sizeof(float) + 63) / 64 * 64);
    }
    if (r->rows != NULL && r->window != NULL && r->line != NULL) return r;
    resampler_destroy(r);
    return NULL;
}

uint8_t *resampler_row(resampler *r) {
    return r->rows + r->rows_in % r->down.most * r->stride;
}

FOR_MANY_CPUS
static void sum_rows(
    const uint8_t *const *rows, const float *weights, uint32_t count, size_t stride, float *line) {
    for (size_t x = 0; x < stride; x += BLOCK) {
        float sums[BLOCK] = {0};
        for (uint32_t k = 0; k < count; k++) {
            const uint8_t *row = rows[k] + x;
            float weight = weights[k];
            for (int i = 0; i < BLOCK; i++) sums[i] += weight * (float)row[i];
        }
        for (int i = 0; i < BLOCK; i++) line[x + i] = sums[i];
    }
}

FOR_MANY_CPUS
static void sum_columns(const axis *across, uint32_t width, const float *line, uint8_t *output) {
    const float4 *pixels = (const float4 *)line;
    for (uint32_t x = 0; x < width; x++) {
        const float4 *from = pixels + across->spans[x].first;
        const float *weights = across->weights + (size_t)x * across->most;
        float4 sum = {0.5f, 0.5f, 0.5f, 0.5f};
        for (uint32_t k = 0; k < across->spans[x].count; k++) sum += from[k] * weights[k];
        int4 rounded = __builtin_convertvector(sum, int4);
        for (int c = 0; c < 4; c++) {
            int value = rounded[c];
            output[x * 4 + (uint32_t)c] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
        }
    }
}

void resampler_advance(resampler *r) {
    r->rows_in++;
    while (r->rows_out < r->height) {
        span wanted = r->down.spans[r->rows_out];
        if (wanted.first + wanted.count > r->rows_in) return;
        for (uint32_t k = 0; k < wanted.count; k++)
            r->window[k] = r->rows + (wanted.first + k) % r->down.most * r->stride;
        const float *weights = r->down.weights + (size_t)r->rows_out * r->down.most;
        sum_rows(r->window, weights, wanted.count, r->stride, r->line);
        sum_columns(&r->across, r->width, r->line, r->output + (size_t)r->rows_out * r->width * 4);
        r->rows_out++;
    }
}

void resampler_destroy(resampler *r) {
    axis_destroy(&r->across);
    axis_destroy(&r->down);
    free(r->rows);
    free(r->window);
    free(r->line);
    free(r);
}
