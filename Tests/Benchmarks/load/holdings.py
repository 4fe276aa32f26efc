"""The parts about what the service holds: memory, descriptors and threads."""

import os
import time

from memory_peak import Memory
from process import Process


def part_vanish(bench):
    halves = bench.requests.halves()
    bench.people.new_day()
    # Once for the allocator and the pools, then what counts.
    bench.generate("vanish", halves, 30, 2000)
    bench.settle()
    before = bench.service.held()
    gone = bench.generate("vanish", halves, 60, 10000)
    bench.settle()
    after = bench.service.held()
    bench.figures["vanish"] = {"before": before, "after": after}
    bench.line(f"{gone['vanished']} in {gone['seconds']:.1f} s ({gone['failed']} not taken); before {before}, after "
               f"{after}; upload memory {bench.service.metric('dayly_upload_memory_bytes'):.0f}, connections "
               f"{bench.service.metric('dayly_http_connections'):.0f}")
    grown = after["rss_mib"] - before["rss_mib"]
    bench.goal(f"10,000 vanished: {grown:+.0f} MiB (24), {after['descriptors'] - before['descriptors']:+} "
               f"descriptors (8), {after['threads'] - before['threads']:+} threads (4), no upload memory",
               grown <= 24 and after["descriptors"] - before["descriptors"] <= 8
               and after["threads"] - before["threads"] <= 4
               and bench.service.metric("dayly_upload_memory_bytes") == 0)


def part_pipelining(bench):
    count = 10_000
    crowd = Process(bench.options, "crowd", http__max_connections=2 * count).start()
    short = bench.requests.request("GET", "/v1/groups")
    long = short.replace(b"\r\n\r\n", b"\r\nA: " + b"x" * 6000 + b"\r\n\r\n")
    files = {"idle": bench.requests.request("GET", "/healthz"), "short": short * 3000, "long": long * 40}
    files = {name: bench.requests.write("hold-" + name, [requests]) for name, requests in files.items()}
    # Once for the allocator, then what counts.
    for name in files:
        bench.generate("hold", files[name], 3, 500, port=crowd.port)
    peaks, held = {}, {}
    for name in files:
        watcher = Memory(crowd.pid)
        held[name] = bench.generate("hold", files[name], 30, count, port=crowd.port)
        peaks[name] = watcher.end()["service"]
        time.sleep(5)
    crowd.stop()
    each = {name: (peaks[name] - peaks["idle"]) * 1024 / count for name in ("short", "long")}
    bench.figures["pipelining"] = {"peak_mib": peaks, "over_idle_kib": each, "held": held}
    bench.line(f"{count} connections: {peaks['idle']:.0f} MiB idle, {peaks['short']:.0f} MiB with 3,000 short "
               f"requests each, {peaks['long']:.0f} MiB with 40 of 6 KB; {held}")
    bench.goal(f"a connection that pipelines and reads nothing: {max(each.values()):.1f} KiB more than an idle one "
               f"(64)", max(each.values()) <= 64 and all(one["most"] >= 0.95 * count for one in held.values()))


def part_memory(bench):
    body = os.path.join(bench.options.folder, "10mb.jpg")
    bench.people.new_day()
    file = bench.requests.uploads(os.path.getsize(body), 64, "large")
    fresh = Process(bench.options, "memory", limits__groups_per_user=100).start()
    watcher = Memory(fresh.pid)
    result = bench.generate("once", file, 90, body=body, port=fresh.port)
    peak = watcher.end()
    time.sleep(3)
    after = fresh.held()
    fresh.stop()
    bench.figures["memory"] = {"peak_mib": peak, "after": after, "statuses": result["statuses"]}
    bench.line(f"64 pictures of 10 MB: {result['statuses']}; at most {peak['total']:.0f} MiB together, the service "
               f"{peak['service']:.0f} of it, decoders {peak['workers']:.0f}, memory files {peak['files']:.0f}; "
               f"3 s later {after['rss_mib']:.0f} MiB")
    bench.goal(f"64 uploads of 10 MB at once: {peak['total']:.0f} MiB (400), and some of them taken",
               peak["total"] <= 400 and result["good"]["count"] > 0
               and set(result["statuses"]) <= {"201", "503"})
