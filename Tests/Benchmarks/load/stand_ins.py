"""Servers that stand in for those that the service calls: store, SMS gateway and push provider."""

import hashlib
import http.server
import json
import os
import threading
import time
import urllib.parse


class Quiet(http.server.BaseHTTPRequestHandler):
    """Keeps connections open, and logs nothing."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass


def serve(handler):
    """Starts a server on a port of its own, and returns the port."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


class Peer:
    """As much of an S3 server, or of an SMS gateway, as the service asks for; while it is silent, it answers nothing."""

    def __init__(self):
        self.is_silent = False
        self.objects = {}
        peer = self

        class Handler(Quiet):
            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if peer.is_silent:
                    threading.Event().wait()
                path, _, query = self.path.partition("?")
                status, answer, headers = 200, b"", {}
                if self.command == "PUT":
                    peer.objects[path.split("/", 2)[2]] = body
                    headers["ETag"] = '"' + hashlib.md5(body).hexdigest() + '"'
                elif self.command == "GET" and "list-type" in query:
                    prefix = urllib.parse.parse_qs(query).get("prefix", [""])[0]
                    found = sorted(key for key in peer.objects if key.startswith(prefix))
                    answer = ("<ListBucketResult><IsTruncated>false</IsTruncated>" + "".join(
                        f"<Contents><Key>{key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>"
                        f"<Size>{len(peer.objects[key])}</Size></Contents>" for key in found)
                        + "</ListBucketResult>").encode()
                elif self.command in ("GET", "HEAD"):
                    answer = peer.objects.get(path.split("/", 2)[-1], b"")
                    status = 200 if answer or path.count("/") < 2 else 404
                elif path != "/":
                    # Nothing else is asked of a store here.
                    status = 501
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(answer)

            do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = answer

        self.port = serve(Handler)


class Provider:
    """As much of Firebase Cloud Messaging, and of the server that gives out its tokens, as the service asks for."""

    def __init__(self, seconds):
        self.accepted = 0
        lock = threading.Lock()
        provider = self

        class Handler(Quiet):
            disable_nagle_algorithm = True

            def setup(self):
                # The provider shares a core with the clients. It must not delay their measurements.
                os.sched_setscheduler(threading.get_native_id(), os.SCHED_IDLE, os.sched_param(0))
                super().setup()

            def do_POST(self):
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                answer = {"access_token": "token", "expires_in": 3600, "token_type": "Bearer"}
                if self.path != "/token":
                    time.sleep(seconds)
                    with lock:
                        provider.accepted += 1
                    answer = {"name": "projects/bench/messages/1"}
                body = json.dumps(answer).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self.port = serve(Handler)
