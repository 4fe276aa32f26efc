// Runs one program and prints as JSON what it used: CPU time with that of its children, wall time, peak memory.
//
//   start command PROGRAM [ARGUMENT…]          as a shell does
//   start worker PROGRAM INPUT PHOTO THUMBNAIL  as the server starts its photo-worker; what it answers is written
//                                               to the files PHOTO and THUMBNAIL after the clock has stopped
//
// Its own memory stays small: a child that is spawned inherits its parent's peak.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "CProcess.h"

// The sizes and limits that the server sets, as in ImageProcessorConfiguration.
#define PHOTO_EDGE 2048
#define THUMBNAIL_EDGE 480
static const char *const worker_arguments[] = {"photo-worker", "50000000", "16384", "50", "2048", "480", "80", NULL};
static const process_limits worker_limits = {
    .memory_bytes = 1u << 30,
    .cpu_seconds = 6,
    .file_bytes = (PHOTO_EDGE * PHOTO_EDGE + THUMBNAIL_EDGE * THUMBNAIL_EDGE) * 4 + 128 * 1024,
};

extern char **environ;

static void fail(const char *what, int error) {
    fprintf(stderr, "start: %s: %s\n", what, strerror(error));
    exit(1);
}

static double milliseconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static double of(struct timeval time) {
    return (double)time.tv_sec * 1e3 + (double)time.tv_usec / 1e3;
}

static void report(pid_t process, double began) {
    int status;
    struct rusage usage;
    if (wait4(process, &status, 0, &usage) < 0) fail("wait4", errno);
    double wall = milliseconds(CLOCK_MONOTONIC) - began;
    printf(
        "{\"cpu_ms\": %.3f, \"wall_ms\": %.3f, \"peak_mib\": %.3f, \"status\": %d}\n",
        of(usage.ru_utime) + of(usage.ru_stime), wall, (double)usage.ru_maxrss / 1024,
        WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

static void run_command(char **arguments) {
    pid_t process;
    double began = milliseconds(CLOCK_MONOTONIC);
    int error = posix_spawnp(&process, arguments[0], NULL, NULL, arguments, environ);
    if (error) fail(arguments[0], error);
    report(process, began);
}

// The picture in a sealed memory file, copied by the kernel.
static int sealed(const char *path) {
    struct stat info;
    int file = open(path, O_RDONLY | O_CLOEXEC), memory = process_memory_file("photo");
    if (file < 0 || memory < 0 || fstat(file, &info) < 0) fail(path, errno);
    for (off_t done = 0; done < info.st_size;)
        if (sendfile(memory, file, &done, (size_t)(info.st_size - done)) <= 0) fail(path, errno);
    close(file);
    int error = process_seal(memory);
    if (error) fail("seal", -error);
    return memory;
}

static void keep(const char *path, int answer, size_t count, uint64_t offset) {
    char *bytes = malloc(count);
    FILE *file = fopen(path, "wb");
    if (bytes == NULL || file == NULL || process_read_exactly(answer, bytes, count, offset) ||
        fwrite(bytes, 1, count, file) != count || fclose(file))
        fail(path, errno);
    free(bytes);
}

static void run_worker(char **arguments) {
    pid_t process;
    int descriptor;
    double began = milliseconds(CLOCK_MONOTONIC);
    int input = sealed(arguments[1]), answer = process_memory_file("answer");
    if (answer < 0 || process_fix_size(answer, worker_limits.file_bytes)) fail("memory file", errno);
    int error = process_spawn(
        arguments[0], worker_arguments, input, answer, &worker_limits, &process, &descriptor);
    if (error) fail(arguments[0], -error);
    struct pollfd end = {.fd = descriptor, .events = POLLIN};
    if (poll(&end, 1, 15000) != 1) process_kill(process);
    report(process, began);

    photo_worker_answer header;
    if (process_read_exactly(answer, &header, sizeof header, 0)) fail("answer", EIO);
    keep(arguments[2], answer, header.photo_bytes, sizeof header);
    keep(arguments[3], answer, header.thumbnail_bytes, sizeof header + header.photo_bytes);
}

int main(int count, char **arguments) {
    if (count >= 3 && strcmp(arguments[1], "command") == 0) {
        run_command(arguments + 2);
    } else if (count == 6 && strcmp(arguments[1], "worker") == 0) {
        run_worker(arguments + 2);
    } else {
        fputs("usage: start command PROGRAM [ARGUMENT…] | start worker PROGRAM INPUT PHOTO THUMBNAIL\n", stderr);
        return 2;
    }
    return 0;
}
