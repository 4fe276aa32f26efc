// Lanczos-3 with the vertical pass first: it runs over contiguous samples, and the costlier horizontal pass then handles
// only the rows that remain. Holds only the source rows for one output row, so memory stays constant.
//
// Fixed point: samples have SAMPLE_BITS fractional bits at first and one less between the passes; weights have WEIGHT_BITS.
// The absolute weights of a Lanczos-3 kernel sum to less than two, so 16 bits never overflow. The vertical pass keeps the
// upper half of each product. This cuts off half a unit on average, which is added back at the start. The remaining error
// is a tenth of a step of the 8 output bits.
#include <math.h>
#include <stdlib.h>

#include "kernels.h"

#define LOBES 3.0
#define PI 3.14159265358979323846
#define SAMPLE_BITS 7
#define WEIGHT_BITS 15
#define ONE 32767  // nearly a weight of one
#define BLOCK 32   // the number of samples summed together; rows are padded to a multiple of it

typedef uint8_t byte16 __attribute__((vector_size(16), aligned(1)));
typedef int16_t short16 __attribute__((vector_size(32), aligned(2)));
typedef int16_t short8 __attribute__((vector_size(16), aligned(2)));
typedef int32_t int4 __attribute__((vector_size(16)));

typedef struct {
    uint32_t first;  // source index of the first weight
    uint32_t count;
} span;

typedef struct {
    span *spans;
    int16_t *weights;  // `most` for each output index; zero from `count` on
    uint32_t most;     // even
} axis;

struct resampler {
    axis across, down;
    uint32_t width, height;
    size_t pixel_bytes;  // of a source row, padded to a block
    uint8_t *pixels;     // one source row
    int16_t *rows;       // a ring of down.most source rows, two pixels' samples side by side: r r g g b b x x
    const int16_t **window;  // the rows of one output row, in order
    int16_t *line;           // one row after the vertical pass
    uint8_t *output;         // one finished row
    uint32_t rows_in, rows_out;
};

static double lanczos(double x) {
    if (x == 0) return 1;
    if (x <= -LOBES || x >= LOBES) return 0;
    double a = PI * x;
    return LOBES * sin(a) * sin(a / LOBES) / (a * a);
}

// Computes the weights of one output index, rounded so that they sum to exactly one: areas of one colour stay as they are.
// `exact` is a buffer for as many weights.
static void weigh(span at, double centre, double scale, double *exact, int16_t *weights) {
    double sum = 0;
    int rest = ONE;
    uint32_t largest = 0;
    for (uint32_t k = 0; k < at.count; k++) {
        exact[k] = lanczos((at.first + k + 0.5 - centre) / scale);
        sum += exact[k];
    }
    for (uint32_t k = 0; k < at.count; k++) {
        weights[k] = (int16_t)lrint(exact[k] / sum * ONE);
        rest -= weights[k];
        if (weights[k] > weights[largest]) largest = k;
    }
    weights[largest] = (int16_t)(weights[largest] + rest);
}

// `even`: whether each span begins at an even index, with a leading weight of zero if necessary.
static int axis_create(axis *a, uint32_t from, uint32_t to, int even) {
    double scale = (double)from / to, reach = LOBES * scale;
    a->most = ((uint32_t)ceil(reach) * 2 + 3) & ~1u;
    a->spans = calloc(to, sizeof *a->spans);
    a->weights = calloc((size_t)to * a->most, sizeof *a->weights);
    double *exact = calloc(a->most, sizeof *exact);
    if (a->spans == NULL || a->weights == NULL || exact == NULL) {
        free(exact);
        return 0;
    }
    for (uint32_t i = 0; i < to; i++) {
        double centre = (i + 0.5) * scale;
        double low = floor(centre - reach + 0.5), high = floor(centre + reach + 0.5);
        uint32_t first = low < 0 ? 0 : (uint32_t)low, end = high > from ? from : (uint32_t)high;
        uint32_t before = even ? first & 1 : 0;
        int16_t *weights = a->weights + (size_t)i * a->most + before;
        weigh((span){first, end - first}, centre, scale, exact, weights);
        a->spans[i] = (span){first - before, end - first + before};
    }
    free(exact);
    return 1;
}

static void axis_destroy(axis *a) {
    free(a->spans);
    free(a->weights);
}

