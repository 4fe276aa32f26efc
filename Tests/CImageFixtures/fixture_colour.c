// An independent reference for colours, by other means than the code under test: Little CMS in floating point without
// its shortcuts, and CIEDE2000 (Sharma, Wu, Dalal: Color Research and Application 30, 2005).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lcms2.h>

#include "CImageFixtures.h"

static const double degrees = 3.14159265358979323846 / 180;

static double hue(double a, double b) {
    if (a == 0 && b == 0) return 0;
    double angle = atan2(b, a) / degrees;
    return angle < 0 ? angle + 360 : angle;
}

double fixture_ciede2000(const double one[3], const double other[3]) {
    const double c25 = pow(25, 7);
    double chroma = (hypot(one[1], one[2]) + hypot(other[1], other[2])) / 2, c7 = pow(chroma, 7);
    double g = 0.5 * (1 - sqrt(c7 / (c7 + c25)));
    double a1 = one[1] * (1 + g), a2 = other[1] * (1 + g);
    double c1 = hypot(a1, one[2]), c2 = hypot(a2, other[2]);
    double h1 = hue(a1, one[2]), h2 = hue(a2, other[2]);
    double dh = h2 - h1, mean_h = h1 + h2;
    if (c1 * c2 == 0) {
        dh = 0;
    } else {
        if (fabs(h1 - h2) > 180) mean_h += mean_h < 360 ? 360 : -360;
        mean_h /= 2;
        if (dh > 180) dh -= 360;
        if (dh < -180) dh += 360;
    }
    double dl = other[0] - one[0], dc = c2 - c1, dH = 2 * sqrt(c1 * c2) * sin(dh / 2 * degrees);
    double mean_l = (one[0] + other[0]) / 2, mean_c = (c1 + c2) / 2;
    double t = 1 - 0.17 * cos((mean_h - 30) * degrees) + 0.24 * cos(2 * mean_h * degrees) +
               0.32 * cos((3 * mean_h + 6) * degrees) - 0.20 * cos((4 * mean_h - 63) * degrees);
    double l50 = (mean_l - 50) * (mean_l - 50), m7 = pow(mean_c, 7);
    double turn = 30 * exp(-((mean_h - 275) / 25) * ((mean_h - 275) / 25));
    double rt = -2 * sqrt(m7 / (m7 + c25)) * sin(2 * turn * degrees);
    double l = dl / (1 + 0.015 * l50 / sqrt(20 + l50)), c = dc / (1 + 0.045 * mean_c);
    double h = dH / (1 + 0.015 * mean_c * t);
    return sqrt(l * l + c * c + h * h + rt * c * h);
}

