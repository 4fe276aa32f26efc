"""Several `dayly serve` over one database and one store, and what the tests ask of them."""

import json
import subprocess
import sys
import urllib.request
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/WebTests/browser"))

from service import Service, free_port, make_folder  # noqa: E402
from service_process import ServiceProcess  # noqa: E402


class Node(ServiceProcess):
    """One of several processes."""

    def __init__(self, binary, environment, log):
        super().__init__([binary, "serve"], environment["DAYLY_HTTP_PORT"], environment, log)
        self.admin_port = int(environment["DAYLY_HTTP_ADMIN_PORT"])

    def terminate(self):
        self.process.terminate()

    def stop(self):
        assert super().stop() in (0, None)

    def metric(self, series):
        """The value of a series of /metrics; None if there is none."""
        text = urllib.request.urlopen(f"http://127.0.0.1:{self.admin_port}/metrics", timeout=5).read().decode()
        return next((float(line.rsplit(" ", 1)[1]) for line in text.splitlines() if line.startswith(series + " ")), None)


class Nodes(Service):
    """The first node is also the service of the tests' members."""

    def __init__(self, folder, count, **settings):
        self.count = count
        super().__init__(folder, DAYLY_WEB_ENABLED="false", DAYLY_HTTP_TRUSTED_PROXIES="127.0.0.1", **settings)

    def start(self):
        subprocess.run([self.binary, "migrate"], env=self.environment, check=True, capture_output=True)
        ports = [self.line.target, *(free_port() for _ in range(self.count - 1))]
        self.nodes = [Node(self.binary, self.environment | {
            "DAYLY_HTTP_PORT": str(port), "DAYLY_HTTP_ADMIN_PORT": str(free_port())}, self.log) for port in ports]
        for node in self.nodes:
            node.start()

    @property
    def ports(self):
        return [node.port for node in self.nodes]

    def stop(self):
        for node in self.nodes:
            node.stop()
        super().stop()


def call(connection, method, path, token=None, body=None, kind="application/json", **headers):
    """Status, headers and body of an answer."""
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    if body is not None:
        headers["Content-Type"] = kind
        body = json.dumps(body) if isinstance(body, dict) else body
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read()


@contextmanager
def running_nodes(folder, count, **settings):
    """Nodes that run until the block ends, in a new folder."""
    nodes = Nodes(make_folder(folder), count, **settings)
    try:
        nodes.start()
        yield nodes
    finally:
        nodes.stop()


def large_picture(size=10 << 20):
    """A picture of that many bytes: the sample, with segments that decoders skip."""
    sample = (ROOT / "docs/sample.jpg").read_bytes()
    padding = b""
    while (rest := size - len(sample) - len(padding)) >= 4:
        length = min(rest, 0xFFFF + 2)
        if 0 < rest - length < 4:
            length -= 4
        padding += b"\xff\xfe" + (length - 2).to_bytes(2, "big") + b"\0" * (length - 4)
    return sample[:2] + padding + sample[2:]
