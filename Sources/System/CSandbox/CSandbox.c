#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>

// Exactly the flags of pthread_create: a thread of this process, without a namespace of its own.
#define THREAD_FLAGS                                                                                       \
    (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS |     \
     CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID)

int sandbox_prepare(void) {
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) sigaction(number, &standard, NULL);
    return prctl(PR_SET_DUMPABLE, 0) < 0 ? -1 : 0;
}

// Calls for memory, time and exit. strace -f over all formats showed the calls that the codecs make; the others are calls
// that the same functions of glibc may make instead.
static const int allowed[] = {
    SCMP_SYS(brk),           SCMP_SYS(munmap),       SCMP_SYS(mremap),        SCMP_SYS(madvise),
    SCMP_SYS(futex),         SCMP_SYS(getrandom),    SCMP_SYS(clock_gettime), SCMP_SYS(gettimeofday),
    SCMP_SYS(restart_syscall), SCMP_SYS(exit_group),
};

// Calls at the start and end of a thread.
static const int allowed_with_threads[] = {
    SCMP_SYS(set_robust_list),   SCMP_SYS(rseq),        SCMP_SYS(rt_sigprocmask), SCMP_SYS(exit),
    SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_yield), SCMP_SYS(gettid),
};

// Calls that libraries try but do not need. They fail with an error.
static const struct {
    int call;
    int error;
} refused[] = {
    {SCMP_SYS(open), EACCES},    {SCMP_SYS(openat), EACCES},     {SCMP_SYS(readlink), EACCES},
    {SCMP_SYS(access), EACCES},  {SCMP_SYS(newfstatat), EACCES}, {SCMP_SYS(fstat), EACCES},
    {SCMP_SYS(sysinfo), EPERM},  {SCMP_SYS(prlimit64), EPERM},
};

static int allow(scmp_filter_ctx filter, const int *calls, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[i], 0) < 0) return -1;
    return 0;
}

static int allow_if(scmp_filter_ctx filter, int call, struct scmp_arg_cmp condition) {
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 1, condition);
}

static int add_rules(scmp_filter_ctx filter) {
    if (allow(filter, allowed, sizeof allowed / sizeof *allowed) < 0) return -1;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(refused[i].error), refused[i].call, 0) < 0) return -1;
    // Memory that is never executable, writing to the answer's file, and writing to standard error, which is /dev/null.
    if (allow_if(filter, SCMP_SYS(mmap), SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)) < 0 ||
        allow_if(filter, SCMP_SYS(mprotect), SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)) < 0 ||
        allow_if(filter, SCMP_SYS(pwrite64), SCMP_A0(SCMP_CMP_EQ, 1)) < 0 ||
        allow_if(filter, SCMP_SYS(write), SCMP_A0(SCMP_CMP_EQ, 2)) < 0)
        return -1;
    return 0;
}

static int add_thread_rules(scmp_filter_ctx filter) {
    if (allow(filter, allowed_with_threads, sizeof allowed_with_threads / sizeof *allowed_with_threads) < 0)
        return -1;
    // Without clone3 glibc falls back to clone, whose flags a filter can read.
    if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) < 0 ||
        allow_if(filter, SCMP_SYS(clone), SCMP_A0(SCMP_CMP_EQ, THREAD_FLAGS)) < 0 ||
        // Only the two signals that glibc reserves for itself, so that SIGXCPU cannot be caught.
        allow_if(filter, SCMP_SYS(rt_sigaction), SCMP_A0(SCMP_CMP_EQ, 32)) < 0 ||
        allow_if(filter, SCMP_SYS(rt_sigaction), SCMP_A0(SCMP_CMP_EQ, 33)) < 0 ||
        allow_if(filter, SCMP_SYS(prctl), SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME)) < 0)
        return -1;
    return 0;
}

int sandbox_enter(int with_threads) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
    if (filter == NULL) return -1;
    int result = 0;
    // Calls of another architecture kill the process too, and the filter applies to all existing threads.
    if (seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) < 0 ||
        seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1) < 0 || add_rules(filter) < 0 ||
        (with_threads && add_thread_rules(filter) < 0) || seccomp_load(filter) < 0)
        result = -1;
    seccomp_release(filter);
    return result;
}
