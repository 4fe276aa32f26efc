#define _GNU_SOURCE
#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int process_memory_file(const char *name) {
    int descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0) return -errno;
    if (descriptor > 2) return descriptor;
    // A process started without standard streams: 0, 1 and 2 are what the child's are made of.
    int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    int error = errno;
    close(descriptor);
    return moved < 0 ? -error : moved;
}

int process_fill_and_seal(int descriptor, const void *bytes, size_t count) {
    const char *next = bytes;
    while (count > 0) {
        ssize_t written = write(descriptor, next, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return written < 0 ? -errno : -EIO;
        next += written;
        count -= (size_t)written;
    }
    int seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
    return fcntl(descriptor, F_ADD_SEALS, seals) < 0 ? -errno : 0;
}

int process_fix_size(int descriptor, size_t count) {
    if (ftruncate(descriptor, (off_t)count) < 0) return -errno;
    return fcntl(descriptor, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW) < 0 ? -errno : 0;
}

int process_read_exactly(int descriptor, void *bytes, size_t count, uint64_t offset) {
    char *next = bytes;
    while (count > 0) {
        ssize_t got = pread(descriptor, next, count, (off_t)offset);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return got < 0 ? -errno : -EIO;
        next += got;
        offset += (uint64_t)got;
        count -= (size_t)got;
    }
    return 0;
}

void process_close(int descriptor) {
    close(descriptor);
}

static int set_limit(pid_t id, int resource, uint64_t soft, uint64_t hard) {
    struct rlimit limit = {.rlim_cur = soft, .rlim_max = hard};
    return prlimit(id, resource, &limit, NULL);
}

// posix_spawn cannot set limits, so they follow at once: the child is still being linked then, and has read
// nothing.
static int set_limits(pid_t id, const process_limits *limits) {
    if (set_limit(id, RLIMIT_AS, limits->memory_bytes, limits->memory_bytes) < 0 ||
        set_limit(id, RLIMIT_CPU, limits->cpu_seconds, limits->cpu_seconds + 1) < 0 ||
        set_limit(id, RLIMIT_FSIZE, limits->file_bytes, limits->file_bytes) < 0 ||
        set_limit(id, RLIMIT_NOFILE, PROCESS_MAX_FILES, PROCESS_MAX_FILES) < 0 ||
        set_limit(id, RLIMIT_CORE, 0, 0) < 0)
        return -errno;
    return 0;
}

static int spawn(
    const char *path, const char *const *arguments, int input, int output, pid_t *id,
    posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes) {
    static char *const no_environment[] = {NULL};
    sigset_t signals;
    int error;
    if ((error = posix_spawn_file_actions_adddup2(actions, input, 0)) ||
        (error = posix_spawn_file_actions_adddup2(actions, output, 1)) ||
        (error = posix_spawn_file_actions_addopen(actions, 2, "/dev/null", O_WRONLY, 0)) ||
        (error = posix_spawn_file_actions_addclosefrom_np(actions, 3)))
        return error;
    sigemptyset(&signals);
    if ((error = posix_spawnattr_setsigmask(attributes, &signals))) return error;
    sigfillset(&signals);
    if ((error = posix_spawnattr_setsigdefault(attributes, &signals)) ||
        (error = posix_spawnattr_setpgroup(attributes, 0)) ||
        (error = posix_spawnattr_setflags(
             attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP)))
        return error;
    return posix_spawn(id, path, actions, attributes, (char *const *)arguments, no_environment);
}

int process_spawn(
    const char *path, const char *const *arguments, int input, int output, const process_limits *limits,
    pid_t *id, int *descriptor) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return -error;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        error = spawn(path, arguments, input, output, id, &actions, &attributes);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    if (error) return -error;

    error = set_limits(*id, limits);
    *descriptor = error ? -1 : pidfd_open(*id, 0);
    if (!error && *descriptor < 0) error = -errno;
    if (error) {
        process_end end;
        process_kill(*id);
        process_reap(*id, &end);
    }
    return error;
}

static int64_t now_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// The most memory a living process has held at once, or 0.
static int64_t peak_of(int status) {
    char text[4096];
    ssize_t count = pread(status, text, sizeof text - 1, 0);
    if (count <= 0) return 0;
    text[count] = 0;
    const char *line = strstr(text, "\nVmHWM:");
    return line ? strtoll(line + 7, NULL, 10) * 1024 : 0;
}

static int64_t smaller(int64_t one, int64_t other) {
    return one < other ? one : other;
}

static int wait_and_watch(int descriptor, int64_t milliseconds, int status, int64_t *peak_bytes) {
    int64_t deadline = now_milliseconds() + milliseconds;
    for (int64_t pause = 1;; pause = smaller(pause * 3 / 2 + 1, 20)) {
        int64_t left = deadline - now_milliseconds();
        struct pollfd wanted = {.fd = descriptor, .events = POLLIN};
        int ready = poll(&wanted, 1, left < 0 ? 0 : (int)smaller(left, status < 0 ? 1000000 : pause));
        if (ready < 0 && errno != EINTR) return -errno;
        if (ready > 0) return 1;
        if (left <= 0) return 0;
        int64_t peak = status < 0 ? 0 : peak_of(status);
        if (peak > *peak_bytes) *peak_bytes = peak;
    }
}

int process_wait(pid_t id, int descriptor, int64_t milliseconds, int64_t *peak_bytes) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/status", (int)id);
    int status = open(path, O_RDONLY | O_CLOEXEC);
    *peak_bytes = 0;
    int result = wait_and_watch(descriptor, milliseconds, status, peak_bytes);
    if (status >= 0) close(status);
    return result;
}

void process_kill(pid_t id) {
    kill(-id, SIGKILL);
    kill(id, SIGKILL);
}

int process_reap(pid_t id, process_end *end) {
    int status;
    struct rusage usage;
    // What it left running in its group goes with it, while its id is still ours.
    kill(-id, SIGKILL);
    for (;;) {
        pid_t reaped = wait4(id, &status, 0, &usage);
        if (reaped == id) break;
        if (reaped < 0 && errno != EINTR) return -errno;
    }
    end->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    end->cpu_microseconds =
        ((int64_t)usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 + usage.ru_utime.tv_usec +
        usage.ru_stime.tv_usec;
    // posix_spawn lends the child our memory until it executes, and the kernel counts that as the child's peak:
    // only a larger one is its own.
    struct rusage own;
    getrusage(RUSAGE_SELF, &own);
    end->peak_bytes = usage.ru_maxrss > own.ru_maxrss ? (int64_t)usage.ru_maxrss * 1024 : 0;
    return 0;
}

int process_core_count(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return CPU_COUNT(&set);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

int process_executable_path(char *buffer, size_t capacity) {
    ssize_t count = readlink("/proc/self/exe", buffer, capacity);
    return count < 0 ? -errno : (int)count;
}
