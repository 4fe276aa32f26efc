"""WebKitGTK's own small browser by WebDriver, in a display without a screen. Its engine is close to Safari's."""

import json
import os
import subprocess
import urllib.error
import urllib.request
from pathlib import Path

from service import free_port, make_folder, until
from visitor import PHONE, Visitor

MINI_BROWSER = next(Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser"), Path("MiniBrowser"))
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class WebKit(Visitor):
    """A window of WebKitGTK without a camera. Its storage lasts as long as the session."""

    name = "WebKitGTK"

    def start(self, folder):
        self.log = open(folder / "webkit.log", "wb")
        home = str(make_folder(folder / "webkit"))
        port = free_port()
        # With this locale the browser says that its language is C, which Intl refuses.
        self.driver = self._spawn(["WebKitWebDriver", f"--port={port}"], {
            "DISPLAY": self._open_display(), "HOME": home, "XDG_RUNTIME_DIR": home, "LC_ALL": "C",
            "LIBGL_ALWAYS_SOFTWARE": "1", "NO_AT_BRIDGE": "1"})
        self.address = f"http://127.0.0.1:{port}"
        until(self._is_ready, 30, "the driver's start")
        options = {"binary": str(MINI_BROWSER), "args": ["--automation"]}
        session = self._send("POST", "/session", capabilities={
            "alwaysMatch": {"webkitgtk:browserOptions": options, "timeouts": {"script": 60_000}}})
        self.version = session["capabilities"]["browserVersion"]
        self.address += f"/session/{session['sessionId']}"
        self._send("POST", "/window/rect", x=0, y=0, **PHONE)

    def close(self):
        try:
            self._send("DELETE", "")
        finally:
            for process in (self.driver, self.screen):
                process.terminate()
                process.wait(30)
            self.log.close()

    def _spawn(self, command, environment=None, **options):
        environment = {**os.environ, **(environment or {})}
        return subprocess.Popen(command, env=environment, stdout=self.log, stderr=self.log, **options)

    def _open_display(self):
        """Xvfb takes the first free number and tells it."""
        told, tells = os.pipe()
        screen = ["-screen", "0", "1280x1024x24", "-nolisten", "tcp"]
        self.screen = self._spawn(["Xvfb", "-displayfd", str(tells), *screen], pass_fds=[tells])
        os.close(tells)
        with open(told) as line:
            return f":{line.readline().strip()}"

    def _is_ready(self):
        try:
            return self._send("GET", "/status")["ready"]
        except OSError:
            return False

    def _send(self, method, path, **body):
        data = json.dumps(body).encode() if method == "POST" else None
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=90) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise RuntimeError(f"{path}: {value['error']}: {value['message']}") from error

    def go(self, path):
        self._send("POST", "/url", url=self.service.url + path)
        self.wait_until_ready()

    def reload(self):
        self._send("POST", "/refresh")
        self.wait_until_ready()

    def run(self, function, *values):
        script = f"""const done = arguments[arguments.length - 1];
          ({function})(...[...arguments].slice(0, -1)).then(
            (value) => done(JSON.stringify([value ?? null])), (error) => done(`${{error}}`));"""
        answer = self._send("POST", "/execute/async", script=script, args=list(values))
        if not answer.startswith("["):
            raise RuntimeError(answer)
        return json.loads(answer)[0]

    def find(self, function, *values):
        return self._send("POST", "/execute/sync", script=f"return ({function})(...arguments)", args=list(values))

    def click(self, element):
        self._send("POST", f"/element/{element[ELEMENT]}/click")

    def type(self, element, text):
        self._send("POST", f"/element/{element[ELEMENT]}/value", text=text)

    def picture(self):
        return self._send("GET", "/screenshot")

    def attach(self, element, path):
        self.type(element, str(path))
