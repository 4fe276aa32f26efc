"""Holds the results of a run against the promises."""

from collections import Counter
from dataclasses import dataclass

# The longest that clients may be refused, in seconds.
KILLED_LIMIT, SWITCHED_LIMIT = 25.0, 3.0
LAG_LIMIT = 60.0
PRIMARY = {"kill_primary": KILLED_LIMIT, "switch_over": SWITCHED_LIMIT}


@dataclass
class Window:
    """The time in which clients were refused because the primary changed."""

    kind: str
    detail: str
    start: float
    end: float
    limit: float
    refused: int

    @property
    def seconds(self):
        return self.end - self.start

    def covers(self, operation):
        # Begun before its end and ended after its start.
        first, last = operation["attempts"][0], operation["attempts"][-1]
        return first["start"] <= self.end and last["end"] >= self.start


def has_failed(attempt):
    return attempt["status"] == 0 or attempt["status"] >= 500


def windows(faults, operations):
    """From the first refused request after a change of the primary to the last, until the next fault."""
    found = []
    for index, fault in enumerate(faults):
        if fault.kind not in PRIMARY:
            continue
        until = faults[index + 1].start if index + 1 < len(faults) else float("inf")
        refused = [attempt for operation in operations for attempt in operation["attempts"]
                   if has_failed(attempt) and fault.start <= attempt["end"] < until]
        # A request that was already on its way counts from the fault on.
        start = max(fault.start, min((one["start"] for one in refused), default=fault.start))
        end = max((one["end"] for one in refused), default=start)
        found.append(Window(fault.kind, fault.detail, start, end, PRIMARY[fault.kind], len(refused)))
    return found


class Verdict:
    def __init__(self, faults, report, watch, surprises, endings):
        self.faults, self.report = faults, report
        self.windows = windows(faults, report["operations"])
        self.rows = []
        self.is_passed = True
        operations = report["operations"]
        open_to_all = [one for one in operations if not any(window.covers(one) for window in self.windows)]
        self.errors = [one for one in open_to_all if not one["isDone"]]
        repeated = [one for one in open_to_all if len(one["attempts"]) > 1]
        excused = [one for one in operations if not one["isDone"] and one not in self.errors]
        self._row("requests of clients", sum(len(one["attempts"]) for one in operations))
        self._row("photos accepted", report["accepted"], "at least 1", report["accepted"] > 0)
        self._row("breaches of the rules (lost, doubled, burnt days)", len(report["findings"]), "0",
                  not report["findings"])
        self._row("repeated requests outside the primary's windows", len(repeated))
        self._row("errors after one repetition outside these windows", len(self.errors), "0", not self.errors)
        self._row("errors after one repetition inside them", len(excused))
        for window in self.windows:
            name = "primary killed" if window.kind == "kill_primary" else "switchover"
            self._row(f"{name}, {window.detail}: {window.refused} refused", f"{window.seconds:.1f} s",
                      f"at most {window.limit:.0f} s", window.seconds <= window.limit)
        self._row("events on streams", f"{report['events']} on {report['streams']}")
        self._row("streams resumed, and the longest pause of one",
                  f"{report['reconnections']}, {report['longestGap']:.1f} s")
        self._row("longest lag of sweeping", f"{watch.lag:.1f} s", f"less than {LAG_LIMIT:.0f} s",
                  watch.lag < LAG_LIMIT)
        self._row("WAL for each accepted photo", f"{watch.wal / max(1, report['accepted']) / 1024:.0f} KiB")
        self._row("longest wait for the lease of a killed node's upload", f"{report['longestLease']:.0f} s",
                  "at most 60 s", report["longestLease"] <= 60)
        self._row("processes that ended by themselves", len(surprises), "0", not surprises)
        self._row("ends by the restore guard", endings, "0", not endings)
        remarks = [remark for fault in faults for remark in fault.remarks]
        self._row("faults", ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count
                                      in sorted(Counter(fault.kind for fault in faults).items())),
                  "no remark", not remarks)
        self.notes = [*report["findings"][:20], *remarks, *map(str, surprises)]
        self.notes += [f"{one['kind']}: {[attempt['status'] for attempt in one['attempts']]} {one.get('problem')}"
                       f" {self._after(one)}" for one in self.errors[:20]]

    def _after(self, operation):
        """Which fault came before a failed request."""
        end = operation["attempts"][-1]["end"]
        before = [fault for fault in self.faults if fault.start <= end]
        if not before:
            return "before the first fault"
        seconds = end - before[-1].start
        took = end - operation["attempts"][0]["start"]
        return f"{seconds:.1f} s after {before[-1].kind} {before[-1].detail}, having taken {took:.1f} s"

    def _row(self, what, measured, goal="", is_reached=True):
        self.rows.append((what, str(measured), goal, is_reached))
        self.is_passed = self.is_passed and is_reached

    def __str__(self):
        lines = []
        for what, measured, goal, is_reached in self.rows:
            mark = "" if not goal else "ok" if is_reached else "MISSED"
            lines.append(f"  {what:<58} {measured:>14}  {goal:<16} {mark}".rstrip())
        return "\n".join(lines + [f"  ! {note}" for note in self.notes])
