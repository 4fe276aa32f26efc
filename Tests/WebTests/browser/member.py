"""Somebody who speaks to the service without a browser, as another client of Dayly does."""

import itertools
import json
import urllib.error
import urllib.request

_numbers = itertools.count(100)


class Member:
    """A person by HTTP alone."""

    def __init__(self, service, name, number=None):
        self.service, self.name = service, name
        self.number = number or f"+1415556{next(_numbers):04d}"
        # The second is the session's cookie, by which a browser could go on.
        self.token = self.cookie = None

    def call(self, method, path, body=None, kind="application/json"):
        """The JSON of an answer; None for an empty one."""
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        headers = {"Content-Type": kind, "Dayly-Session": "cookie", "Origin": self.service.url,
                   **({"Authorization": f"Bearer {self.token}"} if self.token else {})}
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
