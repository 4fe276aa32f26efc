#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>

int sandbox_bind_to_parent(void) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0) return -1;
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ? -1 : 0;
}

// Memory, threads, time, and the descriptors that are open already.
static const int allowed[] = {
    SCMP_SYS(brk),           SCMP_SYS(munmap),        SCMP_SYS(mremap),          SCMP_SYS(madvise),
    SCMP_SYS(futex),         SCMP_SYS(set_robust_list), SCMP_SYS(rseq),          SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity), SCMP_SYS(gettid),    SCMP_SYS(getpid),          SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigreturn),  SCMP_SYS(sigaltstack),   SCMP_SYS(restart_syscall), SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep),   SCMP_SYS(gettimeofday),    SCMP_SYS(getrandom),
    SCMP_SYS(read),          SCMP_SYS(pread64),       SCMP_SYS(write),           SCMP_SYS(pwrite64),
    SCMP_SYS(lseek),         SCMP_SYS(exit),          SCMP_SYS(exit_group),
};

// What libraries try and can do without: they are told no.
static const struct {
    int call;
    int error;
} refused[] = {
    {SCMP_SYS(clone3), ENOSYS},       // glibc falls back to clone, whose flags a filter can read
    {SCMP_SYS(open), EACCES},         {SCMP_SYS(openat), EACCES}, {SCMP_SYS(readlink), EACCES},
    {SCMP_SYS(access), EACCES},       {SCMP_SYS(sysinfo), EPERM},   {SCMP_SYS(fstat), EACCES},
    {SCMP_SYS(newfstatat), EACCES},
};

static int add_rules(scmp_filter_ctx filter) {
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0) < 0) return -1;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(refused[i].error), refused[i].call, 0) < 0) return -1;
    // Threads, which may have names, never processes; memory, never executable; limits are read, never set.
    if (seccomp_rule_add(
            filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
            SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD)) < 0 ||
        seccomp_rule_add(
            filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)) < 0 ||
        seccomp_rule_add(
            filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)) < 0 ||
        seccomp_rule_add(
            filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1, SCMP_A2(SCMP_CMP_EQ, 0, 0)) < 0 ||
        seccomp_rule_add(
            filter, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 1, SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME, 0)) < 0)
        return -1;
    return 0;
}

int sandbox_enter(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
    if (filter == NULL) return -1;
    int result = add_rules(filter) < 0 || seccomp_load(filter) < 0 ? -1 : 0;
    seccomp_release(filter);
    return result;
}
