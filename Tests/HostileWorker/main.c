// hostile-worker: behaves like a photo-worker under the control of a hostile picture, in the same sandbox. Test only.
//
// As a worker: descriptor 0 holds "hostile MODE ATTEMPT", MODE being `single` or `threaded` (the sandbox for
// formats without and with threads) or `free` (no sandbox: what is left is what the parent imposes).
// By hand: `sweep single|threaded` tells which system calls the sandbox lets live, `refuse PROGRAM ARGUMENT…` runs
// a program where the kernel refuses filters, `parent PROGRAM` starts a worker that sleeps and waits to be killed.
#define _GNU_SOURCE
#include "hostile.h"

#include "CProcess.h"
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// Makes the same steps in the same order as photo-worker.
static int enter(const char *mode) {
    if (sandbox_prepare() < 0) return -1;
    if (strcmp(mode, "free") == 0) return 0;
    return sandbox_enter(strcmp(mode, "threaded") == 0);
}

static int work(void) {
    char text[128] = {0}, mode[32], attempt[64];
    if (pread(0, text, sizeof text - 1, 0) < 0) return 2;
    if (sscanf(text, "hostile %31s %63s", mode, attempt) != 2) return 2;
    hostile_preparation prepared = {.parent = getppid()};
    if (enter(mode) < 0) return PHOTO_WORKER_SANDBOX_REFUSED;
    hostile_try(attempt, &prepared);
    return 2;
}

int hostile_sweep(int with_threads) {
    for (int call = 0; call < 600; call++) {
        pid_t child = fork();
        if (child == 0) {
            if (enter(with_threads ? "threaded" : "single") < 0) _exit(2);
            syscall(call, -1, -1, -1, -1, -1, -1);
            _exit(0);
        }
        int status;
        if (waitpid(child, &status, 0) != child) return 1;
        if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGSYS) printf("%d\n", call);
    }
    return 0;
}

static int refuse(char **program) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (filter == NULL || seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(seccomp), 0) < 0 ||
        seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prctl), 1, SCMP_A0(SCMP_CMP_EQ, PR_SET_SECCOMP)) < 0 ||
        seccomp_load(filter) < 0)
        return 2;
    char *arguments[16] = {"photo-worker"};
    for (int i = 1; i < 15 && program[i]; i++) arguments[i] = program[i];
    execv(program[0], arguments);
    return 2;
}

static int parent(const char *program) {
    static const char order[] = "hostile free sleep";
    int input = process_memory_file("photo"), output = process_memory_file("answer");
    if (input < 0 || output < 0 ||
        process_append(input, order, sizeof order) < 0 || process_seal(input) < 0)
        return 2;
    const char *const arguments[] = {"photo-worker", NULL};
    process_limits limits = {.memory_bytes = 1 << 28, .cpu_seconds = 60, .file_bytes = 1 << 20};
    pid_t id;
    int descriptor;
    if (process_spawn(program, arguments, input, output, &limits, &id, &descriptor) < 0) return 2;
    printf("%d\n", id);
    fflush(stdout);
    pause();
    return 0;
}

int main(int count, char **arguments) {
    if (count == 3 && strcmp(arguments[1], "sweep") == 0)
        return hostile_sweep(strcmp(arguments[2], "threaded") == 0);
    if (count > 2 && strcmp(arguments[1], "refuse") == 0) return refuse(arguments + 2);
    if (count == 3 && strcmp(arguments[1], "parent") == 0) return parent(arguments[2]);
    return work();
}
