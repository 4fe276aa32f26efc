#include "CResources.h"

// #embed is a part of C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char openapi[] = {
#embed "../../Apps/DaylyServer/openapi.yaml"
};
static const unsigned char invitation_en[] = {
#embed "../../Apps/DaylyServer/Pages/invitation.en.json" suffix(, 0)
};
static const unsigned char invitation_de[] = {
#embed "../../Apps/DaylyServer/Pages/invitation.de.json" suffix(, 0)
};
static const unsigned char lifecycle[] = {
#embed "../../../storage/lifecycle.json"
};
static const unsigned char cors[] = {
#embed "../../../storage/cors.json"
};
static const unsigned char policy[] = {
#embed "../../../storage/policy.json"
};
static const unsigned char bucket_policy[] = {
#embed "../../../storage/bucket-policy.json"
};

resource resource_openapi(void) { return (resource){openapi, sizeof openapi}; }
const char *invitation_words_en(void) { return (const char *)invitation_en; }
const char *invitation_words_de(void) { return (const char *)invitation_de; }
resource resource_lifecycle(void) { return (resource){lifecycle, sizeof lifecycle}; }
resource resource_cors(void) { return (resource){cors, sizeof cors}; }
resource resource_policy(void) { return (resource){policy, sizeof policy}; }
resource resource_bucket_policy(void) { return (resource){bucket_policy, sizeof bucket_policy}; }
