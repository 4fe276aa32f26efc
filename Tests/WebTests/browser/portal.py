"""A network that answers in the place of the service, as a hotel's does before somebody has signed in to it."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGE = b"<!doctype html><title>Hotel</title><h1>Welcome. Please sign in.</h1>"


class Portal:
    """Takes the connections of a line until `let_through`."""

    def __init__(self, service, status=200, headers=()):
        portal = self
        self.service, self.target = service, service.line.target
        self.uploads = 0

        class Answer(BaseHTTPRequestHandler):
            def answer(self):
                length = int(self.headers.get("Content-Length") or 0)
                self.rfile.read(length)
                portal.uploads += self.command == "POST" and self.path.endswith("/photos")
                self.send_response(status)
                for name, value in headers:
                    self.send_header(name, value)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(PAGE)))
                self.send_header("Connection", "close")
                self.end_headers()
                self.wfile.write(PAGE)

            do_GET = do_POST = do_PUT = do_DELETE = answer

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        # The connections that are open end, as those of a phone that joins the network.
        self.service.line.cut()
        self.service.line.target = self.server.server_address[1]
        self.service.line.restore()
        return self

    def let_through(self):
        self.service.line.cut()
        self.service.line.target = self.target
        self.service.line.restore()

    def __exit__(self, *_):
        self.let_through()
        self.server.shutdown()
        self.server.server_close()
