"""Tells where the CPU time of a read goes: samples of perf, sorted by what the code on the stack is for."""

import collections
import re
import subprocess

SECONDS = 6
# The first purpose whose pattern matches a function on the stack takes the sample. The kernel comes first, because every
# system call has a caller that has a purpose of its own.
KERNEL = [
    ("kernel: thread switches", r"futex|__schedule|try_to_wake"),
    ("kernel: sockets", r"tcp_|sock|_send|recv|vfs_writev|do_writev|epoll"),
    ("kernel: all else", r""),
]
PURPOSES = [
    ("signed URLs, cursors", r"SigV4|PhotoURLs|S3ObjectStore|CanonicalURI|PercentEncoding|SigningKey|GroupCursors"),
    ("token and rate limits", r"JWTKit|ECDSA|EC_|p256|ecp_|AccessTokens|Base64URL|JSONScanner|bearerToken|CallerLimits|CallerTable"),
    ("entity tags", r"EntityTag|GroupVersion|feedTag|knownTags"),
    ("JSON", r"JSONEncoder|WireJSON|JSONWriter|ISO8601|7HTTPKit7Problem"),
    ("log line, metrics, request id", r"LineLogHandler|RequestLog|7Logging|Prometheus|RequestMetrics|RequestID|ClientAddress"),
    ("rows to values, SQL text", r"PostgresRow|PostgresDecod|ecodable|PostgresDate|8Postgres3SQL|SQL\.StringInter|GroupStoreV4view"),
    ("database pool and libpq", r"(^|\|)(PQ|pq)[A-Za-z]|libpq|8Postgres"),
    ("guard of connections", r"9HTTPGuard"),
    ("Hummingbird", r"Hummingbird"),
    ("HTTP/1 and NIO", r"NIO|llhttp|HTTPTypes|HTTPField|MultiThreadedEventLoop"),
    ("Swift's tasks", r"swift_task|swift_job|AsyncTask|libswift_Concurrency|dispatch"),
    ("all else", r""),
]
HEAD = re.compile(r"^\S.*?\s+(\d+)/\d+")
FRAME = re.compile(r"\s*[0-9a-f]+ (.*) \((.*)\)$")


def record(bench, folder, send):
    """Samples of the servers' core while `send` loads the service: for each sample of the service, its stack."""
    data = f"{folder}/perf.data"
    perf = subprocess.Popen(
        ["perf", "record", "-q", "-F", "1999", "-g", "-C", str(bench.options.cores[0]), "-o", data, "--", "sleep", str(SECONDS)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    costs = []
    while perf.poll() is None:
        costs.append(send())
    text = subprocess.run(["perf", "script", "-i", data, "-F", "comm,pid,tid,ip,sym,dso"], capture_output=True, text=True,
                          errors="replace", check=True).stdout
    pid = str(bench.service.pid)
    stacks = []
    for block in text.split("\n\n"):
        head, *lines = block.strip("\n").split("\n")
        found = HEAD.match(head.strip())
        if found and found[1] == pid:
            stacks.append([frame.groups() for frame in map(FRAME.match, lines) if frame])
    return [stack for stack in stacks if stack], sorted(cost.server for cost in costs)[len(costs) // 2]


def demangled(symbols):
    """Swift's names as people read them, beside the names as they are."""
    symbols = sorted(symbols)
    read = subprocess.run(["swift", "demangle", "--simplified"], input="\n".join(symbols) + "\n", capture_output=True,
                          text=True, check=True).stdout.split("\n")
    return {symbol: f"{symbol}|{plain}" for symbol, plain in zip(symbols, read)}


def purpose_of(stack, names):
    texts = [f"{names[symbol]}|{library}" for symbol, library in stack]
    for name, pattern in KERNEL if "kernel" in stack[0][1] else PURPOSES:
        if any(re.search(pattern, text) for text in texts):
            return name
    raise AssertionError("the last pattern matches everything")


def profile(bench, folder):
    """The microseconds of the service by purpose, for /healthz and each call."""
    sends = {"healthz": lambda: bench.load.run(bench.service, [("/healthz", None, None)], 200)}
    for call in bench.calls:
        sends[call.name] = lambda call=call: bench.cost(bench.service, call)
    result = {}
    for name, send in sends.items():
        stacks, cost = record(bench, folder, send)
        names = demangled({symbol for stack in stacks for symbol, _ in stack})
        count = collections.Counter(purpose_of(stack, names) for stack in stacks)
        result[name] = {purpose: round(cost * count[purpose] / len(stacks), 1) for purpose, _ in KERNEL + PURPOSES}
    return result


def show(result):
    print("CPU µs of one request in the service")
    print(f"{'':32}" + "".join(f"{name:>13}" for name in result))
    for purpose, _ in KERNEL + PURPOSES:
        print(f"{purpose:32}" + "".join(f"{figures[purpose]:13.1f}" for figures in result.values()))
    print(f"{'together':32}" + "".join(f"{sum(figures.values()):13.1f}" for figures in result.values()))
