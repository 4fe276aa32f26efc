// Everything becomes sRGB, by Little CMS where there is a profile.
#include <string.h>

#include <lcms2.h>

#include "CImageCodecs.h"

#define RGB_AND_SPARE (COLORSPACE_SH(PT_RGB) | EXTRA_SH(1) | CHANNELS_SH(3) | BYTES_SH(1))
#define GREY_AND_SPARE (COLORSPACE_SH(PT_GRAY) | EXTRA_SH(3) | CHANNELS_SH(1) | BYTES_SH(1))

static int is_cmyk(pixel_model model) {
    return model == PIXELS_CMYK || model == PIXELS_CMYK_INVERTED;
}

// The pixel layout in which a profile takes this picture; 0 where it is of another kind.
static cmsUInt32Number layout_for(cmsHPROFILE profile, pixel_model model) {
    cmsProfileClassSignature kind = cmsGetDeviceClass(profile);
    if (kind == cmsSigLinkClass || kind == cmsSigAbstractClass || kind == cmsSigNamedColorClass) return 0;
    switch (cmsGetColorSpace(profile)) {
    case cmsSigRgbData:
        return is_cmyk(model) ? 0 : RGB_AND_SPARE;
    case cmsSigGrayData:
        return model == PIXELS_GREY ? GREY_AND_SPARE : 0;
    case cmsSigCmykData:
        return model == PIXELS_CMYK ? TYPE_CMYK_8 : model == PIXELS_CMYK_INVERTED ? TYPE_CMYK_8_REV : 0;
    default:
        return 0;
    }
}

// sRGB's, and those of ITU-T H.273 that differ from them: BT.2020, DCI-P3, Display P3; or PNG's own. Whether they do.
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

// What a picture without a profile says of its colours, with sRGB's curve where it says nothing of that.
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
static int changes_nothing(cmsHTRANSFORM transform) {
    uint8_t before[64 * 4], after[64 * 4];
    for (int i = 0; i < 64; i++) {
        before[i * 4] = (uint8_t)(i % 4 * 85);
        before[i * 4 + 1] = (uint8_t)(i / 4 % 4 * 85);
        before[i * 4 + 2] = (uint8_t)(i / 16 * 85);
        before[i * 4 + 3] = 255;
    }
    memcpy(after, before, sizeof after);
    cmsDoTransform(transform, before, after, 64);
    for (size_t i = 0; i < sizeof after; i++)
        if (after[i] > before[i] + 1 || before[i] > after[i] + 1) return 0;
    return 1;
}

// Whether the profile could be applied.
static int apply(cmsHPROFILE profile, uint8_t *pixels, size_t count, pixel_model model) {
    cmsUInt32Number layout = layout_for(profile, model);
    if (layout == 0) return 0;
    cmsHPROFILE srgb = cmsCreate_sRGBProfile();
    if (srgb == NULL) return 0;
    cmsHTRANSFORM transform =
        cmsCreateTransform(profile, layout, srgb, RGB_AND_SPARE, INTENT_PERCEPTUAL, 0);
    cmsCloseProfile(srgb);
    if (transform == NULL) return 0;
    if (layout != RGB_AND_SPARE || !changes_nothing(transform))
        cmsDoTransform(transform, pixels, pixels, (cmsUInt32Number)count);
    cmsDeleteTransform(transform);
    return 1;
}

static void convert_plainly(uint8_t *pixels, size_t count, pixel_model model) {
    if (!is_cmyk(model)) return;
    unsigned flip = model == PIXELS_CMYK ? 255 : 0;
    for (size_t i = 0; i < count; i++, pixels += 4) {
        unsigned black = pixels[3] ^ flip;
        for (int c = 0; c < 3; c++) pixels[c] = (uint8_t)(((pixels[c] ^ flip) * black + 127) / 255);
    }
}

void pixels_to_srgb(uint8_t *pixels, size_t count, const picture_info *info) {
    cmsHPROFILE profile = info->profile != NULL
        ? cmsOpenProfileFromMem(info->profile, (cmsUInt32Number)info->profile_size)
        : profile_of_colours(info);
    int applied = profile != NULL && apply(profile, pixels, count, info->model);
    if (profile != NULL) cmsCloseProfile(profile);
    if (!applied) convert_plainly(pixels, count, info->model);
    for (size_t i = 0; i < count; i++) pixels[i * 4 + 3] = 255;
}
