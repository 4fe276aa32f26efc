// From a transfer characteristic to sRGB's, in the same primaries.
#pragma once

#include <stdint.h>

#define TRANSFER_SRGB 13

/// Whether values of this characteristic (H.273) can stay as they are: all but pure powers (4, 5), linear light
/// (8), PQ (16) and HLG (18).
int transfer_is_like_srgb(uint16_t transfer);

/// The 8-bit value for each value of `bits` bits. PQ and HLG are tone-mapped, red, green and blue each for
/// itself: up to half of reference white (203 cd/m², ITU-R BT.2408) light stays as it is, and what is above is
/// compressed until 1,000 cd/m² are white (Reinhard's extended curve from the knee on).
void transfer_table(uint16_t transfer, int bits, uint8_t *table);

/// sRGB's curve: linear light to its encoded value, both 0 to 1.
double transfer_encode(double light);
