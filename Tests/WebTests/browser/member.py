"""Somebody who speaks to the service without a browser, as another client of Dayly does."""

import itertools
import json
import time
import urllib.error
import urllib.request
import uuid
from datetime import datetime
from zoneinfo import ZoneInfo

_numbers = itertools.count(100)


class Member:
    """A person by HTTP alone."""

    def __init__(self, service, name, number=None):
        self.service, self.name = service, name
        self.number = number or f"+1415556{next(_numbers):04d}"
        # The second is the session's cookie, by which a browser could go on.
        self.token = self.cookie = None

    def call(self, method, path, body=None, kind="application/json", key=None):
        """The JSON of an answer; None for an empty one."""
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        headers = {"Content-Type": kind, "Dayly-Session": "cookie", "Origin": self.service.url,
                   **({"Authorization": f"Bearer {self.token}"} if self.token else {}),
                   **({"Idempotency-Key": key} if key else {})}
        request = urllib.request.Request(self.service.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                self.cookie = answer.headers["Set-Cookie"] or self.cookie
                return json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.code} {error.read()[:300]}") from error

    def sign_in(self):
        started = self.call("POST", "/v1/auth/request-verification", {"phone_number": self.number})
        answer = self.call("POST", "/v1/auth/verify", {
            "verification_id": started["verification_id"], "code": self.service.code_for(self.number),
            "first_name": self.name, "time_zone": "Europe/Berlin",
        })
        self.token = answer["access_token"]
        return self

    def make_group(self, name, *numbers):
        """The group's id, and the codes of its invitations."""
        made = self.call("POST", "/v1/groups", {"name": name, "member_phone_numbers": numbers})
        return made["group"]["id"], [one["code"] for one in made["invitations"]]

    def join(self, code):
        self.call("POST", "/v1/invites/redeem", {"code": code})

    def send_photo(self, group, picture):
        return self.call("POST", f"/v1/groups/{group}/photos", picture, "image/jpeg")

    def photos(self, group):
        return self.call("GET", f"/v1/groups/{group}/photos")["photos"]

    def join_focus(self, **profile):
        """Takes part in Focus, with a phone that measures."""
        self.call("PUT", "/v1/focus/profile", {"consent": "1", **profile})
        self.phone, self.seq = str(uuid.uuid4()), 0
        self.call("PUT", f"/v1/focus/devices/{self.phone}", {"platform": "android", "setup": "verified"})
        return self

    def leave_phone(self, seconds, ago):
        """The phone was locked for some seconds, until a moment ago; without a moment it still is."""
        end = time.time() - (ago or 0)
        self._report([("lock", end - seconds)] + ([] if ago is None else [("unlock", end)]))

    def take_phone(self):
        self._report([("unlock", time.time())])

    def report_screen(self, minutes):
        """The phone's screen time of the day so far, by the clocks of Berlin."""
        self._send([{"kind": "usage", "at": instant(time.time()), "minutes": minutes,
                     "day": str(datetime.now(ZoneInfo("Europe/Berlin")).date())}])

    def join_companion(self, **settings):
        """Takes part in Companion, with a phone that reports."""
        self.call("PUT", "/v1/companion/settings", {"consent": "1", "limit_minutes": 240, **settings})
        self.phone, self.seq = str(uuid.uuid4()), 0
        return self

    def adopt(self, species, name):
        return self.call("POST", "/v1/companion/pet", {"species": species, "name": name}, key=str(uuid.uuid4()))

    def open_companion(self):
        """The phone reports that the app was opened."""
        return self._send([{"kind": "open", "at": instant(time.time())}], "companion")

    def bypass(self, count=1):
        """The phone opens its shielded apps some times, and shuts them at once each time, so that the next one counts."""
        at = instant(time.time())
        return self._send([{"kind": kind, "at": at} for kind in ("bypass", "reshield") * count], "companion")

    def _report(self, changes):
        self._send([{"kind": kind, "at": instant(at), "source": "automatic"} for kind, at in changes])

    def _send(self, events, product="focus"):
        events = [{"seq": self.seq + number, **event} for number, event in enumerate(events, 1)]
        self.seq += len(events)
        sync = {"device_id": self.phone, "client_time": instant(time.time()), "events": events}
        return self.call("POST", f"/v1/{product}/sync", sync)


def instant(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
