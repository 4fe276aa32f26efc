#include "shaper.h"

#include <math.h>
#include <stdlib.h>

#include "transfer.h"

#define STEPS 8191  // of linear light: less than a quarter of an encoded step where the curve is steepest

typedef float float4 __attribute__((vector_size(16)));
typedef int32_t int4 __attribute__((vector_size(16)));
typedef double matrix[3][3];

struct shaper {
    float4 light[3][256];  // the contribution of each channel value to sRGB's linear red, green and blue, in steps
    uint8_t encoded[STEPS + 1];
};

int shaper_fits(cmsHPROFILE profile) {
    static const cmsTagSignature tables[] = {
        cmsSigAToB0Tag, cmsSigAToB1Tag, cmsSigDToB0Tag, cmsSigDToB1Tag,
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (cmsIsTag(profile, tables[i])) return 0;
    return cmsGetColorSpace(profile) == cmsSigRgbData && cmsGetPCS(profile) == cmsSigXYZData &&
           cmsIsMatrixShaper(profile);
}

// Reads a profile's linear red, green and blue in XYZ, one in each column.
static int read_matrix(cmsHPROFILE profile, matrix m) {
    static const cmsTagSignature tags[] = {
        cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag,
    };
    for (int c = 0; c < 3; c++) {
        const cmsCIEXYZ *colour = cmsReadTag(profile, tags[c]);
        if (colour == NULL) return 0;
        m[0][c] = colour->X;
        m[1][c] = colour->Y;
        m[2][c] = colour->Z;
    }
    return 1;
}

static int invert(matrix m, matrix inverse) {
    double determinant = 0;
    for (int i = 0; i < 3; i++) {
        int a = (i + 1) % 3, b = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            int c = (j + 1) % 3, d = (j + 2) % 3;
            inverse[j][i] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
        }
    }
    for (int j = 0; j < 3; j++) determinant += m[0][j] * inverse[j][0];
    if (fabs(determinant) < 1e-9) return 0;
    for (int i = 0; i < 9; i++) inverse[i / 3][i % 3] /= determinant;
    return 1;
}

static int fill(shaper *s, cmsHPROFILE profile, cmsHPROFILE srgb) {
    static const cmsTagSignature tags[] = {cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag};
    matrix from, to, back;
    if (!read_matrix(profile, from) || !read_matrix(srgb, to) || !invert(to, back)) return 0;
    for (int c = 0; c < 3; c++) {
        const cmsToneCurve *curve = cmsReadTag(profile, tags[c]);
        if (curve == NULL) return 0;
        for (int value = 0; value < 256; value++) {
            double light = fmin(fmax(cmsEvalToneCurveFloat(curve, (float)value / 255), 0), 1);
            for (int out = 0; out < 3; out++) {
                double gain = 0;
                for (int k = 0; k < 3; k++) gain += back[out][k] * from[k][c];
                // Limits each value to a third of an int's range, because a profile may hold any number.
                s->light[c][value][out] = (float)fmin(fmax(light * gain * STEPS, -7e8), 7e8);
            }
        }
    }
    for (int i = 0; i <= STEPS; i++)
        s->encoded[i] = (uint8_t)lrint(transfer_encode((double)i / STEPS) * 255);
    return 1;
}

shaper *shaper_create(cmsHPROFILE profile, cmsHPROFILE srgb) {
    shaper *s = aligned_alloc(64, (sizeof *s + 63) / 64 * 64);
    if (s == NULL || fill(s, profile, srgb)) return s;
    free(s);
    return NULL;
}

void shaper_destroy(shaper *s) {
    free(s);
}

void shaper_row(const shaper *s, uint8_t *row, uint32_t width) {
    const float4 half = {0.5f, 0.5f, 0.5f, 0.5f};
    for (uint32_t x = 0; x < width; x++, row += 4) {
        float4 light = s->light[0][row[0]] + s->light[1][row[1]] + s->light[2][row[2]] + half;
        int4 steps = __builtin_convertvector(light, int4);
        for (int c = 0; c < 3; c++) {
            int step = steps[c];
            row[c] = s->encoded[step < 0 ? 0 : step > STEPS ? STEPS : step];
        }
    }
}
