// Converts every picture to sRGB, with Little CMS if the picture has a profile or values that make one.
#include <stdlib.h>
#include <string.h>

#include <lcms2.h>

#include "CImageCodecs.h"
#include "shaper.h"

#define FOUR(model, samples, bytes) \
    (COLORSPACE_SH(model) | CHANNELS_SH(samples) | EXTRA_SH(4 - (samples)) | BYTES_SH(bytes))
#define OUTPUT FOUR(PT_RGB, 3, 1)

struct colour_converter {
    const picture_info *info;
    // Both are NULL if the colours are sRGB's already, or the picture is CMYK without a usable profile.
    cmsHTRANSFORM transform;
    shaper *shaper;
};

static int is_cmyk(pixel_model model) {
    return model == PIXELS_CMYK || model == PIXELS_CMYK_INVERTED;
}

// The pixel layout in which the profile takes this picture; 0 if the profile does not fit the picture.
static cmsUInt32Number layout_for(cmsHPROFILE profile, const picture_info *info) {
    cmsProfileClassSignature kind = cmsGetDeviceClass(profile);
    if (kind == cmsSigLinkClass || kind == cmsSigAbstractClass || kind == cmsSigNamedColorClass) return 0;
    cmsUInt32Number bytes = (cmsUInt32Number)info->sample_bytes;
    switch (cmsGetColorSpace(profile)) {
    case cmsSigRgbData:
        return is_cmyk(info->model) ? 0 : FOUR(PT_RGB, 3, bytes);
    case cmsSigGrayData:
        return info->model == PIXELS_GREY ? FOUR(PT_GRAY, 1, bytes) : 0;
    case cmsSigCmykData:
        return !is_cmyk(info->model) ? 0
            : FOUR(PT_CMYK, 4, bytes) | FLAVOR_SH(info->model == PIXELS_CMYK_INVERTED);
    default:
        return 0;
    }
}

// Sets the white point and primaries of the picture: PNG's own, those of BT.2020, DCI-P3 or Display P3 (ITU-T H.273), or
// sRGB's. Returns whether they differ from sRGB's.
static int primaries_of(const picture_info *info, cmsCIExyY *white, cmsCIExyYTRIPLE *colours) {
    static const cmsCIExyYTRIPLE rec709 = {{0.640, 0.330, 1}, {0.300, 0.600, 1}, {0.150, 0.060, 1}};
    static const cmsCIExyYTRIPLE rec2020 = {{0.708, 0.292, 1}, {0.170, 0.797, 1}, {0.131, 0.046, 1}};
    static const cmsCIExyYTRIPLE p3 = {{0.680, 0.320, 1}, {0.265, 0.690, 1}, {0.150, 0.060, 1}};
    const double *c = info->chromaticities;
    *white = info->primaries == 11 ? (cmsCIExyY){0.314, 0.351, 1} : (cmsCIExyY){0.3127, 0.3290, 1};
    *colours = info->primaries == 9 ? rec2020 : info->primaries == 11 || info->primaries == 12 ? p3 : rec709;
    if (c[0] > 0) {
        *white = (cmsCIExyY){c[0], c[1], 1};
        *colours = (cmsCIExyYTRIPLE){{c[2], c[3], 1}, {c[4], c[5], 1}, {c[6], c[7], 1}};
    }
    return c[0] > 0 || info->primaries == 9 || info->primaries == 11 || info->primaries == 12;
}

// The colours of a picture without a profile; the curve is sRGB's unless the picture names another.
static cmsHPROFILE profile_of_colours(const picture_info *info) {
    static const cmsFloat64Number srgb[] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
    cmsCIExyY white;
    cmsCIExyYTRIPLE colours;
    if (!primaries_of(info, &white, &colours) && info->gamma == 0) return NULL;
    cmsToneCurve *curve =
        info->gamma > 0 ? cmsBuildGamma(NULL, info->gamma) : cmsBuildParametricToneCurve(NULL, 4, srgb);
    if (curve == NULL) return NULL;
    cmsToneCurve *curves[] = {curve, curve, curve};
    cmsHPROFILE profile = cmsCreateRGBProfile(&white, &colours, curves);
    cmsFreeToneCurve(curve);
    return profile;
}

