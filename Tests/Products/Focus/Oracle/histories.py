"""Histories of Focus users and what the contract makes of them: an oracle for the Swift rules, written from the contract.

usage: histories.py COUNT [FIRST]

It prints COUNT random histories, each by its number as the only seed. A history is a list of lines of whole numbers in the
order of the service's time; `History.write` explains the lines. FocusOracleTests reads them, hands the events to the
Swift rules, and compares.

The oracle looks at all of a user's accepted events at once, while the Swift rules fold them sync by sync.
"""

import bisect
import math
import random
import sys
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

DAY = 86_400
EPOCH = date(1970, 1, 1)
LOCK, UNLOCK, OPEN, USAGE = range(4)
AUTOMATIC, SHORTCUT, MANUAL, INSTALL, VERIFICATION = range(5)
DUPLICATE, ACCEPTED, TOO_OLD, BAD_CLOCK = range(4)
ANDROID, IOS = range(2)
ZONES = [ZoneInfo(name) for name in (
    "UTC", "Europe/Berlin", "America/Santiago", "Pacific/Kiritimati", "Etc/GMT+12", "Asia/Kolkata", "Pacific/Auckland")]
# Nights in which clocks change somewhere, and others.
BEGINNINGS = [date(2026, 3, 24), date(2026, 9, 1), date(2026, 10, 20), date(2026, 1, 7), date(2026, 4, 1)]
PAUSES = [0, 1, 30, 59, 60, 61, 120, 179, 180, 181, 241, 600, 1_200, 3_600, 7_200, 20_000, 40_000, 86_399, 86_400, 86_401]


def local_day(instant, zone):
    return (datetime.fromtimestamp(instant, zone).date() - EPOCH).days


def is_sunday(day):
    return (EPOCH + timedelta(day)).weekday() == 6


def monday(day):
    return day - (EPOCH + timedelta(day)).weekday()


# Section 4


def corrected(event, received, client, boot, uptime, previous, age):
    """The time of an event, or the reason for its rejection."""
    if boot is not None and event["boot"] == boot:
        time = received - (uptime - event["uptime"])
        if event["uptime"] > uptime:
            return BAD_CLOCK
    elif abs(received - client) <= 60:
        time = event["at"]
    else:
        time = event["at"] + received - client
    if time > received + 60:
        time = received
    if time < received - age:
        return TOO_OLD
    return max(time, previous) if previous is not None else time


# Section 5


class Timeline:
    """What happened to one device, by counting events; `events` is a list of (T, seq, kind, held, verifies)."""

    def __init__(self, number, events, deleted, hold):
        self.number, self.deleted, self.hold = number, deleted, hold
        self.events = events
        self.keys = [(time, 0, number, seq) for time, seq, *_ in events]

    def phase_after(self, index, instant):
        """The phase at an instant after the event at this place, if nothing of the device came since."""
        if index < 0:
            return "unknown"
        time, _, kind, held, _ = self.events[index]
        if kind == LOCK:
            return "locked"
        if held:
            return "locked" if instant >= time + self.hold else "in use"
        return "unknown" if instant > time + DAY else "in use"

    def phase_before(self, key):
        if self.deleted is not None and key > (self.deleted, 1, self.number, 0):
            return "unknown"
        return self.phase_after(bisect.bisect_left(self.keys, key) - 1, key[0])

    def begins(self):
        """The instants at which the device left its user alone: (instant, taken as locked, key from which it is visible)."""
        for index, (time, seq, kind, held, _) in enumerate(self.events):
            end = self.events[index + 1][0] if index + 1 < len(self.events) else math.inf
            if self.deleted is not None:
                end = min(end, self.deleted)
            if kind == LOCK:
                if self.phase_after(index - 1, time) != "locked":
                    yield time, False, (time, 0, self.number, seq, 1)
            elif held:
                if end >= time + self.hold:
                    yield time + self.hold, True, (time + self.hold,)
            elif end > time + DAY:
                yield time + DAY, False, (time + DAY + 1,)
        if self.deleted is not None and self.phase_after(len(self.events) - 1, self.deleted) == "in use":
            yield self.deleted, False, (self.deleted, 1, self.number, 0, 1)


