"""The real service, in a folder of its own, with a line to it that a test can cut or stall."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

ROOT = Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "Tests/PythonTesting"))

from line import Line  # noqa: E402
from ports import free_port  # noqa: E402
from service_process import ServiceProcess, until  # noqa: E402

# Each process of a run has a folder of its own.
WORK = ROOT / ".dayly/test/web" / os.environ.get("PYTEST_XDIST_WORKER", "alone")


def packaged(folder):
    """The web client as a package has it. `Sources/Web` itself is served in some tests of changes and of days."""
    subprocess.run([ROOT / "scripts/lib/web_bundle.py", ROOT / "Sources/Web", folder], check=True)
    return folder


class Service:
    """`dayly serve` with a database of its own, files as its store, and SMS in its log."""

    def __init__(self, folder, web=None, **settings):
        self.folder = Path(folder)
        self.web = Path(web or os.environ.get("DAYLY_TEST_WEB") or packaged(self.folder / "client"))
        self.binary = os.environ.get("DAYLY_TEST_BINARY", str(ROOT / ".build/debug/dayly"))
        self.log = self.folder / "dayly.log"
        self.line = Line(free_port(), free_port())
        self.url = f"http://127.0.0.1:{self.line.port}"
        self.environment = self._environment(settings)
        self.process = None

    def _environment(self, settings):
        server = urlsplit(os.environ["DAYLY_TEST_DATABASE_URL"])
        self.server, self.name = server.geturl(), f"web_{os.getpid()}_{self.line.port}"
        subprocess.run(["psql", "-q", self.server, "-c", f"CREATE DATABASE {self.name}"], check=True)
        self.database = urlunsplit(server._replace(path=f"/{self.name}"))
        return {
            **{key: value for key, value in os.environ.items() if not key.startswith("DAYLY_")},
            "DAYLY_ENVIRONMENT": "development",
            "DAYLY_DATA_DIR": str(self.folder / "data"),
            "DAYLY_DATABASE_URL": self.database,
            "DAYLY_HTTP_PORT": str(self.line.target),
            "DAYLY_HTTP_ADMIN_PORT": "0",
            "DAYLY_HTTP_PUBLIC_URL": self.url,
            "DAYLY_STORAGE_KIND": "filesystem",
            "DAYLY_STORAGE_PATH": str(self.folder / "objects"),
            "DAYLY_SMS_KIND": "console",
            "DAYLY_LIMITS_ENFORCE_RATES": "false",
            "DAYLY_WEB_PATH": str(self.web),
            **settings,
        }

    def start(self):
        subprocess.run([self.binary, "migrate"], env=self.environment, check=True, capture_output=True)
        self.process = ServiceProcess([self.binary, "serve"], self.line.target, self.environment, self.log).start()

    def stop(self):
        self.line.close()
        if self.process:
            self.process.stop()
        subprocess.run(["psql", "-q", self.server, "-c", f"DROP DATABASE {self.name} WITH (FORCE)"], check=False)

    def code_for(self, number, after=0):
        """The newest sign-in code of a number in the log, once there are more than `after`."""
        def look():
            codes = re.findall(rf"SMS to {re.escape(number)}: Your Dayly verification code is: (\d{{6}})",
                               self.log.read_text())
            return codes[-1] if len(codes) > after else None
        return until(look, 30, f"a code for {number}")

    def sql(self, statement):
        answer = subprocess.run(["psql", "-qAt", self.database, "-c", statement], check=True, capture_output=True)
        return answer.stdout.decode().strip()

    def photos_of(self, group):
        """How many photos a group has. Those of other tests go when the sweeper finds them."""
        return int(self.sql(f"SELECT count(*) FROM photos WHERE group_id = '{group}'"))


def make_folder(path):
    shutil.rmtree(path, ignore_errors=True)
    Path(path).mkdir(parents=True)
    return Path(path)
