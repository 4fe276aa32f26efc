"""An object store: OpenStack Swift's servers and memcached in one box, two gateways that speak S3, and a load balancer
before them.
"""

import os
import re
import secrets
import subprocess
import urllib.request

from boxes import FRONT, Program, path, run, wait_until

PORTS = {"proxy": 8080, "object": 6200, "container": 6201, "account": 6202}
KEY = "test:tester"


class Store:
    def __init__(self, network, project, tools):
        self.project, self.venv = project, os.path.join(tools, "venv", "bin")
        self.secret = secrets.token_hex(16)
        self.box = network.box("store", 40, FRONT)
        self.folder = path("swift")
        self.servers, self.gateways = [], []
        gateways = [network.box(f"gateway{number}", 40 + number, FRONT) for number in (1, 2)]
        self._configure()
        for name in ("account", "container", "object"):
            self.servers.append(self._program(self.box, name, f"{self.folder}/etc/{name}.conf", f"swift-{name}"))
        # Every installation of Swift has memcached: without it a gateway looks up account and bucket for each request.
        self.servers.append(Program(self.box, "memcached", ["memcached", "-u", "nobody", "-l", self.box.address]))
        with open(f"{self.folder}/etc/proxy.conf", encoding="utf-8") as file:
            shared = file.read().replace(" healthcheck ", " healthcheck cache ", 1)
        shared += (f"[filter:cache]\nuse = egg:swift#memcache\nmemcache_servers = {self.box.address}:11211\n"
                   "memcache_max_connections = 20\n")
        for box in gateways:
            own = f"{self.folder}/etc/{box.name}.conf"
            with open(own, "w", encoding="utf-8") as file:
                file.write(re.sub(r"bind_ip = .*", f"bind_ip = {box.address}", shared))
            self.gateways.append(self._program(box, "proxy", own, box.name))

    def _program(self, box, server, configuration, name):
        command = [f"{self.venv}/python", f"{self.venv}/swift-{server}-server", configuration, "-v"]
        return Program(box, name, command)

    def _configure(self):
        """The configuration of the tests' store (scripts/lib/objectstore.sh), at other addresses."""
        for name in ("etc", "dev/d1", "cache", "lock", "log"):
            os.makedirs(f"{self.folder}/{name}")
        with open(f"{self.folder}/etc/mime.types", "w", encoding="ascii"):
            pass
        ports = " ".join(f"[{name}]={port}" for name, port in PORTS.items())
        script = f"""
            . scripts/lib/common.sh; . scripts/lib/objectstore.sh
            declare -A port=({ports})
            objectstore_address={self.box.address}
            _objectstore_configure_swift {self.folder} {KEY} {self.secret}"""
        run("bash", "-c", script, cwd=self.project)
        builder = [f"{self.venv}/python", f"{self.venv}/swift-ring-builder"]
        for name in ("object", "container", "account"):
            file = f"{self.folder}/etc/{name}.builder"
            run(*builder, file, "create", "6", "1", "0")
            run(*builder, file, "add", f"r1z1-{self.box.address}:{PORTS[name]}/d1", "1")
            run(*builder, file, "rebalance", check=False)

    def start(self):
        for program in self.servers + self.gateways:
            program.start()
        for gateway in self.gateways:
            wait_until(f"{gateway.name}", 60, lambda: self._answers(gateway.box.address))

    @staticmethod
    def _answers(address):
        with urllib.request.urlopen(f"http://{address}:8080/healthcheck", timeout=1) as answer:
            return answer.status == 200

    def make_bucket(self, bucket):
        remote = {"RCLONE_S3_PROVIDER": "Other", "RCLONE_S3_ENDPOINT": f"http://{self.gateways[0].box.address}:8080",
                  "RCLONE_S3_ACCESS_KEY_ID": KEY, "RCLONE_S3_SECRET_ACCESS_KEY": self.secret}
        run(f"{self.venv}/rclone", "mkdir", f":s3:{bucket}", env=os.environ | remote)

    def settings(self, endpoint, bucket):
        return {
            "storage.kind": "s3", "storage.s3.endpoint": endpoint, "storage.s3.bucket": bucket,
            "storage.s3.access_key_id": KEY, "storage.s3.secret_access_key": self.secret,
            # As many as one process of each of Swift's servers handles at a time. Further requests wait at the node. In the
            # store they would delay all others beyond their deadlines.
            "storage.s3.max_connections": 12}


class HAProxy:
    """HAProxy with a shipped configuration of which only addresses, the log and the certificate are changed."""

    def __init__(self, network, name, number, shipped, changes):
        self.box = network.box(name, number, FRONT)
        with open(shipped, encoding="utf-8") as file:
            text = file.read()
        for pattern, replacement in changes:
            text, count = re.subn(pattern, replacement, text, flags=re.MULTILINE)
            if not count:
                raise RuntimeError(f"{shipped} has nothing like {pattern}")
        self.socket = path(f"{name}.sock")
        text = text.replace("\nglobal\n", f"\nglobal\n    stats socket {self.socket} mode 600 level admin "
                            "expose-fd listeners\n", 1)
        file = path(f"{name}.cfg")
        with open(file, "w", encoding="utf-8") as out:
            out.write(text)
        # A master process: SIGUSR2 makes it start a new worker that takes the listening sockets over.
        self.program = Program(self.box, name, ["haproxy", "-W", "-f", file])
        checked = subprocess.run(["haproxy", "-c", "-f", file], text=True, capture_output=True, check=False)
        if checked.returncode:
            raise RuntimeError(f"{shipped}: {checked.stderr}")

    def start(self):
        self.program.start()
