"""Writes the requests of the users into files, from which the generator sends them."""

import os

from png import png
from users import GROUP_SIZE


class Requests:
    """The requests as bytes. Each method that writes a file gives its path."""

    def __init__(self, people, options):
        self.people = people
        self.folder = options.folder

    def write(self, name, requests):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            for request in requests:
                file.write(b"%d\n%s" % (len(request), request))
        return path

    @staticmethod
    def request(method, path, token=None, body=None, kind="application/json", length=None):
        head = f"{method} {path} HTTP/1.1\r\nHost: dayly.test\r\n"
        if token:
            head += f"Authorization: Bearer {token}\r\n"
        if body is not None or length is not None:
            head += f"Content-Type: {kind}\r\nContent-Length: {len(body) if length is None else length}\r\n"
        return head.encode() + b"\r\n" + (body or b"")

    def reads(self, skipped=0):
        """Groups and feeds, of all but the first users."""
        requests = []
        for index, (_, token) in list(enumerate(self.people.users))[skipped:]:
            group = self.people.groups[index // GROUP_SIZE]
            requests.append(self.request("GET", "/v1/groups", token))
            requests += [self.request("GET", f"/v1/groups/{group}/photos", token)] * 3
        return self.write(f"reads-{skipped}", requests)

    def uploads(self, length, count=None, name="uploads"):
        pairs = self.people.pairs[:count]
        return self.write(name, [
            self.request("POST", f"/v1/groups/{group}/photos", self.people.users[index][1], kind="image/jpeg", length=length)
            for index, group in pairs])

    def drips(self):
        """Headers, JSON bodies and pictures that never come to their end."""
        requests = []
        for index, (_, token) in enumerate(self.people.users):
            group = self.people.groups[index // GROUP_SIZE]
            long = b"x" * 6000
            requests.append(self.request("GET", "/v1/groups?x=" + "x" * 6000, token).rstrip())
            requests.append(self.request("POST", "/v1/auth/verify", body=b'{"a": "' + long, length=9000))
            requests.append(self.request("POST", f"/v1/groups/{self.people.pairs[index][1]}/photos", token, long,
                                         kind="image/jpeg", length=10_000_000))
            requests.append(self.request("POST", f"/v1/groups/{group}/photos", token, long, kind="image/jpeg",
                                         length=50_000))
        # No blank line where only the header drips.
        requests[::4] = [request.split(b"\r\n\r\n")[0] for request in requests[::4]]
        return self.write("drips", requests)

    def halves(self):
        picture = png(200, 200)
        requests = []
        for index, (_, token) in enumerate(self.people.users):
            requests.append(self.request("GET", f"/v1/groups/{self.people.groups[index // GROUP_SIZE]}/photos", token))
            requests.append(self.request("POST", "/v1/groups", token, b'{"name": "' + b"x" * 400 + b'"}'))
            requests.append(self.request("POST", f"/v1/groups/{self.people.pairs[index][1]}/photos", token, picture,
                                         kind="image/png"))
        return self.write("halves", requests)
