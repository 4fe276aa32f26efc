// A HEIF as libheif sees it: boxes that describe the primary picture only, and behind them the file's own bytes.
#pragma once

#include "CImageCodecs.h"
#include "heif_library.h"

typedef struct {
    const uint8_t *bytes;
    size_t count;
    heif_contents contents;  // with memory of its own
} heif_file;

/// One thread's view of the file. libheif's contexts share nothing.
typedef struct {
    const heif_file *file;
    struct heif_context *context;
    size_t position;
} heif_view;

codec_status heif_status_of(struct heif_error error);

/// `bytes` must outlive the file. The caller must close it after a failure too.
codec_status heif_file_open(heif_file *file, const uint8_t *bytes, size_t count, const heif_contents *contents);
void heif_file_close(heif_file *file);

/// Reads the boxes. The view must stay where it is until it is closed, also after a failure.
codec_status heif_view_open(const heif_library *heif, heif_view *view, const heif_file *file);
void heif_view_close(const heif_library *heif, heif_view *view);