static double linear(double v) {
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double root(double t) {
    return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

// CIE L*a*b* of linear sRGB, D65.
static void lab_of(const double light[3], double lab[3]) {
    static const double to_xyz[3][3] = {
        {0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}};
    static const double white[] = {0.95047, 1, 1.08883};
    double f[3];
    for (int i = 0; i < 3; i++) {
        double sum = 0;
        for (int c = 0; c < 3; c++) sum += to_xyz[i][c] * light[c];
        f[i] = root(sum / white[i]);
    }
    lab[0] = 116 * f[1] - 16;
    lab[1] = 500 * (f[0] - f[1]);
    lab[2] = 200 * (f[1] - f[2]);
}

fixture_difference fixture_compare(const float *expected, const uint8_t *seen, size_t count) {
    fixture_difference result = {0, 0};
    double table[256];
    for (int i = 0; i < 256; i++) table[i] = linear(i / 255.0);
    for (size_t i = 0; i < count; i++) {
        double one[3], other[3], lab[3], other_lab[3];
        for (int c = 0; c < 3; c++) {
            one[c] = linear(expected[i * 3 + (size_t)c]);
            other[c] = table[seen[i * 4 + (size_t)c]];
        }
        lab_of(one, lab);
        lab_of(other, other_lab);
        double e = fixture_ciede2000(lab, other_lab);
        result.mean += e / (double)count;
        if (e > result.worst) result.worst = e;
    }
    return result;
}

int fixture_to_srgb(
    const uint8_t *bytes, size_t size, const double *colours, int channels, size_t count, float *srgb) {
    cmsHPROFILE profile = cmsOpenProfileFromMem(bytes, (cmsUInt32Number)size), target = cmsCreate_sRGBProfile();
    cmsUInt32Number from = channels == 1 ? TYPE_GRAY_DBL : channels == 3 ? TYPE_RGB_DBL : TYPE_CMYK_DBL;
    cmsHTRANSFORM transform = cmsCreateTransform(
        profile, from, target, TYPE_RGB_DBL, INTENT_PERCEPTUAL, cmsFLAGS_NOOPTIMIZE | cmsFLAGS_NOCACHE);
    cmsCloseProfile(profile);
    cmsCloseProfile(target);
    if (transform == NULL) return 0;
    for (size_t i = 0; i < count; i++, srgb += 3) {
        double ink[4], rgb[3];
        // Little CMS measures ink in per cent.
        for (int c = 0; c < channels; c++)
            ink[c] = colours[i * (size_t)channels + (size_t)c] * (channels == 4 ? 100 : 1);
        cmsDoTransform(transform, ink, rgb, 1);
        for (int c = 0; c < 3; c++) srgb[c] = (float)fmin(1, fmax(0, rgb[c]));
    }
    cmsDeleteTransform(transform);
    return 1;
}

// Profiles.

static const cmsFloat64Number srgb_curve[] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};

static fixture_file save(cmsHPROFILE profile) {
    cmsUInt32Number count = 0;
    cmsSaveProfileToMem(profile, NULL, &count);
    fixture_file file = {malloc(count), count};
    cmsSaveProfileToMem(profile, file.bytes, &count);
    cmsCloseProfile(profile);
    return file;
}

static cmsHPROFILE matrix_profile(const cmsCIExyY white, const double xy[6], cmsToneCurve *curve) {
    cmsToneCurve *curves[] = {curve, curve, curve};
    cmsCIExyYTRIPLE colours = {{xy[0], xy[1], 1}, {xy[2], xy[3], 1}, {xy[4], xy[5], 1}};
    return cmsCreateRGBProfile(&white, &colours, curves);
}

// An imaginary device: a light for each of three channels, or a film of each of four inks on paper.
static int device(const cmsUInt16Number in[], cmsUInt16Number out[], void *channels) {
    static const double lights[3][3] = {{0.47, 0.24, 0.02}, {0.34, 0.66, 0.09}, {0.14, 0.09, 0.70}};
    static const double inks[4][3] = {
        {0.14, 0.19, 0.60}, {0.32, 0.16, 0.17}, {0.72, 0.78, 0.07}, {0.02, 0.02, 0.017}};
    double xyz[3];
    for (int i = 0; i < 3; i++) {
        if (*(int *)channels == 3) {
            xyz[i] = 0.01 * (i == 2 ? 0.8249 : 1);
            for (int c = 0; c < 3; c++) xyz[i] += lights[c][i] * in[c] / 65535.0;
        } else {
            xyz[i] = i == 0 ? 0.9642 : i == 1 ? 1 : 0.8249;
            for (int c = 0; c < 4; c++) xyz[i] *= 1 + (inks[c][i] - 1) * in[c] / 65535.0;
        }
    }
    cmsCIEXYZ colour = {xyz[0], xyz[1], xyz[2]};
    cmsCIELab lab;
    cmsXYZ2Lab(NULL, &lab, &colour);
    cmsFloat2LabEncoded(out, &lab);
    return TRUE;
}

static cmsHPROFILE table_profile(int channels) {
    cmsHPROFILE profile = cmsCreateProfilePlaceholder(NULL);
    cmsSetProfileVersion(profile, 4.3);
    cmsSetDeviceClass(profile, channels == 3 ? cmsSigInputClass : cmsSigOutputClass);
    cmsSetColorSpace(profile, channels == 3 ? cmsSigRgbData : cmsSigCmykData);
    cmsSetPCS(profile, cmsSigLabData);
    cmsToneCurve *gamma = cmsBuildGamma(NULL, channels == 3 ? 1.9 : 1.3), *none = cmsBuildGamma(NULL, 1);
    cmsToneCurve *before[] = {gamma, gamma, gamma, gamma}, *after[] = {none, none, none};
    cmsPipeline *pipeline = cmsPipelineAlloc(NULL, (cmsUInt32Number)channels, 3);
    cmsStage *table = cmsStageAllocCLut16bit(
        NULL, channels == 3 ? 17 : 11, (cmsUInt32Number)channels, 3, NULL);
    cmsStageSampleCLut16bit(table, device, &channels, 0);
    cmsPipelineInsertStage(
        pipeline, cmsAT_END, cmsStageAllocToneCurves(NULL, (cmsUInt32Number)channels, before));
    cmsPipelineInsertStage(pipeline, cmsAT_END, table);
    cmsPipelineInsertStage(pipeline, cmsAT_END, cmsStageAllocToneCurves(NULL, 3, after));
    cmsWriteTag(profile, cmsSigAToB0Tag, pipeline);
    cmsWriteTag(profile, cmsSigMediaWhitePointTag, cmsD50_XYZ());
    cmsPipelineFree(pipeline);
    cmsFreeToneCurve(gamma);
    cmsFreeToneCurve(none);
    return profile;
}

fixture_file fixture_profile(fixture_profile_kind kind) {
    static const cmsCIExyY d65 = {0.3127, 0.3290, 1}, d50 = {0.3457, 0.3585, 1};
    static const double p3[] = {0.680, 0.320, 0.265, 0.690, 0.150, 0.060};
    static const double adobe[] = {0.640, 0.330, 0.210, 0.710, 0.150, 0.060};
    static const double prophoto[] = {0.7347, 0.2653, 0.1596, 0.8404, 0.0366, 0.0001};
    static const double rec2020[] = {0.708, 0.292, 0.170, 0.797, 0.131, 0.046};
    if (kind == FIXTURE_SRGB) return save(cmsCreate_sRGBProfile());
    if (kind == FIXTURE_RGB_TABLE) return save(table_profile(3));
    if (kind == FIXTURE_CMYK_TABLE) return save(table_profile(4));
    int has_srgb_curve = kind == FIXTURE_DISPLAY_P3 || kind == FIXTURE_REC_2020;
    double gamma = kind == FIXTURE_ADOBE_RGB ? 563 / 256.0 : kind == FIXTURE_PROPHOTO ? 1.8
                   : kind == FIXTURE_GREY_GAMMA_1 ? 1.0 : 1.5;
    cmsToneCurve *curve =
        has_srgb_curve ? cmsBuildParametricToneCurve(NULL, 4, srgb_curve) : cmsBuildGamma(NULL, gamma);
    cmsHPROFILE profile = kind == FIXTURE_DISPLAY_P3   ? matrix_profile(d65, p3, curve)
                          : kind == FIXTURE_REC_2020   ? matrix_profile(d65, rec2020, curve)
                          : kind == FIXTURE_ADOBE_RGB || kind == FIXTURE_ADOBE_RGB_GAMMA_1_5
                              ? matrix_profile(d65, adobe, curve)
                          : kind == FIXTURE_PROPHOTO ? matrix_profile(d50, prophoto, curve)
                                                     : cmsCreateGrayProfile(&d50, curve);
    cmsFreeToneCurve(curve);
    return save(profile);
}

// A profile whose texts hold a secret.
fixture_file fixture_profile_with_text(const char *text) {
    static const cmsTagSignature tags[] = {
        cmsSigProfileDescriptionTag, cmsSigCopyrightTag, cmsSigDeviceModelDescTag, cmsSigDeviceMfgDescTag,
        cmsSigViewingCondDescTag};
    cmsHPROFILE profile = cmsCreate_sRGBProfile();
    cmsSetProfileVersion(profile, 2.1);
    cmsMLU *words = cmsMLUalloc(NULL, 1);
    cmsMLUsetASCII(words, "en", "US", text);
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) cmsWriteTag(profile, tags[i], words);
    cmsMLUfree(words);
    return save(profile);
}

