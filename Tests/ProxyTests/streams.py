"""A client of `GET /v1/events` that resumes, as Dayly's own clients do."""

import http.client
import json
import socket
import threading
import time


class Stream:
    """Reads events until it is closed. `events` holds (time, name, data); `pauses` what the service asked it to wait."""

    def __init__(self, connect, token):
        self.connect, self.token = connect, token
        self.events, self.pauses, self.faults, self.beginnings = [], [], [], 0
        self.cursor, self.retry, self.is_open, self.connection = None, 3.0, True, None
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def close(self):
        """Does not wait for the service, which may be silent for 15 s."""
        self.is_open = False
        if self.connection and self.connection.sock:
            self.connection.sock.shutdown(socket.SHUT_RDWR)

    def _run(self):
        while self.is_open:
            try:
                self._read()
            except (OSError, ValueError, http.client.HTTPException) as error:
                if self.is_open:
                    self.faults.append(repr(error))
            if self.is_open:
                self.pauses.append(self.retry)
                time.sleep(self.retry)

    def _read(self):
        headers = {"Authorization": f"Bearer {self.token}"} | ({"Last-Event-ID": self.cursor} if self.cursor else {})
        connection = self.connection = self.connect()
        try:
            connection.request("GET", "/v1/events", headers=headers)
            answer = connection.getresponse()
            if answer.status != 200:
                self.faults.append(f"{answer.status} {answer.read()[:200]}")
                return
            self.beginnings += 1
            fields = {}
            while self.is_open and (line := answer.readline()):
                self._take(line.decode().rstrip("\n"), fields)
        finally:
            connection.close()

    def _take(self, line, fields):
        name, _, value = line.partition(": ")
        if name == "retry":
            self.retry = int(value) / 1000
        elif name:
            fields[name] = value
        else:
            self.cursor = fields.pop("id", self.cursor)
            if "event" in fields:
                self.events.append((time.monotonic(), fields["event"], json.loads(fields["data"])))
            fields.clear()
