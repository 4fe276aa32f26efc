// Files that are embedded when this is built. The C compiler does it, because for Swift's an array literal of a quarter of
// a million bytes takes most of the time of the module that holds it.
#pragma once

#include <stddef.h>

/// The bytes of a file, which are there as long as the program runs.
typedef struct {
    const unsigned char *bytes;
    size_t count;
} resource;

/// The OpenAPI description of the HTTP API.
resource resource_openapi(void);

// The words of an invitation's page, as JSON in UTF-8.
const char *invitation_words_en(void);
const char *invitation_words_de(void);

// The files of storage/.
resource resource_lifecycle(void);
resource resource_cors(void);
resource resource_policy(void);
resource resource_bucket_policy(void);