// A profile that moves no colour of a 4 × 4 × 4 grid by more than rounding is sRGB by another name.
static int changes_nothing(cmsHPROFILE profile, cmsHPROFILE srgb) {
    uint8_t before[64 * 4], after[64 * 4];
    for (int i = 0; i < 64; i++) {
        before[i * 4] = (uint8_t)(i % 4 * 85);
        before[i * 4 + 1] = (uint8_t)(i / 4 % 4 * 85);
        before[i * 4 + 2] = (uint8_t)(i / 16 * 85);
        before[i * 4 + 3] = 255;
    }
    memcpy(after, before, sizeof after);
    cmsHTRANSFORM transform =
        cmsCreateTransform(profile, OUTPUT, srgb, OUTPUT, INTENT_PERCEPTUAL, cmsFLAGS_NOOPTIMIZE);
    if (transform == NULL) return 0;
    cmsDoTransform(transform, before, after, 64);
    cmsDeleteTransform(transform);
    for (size_t i = 0; i < sizeof after; i++)
        if (after[i] > before[i] + 1 || before[i] > after[i] + 1) return 0;
    return 1;
}

static void choose_conversion(colour_converter *self, cmsHPROFILE profile, cmsHPROFILE srgb) {
    cmsUInt32Number layout = layout_for(profile, self->info);
    if (layout == 0) return;
    if (cmsGetColorSpace(profile) == cmsSigRgbData && changes_nothing(profile, srgb)) return;
    if (self->info->sample_bytes == 1 && shaper_fits(profile)) self->shaper = shaper_create(profile, srgb);
    if (self->shaper == NULL)
        self->transform = cmsCreateTransform(profile, layout, srgb, OUTPUT, INTENT_PERCEPTUAL, 0);
}

// Opens the picture's profile. Some programs write its length, the first number, too small; Little CMS would not read the
// tags behind it. NULL without a usable profile.
static cmsHPROFILE profile_in(const picture_info *info) {
    size_t size = info->profile_size;
    if (info->profile == NULL || size < 128) return NULL;
    uint8_t *copy = malloc(size);
    if (copy == NULL) return NULL;
    memcpy(copy, info->profile, size);
    for (int i = 0; i < 4; i++) copy[i] = (uint8_t)(size >> (24 - i * 8));
    cmsHPROFILE profile = cmsOpenProfileFromMem(copy, (cmsUInt32Number)size);
    free(copy);
    return profile;
}

colour_converter *colour_converter_create(const picture_info *info) {
    colour_converter *self = calloc(1, sizeof *self);
    if (self == NULL) return NULL;
    self->info = info;
    cmsHPROFILE profile = profile_in(info);
    if (profile == NULL) profile = profile_of_colours(info);
    cmsHPROFILE srgb = profile == NULL ? NULL : cmsCreate_sRGBProfile();
    if (srgb != NULL) {
        choose_conversion(self, profile, srgb);
        cmsCloseProfile(srgb);
    }
    if (profile != NULL) cmsCloseProfile(profile);
    return self;
}

void colour_converter_destroy(colour_converter *self) {
    if (self->transform != NULL) cmsDeleteTransform(self->transform);
    shaper_destroy(self->shaper);
    free(self);
}

int colour_converter_is_first(const colour_converter *self) {
    return self->info->has_alpha || self->info->sample_bytes > 1;
}

static void narrow(const uint16_t *source, uint8_t *target, size_t samples) {
    for (size_t i = 0; i < samples; i++) target[i] = (uint8_t)((source[i] + 128u) / 257);
}

static void convert_plainly(uint8_t *pixels, size_t count, pixel_model model) {
    unsigned flip = model == PIXELS_CMYK ? 255 : 0;
    for (size_t i = 0; i < count; i++, pixels += 4) {
        unsigned black = pixels[3] ^ flip;
        for (int c = 0; c < 3; c++) pixels[c] = (uint8_t)(((pixels[c] ^ flip) * black + 127) / 255);
    }
}

static void blend_over_white(uint8_t *row, uint32_t width) {
    for (uint32_t x = 0; x < width; x++, row += 4) {
        unsigned alpha = row[3];
        if (alpha == 255) continue;
        for (int c = 0; c < 3; c++) row[c] = (uint8_t)((row[c] * alpha + 255 * (255 - alpha) + 127) / 255);
        row[3] = 255;
    }
}

void colour_converter_row(colour_converter *self, void *source, uint8_t *target, uint32_t width) {
    const picture_info *info = self->info;
    if (info->sample_bytes > 1)
        narrow(source, target, (size_t)width * 4);  // sets alpha, and all samples if no conversion follows
    else if (source != target)
        memcpy(target, source, (size_t)width * 4);
    if (self->transform != NULL)
        cmsDoTransform(self->transform, info->sample_bytes > 1 ? source : target, target, width);
    else if (self->shaper != NULL)
        shaper_row(self->shaper, target, width);
    else if (is_cmyk(info->model))
        convert_plainly(target, width, info->model);
    if (is_cmyk(info->model))
        for (uint32_t x = 0; x < width; x++) target[x * 4 + 3] = 255;
    if (info->has_alpha) blend_over_white(target, width);
}