def streaks_of(timelines, day_of):
    """All streaks with points: (began, ended, day, estimated)."""
    begins = sorted((begin for line in timelines for begin in line.begins()), key=lambda begin: begin[2])
    visible = [begin[2] for begin in begins]
    best, latest = [], (-math.inf, False)
    for instant, taken, _ in begins:
        if instant > latest[0]:
            latest = (instant, taken)
        elif instant == latest[0]:
            latest = (instant, latest[1] or taken)
        best.append(latest)
    found = []
    for line in timelines:
        for key, (time, seq, kind, _, verifies) in zip(line.keys, line.events):
            if kind == LOCK or verifies:
                continue
            phases = {other.phase_before(key) for other in timelines}
            if "in use" in phases or "locked" not in phases:
                continue
            began, estimated = best[bisect.bisect_left(visible, key) - 1]
            if time - began > 60:
                found.append((began, time, day_of[line.number, seq], estimated))
    return sorted(found, key=lambda streak: streak[1])


def points(seconds):
    return 0 if seconds < 60 else math.floor(1_000 * math.log(min(seconds, 604_800) / 60) + 0.5)


def figures_of(streaks, counted):
    """{day: (points, count, longest, estimated)}"""
    days = {}
    for began, ended, day, estimated in streaks:
        days.setdefault(day, []).append((min(ended - began, 604_800), estimated))
    result = {}
    for day, all_of_day in days.items():
        lengths = sorted((seconds for seconds, _ in all_of_day), reverse=True)
        paid = lengths[:counted] if counted else lengths
        result[day] = (
            sum(map(points, paid)), len(lengths), lengths[0], any(estimated for _, estimated in all_of_day))
    return result


def weeks_of(days):
    weeks = {}
    for day, (gained, count, longest, estimated) in days.items():
        before = weeks.get(monday(day), (0, 0, 0, False))
        weeks[monday(day)] = (
            before[0] + gained, before[1] + count, max(before[2], longest), before[3] or estimated)
    return weeks


# Sections 9, 10 and 11


class Figure:
    """A limit that rises tomorrow. None is no limit."""

    def __init__(self, value):
        self.value, self.waiting = value, None

    def on(self, day):
        if self.waiting and day >= self.waiting[1]:
            return self.waiting[0]
        return self.value

    def put(self, wanted, day, used=0):
        current = self.on(day)
        high = math.inf if current is None else current
        if (math.inf if wanted is None else wanted) < high:
            self.value = wanted if used <= wanted else min(used, high)
        else:
            self.value = current
        self.waiting = None if wanted == self.value else (wanted, day + 1)


class Intention:
    def __init__(self, opens, day):
        self.limit, self.day = Figure(opens), day
        self.used, self.broken, self.streak, self.best, self.told = 0, False, 0, 0, 0

    def reach(self, day, frozen):
        for closed in range(self.day, day):
            if closed not in frozen:
                self.streak = 0 if self.broken and closed == self.day else self.streak + 1
                self.best = max(self.best, self.streak)
        if day > self.day:
            self.day, self.used, self.broken = day, 0, False

    def open(self, day, frozen):
        self.reach(day, frozen)
        self.used += 1
        if self.used > self.limit.on(self.day) and self.day not in frozen:
            self.told += self.streak > 0
            self.broken, self.streak = True, 0


