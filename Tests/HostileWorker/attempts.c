#define _GNU_SOURCE
#include "hostile.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define MIB (1024L * 1024)
#define THREAD                                                                                             \
    (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS |     \
     CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID)

static void end(int code) {
    syscall(SYS_exit_group, code);
}

// Interprets a call's result.
static void report(long result) {
    end(result < 0 ? HOSTILE_REFUSED + errno : HOSTILE_SUCCEEDED);
}

static int unused;

static void sleep_for_ever(void) {
    for (;;) syscall(SYS_futex, &unused, FUTEX_WAIT, 0, NULL, NULL, 0);
}

static void burn(void) {
    for (volatile uint64_t i = 0;; i++) {
    }
}

// At most half of what would harm the machine if no limit stops the attempt.
static void fill_memory(void) {
    for (int i = 0; i < 32; i++) {
        char *part = malloc(16 * MIB);
        if (part == NULL) end(HOSTILE_REFUSED + errno);
        memset(part, i + 1, 16 * MIB);
    }
    end(HOSTILE_SUCCEEDED);
}

static void write_without_end(int file) {
    static char part[MIB];
    for (long i = 0; i < 64; i++) {
        if (pwrite(file, part, sizeof part, i * MIB) < 0) end(HOSTILE_REFUSED + errno);
    }
    end(HOSTILE_SUCCEEDED);
}

static void write_past_the_map(void) {
    volatile char *map = mmap(NULL, 64 * MIB, PROT_READ | PROT_WRITE, MAP_SHARED, 1, 0);
    if (map == MAP_FAILED) end(HOSTILE_REFUSED + errno);
    for (long i = 0; i < 64 * MIB; i += 4096) map[i] = 1;
    end(HOSTILE_SUCCEEDED);
}

static void block_all_signals(void) {
    uint64_t all = ~0ULL;
    if (syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, 8) < 0) end(HOSTILE_REFUSED + errno);
}

static void ignore_cpu_limit(void) {
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    report(sigaction(SIGXCPU, &ignore, NULL));
}

static void new_process(long result) {
    if (result == 0) end(0);
    report(result);
}

static void open_files(void) {
    for (int i = 0; i < 64; i++)
        if (dup(0) < 0) end(HOSTILE_REFUSED + errno);
    end(HOSTILE_SUCCEEDED);
}

static void write_to_inherited(void) {
    for (int i = 3; i < 1024; i++)
        if (write(i, "x", 1) >= 0) end(HOSTILE_SUCCEEDED);
    end(HOSTILE_REFUSED + errno);
}

static int nap(void *ignored) {
    (void)ignored;
    sleep_for_ever();
    return 0;
}

// Makes the cheapest possible threads: they sleep on stacks of one page.
static void threads_without_end(void) {
    enum { count = 3000, bytes = 8192 };
    char *stacks = mmap(NULL, count * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stacks == MAP_FAILED) end(HOSTILE_REFUSED + errno);
    static pid_t id;
    static char storage[4096];
    for (int i = 1; i <= count; i++)
        if (clone(nap, stacks + i * bytes, THREAD, NULL, &id, storage + 2048, &id) < 0)
            end(HOSTILE_REFUSED + errno);
    sleep_for_ever();
}

