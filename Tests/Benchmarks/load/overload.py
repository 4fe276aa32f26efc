"""The parts about requests under load: at the peak, at ten times the peak, and while the service ends."""

import json
import os
import statistics
import time


# Guard: refused clients that ask again at once do not take the processor (HTTPGuard `ConnectionState.rest`,
# `ConnectionState.wake`)
def part_reads(bench):
    bench.peak = bench.find_peak(bench.reads, [4, 16, 64, 128], 3)
    overload(bench, "reads", bench.reads, bench.peak, 8, 6, 1000)
    bench.generate("open", bench.reads, 4, 10 * bench.peak["rate"], 1000)
    after = bench.calm(12)
    bench.figures["reads"]["recovery_s"] = seconds = recovery(after, 0.4 * bench.peak["rate"])
    bench.line(f"then at 40 %: {after['statuses']}, slowest by second: "
               f"{[round(s[2]) for s in after['by_second']]} ms")
    bench.goal(f"all is well again after {seconds} s (10)", seconds <= 10)


def part_uploads(bench):
    body = os.path.join(bench.options.folder, "12mp.jpg")
    file = bench.requests.uploads(os.path.getsize(body))
    peak = bench.find_peak(file, [1, 2, 4], 5, body, bench.people.new_day)
    overload(bench, "uploads", file, peak, 3, 12, 400, body, bench.people.new_day)


def overload(bench, name, file, peak, rounds, seconds, connections, body=None, between=lambda: None):
    """Ten times the peak, and the peak itself before and after it: the machine's own pace changes by the second.

    The first third of each overload is its beginning and does not count.
    """
    def calm():
        between()
        return bench.closed(file, seconds / 2, peak["level"], body)

    ratios, peaks, results = [], [calm()], []
    for _ in range(rounds):
        between()
        before, started = bench.service.cpu(), time.monotonic()
        result = bench.generate("open", file, seconds, 10 * peak["rate"], connections, body=body)
        result["cpu"], result["wall"] = bench.service.cpu() - before, time.monotonic() - started
        bench.settle()
        results.append(result)
        peaks.append(calm())
        beside = (peaks[-2]["rate"] + peaks[-1]["rate"]) / 2
        ratios.append(bench.per_second(result, seconds // 3) / beside)
        refused = result["refused"]["count"]
        cpu_good = (peaks[-2]["cpu_each"] + peaks[-1]["cpu_each"]) / 2
        each = max(0.0, result["cpu"] - result["good"]["count"] * cpu_good) / max(1, refused)
        bench.line(f"offered {10 * peak['rate']:.0f}/s: good {ratios[-1] * beside:.1f}/s, at the peak "
                   f"{peaks[-2]['rate']:.1f} and {peaks[-1]['rate']:.1f}/s; {refused / result['seconds']:.0f}/s "
                   f"refused, {result['unsent']} without a connection, {result['lost']} lost, "
                   f"statuses {result['statuses']}")
        bench.line(f"  good ones p50 {result['good']['p50']:.0f}, p99 {result['good']['p99']:.0f} ms, refusals p50 "
                   f"{result['refused']['p50']:.1f}, p99 {result['refused']['p99']:.1f} ms; of the service's CPU a "
                   f"good one takes {cpu_good * 1e6:.0f} µs, a refusal {each * 1e6:.1f} µs")
    ratio = statistics.median(ratios)
    bench.figures[name] = {
        "ratio": ratio, "ratios": ratios, "offered": 10 * peak["rate"],
        "peak": statistics.median(result["rate"] for result in peaks),
        "p50_good_ms": statistics.median(result["good"]["p50"] for result in results),
        "p99_good_ms": statistics.median(result["good"]["p99"] for result in results),
        "p99_refused_ms": statistics.median(result["refused"]["p99"] for result in results),
        "refused": sum(result["refused"]["count"] for result in results),
        "unsent": sum(result["unsent"] for result in results),
    }
    bench.goal(f"goodput under ten times the load {ratio:.2f} of the peak (0.80)", ratio >= 0.8)


def recovery(after, rate):
    """Seconds to the end of the last one in which somebody was refused, or fewer were answered than had asked."""
    bad = [index for index, (good, refused, _) in enumerate(after["by_second"]) if refused or good < 0.9 * rate]
    return bad[-1] + 1 if bad else 0


def part_sigterm(bench):
    child = bench.generate("closed", bench.reads, 8, 32, wait=False)
    time.sleep(2)
    status = bench.service.stop()
    result = json.loads(child.communicate()[0])
    bench.figures["sigterm"] = {"lost": result["lost"], "answered": result["good"]["count"], "status": status}
    bench.line(f"{result['good']['count']} answered, {result['lost']} lost, {result['broken']} broken while being "
               f"sent, exit status {status}")
    bench.goal("SIGTERM under load loses no request", result["lost"] == 0 and status == 0)
    bench.service.start()
