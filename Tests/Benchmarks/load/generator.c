// Clients for an overloaded service: many connections, one thread, epoll. They never wait for each other: in the open
// loop requests come at their own times, whether or not the earlier ones have been answered.
//
//   generator closed  PORT FILE SECONDS CONNECTIONS        each connection asks again when it has its answer
//   generator patient PORT FILE SECONDS CONNECTIONS        the same, but a second later where the answer is a refusal
//   generator open    PORT FILE SECONDS RATE CONNECTIONS   RATE requests a second, over at most CONNECTIONS
//   generator once    PORT FILE SECONDS                    every request of FILE once, all at the same time
//   generator drip    PORT FILE SECONDS CONNECTIONS        each sends a byte every half second, and never ends
//   generator vanish  PORT FILE SECONDS COUNT              COUNT connections send a part of a request and go
//   generator hold    PORT FILE SECONDS CONNECTIONS        each sends a request of FILE, reads nothing and stays open; it
//                                                          begins anew when the service closes it
//
// FILE holds requests, each behind its length in decimal and a newline; a file that the environment's BODY names follows
// each of them. The result is one JSON object on stdout.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAX_REQUESTS 65536
#define MAX_SECONDS 600
#define HEAD_BYTES 8192
#define DRIP_TURNS 50
// The bytes of a picture that are sent before the generator looks for an answer: as much as curl reads of a file at a time.
// Without a bound loopback, where a segment has 64 KiB, takes a whole picture before the service has seen its header.
#define SEND_BYTES 65536
// A client that reads nothing leaves as much as possible of the answers to the service.
#define HOLD_RECEIVE_BYTES 4096

typedef struct { const char *bytes; size_t length; } request_t;

typedef struct connection {
    int fd;
    bool connecting, busy, answered;
    const request_t *request;
    size_t sent;
    double due;        // when the request should have begun
    char head[HEAD_BYTES];
    size_t head_length;
    int status;
    size_t body_left;
    bool in_body, closes;
    int index;
    struct connection *next_free;
} connection_t;

typedef struct { float *values; size_t count, capacity; } samples_t;

static request_t requests[MAX_REQUESTS];
static size_t request_count, next_request;
static int epoll_fd;
static struct sockaddr_in address;
static connection_t *connections;
static int connection_count, open_count, busy_count;
static connection_t *free_list;
static double start_time, end_time;
static samples_t good, refused;
static long statuses[1000], lost, failed_connects, unsent, other_errors, sent_requests;
static long good_by_second[MAX_SECONDS + 2], refused_by_second[MAX_SECONDS + 2];
static double slowest_by_second[MAX_SECONDS + 2];
static bool ending;
// The receive buffer of a new connection; the system's where it is 0.
static int receive_bytes;
// Behind every request, where BODY names a file.
static const char *shared_body;
static size_t shared_length;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void add(samples_t *samples, double value) {
    if (samples->count == samples->capacity) {
        samples->capacity = samples->capacity ? samples->capacity * 2 : 4096;
        samples->values = realloc(samples->values, samples->capacity * sizeof(float));
        if (!samples->values) exit(1);
    }
    samples->values[samples->count++] = (float)value;
}