class Goal:
    def __init__(self, joined, lives, goal):
        self.goal, self.lives, self.streak = Figure(goal), lives, 0
        self.joined = self.judged = joined
        self.closed = None
        self.minutes = {}

    def lives_on(self, day):
        return min(3, self.lives + sum(map(is_sunday, range(self.judged + 1, day + 1))))

    def close(self, day):
        """Closes the days up to one, in order."""
        for closing in sorted(reported for reported in self.minutes if reported <= day):
            if self.closed is not None and closing <= self.closed:
                continue
            goal = self.goal.on(closing)
            if closing < self.joined or goal is None:
                continue
            self.lives = self.lives_on(closing)
            self.judged = closing
            if self.minutes[closing] < goal:
                self.streak += 1
            elif self.lives:
                self.lives -= 1
            else:
                self.streak = 0
        self.closed = day if self.closed is None else max(day, self.closed)

    def report(self, day, minutes, final, event_day):
        if self.closed is not None and day <= self.closed:
            return
        self.close(day - 1)
        self.minutes[day] = max(minutes, self.minutes.get(day, 0))
        if final and event_day > day:
            self.close(day)


# Histories


class Phone:
    """A phone with a clock of its own, whose events wait for a sync."""

    def __init__(self, rng, number, begin, end):
        self.number, self.platform = number, rng.choice((ANDROID, IOS))
        self.offset = rng.choice((0, 0, 0, 45, 61, -7_200, 90_000))
        self.booted = begin - rng.randrange(100_000) if rng.random() < 0.4 else None
        self.boot = number * 10
        self.seq, self.sent, self.queue = 0, 0, []
        self.accepted = []
        self.last, self.counts_from, self.window, self.deleted, self.verified = None, None, None, None, False
        self.end = end

    def event(self, rng, time, history, setting_up=False):
        """Something that happens on the phone."""
        kind = rng.choice((LOCK, UNLOCK, LOCK, UNLOCK, LOCK, UNLOCK, OPEN, USAGE))
        x = y = z = 0
        if setting_up:
            kind, x = UNLOCK, rng.choice((SHORTCUT, VERIFICATION))
        elif kind == LOCK:
            x = rng.choice((AUTOMATIC, MANUAL))
        elif kind == UNLOCK:
            x = rng.choice((SHORTCUT, SHORTCUT, VERIFICATION, MANUAL) if self.platform == IOS else (
                AUTOMATIC, AUTOMATIC, AUTOMATIC, MANUAL, INSTALL, SHORTCUT))
        elif kind == USAGE:
            x, y = local_day(time, history.zone) - rng.choice((0, 0, 1, 1, 2, 7, 8, -1)), rng.randrange(0, 300)
            z = int(rng.random() < 0.5)
        self.seq += rng.choice((1, 1, 1, 1, 2, 50))
        event = {"seq": self.seq, "kind": kind, "at": time + self.offset, "x": x, "y": y, "z": z, "boot": None, "uptime": 0}
        if self.booted is not None and rng.random() < 0.9:
            event["boot"], event["uptime"] = self.boot, max(0, time - self.booted + rng.choice((0, 0, 0, 0, 400)))
        self.queue.append(event)


