"""The nodes: `dayly serve`, each in a box of its own that reaches PostgreSQL over another network than clients."""

import os
import secrets
import shutil
import signal
import subprocess
import time
import urllib.request

from boxes import BACK, FRONT, Program, children, path, wait_until


def environment(settings):
    return {"DAYLY_" + key.upper().replace(".", "_"): str(value) for key, value in settings.items()}


class Node:
    def __init__(self, network, number, dayly, settings):
        self.name = f"api{number}"
        self.dayly, self.settings = dayly, settings
        self.box = network.box(self.name, 10 + number, FRONT, BACK)
        self.program = Program(self.box, self.name, [dayly, "serve"], environment(settings))

    def change(self, settings):
        """Takes effect with the next start."""
        self.settings = self.settings | settings
        self.program.environment = environment(self.settings)

    def start(self):
        self.program.start()

    def is_ready(self):
        with urllib.request.urlopen(f"http://{self.box.address}:8080/readyz", timeout=3) as answer:
            return answer.status == 200

    def await_readiness(self, within=60):
        wait_until(f"{self.name} ready", within, self.is_ready)

    def command(self, *arguments, within=120, **more):
        """Runs `dayly ARGUMENTS` beside the node."""
        return subprocess.run(
            self.box.enter(self.dayly, *arguments), text=True, capture_output=True, timeout=within, check=False,
            env={"PATH": os.environ["PATH"]} | environment(self.settings | more))

    def metrics(self):
        """{line without its value: value}; empty while the node is down."""
        answer = self.box.inside("curl", "-s", "-m", "2", "http://127.0.0.1:9464/metrics", check=False).stdout
        pairs = (line.rsplit(" ", 1) for line in answer.splitlines() if line and not line.startswith("#"))
        return {name: float(value) for name, value in pairs}

    def kill_worker(self, within=5):
        """kill -9 of one of its photo-workers. False where none was seen in time."""
        deadline = time.monotonic() + within
        while time.monotonic() < deadline:
            for child in children(self.program.pid):
                try:
                    with open(f"/proc/{child}/comm", encoding="ascii") as file:
                        if file.read().startswith("photo-worker"):
                            os.kill(child, signal.SIGKILL)
                            return True
                except (FileNotFoundError, ProcessLookupError):
                    continue
        return False

    def log(self):
        with open(self.program.log, encoding="utf-8", errors="replace") as file:
            return file.read()


class Release:
    """A version of the service: its programs with a folder of migrations. The next one has a migration more."""

    MIGRATION = """-- A column that the version before does not know.
ALTER TABLE groups ADD COLUMN cluster_note text;
CREATE TABLE cluster_notes (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, note text NOT NULL);
"""

    def __init__(self, project):
        self.old, self.new = path("migrations-old"), path("migrations-new")
        for folder in (self.old, self.new):
            shutil.copytree(os.path.join(project, "migrations"), folder)
        last = max(int(name[:4]) for name in os.listdir(self.old) if name[:4].isdigit())
        with open(os.path.join(self.new, f"{last + 1:04}_cluster_notes.sql"), "w", encoding="utf-8") as file:
            file.write(self.MIGRATION)


def shared_settings(postgres, store, service_url, store_url, sms_url):
    """The settings that all nodes share."""
    key = path("signing.pem")
    subprocess.run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key],
                   check=True, capture_output=True)
    os.makedirs(path("data"))
    return {
        "environment": "production", "data_dir": path("data"), "http.host": "0.0.0.0", "http.port": 8080,
        "http.public_url": service_url, "http.trusted_proxies": "10.77.1.10", "web.enabled": "false",
        "database.url": postgres.url(), "auth.secret": secrets.token_hex(32), "auth.signing_keys": key,
        # Longer than any run, so that a stream ends for the reasons of the test alone.
        "auth.access_token_lifetime": "6h", "auth.otp.resend_after": "0s",
        # All people come from one address, and one turn comes after the other.
        **{f"auth.otp.limits.{name}": 1000000 for name in (
            "number_per_hour", "number_per_day", "address_per_hour", "network_per_hour", "prefix_per_hour")},
        # Travellers come back again and again by their host's invitations.
        "invites.sms_per_sender_and_day": 100000, "invites.sms_per_recipient_and_month": 100000,
        "sms.kind": "http", "sms.http.url": sms_url, "sms.http.token": "fault-harness-sms-token",
        "sms.limits.per_minute": 1000000, "sms.limits.per_day": 1000000,
        "photos.sweep_interval": "2s",
        # Many streams of few people.
        "events.streams_per_user": 200, "log.level": "info",
    } | store.settings(store_url, "cluster")
