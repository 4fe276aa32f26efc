"""Three nodes behind HAProxy are restarted one after the other under load. No client may notice."""

import http.client
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from proxied_nodes import ROOT, call, large_picture, running_nodes  # noqa: E402
from proxies import HAProxy  # noqa: E402
from streams import Stream  # noqa: E402

from member import Member  # noqa: E402
from service import until  # noqa: E402

WORK = ROOT / ".dayly/test/rolling"
CLIENTS = 4
BROKEN = (502, 503, 504)


class Client:
    """Sends requests that may be repeated, each once more after a failure, over connections that it keeps."""

    def __init__(self, proxy, member, group, photo_group):
        self.proxy, self.member, self.group, self.photo_group = proxy, member, group, photo_group
        self.connection = proxy.connect(timeout=30)
        self.counts, self.failures, self.repeats, self.is_running = Counter(), [], [], True
        self.names, self.picture = [], large_picture(100_000)
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def stop(self):
        self.is_running = False
        self.thread.join(60)

    def _run(self):
        token, number = self.member.token, 0
        while self.is_running:
            number += 1
            name = f"{self.member.name} {number}"
            self._send(200, "GET", f"/v1/groups/{self.photo_group}/photos", token)
            self._send(200, "PUT", f"/v1/groups/{self.group}", token, {"name": name})
            self.names.append(name)
            # The first is 201, and each repetition with the same key and bytes is 200.
            self._send(200, "POST", f"/v1/groups/{self.photo_group}/photos", token, self.picture, "image/jpeg",
                       Idempotency_Key=f"photo-{self.member.number}")

    def _send(self, expected, *arguments, **headers):
        for attempt in range(2):
            try:
                status, answer, body = call(self.connection, *arguments, **headers)
                if answer["Connection"] == "close":
                    self.connection.close()
                problem = None if status in (expected, 201) else f"{status} {body[:200]}"
            except (OSError, http.client.HTTPException) as error:
                status, problem = "broken", repr(error)
                self.connection.close()
            self.counts[status] += 1
            if not problem:
                return
            fault = f"{arguments[0]} {arguments[1]}: {problem}"
            if attempt == 0 and (status == "broken" or status in BROKEN):
                self.repeats.append(fault)
                continue
            self.failures.append(fault)
            return


@pytest.fixture
def service():
    with running_nodes(WORK, 3, DAYLY_LIMITS_ENFORCE_RATES="false") as service:
        yield service


@pytest.fixture
def proxy(service):
    proxy = HAProxy(WORK, service.ports)
    yield proxy
    proxy.stop()


def make_client(proxy, service, number):
    member = Member(service, f"Member {number}").sign_in()
    group, photo_group = (member.make_group(name, "+14155560009")[0] for name in ("Names", "Photos"))
    return Client(proxy, member, group, photo_group)


# Guard: every node reports the outbox's lag (the job `outbox_backlog`, which has no lease)
def test_every_node_reports_how_late_messages_are(service):
    """One node deletes old messages for all. Alerts take the worst value of all nodes, so each must renew its own."""
    for node in service.nodes:
        until(lambda: node.metric('dayly_outbox_lag_seconds{topic="news"}') is not None, 15, f"the metric of port {node.port}")


# Guard: clients of streams return at once (`http.drain_delay`)
def test_a_rolling_restart_loses_no_request(service, proxy):
    clients = [make_client(proxy, service, number) for number in range(CLIENTS)]
    streams = [Stream(proxy.connect, client.member.token) for client in clients]
    try:
        until(lambda: all(one.cursor for one in streams), 30, "the beginning of the streams")
        for node in service.nodes:
            time.sleep(1)
            node.stop()
            node.start()
            # HAProxy sends requests to it after two checks, 250 ms apart.
            time.sleep(1)
    finally:
        for client in clients:
            client.stop()
    counts = sum((client.counts for client in clients), Counter())
    repeats = [fault for client in clients for fault in client.repeats]
    print(f"{counts.total()} requests: {dict(counts)}; sent again: {repeats}")
    assert [fault for client in clients for fault in client.failures] == []
    # The checks and the delay leave nothing to send again.
    assert repeats == []
    for client, stream in zip(clients, streams):
        def names(stream=stream):
            return [data["name"] for _, name, data in stream.events if name == "group.updated"]
        until(lambda: client.names[-1] in names(), 30, "the last event")
        stream.close()
        # Several changes of a name may come as one event, but none comes twice or late.
        places = [client.names.index(name) for name in names()]
        assert places == sorted(set(places)), places
    assert any(stream.beginnings > 1 for stream in streams), "no stream met a restart"
    ended = [pause for stream in streams for pause in stream.pauses]
    assert ended and set(ended) == {0.5}, f"pauses of the clients: {ended}"
