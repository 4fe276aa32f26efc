// Converts values from a transfer characteristic to sRGB's curve, with the same primaries.
#pragma once

#include <stdint.h>

#define TRANSFER_SRGB 13

/// Whether values of this characteristic (ITU-T H.273) can stay as they are: all except pure powers (4, 5), linear light
/// (8), PQ (16) and HLG (18).
int transfer_is_like_srgb(uint16_t transfer);

/// Fills the table that maps each value of `bits` bits, in the full range or the narrow one of video, to 8 bits. PQ and HLG are tone-mapped, separately for red, green and
/// blue: light up to half of reference white (203 cd/m², ITU-R BT.2408) stays as it is, and brighter light is compressed so
/// that 1,000 cd/m² is white (Reinhard's extended curve above the knee).
void transfer_table(uint16_t transfer, int bits, int is_full_range, uint8_t *table);

/// sRGB's curve from linear light to the encoded value, both from 0 to 1.
double transfer_encode(double light);
