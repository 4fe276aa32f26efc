"""Debian's Firefox by WebDriver BiDi over its own socket, because Debian has no geckodriver."""

import itertools
import json
import os
import re
import subprocess

from websockets.sync.client import connect

from service import make_folder, until
from visitor import PHONE, Visitor


class Firefox(Visitor):
    """Firefox without a window and without a camera, with a profile of its own."""

    name = "Firefox"
    preferences = {}

    def start(self, folder):
        self.numbers = itertools.count(1)
        self.log = folder / "firefox.log"
        profile = make_folder(folder / "firefox")
        lines = [f'user_pref("{name}", {json.dumps(value)});' for name, value in self.preferences.items()]
        (profile / "user.js").write_text("\n".join(lines))
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                ["firefox-esr", "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port=0"],
                env={**os.environ, "HOME": str(profile)}, stdout=log, stderr=log)
        address = until(self._address, 60, "Firefox's start")
        self.socket = connect(f"{address}/session", max_size=None).__enter__()
        capabilities = self._send("session.new", capabilities={})["capabilities"]
        self.version = capabilities["browserVersion"]
        self._send("session.subscribe", events=["log.entryAdded"])
        self.context = self._send("browsingContext.getTree")["contexts"][0]["context"]
        self._send("browsingContext.setViewport", context=self.context, viewport=PHONE)

    def close(self):
        self.process.terminate()
        self.process.wait(30)

    def _address(self):
        found = re.search(r"WebDriver BiDi listening on (ws://\S+)", self.log.read_text(errors="replace"))
        return found and found[1]

    def _send(self, method, **parameters):
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv(timeout=60))
            if answer.get("id") == number:
                break
            self._note(answer)
        if answer["type"] == "error":
            raise RuntimeError(f"{method}: {answer['error']}: {answer['message']}")
        return answer["result"]

    def _note(self, event):
        entry = event.get("params", {})
        if entry.get("type") == "javascript" and entry.get("level") == "error":
            self.faults.append(entry["text"])

    def go(self, path):
        self._send("browsingContext.navigate", context=self.context, url=self.service.url + path, wait="interactive")
        self.wait_until_ready()

    def reload(self):
        self._send("browsingContext.reload", context=self.context, wait="interactive")
        self.wait_until_ready()

    def _call(self, function, values):
        answer = self._send(
            "script.callFunction", functionDeclaration=function, awaitPromise=True, target={"context": self.context},
            arguments=[{"type": "string", "value": value} for value in values])
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return answer["result"]

    def run(self, function, *values):
        wrapped = f"async (...values) => JSON.stringify(await ({function})(...values) ?? null)"
        return json.loads(self._call(wrapped, values)["value"])

    def find(self, function, *values):
        found = self._call(function, values)
        return found if found["type"] == "node" else None

    def click(self, element):
        pointer = [
            {"type": "pointerMove", "x": 0, "y": 0, "origin": {"type": "element", "element": element}},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self._perform({"type": "pointer", "id": "mouse", "actions": pointer})

    def type(self, element, text):
        self.click(element)
        keys = [{"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]
        self._perform({"type": "key", "id": "keyboard", "actions": keys})

    def _perform(self, actions):
        self._send("input.performActions", context=self.context, actions=[actions])

    def picture(self):
        return self._send("browsingContext.captureScreenshot", context=self.context)["data"]

    def attach(self, element, path):
        self._send("input.setFiles", context=self.context, element={"sharedId": element["sharedId"]}, files=[str(path)])
