#define _GNU_SOURCE
#include "CProcess.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int process_memory_file(const char *name) {
    int descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0) return -errno;
    if (descriptor > 2) return descriptor;
    // This process was started without standard streams. 0, 1 and 2 must stay free for the child's.
    int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    int error = errno;
    close(descriptor);
    return moved < 0 ? -error : moved;
}

int process_append(int descriptor, const void *bytes, size_t count) {
    const char *next = bytes;
    while (count > 0) {
        ssize_t written = write(descriptor, next, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return written < 0 ? -errno : -EIO;
        next += written;
        count -= (size_t)written;
    }
    return 0;
}

int process_seal(int descriptor) {
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

// Runs in the new process before it becomes the program. The process borrows our memory and our thread's stack of
// locals until then (CLONE_VM, CLONE_VFORK), so it only calls the kernel and writes nothing but `error`.
typedef struct {
    const char *path;
    const char *const *arguments;
    int input;
    int output;
    const process_limits *limits;
    pid_t parent;
    int error;
} start_order;

static int set_limit(int resource, uint64_t soft, uint64_t hard) {
    struct rlimit limit = {.rlim_cur = soft, .rlim_max = hard};
    return setrlimit(resource, &limit);
}

static int limit_self(const process_limits *limits) {
    // Raising the value needs no right. A value that is at its end already stays there.
    errno = 0;
    if (nice(PROCESS_NICENESS) == -1 && errno) return -1;
    if (set_limit(RLIMIT_CPU, limits->cpu_seconds, limits->cpu_seconds + 1) < 0 ||
        set_limit(RLIMIT_FSIZE, limits->file_bytes, limits->file_bytes) < 0 ||
        set_limit(RLIMIT_NOFILE, PROCESS_MAX_FILES, PROCESS_MAX_FILES) < 0 ||
        set_limit(RLIMIT_CORE, 0, 0) < 0 ||
        set_limit(RLIMIT_AS, limits->memory_bytes, limits->memory_bytes) < 0)
        return -1;
    return 0;
}

static int take_descriptors(int input, int output) {
    if (dup2(input, 0) < 0 || dup2(output, 1) < 0) return -1;
    // Our descriptors are close-on-exec or above 2, so descriptor 2 is not for the child.
    close(2);
    if (open("/dev/null", O_WRONLY) != 2) return -1;
    return close_range(3, ~0U, 0);
}

// When memory runs out, the kernel should kill the worker, not the service or its database.
static void offer_to_oom_killer(void) {
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    ssize_t ignored = write(file, "1000", 4);
    (void)ignored;
    close(file);
}

static int start(void *argument) {
    start_order *order = argument;
    static char *const no_environment[] = {NULL};
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigset_t none;
    sigemptyset(&none);
    for (int number = 1; number < NSIG; number++) sigaction(number, &standard, NULL);
    errno = 0;
    // PR_SET_PDEATHSIG kills the child with the thread that started it. If the parent is dead already, the child ends here.
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == order->parent &&
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && setpgid(0, 0) == 0 &&
        take_descriptors(order->input, order->output) == 0) {
        offer_to_oom_killer();
        if (limit_self(order->limits) == 0 && sigprocmask(SIG_SETMASK, &none, NULL) == 0)
            execve(order->path, (char *const *)order->arguments, no_environment);
    }
    order->error = errno ? errno : ECANCELED;
    _exit(127);
}

int process_spawn(
    const char *path, const char *const *arguments, int input, int output, const process_limits *limits,
    pid_t *id, int *descriptor) {
    start_order order = {path, arguments, input, output, limits, getpid(), 0};
    size_t stack_bytes = 64 * 1024;
    char *stack = mmap(
        NULL, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) return -errno;
    // No signal handler of ours may run in the child while it shares our memory.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pid_t child = clone(
        start, stack + stack_bytes, CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, &order, descriptor);
    int error = child < 0 ? errno : order.error;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    munmap(stack, stack_bytes);
    if (child > 0 && error) {
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
        }
        close(*descriptor);
    }
    if (error) return -error;
    *id = child;
    return 0;
}

static int64_t now_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// A number in a process's status file, or 0.
static int64_t number_after(const char *text, const char *name) {
    const char *line = strstr(text, name);
    return line ? strtoll(line + strlen(name), NULL, 10) : 0;
}

// Updates the peak memory of a process. Returns whether the process has more threads than any decoder.
static int observe(int status, int64_t *peak_bytes) {
    char text[4096];
    ssize_t count = pread(status, text, sizeof text - 1, 0);
    if (count <= 0) return 0;
    text[count] = 0;
    int64_t peak = number_after(text, "\nVmHWM:") * 1024;
    if (peak > *peak_bytes) *peak_bytes = peak;
    return number_after(text, "\nThreads:") > PROCESS_MAX_THREADS;
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
        if (ready > 0) return PROCESS_ENDED;
        if (left <= 0) return PROCESS_OVERDUE;
        if (status >= 0 && observe(status, peak_bytes)) return PROCESS_TOO_MANY_THREADS;
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

// Whether the state in a thread's stat file, "ID (NAME) STATE …", is another one than asleep. A thread that has ended since is
// none.
static int is_awake(int tasks, const char *thread) {
    char path[64], text[512];
    snprintf(path, sizeof path, "%.32s/stat", thread);
    int file = openat(tasks, path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) return 0;
    text[count] = 0;
    const char *end = strrchr(text, ')');
    return end != NULL && end[1] == ' ' && strchr("RDTt", end[2]) != NULL;
}

int process_is_awake(pid_t id) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)id);
    DIR *tasks = opendir(path);
    if (tasks == NULL) return 0;
    int result = 0;
    for (struct dirent *entry; !result && (entry = readdir(tasks)) != NULL;)
        result = entry->d_name[0] != '.' && is_awake(dirfd(tasks), entry->d_name);
    closedir(tasks);
    return result;
}

void process_kill(pid_t id) {
    kill(-id, SIGKILL);
    kill(id, SIGKILL);
}

int process_reap(pid_t id, process_end *end) {
    int status;
    struct rusage usage;
    // The rest of its process group is killed too, while the group's id is still ours.
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
    // Until exec the child shares our memory, and the kernel counts that in the child's peak. So only a peak above ours
    // is the child's own. The kernel's counts are off by some pages for each CPU.
    const long counting_error = 4096;  // KiB
    struct rusage own;
    getrusage(RUSAGE_SELF, &own);
    end->peak_bytes = usage.ru_maxrss > own.ru_maxrss + counting_error ? (int64_t)usage.ru_maxrss * 1024 : 0;
    return 0;
}

void process_keep_little_memory(void) {
    mallopt(M_MMAP_THRESHOLD, 256 << 10);
    mallopt(M_TRIM_THRESHOLD, 4 << 20);
    mallopt(M_ARENA_MAX, 4);
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
