#include "heif_library.h"
#include "heif_hevc.h"

#include <dlfcn.h>
#include <stddef.h>

const heif_library *heif_library_load(void) {
    static heif_library library;
    static const heif_library *loaded;
    if (loaded != NULL) return loaded;
    void *handle = dlopen("libheif.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (handle == NULL) return NULL;
#define HEIF_FIND(name) \
    library.name = (__typeof__(library.name))dlsym(handle, "heif_" #name); \
    if (library.name == NULL) return NULL;
    HEIF_FUNCTIONS(HEIF_FIND)
#undef HEIF_FIND
    library.init(NULL);
    heif_hevc_register(&library);
    loaded = &library;
    return loaded;
}
