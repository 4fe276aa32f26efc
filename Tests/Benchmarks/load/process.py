"""The services that the bench starts, stops and looks into."""

import contextlib
import http.client
import os
import re
import signal
import subprocess

from ports import free_port
from servers import Server, settings_environment


class Process(Server):
    """A `dayly serve` that can be stopped and started again."""

    def __init__(self, options, name, **settings):
        self.options = options
        self.name = name
        self.port = free_port()
        self.admin_port = free_port()
        folder = os.path.join(options.folder, "data")
        values = {
            "environment": "development", "data_dir": folder, "database.url": options.database,
            "database.migrations_path": options.migrations, "http.port": self.port,
            "http.public_url": "http://127.0.0.1:8080", "http.admin_port": self.admin_port,
            "limits.enforce_rates": "false", "log.format": "json",
            "storage.path": os.path.join(folder, "objects"),
        }
        values.update({key.replace("__", "."): value for key, value in settings.items()})
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("DAYLY_")}
        self.environment = inherited | settings_environment(values)
        self.binary = os.path.join(options.products, "dayly")
        self.child = None

    def run(self, *arguments):
        subprocess.run([self.binary, *arguments], env=self.environment, check=True, stdout=subprocess.DEVNULL)

    def start(self):
        # Each start makes the server anew, with an empty log.
        super().__init__(self.name, [self.binary, "serve"], self.port, self.options, self.environment)
        return self

    def stop(self, how=signal.SIGTERM, seconds=90):
        if self.child and self.child.poll() is None:
            self.child.send_signal(how)
            try:
                return self.child.wait(seconds)
            except subprocess.TimeoutExpired:
                self.child.kill()
        return self.child.wait() if self.child else None

    def metric(self, name):
        """The sum of a metric's series."""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.admin_port, timeout=60)) as connection:
            connection.request("GET", "/metrics")
            text = connection.getresponse().read().decode()
        return sum(float(line.rsplit(" ", 1)[1]) for line in text.splitlines()
                   if re.match(re.escape(name) + r"[ {]", line))

    @property
    def pid(self):
        return self.child.pid

    def held(self):
        status = open(f"/proc/{self.pid}/status").read()
        rss = int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024
        threads = int(re.search(r"Threads:\s+(\d+)", status).group(1))
        return {"rss_mib": rss, "threads": threads, "descriptors": len(os.listdir(f"/proc/{self.pid}/fd"))}