// Pictures with known samples.

// Patches of all colours, ramps, and waves that reveal faults of resampling and quantisation.
void fixture_chart(uint8_t *samples, int width, int height, int channels) {
    static const double steps[] = {0.8191725134, 0.6710436067, 0.5497004779, 0.4503030119};
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            double u = (double)x / width, v = (double)y / height;
            int patch = y / 24 * ((width + 23) / 24) + x / 24;
            for (int c = 0; c < channels; c++) {
                double value = v < 0.5   ? fmod((patch + 1) * steps[c], 1)
                               : u < 0.5 ? fmod((c % 2 ? v : u) * 2 * (1 + c % 3 * 0.3), 1) * 0.9 + 0.05
                                         : 0.5 + 0.2 * sin(x * 0.11 + c) + 0.2 * sin(y * (0.07 + c * 0.03));
                *samples++ = (uint8_t)lround(value * 255);
            }
        }
}

// Smooth everywhere.
void fixture_ramps(uint8_t *samples, int width, int height, int channels) {
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int c = 0; c < channels; c++)
                *samples++ = (uint8_t)lround(
                    127.5 + 100 * sin(2.5 * x / width + 1.7 * c) * cos((3.1 + c) * y / height + c));
}

static double lattice(uint32_t x, uint32_t y, uint32_t seed) {
    uint32_t h = x * 0x9E3779B1u ^ y * 0x85EBCA77u ^ seed * 0xC2B2AE3Du;
    h = (h ^ h >> 15) * 0x2C1B3C6Du;
    h = (h ^ h >> 12) * 0x297A2D39u;
    return (double)(h >> 8) / 16777216 - 0.5;
}

