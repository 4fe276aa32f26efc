"""The servers that a bench starts, and the CPU time that they have used."""

import http.client
import json
import os
import shutil
import subprocess
import time
from typing import NamedTuple

from ports import free_port
from service_process import ServiceProcess, settings_environment


class Answer(NamedTuple):
    status: int
    headers: dict
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)


def s3_environment(options, **more):
    """The environment of a service with an empty bucket of the S3 server that the bench has started."""
    store = {name: os.environ["DAYLY_TEST_S3_RCLONE_" + name] for name in ("URL", "KEY", "SECRET")}
    data = os.path.join(options.folder, "data")
    for folder in (data, os.path.join(options.buckets, "photos")):
        shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.join(options.buckets, "photos"))
    port = free_port()
    return settings_environment({
        "environment": "development", "data_dir": data, "database.url": options.database,
        "database.migrations_path": options.migrations, "http.port": port,
        "http.public_url": f"http://127.0.0.1:{port}", "http.admin_port": free_port(),
        # Longer than the bench takes.
        "auth.access_token_lifetime": "1d", "limits.enforce_rates": "false", "sms.kind": "console",
        "storage.kind": "s3", "storage.s3.endpoint": store["URL"], "storage.s3.bucket": "photos",
        "storage.s3.access_key_id": store["KEY"], "storage.s3.secret_access_key": store["SECRET"],
    } | more)


def start_service(options, environment):
    """Migrates an empty database and starts `dayly serve` on it."""
    Database(options.database).run("DROP SCHEMA public CASCADE; CREATE SCHEMA public;")
    dayly = os.path.join(options.products, "dayly")
    subprocess.run([dayly, "migrate"], env=environment, check=True, stdout=subprocess.DEVNULL)
    return Server.dayly("service", options, environment)


def start_peer(options, environment):
    """Starts the service in Python (Tests/Benchmarks/peer) on the service's database and bucket."""
    port = free_port()
    return Server(
        "peer", [options.uvicorn, "peer:app", "--app-dir", options.peer, "--port", str(port), "--loop", "uvloop",
                 "--http", "httptools", "--workers", "1"], port, options, environment).start()


def process_cpu(pid):
    """The seconds of CPU time of a process and of all the threads that it ever had; 0 for one that has ended."""
    try:
        # The kernel's clock of another process (CPUCLOCK_SCHED), which /proc/PID/stat shows in hundredths only.
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return 0.0


class Server(ServiceProcess):
    """An HTTP server on the core of the servers."""

    running = []

    def __init__(self, name, command, port, options, environment=None):
        log = os.path.join(options.folder, name + ".log")
        super().__init__(["taskset", "-c", str(options.cores[0]), *command], port, environment, log)
        self.name = name
        Server.running.append(self)

    def start(self):
        """With an empty log."""
        with open(self.log, "wb"):
            return super().start()

    def is_ready(self):
        """Any answer will do: of what it is compared with not all have this path."""
        self.require_running()
        try:
            return bool(self.get("/healthz"))
        except OSError:
            return False

    @classmethod
    def dayly(cls, name, options, environment):
        """Starts a service."""
        command = [os.path.join(options.products, "dayly"), "serve"]
        return cls(name, command, environment["DAYLY_HTTP_PORT"], options, environment).start()

    def cpu(self):
        return process_cpu(self.pid)

    def call(self, method, path, token=None, body=None, kind="application/json", headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = (headers or {}) | ({"Authorization": "Bearer " + token} if token else {})
        if body is not None:
            headers["Content-Type"] = kind
            body = json.dumps(body) if isinstance(body, dict) else body
        try:
            connection.request(method, path, body=body, headers=headers)
            answer = connection.getresponse()
            return Answer(answer.status, dict(answer.getheaders()), answer.read())
        finally:
            connection.close()

    def get(self, path, token=None):
        return self.call("GET", path, token)


class Database:
    """A PostgreSQL server: its CPU time is that of all its processes, the ended ones included."""

    def __init__(self, url):
        self.url = url
        with open(os.path.join(self.value("SHOW data_directory"), "postmaster.pid")) as file:
            self.postmaster = int(file.readline())
        self.ticks = os.sysconf("SC_CLK_TCK")

    def cpu(self):
        with open(f"/proc/{self.postmaster}/task/{self.postmaster}/children") as file:
            children = [int(pid) for pid in file.read().split()]
        with open(f"/proc/{self.postmaster}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        ended = sum(int(field) for field in fields[13:15]) / self.ticks
        return ended + sum(process_cpu(pid) for pid in [self.postmaster, *children])

    def run(self, text):
        subprocess.run(["psql", "-qX", "-v", "ON_ERROR_STOP=1", self.url], input=text.encode(), check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def value(self, text):
        return subprocess.run(["psql", "-qXAt", self.url, "-c", text], check=True, capture_output=True,
                              text=True).stdout.strip()
