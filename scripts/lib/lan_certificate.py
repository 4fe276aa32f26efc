"""Gives phones the certificate of `scripts/run --lan`: lan_certificate.py HOST PORT FILE."""

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

host, port, file = sys.argv[1:]
certificate = Path(file).read_bytes()


class Handler(BaseHTTPRequestHandler):
    timeout = 10

    def do_GET(self):
        self.send_response(200 if self.path == "/dayly.crt" else 404)
        # The type by which phones offer to install it.
        self.send_header("Content-Type", "application/x-x509-ca-cert")
        self.send_header("Content-Length", str(len(certificate) if self.path == "/dayly.crt" else 0))
        self.end_headers()
        if self.path == "/dayly.crt":
            self.wfile.write(certificate)

    def log_message(self, *_):
        pass


ThreadingHTTPServer((host, int(port)), Handler).serve_forever()
