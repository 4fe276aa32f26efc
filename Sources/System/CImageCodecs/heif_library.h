// libheif, loaded only for a HEIF: with all its codecs it takes longer to load than a small JPEG takes to decode.
#pragma once

#include <libheif/heif.h>
#include <libheif/heif_plugin.h>

#define HEIF_FUNCTIONS(F) \
    F(init) F(context_alloc) F(context_free) F(context_set_max_decoding_threads) \
    F(context_read_from_reader) \
    F(context_get_primary_image_handle) F(context_get_image_handle) \
    F(image_handle_release) F(image_handle_get_width) F(image_handle_get_height) \
    F(image_handle_get_ispe_width) F(image_handle_get_ispe_height) \
    F(image_handle_has_alpha_channel) F(image_handle_is_premultiplied_alpha) \
    F(image_handle_get_raw_color_profile_size) F(image_handle_get_raw_color_profile) \
    F(image_handle_get_nclx_color_profile) F(nclx_color_profile_free) \
    F(decoding_options_alloc) F(decoding_options_free) F(decode_image) F(image_release) \
    F(image_get_decoding_warnings) F(image_get_width) F(image_get_height) \
    F(image_get_plane_readonly) F(image_get_bits_per_pixel_range) F(register_decoder_plugin) F(image_create) \
    F(image_add_plane) F(image_get_plane) F(nclx_color_profile_alloc) F(image_set_nclx_color_profile)

typedef struct {
#define HEIF_MEMBER(name) __typeof__(heif_##name) *name;
    HEIF_FUNCTIONS(HEIF_MEMBER)
#undef HEIF_MEMBER
} heif_library;

/// Loads the library at the first call. NULL when it is not installed, or the sandbox forbids access to files.
const heif_library *heif_library_load(void);
