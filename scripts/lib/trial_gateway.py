"""An SMS gateway of a trial: takes messages by https on port 9443 of the loopback interface and writes each into a file.

usage: trial_gateway.py CERTIFICATE KEY FOLDER     a message to +14155550101 is in FOLDER/+14155550101
"""

import http.server
import json
import os
import ssl
import sys

certificate, key, folder = sys.argv[1:]


class Gateway(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer(405)

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with open(os.path.join(folder, os.path.basename(message["to"])), "w", encoding="utf-8") as file:
            file.write(message["body"])
        self.answer(200)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 9443), Gateway)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
server.socket = context.wrap_socket(server.socket, server_side=True)
server.serve_forever()
