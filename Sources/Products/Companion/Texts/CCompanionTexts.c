#include "CCompanionTexts.h"

// #embed is a part of C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char en[] = {
#embed "en.json" suffix(, 0)
};
static const unsigned char de[] = {
#embed "de.json" suffix(, 0)
};

const char *companion_texts_en(void) { return (const char *)en; }
const char *companion_texts_de(void) { return (const char *)de; }