static int by_value(const void *left, const void *right) {
    float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

static double percentile(samples_t *samples, double share) {
    if (!samples->count) return 0;
    size_t index = (size_t)(share * (double)(samples->count - 1));
    return samples->values[index] * 1000;
}

static void load(const char *path) {
    int fd = open(path, O_RDONLY);
    struct stat info;
    if (fd < 0 || fstat(fd, &info) < 0) { perror(path); exit(1); }
    const char *bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    const char *end = bytes + info.st_size;
    while (bytes < end && request_count < MAX_REQUESTS) {
        size_t length = strtoul(bytes, NULL, 10);
        const char *line = memchr(bytes, '\n', (size_t)(end - bytes));
        if (!line || line + 1 + length > end) { fprintf(stderr, "%s is malformed\n", path); exit(1); }
        requests[request_count++] = (request_t){line + 1, length};
        bytes = line + 1 + length;
    }
    close(fd);
    if (!getenv("BODY")) return;
    fd = open(getenv("BODY"), O_RDONLY);
    if (fd < 0 || fstat(fd, &info) < 0) { perror("BODY"); exit(1); }
    shared_length = (size_t)info.st_size;
    shared_body = mmap(NULL, shared_length, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
    close(fd);
}

static bool is_sent(const connection_t *connection) {
    return connection->sent == connection->request->length + shared_length;
}

static void watch(connection_t *connection, uint32_t events, int operation) {
    struct epoll_event event = {.events = events, .data.ptr = connection};
    epoll_ctl(epoll_fd, operation, connection->fd, &event);
}

static void release(connection_t *connection) {
    connection->next_free = free_list;
    free_list = connection;
}

static bool dial(connection_t *connection) {
    connection->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (connection->fd < 0) { failed_connects++; return false; }
    int one = 1;
    setsockopt(connection->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    int buffer = SEND_BYTES;
    setsockopt(connection->fd, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
    if (receive_bytes) setsockopt(connection->fd, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof receive_bytes);
    if (connect(connection->fd, (struct sockaddr *)&address, sizeof address) < 0 && errno != EINPROGRESS) {
        close(connection->fd);
        connection->fd = -1;
        failed_connects++;
        return false;
    }
    connection->connecting = true;
    open_count++;
    watch(connection, EPOLLIN | EPOLLOUT, EPOLL_CTL_ADD);
    return true;
}

static void hang_up(connection_t *connection) {
    if (connection->fd < 0) return;
    close(connection->fd);
    connection->fd = -1;
    open_count--;
}

static void finish(connection_t *connection, int status) {
    double at = now(), latency = at - connection->due;
    long second = (long)(at - start_time);
    if (second < 0) second = 0;
    if (second > MAX_SECONDS) second = MAX_SECONDS;
    statuses[status]++;
    if (status < 400) {
        add(&good, latency);
        good_by_second[second]++;
        if (latency > slowest_by_second[second]) slowest_by_second[second] = latency;
    } else if (status == 503) {
        add(&refused, latency);
        refused_by_second[second]++;
    }
}

// Takes back the place of a connection that ended without an answer.
static void broken(connection_t *connection) {
    if (connection->busy) {
        connection->busy = false;
        busy_count--;
        if (connection->connecting) failed_connects++;
        else if (is_sent(connection) && !ending) lost++;
        else other_errors++;
    }
    hang_up(connection);
    release(connection);
}

// A part of a large request at a time, so that an answer that is there before its end is seen.
static void push(connection_t *connection) {
    const request_t *request = connection->request;
    size_t limit = connection->sent + SEND_BYTES;
    while (!is_sent(connection)) {
        const char *next = request->bytes + connection->sent;
        size_t left = request->length - connection->sent;
        if (connection->sent >= request->length) {
            next = shared_body + (connection->sent - request->length);
            left = request->length + shared_length - connection->sent;
        }
        ssize_t sent = send(connection->fd, next, left, MSG_NOSIGNAL);
        if (sent < 0) {
            // After a reset an early answer may still be there to be read.
            if (errno == EAGAIN) watch(connection, EPOLLIN | EPOLLOUT, EPOLL_CTL_MOD);
            return;
        }
        connection->sent += (size_t)sent;
        if (connection->sent >= limit && !is_sent(connection)) {
            watch(connection, EPOLLIN | EPOLLOUT, EPOLL_CTL_MOD);
            return;
        }
    }
    watch(connection, EPOLLIN, EPOLL_CTL_MOD);
}

static void begin(connection_t *connection, double due) {
    connection->request = &requests[next_request++ % request_count];
    connection->sent = 0;
    connection->head_length = 0;
    connection->in_body = false;
    connection->due = due;
    connection->busy = true;
    busy_count++;
    sent_requests++;
    if (connection->fd < 0 && !dial(connection)) {
        connection->busy = false;
        busy_count--;
        release(connection);
        return;
    }
    if (!connection->connecting) push(connection);
}

static size_t header_value(const char *head, const char *name) {
    const char *found = strcasestr(head, name);
    return found ? strtoul(found + strlen(name), NULL, 10) : 0;
}

// Reads what there is. True when an answer is complete.
static bool pull(connection_t *connection, bool *ended) {
    static char waste[256 << 10];
    while (true) {
        if (connection->in_body) {
            if (connection->body_left == 0) return true;
            size_t wanted = connection->body_left < sizeof waste ? connection->body_left : sizeof waste;
            ssize_t count = recv(connection->fd, waste, wanted, 0);
            if (count > 0) { connection->body_left -= (size_t)count; continue; }
            if (count == 0 || errno != EAGAIN) *ended = true;
            return false;
        }
        ssize_t count = recv(connection->fd, connection->head + connection->head_length,
                             HEAD_BYTES - 1 - connection->head_length, 0);
        if (count <= 0) {
            if (count == 0 || errno != EAGAIN) *ended = true;
            return false;
        }
        connection->head_length += (size_t)count;
        connection->head[connection->head_length] = 0;
        char *end = strstr(connection->head, "\r\n\r\n");
        if (!end) {
            if (connection->head_length >= HEAD_BYTES - 1) { *ended = true; return false; }
            continue;
        }
        size_t body_here = connection->head_length - (size_t)(end + 4 - connection->head);
        *end = 0;
        connection->status = (int)strtoul(connection->head + 9, NULL, 10) % 1000;
        size_t length = header_value(connection->head, "\r\ncontent-length:");
        connection->closes = strcasestr(connection->head, "\r\nconnection: close") != NULL;
        connection->body_left = length > body_here ? length - body_here : 0;
        connection->in_body = true;
    }
}

static void settle(connection_t *connection) {
    finish(connection, connection->status);
    connection->busy = false;
    busy_count--;
    // An answer before the end of the request: nobody wants the rest of it.
    if (connection->closes || !is_sent(connection)) hang_up(connection);
    release(connection);
}

static void handle(connection_t *connection, uint32_t events) {
    if (connection->fd < 0) return;
    if (connection->connecting && events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) {
        int error = 0;
        socklen_t size = sizeof error;
        getsockopt(connection->fd, SOL_SOCKET, SO_ERROR, &error, &size);
        if (error) return broken(connection);
        connection->connecting = false;
        if (connection->busy) push(connection);
        else watch(connection, EPOLLIN, EPOLL_CTL_MOD);
    } else if (events & EPOLLOUT && connection->busy) {
        push(connection);
    }
    if (!(events & (EPOLLIN | EPOLLHUP | EPOLLERR))) return;
    if (!connection->busy) {
        // The server closes an idle connection; it is in the list of free ones already.
        char byte;
        if (recv(connection->fd, &byte, 1, MSG_PEEK) <= 0 && errno != EAGAIN) hang_up(connection);
        return;
    }
    bool ended = false;
    if (pull(connection, &ended)) settle(connection);
    else if (ended) broken(connection);
}

static void poll_events(int milliseconds) {
    struct epoll_event events[512];
    int count = epoll_wait(epoll_fd, events, 512, milliseconds);
    for (int index = 0; index < count; index++) handle(events[index].data.ptr, events[index].events);
}

static void make_connections(int count) {
    connection_count = count;
    connections = calloc((size_t)count, sizeof *connections);
    if (!connections) exit(1);
    for (int index = count - 1; index >= 0; index--) {
        connections[index].fd = -1;
        connections[index].index = index;
        release(&connections[index]);
    }
}

static connection_t *take_free(void) {
    connection_t *connection = free_list;
    if (connection) free_list = connection->next_free;
    return connection;
}

static void run_closed(int count) {
    make_connections(count);
    double failed_since = 0;
    while (now() < end_time) {
        connection_t *connection;
        long failures = failed_connects;
        while (failures == failed_connects && (connection = take_free())) begin(connection, now());
        if (failures == failed_connects) failed_since = 0;
        else if (failed_since == 0) failed_since = now();
        // The service no longer listens.
        else if (now() - failed_since > 0.5 && busy_count == 0) break;
        poll_events(failures == failed_connects ? 10 : 1);
    }
}

// Each connection begins at a moment of its own within the first second.
static void run_patient(int count) {
    make_connections(count);
    double *begins = calloc((size_t)count, sizeof *begins);
    bool *waits = calloc((size_t)count, sizeof *waits);
    if (!begins || !waits) exit(1);
    for (int index = 0; index < count; index++) begins[index] = start_time + (double)index / count;
    while (now() < end_time) {
        connection_t *connection;
        while ((connection = take_free())) {
            waits[connection->index] = true;
            if (connection->status >= 400) begins[connection->index] = now() + 1;
        }
        for (int index = 0; index < count; index++) {
            if (!waits[index] || begins[index] > now()) continue;
            waits[index] = false;
            begin(&connections[index], now());
        }
        poll_events(2);
    }
}

static void run_open(double rate, int count) {
    make_connections(count);
    double due = start_time;
    // A client gives up what could not even be begun within a second.
    while (now() < end_time) {
        double time = now();
        while (due <= time) {
            connection_t *connection = take_free();
            if (!connection) {
                if (time - due < 1) break;
                unsent++;
                due += 1 / rate;
                continue;
            }
            begin(connection, due);
            due += 1 / rate;
        }
        poll_events(free_list ? 0 : 1);
        if (free_list && due > now()) {
            double pause = due - now();
            if (pause > 0.0002) poll_events(pause > 0.002 ? (int)(pause * 1000) : 1);
        }
    }
}

static void drain(double seconds) {
    double limit = now() + seconds;
    while (busy_count > 0 && now() < limit) poll_events(10);
    ending = true;
}

static void run_once(void) {
    make_connections((int)request_count);
    connection_t *connection;
    while ((connection = take_free())) begin(connection, now());
    // None is used again.
    free_list = NULL;
    while (busy_count > 0 && now() < end_time) poll_events(10);
}

static void run_drip(int count) {
    make_connections(count);
    long bytes = 0, closed = 0;
    int turn = 0;
    for (int index = 0; index < count; index++) {
        connections[index].request = &requests[(size_t)index % request_count];
        dial(&connections[index]);
    }
    while (now() < end_time) {
        // Each has its own moment within the half second.
        double until = now() + 0.5 / DRIP_TURNS;
        turn = (turn + 1) % DRIP_TURNS;
        while (now() < until) {
            struct epoll_event events[512];
            int ready = epoll_wait(epoll_fd, events, 512, 5);
            for (int index = 0; index < ready; index++) {
                connection_t *connection = events[index].data.ptr;
                char byte[4096];
                if (connection->fd < 0) continue;
                if (events[index].events & EPOLLOUT) watch(connection, EPOLLIN, EPOLL_CTL_MOD);
                if (!(events[index].events & (EPOLLIN | EPOLLHUP | EPOLLERR))) continue;
                if (recv(connection->fd, byte, sizeof byte, 0) <= 0) {
                    // Refused or given up: another one comes.
                    hang_up(connection);
                    closed++;
                    connection->sent = 0;
                    dial(connection);
                }
            }
        }
        for (int index = turn; index < count; index += DRIP_TURNS) {
            connection_t *connection = &connections[index];
            const request_t *request = connection->request;
            if (connection->fd < 0 || connection->sent >= request->length - 1) continue;
            // The header of a request with a body is there at once; its body drips.
            const char *end = memmem(request->bytes, request->length, "\r\n\r\n", 4);
            size_t head = end ? (size_t)(end + 4 - request->bytes) : 0;
            size_t part = head < request->length && connection->sent == 0 && head > 0 ? head : 1;
            ssize_t sent = send(connection->fd, request->bytes + connection->sent, part, MSG_NOSIGNAL);
            if (sent > 0) { connection->sent += (size_t)sent; bytes += sent; }
        }
    }
    printf("{\"bytes\": %ld, \"closed\": %ld}\n", bytes, closed);
}

static void run_vanish(int count) {
    long done = 0, failed = 0;
    for (int index = 0; index < count && now() < end_time; index++) {
        const request_t *request = &requests[(size_t)index % request_count];
        int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) < 0) {
            if (fd >= 0) close(fd);
            failed++;
            usleep(1000);
            continue;
        }
        // Half a header, half a body, or everything without waiting for the answer.
        size_t part = index % 3 == 0 ? request->length / 8 : index % 3 == 1 ? request->length / 2 : request->length;
        if (send(fd, request->bytes, part, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) failed++;
        if (index % 2) {
            struct linger reset = {1, 0};
            setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
        }
        close(fd);
        done++;
    }
    printf("{\"vanished\": %ld, \"failed\": %ld, \"seconds\": %.3f}\n", done, failed, now() - start_time);
}

static void send_held(connection_t *connection) {
    const request_t *request = connection->request;
    while (connection->sent < request->length) {
        ssize_t sent = send(connection->fd, request->bytes + connection->sent, request->length - connection->sent,
                            MSG_NOSIGNAL);
        if (sent <= 0) return;
        connection->sent += (size_t)sent;
    }
    watch(connection, EPOLLRDHUP, EPOLL_CTL_MOD);
}

static void run_hold(int count) {
    make_connections(count);
    receive_bytes = HOLD_RECEIVE_BYTES;
    long closed = 0;
    int next = 0, most = 0;
    while (now() < end_time) {
        // A few at a time, so that the service's queue of connections does not overflow.
        for (int index = 0; index < 50; index++, next = (next + 1) % count) {
            connection_t *connection = &connections[next];
            if (connection->fd >= 0) continue;
            connection->request = &requests[(size_t)next % request_count];
            connection->sent = 0;
            if (dial(connection)) watch(connection, EPOLLOUT | EPOLLRDHUP, EPOLL_CTL_MOD);
        }
        if (open_count > most) most = open_count;
        struct epoll_event events[512];
        int ready = epoll_wait(epoll_fd, events, 512, open_count < count ? 1 : 20);
        for (int index = 0; index < ready; index++) {
            connection_t *connection = events[index].data.ptr;
            if (connection->fd < 0) continue;
            if (events[index].events & (EPOLLHUP | EPOLLERR | EPOLLRDHUP)) {
                hang_up(connection);
                closed++;
            } else if (events[index].events & EPOLLOUT) {
                send_held(connection);
            }
        }
    }
    printf("{\"most\": %d, \"closed\": %ld, \"failed\": %ld}\n", most, closed, failed_connects);
}

static void report(double seconds) {
    qsort(good.values, good.count, sizeof(float), by_value);
    qsort(refused.values, refused.count, sizeof(float), by_value);
    printf("{\"seconds\": %.3f, \"sent\": %ld, \"lost\": %ld, \"failed_connects\": %ld, \"unsent\": %ld, "
           "\"broken\": %ld, \"unanswered\": %d, \"statuses\": {",
           seconds, sent_requests, lost, failed_connects, unsent, other_errors, busy_count);
    const char *comma = "";
    for (int status = 0; status < 1000; status++) {
        if (!statuses[status]) continue;
        printf("%s\"%d\": %ld", comma, status, statuses[status]);
        comma = ", ";
    }
    printf("}, \"good\": {\"count\": %zu, \"p50\": %.3f, \"p99\": %.3f, \"max\": %.3f}", good.count,
           percentile(&good, 0.5), percentile(&good, 0.99), percentile(&good, 1));
    printf(", \"refused\": {\"count\": %zu, \"p50\": %.3f, \"p99\": %.3f, \"max\": %.3f}", refused.count,
           percentile(&refused, 0.5), percentile(&refused, 0.99), percentile(&refused, 1));
    printf(", \"by_second\": [");
    int last = (int)(end_time - start_time);
    for (int second = 0; second < last && second <= MAX_SECONDS; second++)
        printf("%s[%ld, %ld, %.1f]", second ? ", " : "", good_by_second[second], refused_by_second[second],
               slowest_by_second[second] * 1000);
    printf("]}\n");
}

int main(int argc, char **argv) {
    if (argc < 5) {
        fprintf(stderr, "see the head of generator.c\n");
        return 2;
    }
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    address.sin_family = AF_INET;
    address.sin_port = htons((uint16_t)atoi(argv[2]));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    load(argv[3]);
    epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    start_time = now();
    double seconds = atof(argv[4]);
    end_time = start_time + seconds;
    const char *mode = argv[1];
    if (!strcmp(mode, "drip") && argc == 6) {
        run_drip(atoi(argv[5]));
        return 0;
    }
    if (!strcmp(mode, "vanish") && argc == 6) {
        run_vanish(atoi(argv[5]));
        return 0;
    }
    if (!strcmp(mode, "hold") && argc == 6) {
        run_hold(atoi(argv[5]));
        return 0;
    }
    if (!strcmp(mode, "closed") && argc == 6) run_closed(atoi(argv[5]));
    else if (!strcmp(mode, "patient") && argc == 6) run_patient(atoi(argv[5]));
    else if (!strcmp(mode, "open") && argc == 7) run_open(atof(argv[5]), atoi(argv[6]));
    else if (!strcmp(mode, "once")) run_once();
    else return 2;
    double ran = now() - start_time;
    drain(15);
    report(ran);
    return 0;
}