resampler *resampler_create(uint32_t from_width, uint32_t from_height, uint32_t width, uint32_t height) {
    resampler *r = calloc(1, sizeof *r);
    if (r == NULL) return NULL;
    r->width = width;
    r->height = height;
    r->pixel_bytes = ((size_t)from_width * 4 + BLOCK - 1) / BLOCK * BLOCK;
    int made =
        axis_create(&r->across, from_width, width, 1) && axis_create(&r->down, from_height, height, 0);
    if (made) {
        r->pixels = calloc(1, r->pixel_bytes);
        r->rows = calloc(r->down.most, r->pixel_bytes * sizeof *r->rows);
        r->window = calloc(r->down.most, sizeof *r->window);
        r->line = malloc(r->pixel_bytes * sizeof *r->line);
        r->output = malloc((size_t)width * 4);
    }
    if (r->pixels != NULL && r->rows != NULL && r->window != NULL && r->line != NULL && r->output != NULL)
        return r;
    resampler_destroy(r);
    return NULL;
}

uint8_t *resampler_row(resampler *r) {
    return r->pixels;
}

FOR_MANY_CPUS
static void widen(const uint8_t *pixels, size_t count, int16_t *row) {
    for (size_t i = 0; i < count; i += 16) {
        byte16 four = *(const byte16 *)(pixels + i);
        byte16 pairs = __builtin_shufflevector(
            four, four, 0, 4, 1, 5, 2, 6, 3, 7, 8, 12, 9, 13, 10, 14, 11, 15);
        *(short16 *)(row + i) = __builtin_convertvector(pairs, short16) << SAMPLE_BITS;
    }
}

FOR_MANY_CPUS
static void sum_rows(
    const int16_t *const *rows, const int16_t *weights, uint32_t count, size_t samples, int16_t *line) {
    for (size_t x = 0; x < samples; x += BLOCK) {
        int16_t sums[BLOCK];
        for (int i = 0; i < BLOCK; i++) sums[i] = (int16_t)(count / 2);
        for (uint32_t k = 0; k < count; k++) {
            const int16_t *row = rows[k] + x;
            int weight = weights[k];
            for (int i = 0; i < BLOCK; i++) sums[i] = (int16_t)(sums[i] + (row[i] * weight >> 16));
        }
        for (int i = 0; i < BLOCK; i++) line[x + i] = sums[i];
    }
}

// Multiplies samples and adds neighbouring products.
static inline int4 multiply_add(short8 a, short8 b) {
#if defined(__x86_64__)
    return (int4)__builtin_ia32_pmaddwd128(a, b);
#else
    int4 sums;
    for (int i = 0; i < 4; i++) sums[i] = a[i * 2] * b[i * 2] + a[i * 2 + 1] * b[i * 2 + 1];
    return sums;
#endif
}

FOR_MANY_CPUS
static void sum_columns(const axis *across, uint32_t width, const int16_t *line, uint8_t *output) {
    const int shift = SAMPLE_BITS - 1 + WEIGHT_BITS;
    for (uint32_t x = 0; x < width; x++) {
        const short8 *from = (const short8 *)(line + (size_t)across->spans[x].first * 4);
        const int16_t *weights = across->weights + (size_t)x * across->most;
        int4 sum = {1 << (shift - 1), 1 << (shift - 1), 1 << (shift - 1), 1 << (shift - 1)};
        for (uint32_t k = 0; k < across->spans[x].count; k += 2) {
            int16_t one = weights[k], two = weights[k + 1];
            sum += multiply_add(from[k / 2], (short8){one, two, one, two, one, two, one, two});
        }
        sum >>= shift;
        for (int c = 0; c < 4; c++)
            output[x * 4 + (uint32_t)c] = (uint8_t)(sum[c] < 0 ? 0 : sum[c] > 255 ? 255 : sum[c]);
    }
}

void resampler_advance(resampler *r) {
    widen(r->pixels, r->pixel_bytes, r->rows + r->rows_in % r->down.most * r->pixel_bytes);
    r->rows_in++;
}

uint8_t *resampler_next(resampler *r) {
    if (r->rows_out == r->height) return NULL;
    span wanted = r->down.spans[r->rows_out];
    if (wanted.first + wanted.count > r->rows_in) return NULL;
    for (uint32_t k = 0; k < wanted.count; k++)
        r->window[k] = r->rows + (wanted.first + k) % r->down.most * r->pixel_bytes;
    const int16_t *weights = r->down.weights + (size_t)r->rows_out * r->down.most;
    sum_rows(r->window, weights, wanted.count, r->pixel_bytes, r->line);
    sum_columns(&r->across, r->width, r->line, r->output);
    r->rows_out++;
    return r->output;
}

void resampler_destroy(resampler *r) {
    axis_destroy(&r->across);
    axis_destroy(&r->down);
    free(r->pixels);
    free(r->rows);
    free(r->window);
    free(r->line);
    free(r->output);
    free(r);
}
