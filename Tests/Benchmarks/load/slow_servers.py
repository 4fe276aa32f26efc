"""The parts about everybody else's answers while servers that the service calls are slow or silent."""

import json
import os
import signal
import statistics
import subprocess
import time

from png import png
from process import Process
from stand_ins import Peer, Provider


def part_hang(bench):
    bench.need_peak()
    gateway, store = Peer(), Peer()
    # Only one service at a time may have the database, and each has a bucket of its own.
    bench.service.stop()
    for table in ["restore_guard", "journal_steps"]:
        bench.people.sql(f"CREATE TABLE their_{table} AS TABLE {table}; DELETE FROM {table}")
    other = Process(
        bench.options, "hang", limits__groups_per_user=100, storage__kind="s3",
        storage__s3__endpoint=f"http://127.0.0.1:{store.port}", storage__s3__bucket="bucket",
        storage__s3__access_key_id="id", storage__s3__secret_access_key="secret", sms__kind="http",
        sms__http__url=f"http://127.0.0.1:{gateway.port}/", sms__http__token="token").start()
    picture = os.path.join(bench.options.folder, "small.png")
    with open(picture, "wb") as file:
        file.write(png())
    uploads = bench.requests.uploads(os.path.getsize(picture), name="small")
    asks = bench.requests.write("asks", [
        bench.requests.request("POST", "/v1/auth/request-verification",
                               body=json.dumps({"phone_number": f"+4915113{index:06}"}).encode())
        for index in range(500)])
    p99, statuses, slowest = ([], []), ({}, {}), 0
    # The same uploads and codes all the time; store and gateway answer in one round, and hang in the next.
    for _ in range(4):
        for hangs in (False, True):
            gateway.is_silent = store.is_silent = hangs
            bench.people.new_day()
            sent = [bench.generate("open", uploads, 7, 4, 100, body=picture, wait=False, port=other.port),
                    bench.generate("open", asks, 7, 20, 50, wait=False, port=other.port)]
            time.sleep(1.5)
            p99[hangs].append(bench.calm(5, 0.25, other.port)["good"]["p99"])
            answers = json.loads(sent[0].communicate()[0])
            sent[1].communicate()
            for status, count in answers["statuses"].items():
                statuses[hangs][status] = statuses[hangs].get(status, 0) + count
            if hangs:
                slowest = max(slowest, answers["refused"]["max"] / 1000)
    other.stop(signal.SIGKILL)
    median = [statistics.median(windows) for windows in p99]
    bench.figures["hang"] = {"p99_ms": median[0], "p99_beside_ms": median[1], "slowest_503_s": slowest}
    bench.line(f"p99 {median[0]:.1f} ms while store and gateway answer ({statuses[0]}), {median[1]:.1f} ms while they "
               f"hang ({statuses[1]}, the slowest after {slowest:.1f} s); all windows "
               f"{[[round(value, 1) for value in windows] for windows in p99]} ms")
    bench.goal(f"hanging store and gateway: p99 {median[1] / median[0]:.2f} times as long (1.2)",
               median[1] <= 1.2 * median[0] and set(statuses[0]) == {"201"})
    bench.goal(f"hung uploads end with 503 after at most {slowest:.1f} s (12)",
               set(statuses[1]) == {"503"} and slowest <= 12)
    for table in ["restore_guard", "journal_steps"]:
        bench.people.sql(
            f"DELETE FROM {table}; INSERT INTO {table} TABLE their_{table}; DROP TABLE their_{table}")
    bench.service.start()


def part_backlog(bench):
    bench.need_peak()
    provider = Provider(seconds=1)
    account = os.path.join(bench.options.folder, "fcm.json")
    key = subprocess.run(["openssl", "genrsa", "2048"], check=True, capture_output=True, text=True).stdout
    with open(account, "w", encoding="ascii") as file:
        json.dump({"project_id": "bench", "client_email": "bench@dayly.test", "private_key": key,
                   "token_uri": f"http://127.0.0.1:{provider.port}/token"}, file)
    bench.people.new_day()
    bench.people.notify(5_000)
    pushing = Process(
        bench.options, "backlog", limits__groups_per_user=100, push__kind="fcm",
        push__fcm__url=f"http://127.0.0.1:{provider.port}", push__fcm__service_account=account).start()

    def begin():
        bench.people.sql("UPDATE outbox SET due_at = now() WHERE done_at IS NULL AND topic = 'notice'")

    def end(_=None):
        bench.people.sql("UPDATE outbox SET due_at = now() + interval '1 hour' "
                         "WHERE done_at IS NULL AND topic = 'notice'")
        time.sleep(1.5)

    # Statements of the deliveries alone: what the service does anyway is taken off.
    counts = []
    for is_on in (False, True):
        if is_on:
            begin()
        time.sleep(3)
        before = bench.people.statements(), provider.accepted
        time.sleep(15)
        counts.append((bench.people.statements() - before[0], provider.accepted - before[1]))
    end()
    delivered = counts[1][1]
    each = (counts[1][0] - counts[0][0]) / max(1, delivered)
    median, windows, used = bench.beside(6, begin, end, port=pushing.port)
    left = int(bench.people.database.value("SELECT count(*) FROM outbox WHERE done_at IS NULL AND topic = 'notice'"))
    pushing.stop()
    bench.people.sql("DELETE FROM outbox; DELETE FROM devices")
    bench.figures["backlog"] = {"statements_each": each, "per_second": delivered / 15, "p99_ms": median[0],
                                "p99_beside_ms": median[1], "cpu": used, "left": left}
    bench.line(f"{delivered / 15:.1f} messages/s to a provider that takes 1 s, {each:.1f} statements each; p99 of "
               f"requests {median[0]:.1f} ms alone, {median[1]:.1f} ms beside the backlog, which takes "
               f"{100 * used:.0f} % of a core and of which {left} are left; all windows "
               f"{[[round(value, 1) for value in values] for values in windows]} ms")
    bench.goal(f"{each:.1f} statements for each delivered message (20)", delivered > 0 and each <= 20)
    bench.goal(f"5,000 due messages: p99 of requests {median[1] / median[0]:.2f} times as long (1.2)",
               median[1] <= 1.2 * median[0] and left > 0)
