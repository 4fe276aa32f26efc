#ifndef CPHONENUMBERS_H
#define CPHONENUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The limit of a phone number's bytes in any spelling.
#define CPHONENUMBERS_MAX_BYTES 64

/// The kind of a number's line, as far as its range shows it. The values are libphonenumber's own.
typedef enum {
    CPHONENUMBERS_FIXED_LINE = 0,
    CPHONENUMBERS_MOBILE = 1,
    CPHONENUMBERS_FIXED_LINE_OR_MOBILE = 2,
    CPHONENUMBERS_TOLL_FREE = 3,
    CPHONENUMBERS_PREMIUM_RATE = 4,
    CPHONENUMBERS_SHARED_COST = 5,
    CPHONENUMBERS_VOIP = 6,
    CPHONENUMBERS_PERSONAL = 7,
    CPHONENUMBERS_PAGER = 8,
    CPHONENUMBERS_UAN = 9,
    CPHONENUMBERS_VOICEMAIL = 10,
    CPHONENUMBERS_UNKNOWN = 11
} cphonenumbers_type;

typedef struct {
    /// Normalised, NUL-terminated.
    char e164[24];
    /// ISO 3166 alpha-2 or `001` for ranges of no country, NUL-terminated.
    char region[8];
    int32_t calling_code;
    cphonenumbers_type type;
    /// Whether the numbering plan has numbers of this length.
    bool is_possible;
    /// Whether the number is in a range that the metadata knows.
    bool is_valid;
} cphonenumbers_facts;

/// Parses a number of `+`, a country code and digits only.
///
/// May be called from any thread. No C++ exception leaves it. `text` need not be terminated and is not kept. The first call
/// loads the metadata (some 10 ms).
///
/// @return whether it is a number with an existing country code; `facts` is written only then.
bool cphonenumbers_read(const char *text, size_t length, cphonenumbers_facts *facts);

/// Whether the metadata has numbers of this region. `region` is ISO 3166 alpha-2 in upper case, NUL-terminated.
bool cphonenumbers_knows_region(const char *region);

/// Whether the metadata has numbers with this calling code.
bool cphonenumbers_knows_calling_code(int32_t calling_code);

#ifdef __cplusplus
}
#endif

#endif