static void send_descriptor(void) {
    char control[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec part = {.iov_base = "x", .iov_len = 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    report(sendmsg(1, &message, 0));
}

static void read_process(pid_t id) {
    char byte;
    struct iovec here = {&byte, 1}, there = {(void *)&unused, 1};
    report(process_vm_readv(id, &here, 1, &there, 1, 0));
}

static void raise_limit(void) {
    struct rlimit more = {RLIM_INFINITY, RLIM_INFINITY};
    report(syscall(SYS_prlimit64, 0, RLIMIT_CPU, &more, NULL));
}

static void map_executable(void) {
    report((long)mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

static void make_executable(void) {
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    report(mprotect(page, 4096, PROT_READ | PROT_EXEC));
}

// The input is sealed, so not even a shared mapping can change it.
static void map_input(void) {
    report((long)mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 0, 0));
}

static void call_32_bit(void) {
#ifdef __x86_64__
    int result = 20;  // getpid there
    __asm__ volatile("int $0x80" : "+a"(result) : : "memory");
    report(result);
#endif
}

static void execute(void) {
    char *const none[] = {NULL};
    report(execve("/bin/true", none, none));
}

void hostile_try(const char *attempt, const hostile_preparation *prepared) {
#define TRY(name, action)                                                                                  \
    if (strcmp(attempt, name) == 0) {                                                                      \
        action;                                                                                            \
    }
    // Files and similar resources.
    TRY("open", report(open("/etc/passwd", O_RDONLY)))
    TRY("create", report(open("/tmp/hostile-worker", O_WRONLY | O_CREAT, 0600)))
    TRY("openat2", report(syscall(SYS_openat2, AT_FDCWD, "/etc/passwd", NULL, 0)))
    TRY("open-self", report(open("/proc/self/environ", O_RDONLY)))
    TRY("memfd", report(memfd_create("x", 0)))
    TRY("unlink", report(unlink("/tmp/hostile-worker-is-not-there")))
    TRY("write-input", report(pwrite(0, "x", 1, 0)))
    TRY("map-input", map_input())
    TRY("write-inherited", write_to_inherited())
    TRY("files", open_files())
    TRY("duplicate", report(dup(1)))
    TRY("truncate-output", report(ftruncate(1, 0)))
    TRY("output", write_without_end(1))
    TRY("output-map", write_past_the_map())
    TRY("output-file", write_without_end(memfd_create("x", 0)))
    TRY("io_uring", report(syscall(SYS_io_uring_setup, 1, NULL)))
    // The network.
    TRY("socket", report(socket(AF_INET, SOCK_STREAM, 0)))
    TRY("socketpair", report(syscall(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, NULL)))
    TRY("send-descriptor", send_descriptor())
    // Programs and processes.
    TRY("exec", execute())
    TRY("execveat", report(syscall(SYS_execveat, AT_FDCWD, "/bin/true", NULL, NULL, 0)))
    TRY("fork", new_process(syscall(SYS_fork)))
    TRY("vfork", new_process(syscall(SYS_vfork)))
    TRY("clone", new_process(syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL)))
    TRY("clone-namespace", report(syscall(SYS_clone, THREAD | CLONE_NEWNS, NULL, NULL, NULL, NULL)))
    TRY("clone3", report(syscall(SYS_clone3, NULL, 0)))
    TRY("threads", threads_without_end())
    TRY("session", report(setsid()))
    TRY("kill-parent", report(kill(prepared->parent, 0)))
    TRY("signal-self", report(raise(SIGTERM)))
    TRY("ptrace", report(syscall(SYS_ptrace, 16, prepared->parent, NULL, NULL)))
    TRY("read-process", read_process(prepared->parent))
    TRY("limits-of-parent", report(syscall(SYS_prlimit64, prepared->parent, RLIMIT_AS, NULL, NULL)))
    // The kernel.
    TRY("bpf", report(syscall(SYS_bpf, 0, NULL, 0)))
    TRY("unshare", report(unshare(CLONE_NEWUSER)))
    TRY("mount", report(syscall(SYS_mount, "none", "/nowhere", "tmpfs", 0, NULL)))
    TRY("keyctl", report(syscall(SYS_keyctl, 0, -1, 0)))
    TRY("userfaultfd", report(syscall(SYS_userfaultfd, 0)))
    TRY("perf", report(syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0)))
    TRY("setuid", report(syscall(SYS_setuid, 0)))
    TRY("seccomp", report(syscall(SYS_seccomp, 1, 0, NULL)))
    TRY("look-into", end(prctl(PR_GET_DUMPABLE) ? HOSTILE_SUCCEEDED : HOSTILE_REFUSED + EPERM))
    TRY("dumpable", report(syscall(SYS_prctl, 4, 1, 0, 0, 0)))
    TRY("32-bit", call_32_bit())
    TRY("x32", report(syscall(0x40000000 | SYS_getpid)))
    TRY("map-executable", map_executable())
    TRY("make-executable", make_executable())
    // Excess.
    TRY("memory", report((long)mmap(NULL, 4096 * MIB, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)))
    TRY("memory-filled", fill_memory())
    TRY("cpu", burn())
    TRY("cpu-signals-blocked", block_all_signals(); burn())
    TRY("cpu-signal-ignored", ignore_cpu_limit())
    TRY("raise-limit", raise_limit())
    TRY("sleep", sleep_for_ever())
    TRY("crash", *(volatile int *)8 = 1)
#undef TRY
}
