"""The service under load, its users and clients, and what all parts of the bench measure with."""

import json
import os
import statistics
import subprocess
import sys
import time

from process import Process
from request_files import Requests
from users import People


def say(text):
    print(f"    {text}", file=sys.stderr, flush=True)


class Bench:
    """What the parts have in common. Each adds its figures and goals."""

    def __init__(self, options):
        self.options = options
        self.figures = {}
        self.goals = []
        self.service = Process(options, "service", limits__groups_per_user=100)
        self.service.run("migrate")
        self.service.start()
        self.people = People(self.service, options)
        say("signing in")
        self.people.sign_in()
        self.people.make_groups()
        self.requests = Requests(self.people, options)
        self.reads = self.requests.reads()
        self.peak = None

    def generate(self, *arguments, body=None, wait=True, port=None):
        command = ["taskset", "-c", str(self.options.cores[1]), os.path.join(self.options.folder, "generator")]
        mode, rest = arguments[0], arguments[1:]
        environment = dict(os.environ, **({"BODY": body} if body else {}))
        child = subprocess.Popen(command + [mode, str(port or self.service.port), *map(str, rest)],
                                 stdout=subprocess.PIPE, env=environment)
        return json.loads(child.communicate()[0]) if wait else child

    def goal(self, text, met):
        self.goals.append((text, bool(met)))
        print(f"      {'ok  ' if met else 'MISS'}  {text}", flush=True)

    def line(self, text):
        print(f"    {text}", flush=True)

    def closed(self, file, seconds, level, body=None):
        """Answers when each of so many clients asks again once it has its answer."""
        before = self.service.cpu()
        result = self.generate("closed", file, seconds, level, body=body)
        result["cpu_each"] = (self.service.cpu() - before) / max(1, result["good"]["count"])
        result["rate"] = self.per_second(result)
        return result

    @staticmethod
    def per_second(result, after=0):
        """Good answers in each of the seconds; what came when nobody asked any more does not count."""
        seconds = [good for good, _, _ in result["by_second"][after:]]
        return sum(seconds) / max(1, len(seconds))

    def find_peak(self, file, levels, seconds, body=None, between=lambda: None):
        best = None
        for level in levels:
            between()
            result = self.closed(file, seconds, level, body)
            result["level"] = level
            self.line(f"{level:4} at a time: {result['rate']:8.1f}/s, p50 {result['good']['p50']:.1f} ms, "
                      f"p99 {result['good']['p99']:.1f} ms, {result['cpu_each'] * 1e3:.2f} ms CPU each, "
                      f"{result['statuses']}")
            if best is None or result["rate"] > best["rate"]:
                best = result
        return best

    def need_peak(self):
        if self.peak is None:
            self.peak = self.find_peak(self.reads, [16, 64], 2)
        return self.peak

    def calm(self, seconds, share=0.4, port=None):
        """Answers at a part of the peak: what everybody else sees."""
        return self.generate("open", self.reads, seconds, share * self.need_peak()["rate"], 256, port=port)

    def settle(self):
        """Until nothing of the vanished is left, for at most 20 s."""
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            time.sleep(0.5)
            if (self.service.metric("dayly_http_connections") <= 1
                    and self.service.metric("dayly_http_admitted") == 0):
                return

    def beside(self, rounds, begin, end, share=0.25, port=None, file=None):
        """The medians of the 99th percentiles without and with what `begin` starts and `end` ends, in turns; all of them;
        and what the service's CPU time grew by, as a share of a core."""
        p99, used = ([], []), ([], [])
        service = next(one for one in Process.running if one.port == (port or self.service.port))
        for _ in range(rounds):
            for is_on in (False, True):
                if is_on:
                    started = begin()
                    time.sleep(1.5)
                before, began = service.cpu(), time.monotonic()
                result = self.generate("open", file or self.reads, 5, share * self.need_peak()["rate"], 256, port=port)
                used[is_on].append((service.cpu() - before) / (time.monotonic() - began))
                p99[is_on].append(result["good"]["p99"])
                if is_on:
                    end(started)
                    time.sleep(1)
        grown = statistics.median(used[1]) - statistics.median(used[0])
        return [statistics.median(windows) for windows in p99], p99, grown
