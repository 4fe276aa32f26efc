// The interface between the server and its photo-worker. The worker reads the picture from descriptor 0 and writes its
// answer into the file at descriptor 1. Its arguments are decimal numbers in this order: the limit of pixels, of a side and
// of scans, the photo's long edge, the thumbnail's, and the JPEG quality. Two more are optional: the formats to read (the
// sum of 1 << photo_format; by default all), and whether to enter the sandbox (1, the default, or 0).
#pragma once

#include <stdint.h>

#define PHOTO_WORKER_ENUM __attribute__((enum_extensibility(closed)))
#define PHOTO_WORKER_CASE(name) __attribute__((swift_name(#name)))

/// The worker's exit codes.
typedef enum PHOTO_WORKER_ENUM {
    PHOTO_WORKER_DONE PHOTO_WORKER_CASE(done) = 0,
    PHOTO_WORKER_UNSUPPORTED PHOTO_WORKER_CASE(unsupported) = 10,
    PHOTO_WORKER_UNREADABLE PHOTO_WORKER_CASE(unreadable) = 11,
    PHOTO_WORKER_TOO_LARGE PHOTO_WORKER_CASE(tooLarge) = 12,
    PHOTO_WORKER_OUT_OF_MEMORY PHOTO_WORKER_CASE(outOfMemory) = 13,
    /// Wrong arguments or descriptors.
    PHOTO_WORKER_NOT_SET_UP PHOTO_WORKER_CASE(notSetUp) = 14,
    /// The kernel, or an emulation of it, allows no system call filter.
    PHOTO_WORKER_SANDBOX_REFUSED PHOTO_WORKER_CASE(sandboxRefused) = 15,
} photo_worker_exit;

typedef enum PHOTO_WORKER_ENUM {
    PHOTO_FORMAT_UNKNOWN PHOTO_WORKER_CASE(unknown) = 0,
    PHOTO_FORMAT_JPEG PHOTO_WORKER_CASE(jpeg),
    PHOTO_FORMAT_PNG PHOTO_WORKER_CASE(png),
    PHOTO_FORMAT_HEIF PHOTO_WORKER_CASE(heif),
    PHOTO_FORMAT_AVIF PHOTO_WORKER_CASE(avif),
    PHOTO_FORMAT_WEBP PHOTO_WORKER_CASE(webp),
} photo_format;

#define PHOTO_WORKER_MAGIC 0x31594C44u
/// The longest side of the placeholder's source picture, in pixels.
#define PHOTO_PLACEHOLDER_EDGE 100

/// The start of the answer. The photo, the thumbnail and the placeholder's RGBA pixels follow it. The worker writes the
/// first four members as soon as they are known, even if it fails later.
typedef struct {
    uint32_t magic;
    uint32_t format;
    uint32_t source_width;
    uint32_t source_height;
    uint32_t photo_bytes;
    uint32_t photo_width;
    uint32_t photo_height;
    uint32_t thumbnail_bytes;
    uint32_t thumbnail_width;
    uint32_t thumbnail_height;
    uint32_t placeholder_width;
    uint32_t placeholder_height;
} photo_worker_answer;
