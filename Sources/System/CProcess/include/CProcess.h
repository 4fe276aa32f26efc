// System calls for running an untrusted child that Swift cannot make: memory files with seals, processes that
// start in a closed world, process descriptors. No function here is variadic or returns through errno:
// a negative result is -errno.
#pragma once

#include "photo_worker.h"

#include <stdint.h>
#include <sys/types.h>

/// The largest descriptor number a child of `process_spawn` may open is one below this.
#define PROCESS_MAX_FILES 16
/// No decoder has more threads; dav1d takes one per core, and 256 at most. No limit of the kernel's counts the
/// threads of one process, so this one is looked at now and then.
#define PROCESS_MAX_THREADS 300

/// Why `process_wait` returned.
#define PROCESS_OVERDUE 0
#define PROCESS_ENDED 1
#define PROCESS_TOO_MANY_THREADS 2

typedef struct {
    uint64_t memory_bytes;  ///< Address space, RLIMIT_AS.
    uint64_t cpu_seconds;   ///< CPU time, RLIMIT_CPU: SIGXCPU, and SIGKILL a second later.
    uint64_t file_bytes;    ///< Largest file offset that may be written, RLIMIT_FSIZE.
} process_limits;

typedef struct {
    int exit_code;            ///< 0 to 255, or -1 when a signal ended the process.
    int signal;               ///< The signal that ended it, or 0.
    int64_t cpu_microseconds; ///< User and system time it used.
    int64_t peak_bytes;       ///< Most memory it held at once; 0 when that was less than our own peak.
} process_end;

/// A new anonymous file in memory, close-on-exec and sealable; its descriptor is above the standard three.
int process_memory_file(const char *name);
/// Writes all bytes at the start of a memory file, then forbids every further change to it.
int process_fill_and_seal(int descriptor, const void *bytes, size_t count);
/// Gives a memory file its size for good: it can be written, but neither grow nor shrink.
int process_fix_size(int descriptor, size_t count);
/// Reads exactly `count` bytes at `offset`; -EIO when there are fewer.
int process_read_exactly(int descriptor, void *bytes, size_t count, uint64_t offset);
void process_close(int descriptor);

/// Starts `path` in a process group of its own with `input` as descriptor 0, `output` as 1, /dev/null as 2, all
/// others closed, default signal handling, an empty environment, the limits, no way to more privileges, first in
/// line when the machine's memory runs out, and killed when the calling *thread* ends. All that holds before the
/// program's first instruction. Returns 0 and the process's id and descriptor; the id stays valid until
/// `process_reap`.
int process_spawn(
    const char *path, const char *const *arguments, int input, int output, const process_limits *limits,
    pid_t *id, int *descriptor);
/// Waits for the end of a process without reaping it, at most so long. Looks at it now and then: how much memory
/// it has held at most (0 when it ended before the first look), and whether it makes threads without end.
int process_wait(pid_t id, int descriptor, int64_t milliseconds, int64_t *peak_bytes);
/// Kills a process and all of its group. Harmless after its end, before its reaping.
void process_kill(pid_t id);
/// Collects a process that has ended or was killed, and what it started in its group.
int process_reap(pid_t id, process_end *end);

/// Large buffers come from the kernel and go back to it when they are freed. Left alone, glibc raises its threshold to
/// the largest buffer that was ever freed and keeps what such buffers have used; and each thread may have an arena of
/// its own that does the same. For servers that hold much for moments; to be called once, at the start.
void process_keep_little_memory(void);
/// The processors this process may use, at least 1.
int process_core_count(void);
/// The path of the running executable; its length, or -errno.
int process_executable_path(char *buffer, size_t capacity);
