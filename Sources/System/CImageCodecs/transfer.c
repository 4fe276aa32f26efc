#include "transfer.h"

#include <math.h>

#define REFERENCE_WHITE 203.0
#define PEAK 1000.0
#define KNEE 0.5  // of reference white

int transfer_is_like_srgb(uint16_t transfer) {
    return transfer != 4 && transfer != 5 && transfer != 8 && transfer != 16 && transfer != 18;
}

double transfer_encode(double light) {
    if (light <= 0) return 0;
    if (light >= 1) return 1;
    return light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055;
}

// The light of a PQ value (SMPTE ST 2084), in cd/m².
static double perceptual_quantizer(double value) {
    const double m1 = 2610.0 / 16384, m2 = 2523.0 / 32, c1 = 3424.0 / 4096, c2 = 2413.0 / 128,
                 c3 = 2392.0 / 128;
    double root = pow(value, 1 / m2);
    return 10000 * pow(fmax(root - c1, 0) / (c2 - c3 * root), 1 / m1);
}

// The light of an HLG value (ITU-R BT.2100) on a display of 1,000 cd/m², in cd/m².
static double hybrid_log_gamma(double value) {
    const double a = 0.17883277, b = 0.28466892, c = 0.55991073;
    double scene = value <= 0.5 ? value * value / 3 : (exp((value - c) / a) + b) / 12;
    return PEAK * pow(scene, 1.2);
}

static double tone_mapped(double luminance) {
    double light = fmin(luminance, PEAK) / REFERENCE_WHITE;
    if (light <= KNEE) return light;
    double above = (light - KNEE) / (1 - KNEE), most = (PEAK / REFERENCE_WHITE - KNEE) / (1 - KNEE);
    return KNEE + (1 - KNEE) * above * (1 + above / (most * most)) / (1 + above);
}

static double converted(uint16_t transfer, double value) {
    switch (transfer) {
    case 4:
        return transfer_encode(pow(value, 2.2));
    case 5:
        return transfer_encode(pow(value, 2.8));
    case 8:
        return transfer_encode(value);
    case 16:
        return transfer_encode(tone_mapped(perceptual_quantizer(value)));
    case 18:
        return transfer_encode(tone_mapped(hybrid_log_gamma(value)));
    default:
        return value;
    }
}

void transfer_table(uint16_t transfer, int bits, int is_full_range, uint8_t *table) {
    int most = (1 << bits) - 1;
    double black = is_full_range ? 0 : 16 << (bits - 8), white = is_full_range ? most : 235 << (bits - 8);
    for (int value = 0; value <= most; value++) {
        double part = fmin(fmax((value - black) / (white - black), 0), 1);
        table[value] = (uint8_t)lrint(converted(transfer, part) * 255);
    }
}
