"""The services that the bench starts, stops and looks into."""

import contextlib
import http.client
import os
import re
import subprocess

from ports import free_port
from servers import Server
from service_process import settings_environment


class Process(Server):
    """A `dayly serve` that can be stopped and started again."""

    def __init__(self, options, name, **settings):
        port, self.admin_port = free_port(), free_port()
        folder = os.path.join(options.folder, "data")
        values = {
            "environment": "development", "data_dir": folder, "database.url": options.database,
            "database.migrations_path": options.migrations, "http.port": port,
            "http.public_url": "http://127.0.0.1:8080", "http.admin_port": self.admin_port,
            "limits.enforce_rates": "false", "log.format": "json",
            "storage.path": os.path.join(folder, "objects"),
        }
        values.update({key.replace("__", "."): value for key, value in settings.items()})
        self.binary = os.path.join(options.products, "dayly")
        super().__init__(name, [self.binary, "serve"], port, options, settings_environment(values))

    def run(self, *arguments):
        subprocess.run([self.binary, *arguments], env=self.environment, check=True, stdout=subprocess.DEVNULL)

    def metric(self, name):
        """The sum of a metric's series."""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.admin_port, timeout=60)) as connection:
            connection.request("GET", "/metrics")
            text = connection.getresponse().read().decode()
        return sum(float(line.rsplit(" ", 1)[1]) for line in text.splitlines()
                   if re.match(re.escape(name) + r"[ {]", line))

    def held(self):
        status = open(f"/proc/{self.pid}/status").read()
        rss = int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) / 1024
        threads = int(re.search(r"Threads:\s+(\d+)", status).group(1))
        return {"rss_mib": rss, "threads": threads, "descriptors": len(os.listdir(f"/proc/{self.pid}/fd"))}
