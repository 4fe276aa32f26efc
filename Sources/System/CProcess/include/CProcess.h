// The Linux calls for an untrusted child process that Swift cannot make: memory files with seals, processes that start with
// limits and without access to anything else, process descriptors. No function is variadic or reports through errno: a
// negative result is -errno.
#pragma once

#include "photo_worker.h"

#include <stdint.h>
#include <sys/types.h>

/// The limit of open files of a child of `process_spawn`. Its largest possible descriptor is one less.
#define PROCESS_MAX_FILES 16
/// The largest number of threads of any decoder: dav1d takes one per core, and 256 at most. The kernel has no limit for the
/// threads of one process, so `process_wait` checks their number now and then.
#define PROCESS_MAX_THREADS 300

/// The niceness that a child of `process_spawn` has more than its parent: it gets the time that the parent leaves over.
#define PROCESS_NICENESS 10

/// The reasons for which `process_wait` returns.
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
    int64_t peak_bytes;       ///< Its peak memory; 0 when that was less than our own peak.
} process_end;

/// Creates an anonymous file in memory, close-on-exec and sealable. Its descriptor is above 2.
int process_memory_file(const char *name);
/// Writes the bytes after those that a memory file has already.
int process_append(int descriptor, const void *bytes, size_t count);
/// Forbids every further change to a memory file.
int process_seal(int descriptor);
/// Fixes the size of a memory file: it can be written, but can neither grow nor shrink.
int process_fix_size(int descriptor, size_t count);
/// Reads exactly `count` bytes at `offset`; -EIO when there are fewer.
int process_read_exactly(int descriptor, void *bytes, size_t count, uint64_t offset);
void process_close(int descriptor);

/// Starts `path` in a process group of its own, with `input` as descriptor 0, `output` as 1, /dev/null as 2 and all others
/// closed, with default signal handling, an empty environment, the limits, less claim to processors, and no way to gain
/// privileges. The kernel kills it first when the machine runs out of memory, and when the calling *thread* ends. All this is in force before the
/// program's first instruction. Returns 0 and the process's id and descriptor. The id stays valid until `process_reap`.
int process_spawn(
    const char *path, const char *const *arguments, int input, int output, const process_limits *limits,
    pid_t *id, int *descriptor);
/// Waits at most this long for the end of a process, without reaping it. Meanwhile it observes the process's peak memory (0
/// when the process ended before the first observation) and returns early when it has too many threads.
int process_wait(pid_t id, int descriptor, int64_t milliseconds, int64_t *peak_bytes);
/// Whether any of its threads runs, waits for a processor or a disk, or was stopped: not all of them sleep.
int process_is_awake(pid_t id);
/// Kills a process and its whole group. Has no effect between its end and `process_reap`.
void process_kill(pid_t id);
/// Collects a process after its end, and kills the rest of its group.
int process_reap(pid_t id, process_end *end);

/// Makes malloc take large buffers from the kernel and return them when they are freed. By default, glibc raises its
/// threshold to the largest buffer freed so far and keeps that memory, in each of many arenas. Servers that hold large
/// buffers for moments should call this once at the start.
void process_keep_little_memory(void);
/// The number of processors that this process may use, at least 1.
int process_core_count(void);
/// Writes the path of the running executable. Returns its length, or -errno.
int process_executable_path(char *buffer, size_t capacity);
