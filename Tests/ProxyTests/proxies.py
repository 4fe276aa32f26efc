"""Private proxies with the configurations of deploy/proxies. A test fills in ports, addresses and a certificate."""

import http.client
import os
import ssl
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/WebTests/browser"))

from service import free_port, until  # noqa: E402

CONFIGURATIONS = ROOT / "deploy/proxies"


def make_certificate(folder):
    """A certificate for 127.0.0.1, its key, and a file with both."""
    certificate, key, both = folder / "certificate.pem", folder / "key.pem", folder / "both.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                    "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key,
                    "-out", certificate], check=True, capture_output=True)
    both.write_text(certificate.read_text() + key.read_text())
    return certificate, key, both


def fill_in(name, *changes):
    """A file of deploy/proxies with other values. Each text to replace must be there once, so that none is missed."""
    text = (CONFIGURATIONS / name).read_text()
    for old, new in changes:
        assert text.count(old) == 1, f"{name} has {text.count(old)} times: {old}"
        text = text.replace(old, str(new))
    return text


class Proxy:
    """A running proxy in front of nodes on 127.0.0.1. `url` is its address for clients, over TLS."""

    def __init__(self, folder, ports):
        self.folder = Path(folder) / type(self).__name__.lower()
        self.folder.mkdir(parents=True)
        self.port, self.plain_port = free_port(), free_port()
        self.url = f"https://127.0.0.1:{self.port}"
        self.certificate, self.key, self.both = make_certificate(self.folder)
        self.trust = ssl.create_default_context(cafile=str(self.certificate))
        with open(self.folder / "proxy.log", "wb") as log:
            self.process = subprocess.Popen(self.prepare(ports), stdout=log, stderr=log, cwd=self.folder,
                                            env={"PATH": os.environ["PATH"], "HOME": str(self.folder)})
        until(self._listens, 30, f"the start of {type(self).__name__}")

    def _listens(self):
        if self.process.poll() is not None:
            raise RuntimeError(f"it ended:\n{(self.folder / 'proxy.log').read_text()[-3000:]}")
        try:
            self.connect().connect()
            return True
        except OSError:
            return False

    def connect(self, source="127.0.0.1", timeout=60):
        """A connection from a client with that address."""
        return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=timeout, context=self.trust,
                                           source_address=(source, 0))

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            # Caddy waits for the ends of open streams.
            self.process.kill()
            self.process.wait(10)


# How many connections a client may have in a test. The configurations allow 4,000.
MOST = 30


class HAProxy(Proxy):
    NODES = "".join(f"    server node{n} 10.0.0.1{n}:8080\n" for n in (1, 2, 3))
    SPARES = "".join(f"    server spare{n} 10.0.0.1{n}:8080 backup no-check\n" for n in (1, 2, 3))

    def prepare(self, ports):
        # Another proxy may end TLS in front of this one.
        self.inner_port = free_port()
        nodes = "".join(f"    server node{n} 127.0.0.1:{port}\n" for n, port in enumerate(ports, 1))
        spares = "".join(f"    server spare{n} 127.0.0.1:{port} backup no-check\n" for n, port in enumerate(ports, 1))
        file = self.folder / "haproxy.cfg"
        file.write_text(fill_in(
            "haproxy.cfg",
            ("bind :443 ssl crt /etc/haproxy/dayly.pem",
             f"bind 127.0.0.1:{self.inner_port}\n    bind 127.0.0.1:{self.port} ssl crt {self.both}"),
            ("bind :80\n", f"bind 127.0.0.1:{self.plain_port}\n"), ("log /dev/log local0", "log stdout format raw local0"),
            # A test's machine may allow fewer file descriptors.
            ("maxconn 20000", "maxconn 2000"), ("sc0_conn_cur gt 4000", f"sc0_conn_cur gt {MOST}"), (self.NODES, nodes), (self.SPARES, spares)))
        return ["haproxy", "-db", "-f", str(file)]


class Caddy(Proxy):
    # A test has no administration port, and no port 80.
    OUTER = "{{\n\tadmin off\n\tauto_https disable_redirects\n\thttp_port {plain}\n}}\n\n"

    def prepare(self, ports):
        file = self.folder / "Caddyfile"
        file.write_text(self.OUTER.format(plain=self.plain_port) + fill_in(
            "Caddyfile", ("\ndayly.example {\n", f"\nhttps://127.0.0.1:{self.port} {{\n"),
            ("# tls /etc/dayly/tls/dayly.crt /etc/dayly/tls/dayly.key", f"tls {self.certificate} {self.key}"),
            ("reverse_proxy 127.0.0.1:8080", f"reverse_proxy 127.0.0.1:{ports[0]}")))
        return ["caddy", "run", "--config", str(file), "--adapter", "caddyfile"]


class Nginx(Proxy):
    # The rest of Debian's /etc/nginx/nginx.conf, without what needs its folders.
    OUTER = """
daemon off;
pid {folder}/nginx.pid;
error_log stderr;
{user}
events {{ worker_connections 1024; }}
http {{
    client_body_temp_path {folder}/bodies;
    proxy_temp_path {folder}/answers;
    fastcgi_temp_path {folder}/none1;
    uwsgi_temp_path {folder}/none2;
    scgi_temp_path {folder}/none3;
    include {folder}/dayly.conf;
}}
"""

    def prepare(self, ports):
        (self.folder / "dayly.conf").write_text(fill_in(
            "nginx.conf", ("/var/log/nginx/error.log crit;\n    add_header", "stderr crit;\n    add_header"),
            ("/var/log/nginx/error.log crit;\n    return", "stderr crit;\n    return"),
            ("limit_conn clients 4000", f"limit_conn clients {MOST}"),
            ("listen 443 ssl", f"listen 127.0.0.1:{self.port} ssl"),
            ("listen 80;", f"listen 127.0.0.1:{self.plain_port};"),
            ("/etc/nginx/dayly.crt", self.certificate), ("/etc/nginx/dayly.key", self.key),
            ("    server 127.0.0.1:8080 max_fails",
             "".join(f"    server 127.0.0.1:{port} max_fails=1 fail_timeout=2s;\n" for port in ports[1:])
             + f"    server 127.0.0.1:{ports[0]} max_fails")))
        file = self.folder / "nginx.conf"
        file.write_text(self.OUTER.format(folder=self.folder, user="user root;" if os.geteuid() == 0 else ""))
        return ["nginx", "-e", "stderr", "-p", str(self.folder), "-c", str(file)]


ALL = [Caddy, HAProxy, Nginx]