class History:
    def __init__(self, number):
        rng = self.rng = random.Random(number)
        self.number, self.lines = number, []
        begin = (rng.choice(BEGINNINGS) - EPOCH).days * DAY + rng.randrange(DAY)
        end = begin + rng.choice((1, 2, 3, 5, 9, 12)) * DAY
        self.zone = rng.choice(ZONES)
        self.age = rng.choice((604_800, 604_800, 86_400))
        self.hold = rng.choice((180, 180, 180, 60, 3_600))
        self.counted = rng.choice((12, 12, 3, 0))
        joined = local_day(begin, self.zone)
        lives, goal, opens = rng.randrange(0, 4), rng.choice((None, 150, 180)), rng.randrange(1, 4)
        self.goal, self.intention, self.frozen = Goal(joined, lives, goal), Intention(opens, joined), set()
        self.phones = [Phone(rng, index + 1, begin, end) for index in range(rng.choice((1, 1, 2, 2, 3)))]
        self.write(1, number, self.hold, self.counted, self.age, joined, lives, -1 if goal is None else goal, opens)
        for phone in self.phones:
            self.write(2, phone.number, phone.platform)
        self.live(begin, end)
        self.conclude()

    def write(self, *numbers):
        """Writes a line: a number for its kind, and

        1 number hold counted age joined lives goal opens: a user, who joins; a goal of -1 is none
        2 device platform (0 Android, 1 iOS)
        3 device now: it was verified after its permissions were granted
        4 device now: a window for verification opens
        5 device now: it is deleted
        6 day opens, 7 day goal: a limit is put on this local day
        8 day: it is frozen
        9 device now client_time boot uptime count: a sync; without uptime boot is -1
        10 seq kind at boot uptime x y z outcome T day verifies: an event; x is the source, or the day of a report
        11 began ended day estimated: a streak
        12 day points count longest estimated, 13 the same of a week
        14 today lives streak, and of the intention day used streak best told
        15: the end
        """
        self.lines.append(" ".join(map(str, numbers)))

    def live(self, begin, end):
        rng, actions = self.rng, []
        for phone in self.phones:
            time = begin
            for _ in range(rng.choice((8, 16, 30, 60))):
                time += rng.choice(PAUSES) + (rng.randrange(600) if rng.random() < 0.4 else 0)
                if time > end:
                    break
                actions.append((time, rng.random(), "event", phone))
                if rng.random() < 0.3:
                    actions.append((time + rng.choice((0, 1, 600, 40_000, 200_000, 700_000)), rng.random(), "sync", phone))
            for time in (begin + rng.choice((0, 0, 0, 5_000)), rng.randrange(begin, end)):
                actions.append((time, rng.random(), "verify", phone))
                if phone.platform == IOS and rng.random() < 0.8:
                    time += rng.choice((1, 60, 120, 121))
                    actions += [(time, 0.1, "set_up", phone), (time + rng.choice((0, 1, 86_000)), 0.2, "sync", phone)]
            if rng.random() < 0.15:
                actions.append((rng.randrange(begin, end), rng.random(), "delete", phone))
            if rng.random() < 0.1:
                actions.append((rng.randrange(begin, end), rng.random(), "clock", phone))
        for _ in range(rng.randrange(3)):
            actions.append((rng.randrange(begin, end), rng.random(), rng.choice(("goal", "opens", "freeze", "zone")), None))
        actions.sort(key=lambda action: action[:2])
        for now, _, what, phone in actions:
            getattr(self, f"do_{what}")(now, phone)
        self.now = max(end, actions[-1][0]) + 1
        for phone in rng.sample(self.phones, len(self.phones)):
            self.do_sync(self.now, phone)

    def do_event(self, now, phone):
        phone.event(self.rng, now, self)

    def do_set_up(self, now, phone):
        phone.event(self.rng, now, self, setting_up=True)

    def do_clock(self, now, phone):
        phone.offset += self.rng.choice((-100_000, -3_600, 59, 3_600))

    def do_zone(self, now, phone):
        self.zone = self.rng.choice(ZONES)

    def do_goal(self, now, phone):
        day, goal = local_day(now, self.zone), self.rng.choice((None, 120, 180, 240))
        self.write(7, day, -1 if goal is None else goal)
        self.goal.goal.put(goal, day)

    def do_opens(self, now, phone):
        day, opens = local_day(now, self.zone), self.rng.randrange(1, 6)
        self.write(6, day, opens)
        used = self.intention.used if day <= self.intention.day else 0
        self.intention.limit.put(opens, day, used)

    def do_freeze(self, now, phone):
        day = local_day(now, self.zone)
        self.write(8, day)
        self.frozen.add(day)

    def do_verify(self, now, phone):
        if phone.deleted is not None:
            return
        if phone.platform == ANDROID:
            self.write(3, phone.number, now)
            if phone.counts_from is None:
                phone.counts_from = phone.sent + 1
        else:
            self.write(4, phone.number, now)
            phone.window = now

    def do_delete(self, now, phone):
        if phone.deleted is None:
            self.write(5, phone.number, now)
            phone.deleted = now if phone.last is None else max(now, phone.last)

    def do_sync(self, now, phone):
        if phone.deleted is not None:
            return
        batch = [event for event in phone.queue][: self.rng.choice((1, 20, 500))]
        uptime = None if phone.booted is None else now - phone.booted
        boot = phone.boot if uptime is not None and uptime >= 0 else None
        client = now + phone.offset + self.rng.choice((0, 0, 2))
        self.write(9, phone.number, now, client, -1 if boot is None else boot, uptime or 0, len(batch))
        for event in batch:
            self.take(event, phone, now, client, boot, uptime)
        # The answer may be lost: then the phone sends the same events again, with later ones.
        if self.rng.random() < 0.85:
            del phone.queue[: len(batch)]

    def take(self, event, phone, now, client, boot, uptime):
        outcome, time, day, verifies = self.judge(event, phone, now, client, boot, uptime)
        self.write(
            10, event["seq"], event["kind"], event["at"], -1 if event["boot"] is None else event["boot"], event["uptime"],
            event["x"], event["y"], event["z"], outcome, time, day, int(verifies))
        if outcome != ACCEPTED:
            return
        phone.last = time
        phone.accepted.append((time, event, day, verifies))
        if verifies and phone.counts_from is None:
            phone.counts_from = event["seq"]
        if event["kind"] == OPEN:
            self.intention.open(day, self.frozen)
        else:
            self.intention.reach(day, self.frozen)
        if event["kind"] == USAGE:
            self.goal.report(event["x"], event["y"], event["z"] == 1, day)

    def judge(self, event, phone, now, client, boot, uptime):
        """(outcome, T, local day, verifies)"""
        if event["seq"] <= phone.sent:
            return DUPLICATE, 0, 0, False
        phone.sent = event["seq"]
        time = corrected(event, now, client, boot, uptime, phone.last, self.age)
        if time in (BAD_CLOCK, TOO_OLD):
            return time, 0, 0, False
        day = local_day(time, self.zone)
        if event["kind"] == USAGE and event["x"] > day:
            return BAD_CLOCK, time, day, False
        if event["kind"] == USAGE and event["x"] < day - 7:
            return TOO_OLD, time, day, False
        verifies = False
        if event["kind"] == UNLOCK and event["x"] in (SHORTCUT, VERIFICATION) and phone.window is not None:
            verifies = phone.window <= time <= phone.window + 120 and now <= phone.window + DAY
            if verifies:
                phone.window = None
        return ACCEPTED, time, day, verifies

    def conclude(self):
        timelines, day_of = [], {}
        for phone in self.phones:
            events = []
            for time, event, day, verifies in phone.accepted:
                if event["kind"] in (LOCK, UNLOCK) and phone.counts_from is not None and event["seq"] >= phone.counts_from:
                    held = event["kind"] == UNLOCK and event["x"] in (SHORTCUT, VERIFICATION)
                    events.append((time, event["seq"], event["kind"], held, verifies))
                    day_of[phone.number, event["seq"]] = day
            timelines.append(Timeline(phone.number, events, phone.deleted, self.hold))
        streaks = streaks_of(timelines, day_of)
        days = figures_of(streaks, self.counted)
        for began, ended, day, estimated in streaks:
            self.write(11, began, ended, day, int(estimated))
        for kind, rows in ((12, days), (13, weeks_of(days))):
            for day, (gained, count, longest, estimated) in sorted(rows.items()):
                self.write(kind, day, gained, count, longest, int(estimated))
        today, intention = local_day(self.now, self.zone), self.intention
        today = max(today, self.goal.judged)
        self.write(
            14, today, self.goal.lives_on(today), self.goal.streak, intention.day, intention.used, intention.streak,
            intention.best, intention.told)
        self.write(15)


def main():
    count = int(sys.argv[1])
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    for number in range(first, first + count):
        sys.stdout.write("\n".join(History(number).lines) + "\n")


if __name__ == "__main__":
    main()
