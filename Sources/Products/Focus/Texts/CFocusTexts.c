#include "CFocusTexts.h"

// #embed is a part of C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char en[] = {
#embed "en.json" suffix(, 0)
};
static const unsigned char de[] = {
#embed "de.json" suffix(, 0)
};
static const unsigned char quips_en[] = {
#embed "quips.en.json" suffix(, 0)
};

const char *focus_texts_en(void) { return (const char *)en; }
const char *focus_texts_de(void) { return (const char *)de; }
const char *focus_quips_en(void) { return (const char *)quips_en; }
