"""The parts about everybody else's answers while some clients drip or rename."""

import json
import statistics
import time

from process import Process


def part_slow(bench):
    bench.need_peak()
    drips = bench.requests.drips()
    calm, slow, ended = [], [], 0
    # In turns, since the machine's own pace changes by the second.
    for _ in range(4):
        calm.append(bench.calm(5))
        child = bench.generate("drip", drips, 8, 500, wait=False)
        time.sleep(2)
        slow.append(bench.calm(5))
        ended += json.loads(child.communicate()[0])["closed"]
        bench.settle()
    p99 = [statistics.median(window["good"]["p99"] for window in windows) for windows in (calm, slow)]
    refused = sum(window["refused"]["count"] for window in slow)
    bench.figures["slow"] = {"p99_ms": p99[0], "p99_with_drips_ms": p99[1], "refused": refused}
    bench.line(f"p99 {p99[0]:.1f} ms alone, {p99[1]:.1f} ms beside 500 that drip ({ended} of them were ended), "
               f"{refused} refused; all windows {[[round(w['good']['p99']) for w in ws] for ws in (calm, slow)]} ms")
    bench.goal(f"500 slow clients: p99 {p99[1] / p99[0]:.2f} times as long (2.0)",
               p99[1] <= 2 * p99[0] and refused == 0)


def part_renames(bench):
    bench.need_peak()
    # As shipped, with its limits on one account.
    shipped = Process(bench.options, "renames", limits__groups_per_user=100, limits__enforce_rates="true").start()
    token, group = bench.people.users[0][1], bench.people.groups[0]
    renames = bench.requests.write("renames", [
        bench.requests.request("PUT", f"/v1/groups/{group}", token, json.dumps({"name": f"Name {index}"}).encode())
        for index in range(128)])
    others = bench.requests.reads(skipped=1)
    statuses = {}

    def begin():
        # Each as soon as it may: at once after a rename, and a second after a refusal.
        return bench.generate("patient", renames, 8, 128, wait=False, port=shipped.port)

    def end(child):
        for status, count in json.loads(child.communicate()[0])["statuses"].items():
            statuses[status] = statuses.get(status, 0) + count

    median, windows, used = bench.beside(5, begin, end, port=shipped.port, file=others)
    shipped.stop()
    bench.figures["renames"] = {"p99_ms": median[0], "p99_beside_ms": median[1], "cpu": used,
                                "statuses": statuses}
    bench.line(f"p99 of everybody else {median[0]:.1f} ms alone, {median[1]:.1f} ms beside 128 clients of one "
               f"account that rename ({statuses}) and take {100 * used:.0f} % of a core; all windows "
               f"{[[round(value, 1) for value in values] for values in windows]} ms")
    bench.goal(f"128 parallel renames by one account: p99 {median[1] / median[0]:.2f} times as long (1.5)",
               median[1] <= 1.5 * median[0] and statuses.get("200", 0) > 0)