static double smooth_noise(int x, int y, int period, uint32_t seed) {
    uint32_t i = (uint32_t)(x / period), j = (uint32_t)(y / period);
    double u = (double)(x % period) / period, v = (double)(y % period) / period;
    u = u * u * (3 - 2 * u);
    v = v * v * (3 - 2 * v);
    double top = lattice(i, j, seed) * (1 - u) + lattice(i + 1, j, seed) * u;
    double bottom = lattice(i, j + 1, seed) * (1 - u) + lattice(i + 1, j + 1, seed) * u;
    return top * (1 - v) + bottom * v;
}

// Detail that falls off with its frequency as a photo's does, and edges.
void fixture_scene(uint8_t *rgba, int width, int height) {
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++, rgba += 4) {
            double light = 0, tint = smooth_noise(x, y, 300, 9), shade = smooth_noise(x, y, 90, 8);
            for (int period = 4, i = 1; period <= 512; period *= 2, i++)
                light += smooth_noise(x, y, period, (uint32_t)i) * 6 * pow(period, 0.45);
            if ((x - width / 3) * (x - width / 3) + (y - height / 2) * (y - height / 2) < height * height / 16)
                light -= 45;
            double values[] = {128 + light + 60 * tint, 122 + light + 25 * shade, 118 + light - 60 * tint};
            for (int c = 0; c < 3; c++) rgba[c] = (uint8_t)fmin(255, fmax(0, values[c] + 0.5));
            rgba[3] = 255;
        }
}

// Lanczos-3 on encoded values, straight from its definition, in double precision.

static double lanczos(double x) {
    double a = 3.14159265358979323846 * x;
    return x == 0 ? 1 : fabs(x) >= 3 ? 0 : 3 * sin(a) * sin(a / 3) / (a * a);
}

// The source samples of each target sample along a line, with their weights. Every line of a picture has the same.
typedef struct {
    int reach; // weights kept for each target sample
    int *first, *count;
    double *weights;
} kernel;

static kernel kernel_of(int count, int target) {
    double scale = (double)count / target, reach = 3 * scale;
    size_t targets = (size_t)target, most = (size_t)(2 * reach) + 2;
    kernel made = {(int)most, malloc(targets * sizeof(int)), malloc(targets * sizeof(int)),
                   malloc(targets * most * sizeof(double))};
    for (int i = 0; i < target; i++) {
        double centre = (i + 0.5) * scale, sum = 0, *weights = made.weights + (size_t)i * most;
        int first = (int)fmax(0, ceil(centre - reach - 0.5)), taken = 0;
        for (int s = first; s < count && s + 0.5 < centre + reach; s++, taken++)
            sum += weights[taken] = lanczos((s + 0.5 - centre) / scale);
        for (int k = 0; k < taken; k++) weights[k] /= sum;
        made.first[i] = first;
        made.count[i] = taken;
    }
    return made;
}

static void kernel_free(kernel used) {
    free(used.first);
    free(used.count);
    free(used.weights);
}

static void resample_line(const double *from, size_t step, kernel by, double *to, int target) {
    for (int i = 0; i < target; i++) {
        const double *weights = by.weights + (size_t)i * (size_t)by.reach, *sample = from + (size_t)by.first[i] * step;
        double sum = 0;
        for (int k = 0; k < by.count[i]; k++, sample += step) sum += weights[k] * *sample;
        to[i] = sum;
    }
}

void fixture_resample(const uint8_t *rgba, int width, int height, int to_width, int to_height, float *srgb) {
    double *column = malloc((size_t)to_height * sizeof(double)), *line = malloc(sizeof(double) * (size_t)width);
    double *narrow = malloc((size_t)to_width * (size_t)height * sizeof(double));
    kernel across = kernel_of(width, to_width), down = kernel_of(height, to_height);
    for (size_t c = 0; c < 3; c++) {
        for (int y = 0; y < height; y++) {
            const uint8_t *row = rgba + (size_t)y * (size_t)width * 4;
            for (int x = 0; x < width; x++) line[x] = row[x * 4 + (int)c];
            resample_line(line, 1, across, narrow + (size_t)y * (size_t)to_width, to_width);
        }
        for (int x = 0; x < to_width; x++) {
            resample_line(narrow + x, (size_t)to_width, down, column, to_height);
            for (int y = 0; y < to_height; y++)
                srgb[((size_t)y * (size_t)to_width + (size_t)x) * 3 + c] =
                    (float)fmin(1, fmax(0, column[y] / 255));
        }
    }
    kernel_free(across);
    kernel_free(down);
    free(column);
    free(line);
    free(narrow);
}
