"""`dayly serve` as the tests and the benches start it, and other HTTP servers in the same way."""

import os
import signal
import subprocess
import time
import urllib.request


def settings_environment(values):
    """The environment of a service with these settings, and nothing of the caller's settings of a service."""
    return {name: value for name, value in os.environ.items() if not name.startswith("DAYLY_")} | {
        "DAYLY_" + key.upper().replace(".", "_"): str(value) for key, value in values.items()}


def until(check, seconds=30, what="it"):
    """Tries until the check gives something, and gives that."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := check():
            return found
        time.sleep(0.05)
    raise TimeoutError(f"{what} did not happen within {seconds} s")


class ServiceProcess:
    """A server on a port of 127.0.0.1 that can be stopped and started again. Its output is added to the file `log`."""

    def __init__(self, command, port, environment, log):
        self.command, self.port, self.environment, self.log = [str(word) for word in command], int(port), environment, log
        self.process = None

    def start(self):
        """Starts it and waits until it is ready."""
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        until(self.is_ready, 60, f"the start of {self.command[0]} (see {self.log})")
        return self

    def is_ready(self):
        self.require_running()
        try:
            return urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=2).status == 200
        except OSError:
            return False

    def require_running(self):
        if self.process.poll() is not None:
            with open(self.log, errors="replace") as log:
                raise RuntimeError(f"{self.command[0]} ended with {self.process.returncode}:\n{log.read()[-3000:]}")

    @property
    def pid(self):
        return self.process.pid

    def stop(self, how=signal.SIGTERM, seconds=90):
        """Its exit status; that of a kill where it does not end in time."""
        if self.process is None:
            return None
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()
