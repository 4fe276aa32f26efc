"""Histories of Companion's accounts and what the contract makes of them: an oracle for the Swift rules, written from the
contract.

usage: companion_histories.py COUNT [FIRST]

It prints COUNT random histories, each by its number as the only seed. A history is a list of lines of whole numbers in the
order of the service's time: `Account`, `Animal` and `questions` explain them. CompanionOracleTests reads them, hands the
events to the Swift rules, and compares. -1 stands for a missing number.
"""

import random
import sys
from datetime import date, datetime, timedelta
from fractions import Fraction
from functools import lru_cache
from math import floor
from zoneinfo import ZoneInfo

HOUR, DAY = 3_600, 86_400
EPOCH = date(1970, 1, 1)
ACCEPTED, LOCKED, WINDOW_OPEN, NOT_SHIELDED, UNKNOWN_DAY, TOO_OLD = range(6)
POOLS = ["welcome", "band.80", "band.60", "band.40", "band.20", "band.10", "band.0", "terminal", "plain", "good", "mixed"]
SIZES = {"terminal": 40, "good": 40, "mixed": 40}
ZONES = (
    "UTC", "Europe/Berlin", "America/Los_Angeles", "America/New_York", "Pacific/Auckland", "Pacific/Apia", "Asia/Beirut",
    "Pacific/Kiritimati", "Etc/GMT+12", "Asia/Kolkata", "America/Santiago", "America/Havana")
# Nights in which clocks change or dates are left out somewhere, and others.
BEGINNINGS = [date(2026, 3, 26), date(2026, 9, 3), date(2026, 10, 22), date(2011, 12, 27), date(2026, 1, 7)]
PAUSES = [0, 1, 60, 299, 600, 601, 1_200, 1_800, 1_800, 1_801, 2_700, 3_600, 5_000, 7_200, 20_000, 40_000, 70_000, 100_000]


def at_zone(instant, zone):
    return datetime.fromtimestamp(instant, ZoneInfo(zone))


@lru_cache(None)
def local_date(instant, zone):
    return (at_zone(instant, zone).date() - EPOCH).days


@lru_cache(None)
def midnight(day, zone):
    """The first instant of a local date or, where the zone leaves it out, of the next. Clocks change at quarters."""
    instant = day * DAY - 15 * HOUR
    while local_date(instant, zone) < day:
        instant += 900
    return instant


def draw(text):
    z = 0xCBF29CE484222325
    for byte in text.encode():
        z = (z ^ byte) * 0x100000001B3 % 2**64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return ((z ^ z >> 31) >> 11) / 2**53


def half_up(number):
    return floor(number + Fraction(1, 2))


def award(ratio, before, energy_max, gamma):
    """Ratios are fractions."""
    mean = ratio if before is None else (ratio + before) / 2
    share = max(Fraction(0), 1 - mean)
    if gamma == 1_000:
        return half_up(energy_max * share)
    return floor(energy_max * float(share) ** (gamma / 1_000) + 0.5)


def tenths(minutes):
    return (10 * minutes + 30) // 60


def band_of(hp):
    return min(band for band in (0, 10, 20, 40, 60, 80, 100) if band >= hp)


class Day:
    def __init__(self, name, begins, first):
        self.name, self.begins, self.first = name, begins, first
        self.end = None
        self.limit = None
        self.bypasses = []
        self.reports = []
        self.has_event = False
        self.judged = False
        self.texts = {}
        self.closed = None
        self.ratio = None

    @property
    def hp(self):
        return max(0, 100 - 5 * len(self.bypasses))

    def has_summary(self):
        return "nightly" in self.texts or "terminal" in self.texts


class Account:
    """The days of an account.

    2 energy_max gamma; 3 the zone from here on, by its place in ZONES; 10 a day begins: name, beginning, first, limit, end, four midnights as date and instant; 11 the zone
    changes: now, end, midnights; 12 a limit is set; 13 a cooldown; 14 a bypass: device, T, R, weekday and minute, outcome;
    15 a schedule: from, to, weekdays as bits; 16 a reshield: device, T, R; 17 an open: T, R; 18 a report: day, minutes, final,
    R, outcome; 19 now; 20 a day at the end; 21 an entry of the diary; 22 the end.
    """

    def __init__(self, rng, write, user):
        self.rng, self.write, self.user = rng, write, user
        self.zone = rng.choice(ZONES)
        self.days, self.windows, self.last, self.diary = [], {}, {}, []
        self.cooldown, self.schedule = 30, None
        self.limit_today = self.limit_next = rng.choice((15, 60, 120, 240, 960))
        self.energy_max, self.gamma = rng.choice(((150, 1_000), (150, 1_000), (99, 1_000), (150, 1_500), (10_000, 500)))
        write(2, self.energy_max, self.gamma)
        write(3, ZONES.index(self.zone))
        beginning = (rng.choice(BEGINNINGS) - EPOCH).days
        self.now = self.joined = beginning * DAY + rng.randrange(DAY)
        self.begin(self.joined)
        for _ in range(rng.choice((5, 15, 30, 50))):
            self.pass_time(rng.choice(PAUSES))
            rng.choices(
                (self.bypass, self.reshield, self.open, self.report, self.set_limit, self.set_cooldown, self.set_schedule,
                 self.set_zone), (30, 4, 8, 8, 2, 1, 1, 1))[0]()
            if rng.random() < 0.04:
                for _ in range(rng.randrange(25)):
                    self.pass_time(rng.choice((600, 601, 1_800)))
                    self.bypass()
        self.pass_time(rng.choice((HOUR, 30 * HOUR)))
        self.write(19, self.now)
        self.conclude()

    # Days

    def midnights(self, name):
        return [(local_date(m, self.zone), m) for m in (midnight(name + n, self.zone) for n in range(1, 5))]

    def end_of(self, day, changed=None):
        for date_, instant in self.midnights(day.name):
            if date_ > day.name and (instant > day.begins if day.first else instant - day.begins >= 18 * HOUR):
                return instant if changed is None or instant > changed else changed
        raise ValueError("a day without an end")

    def begin(self, instant):
        day = Day(local_date(instant, self.zone), instant, not self.days)
        assert not self.days or day.name > self.days[-1].name
        day.limit = self.limit_today = self.limit_next
        day.end = self.end_of(day)
        self.days.append(day)
        self.write(10, day.name, instant, int(day.first), day.limit, day.end, *sum(self.midnights(day.name), ()))

    def pass_time(self, seconds):
        self.now += seconds
        while True:
            due = [(day.end + HOUR, 0, day) for day in self.days[-3:] if not day.judged]
            due.append((self.days[-1].end, 1, None))
            instant, _, day = min(due, key=lambda item: item[:2])
            if instant > self.now:
                return
            if day is None:
                self.begin(instant)
            else:
                day.judged = True
                if day.has_event and not day.has_summary():
                    self.tell(day, "nightly", instant)

    def day_at(self, instant):
        return [day for day in self.days if day.begins <= instant][-1]

    # Settings

    def set_zone(self):
        self.zone = self.rng.choice(ZONES)
        day = self.days[-1]
        day.end = self.end_of(day, self.now)
        self.write(3, ZONES.index(self.zone))
        self.write(11, self.now, day.end, *sum(self.midnights(day.name), ()))
        self.pass_time(0)

    def set_limit(self):
        self.limit_next = self.rng.choice((15, 30, 60, 119, 120, 240, 480, 960))
        day = self.days[-1]
        day.limit = min(day.limit, self.limit_next)
        self.write(12, self.limit_next)

    def set_cooldown(self):
        self.cooldown = self.rng.choice((10, 20, 30, 45, 60))
        self.write(13, self.cooldown)

    def set_schedule(self):
        rng = self.rng
        times = rng.choice(((540, 1_020), (1_320, 360), (0, 0), (600, 600), (rng.randrange(1_440), rng.randrange(1_440))))
        weekdays = [day for day in range(1, 8) if rng.random() < 0.8]
        self.schedule = (*times, weekdays) if weekdays else None
        self.write(15, *times, sum(1 << day for day in weekdays))

    # Events

    def time(self, device):
        """T: now, or late, or up to a minute ahead; never before the device's last."""
        rng = self.rng
        time = self.now - rng.choice((0, 0, 0, 0, 0, 5, 1_000, HOUR, 10 * HOUR, 30 * HOUR, 100 * HOUR, -1, -60))
        return max(time, self.joined, self.last.get(device, self.joined))

    def shielded(self, time):
        local = at_zone(time, self.zone)
        if self.schedule is None:
            return True
        begins, ends, weekdays = self.schedule
        length = (ends - begins) % 1_440 or 1_440
        minute = local.hour * 60 + local.minute
        # Each of today's and yesterday's times that may cover the minute.
        return any(
            (local.date() - timedelta(back)).isoweekday() in weekdays and begins <= minute + back * 1_440 < begins + length
            for back in (0, 1))

    def bypass(self):
        device = self.rng.choice((1, 1, 2, 3))
        time = self.time(device)
        day = self.day_at(min(time, self.now))
        window = self.windows.get(device, [None])[-1]
        if day.hp == 0:
            outcome = LOCKED
        elif window is not None and window[0] <= time < window[1]:
            outcome = WINDOW_OPEN
        elif not self.shielded(time):
            outcome = NOT_SHIELDED
        else:
            outcome = ACCEPTED
        local = at_zone(time, self.zone)
        self.write(14, device, time, self.now, local.isoweekday(), local.hour * 60 + local.minute, outcome)
        if outcome != ACCEPTED:
            return
        self.last[device] = time
        before = band_of(day.hp)
        day.bypasses.append(time)
        day.has_event = True
        if day.hp > 0:
            self.windows.setdefault(device, []).append([time, time + self.cooldown * 60])
        after = band_of(day.hp)
        if after < before:
            terminal = after == 0 and not day.has_summary()
            self.tell(day, "terminal" if terminal else f"band.{after}", time)

    def reshield(self):
        device = self.rng.choice((1, 2))
        time = self.time(device)
        self.write(16, device, time, self.now)
        self.last[device] = time
        self.day_at(min(time, self.now)).has_event = True
        for window in self.windows.get(device, [])[-1:]:
            if window[0] <= time < window[1]:
                window[1] = time

    def open(self):
        time = self.time(1)
        self.write(17, time, self.now)
        self.last[1] = time
        day = self.day_at(min(time, self.now))
        day.has_event = True
        place = self.days.index(day)
        if place > 0:
            self.sum_up(self.days[place - 1], time)
        if "welcome" not in day.texts:
            self.tell(day, "welcome", time)
        self.sum_up(day, time)

    def sum_up(self, day, time):
        if day.has_event and not day.has_summary() and day.end - 3 * HOUR <= time < day.end + HOUR:
            self.tell(day, "nightly", time)

    def report(self):
        rng = self.rng
        name = self.days[-1].name - rng.choice((0, 0, 1, 1, 1, 2, 3, 7, 8, 9, -1))
        minutes, final = rng.choice((0, 30, 59, 60, 90, 120, 200, 400, rng.randrange(961))), rng.random() < 0.4
        day = next((day for day in self.days if day.name == name), None)
        if day is None:
            outcome = UNKNOWN_DAY
        elif self.now > day.end + 7 * DAY:
            outcome = TOO_OLD
        else:
            outcome = ACCEPTED
        self.write(18, name, minutes, int(final), self.now, outcome)
        if outcome != ACCEPTED:
            return
        day.has_event = True
        for earlier in self.days[: self.days.index(day)]:
            self.close(earlier)
        if day.closed is None:
            day.reports.append(minutes)
            if final and self.now >= day.end:
                self.close(day)

    def close(self, day):
        if day.closed is not None:
            return
        reported = bool(day.reports) and self.now <= day.end + 7 * DAY
        day.ratio = Fraction(max(day.reports), day.limit) if reported else Fraction(1)
        place = self.days.index(day)
        before = self.days[place - 1].ratio if place > 0 else None
        day.closed = award(day.ratio, before, self.energy_max, self.gamma) if reported else -1

    # Figures and texts

    def open_seconds(self, day):
        return sum(
            max(0, min(closes, day.end) - max(opened, day.begins))
            for windows in self.windows.values() for opened, closes in windows)

    def used(self, day):
        return max(day.reports) if day.reports else self.open_seconds(day) // 60

    def tell(self, day, kind, time):
        assert kind not in day.texts
        used = self.used(day)
        pool = kind
        if kind == "nightly":
            if not day.bypasses and not day.reports:
                pool = "plain"
            else:
                pool = "good" if used <= day.limit and day.hp >= 40 else "mixed"
        # Text n of a pool needs one figure or none, by n modulo 4.
        missing = {
            1: not day.bypasses, 2: tenths(max(0, used - day.limit)) == 0, 3: tenths(max(0, day.limit - used)) == 0}
        eligible = [n for n in range(SIZES.get(pool, 20)) if not missing.get(n % 4, False)]
        lately = [entry[5] for entry in self.diary if POOLS[entry[3]] == pool][-7:]
        left = [n for n in eligible if n not in lately] or eligible
        number = left[floor(len(left) * draw(f"{self.user}|{EPOCH + timedelta(day.name)}|{kind}"))]
        day.texts[kind] = time
        codes = {"welcome": 0, "terminal": 1, "nightly": 2}
        code = codes[kind] if kind in codes else 10 + int(kind[5:])
        self.diary.append((day.name, code, time, POOLS.index(pool), day.hp, number))

    def conclude(self):
        for day in self.days:
            drops = len({band_of(100 - 5 * n) for n in range(len(day.bypasses) + 1)} - {100})
            self.write(
                20, day.name, day.hp, len(day.bypasses), drops, self.open_seconds(day), min(day.bypasses, default=-1),
                max(day.bypasses, default=-1), self.used(day), day.limit, -1 if day.closed is None else day.closed)
        for entry in self.diary:
            self.write(21, *entry)
        self.write(22)


def live(rng, write):
    """A pet.

    30 born: day, fed_energy, sick_after, dead_after; 31 food: energy, fullness, mood, buff; 32 a reset: day, end, the new health
    (0 none, 1 healthy, 2 sick, 3 dead); 33 a cure; 34 a revival: now, days; 35 at the end: now and the figures.
    """
    sick_after = rng.choice((3, 3, 3, 1, 2, 5))
    dead_after = sick_after + rng.choice((4, 4, 1, 2))
    fed_energy = rng.choice((100, 100, 60))
    born = rng.randrange(20_000, 20_600)
    write(30, born, fed_energy, sick_after, dead_after)
    health, growth, fullness, mood, fragile, died = "healthy", Fraction(0), 50, 5, -1, (-1, -1)
    fed = []  # of the resets since birth or the last recovery
    hunger = rng.choice((0.1, 0.4, 0.8))
    end = born * DAY + rng.randrange(DAY)
    foods = []
    for day in range(born, born + rng.randrange(1, 30)):
        if health == "sick" and rng.random() < 0.2:
            health, fed = "healthy", []
            write(33)
        if health == "dead" and rng.random() < 0.5:
            health, fed, died, days = "healthy", [], (-1, -1), rng.choice((0, 1, 7))
            now = end + rng.randrange(DAY)
            fragile = now + days * DAY
            write(34, now, days)
        if health != "dead" and rng.random() > hunger:
            while sum(food[0] for food in foods) < fed_energy and rng.random() < 0.97:
                foods.append((rng.choice((25, 30, 50, 60, 100)), rng.randrange(50), rng.randrange(4), rng.choice((0, 25, 50, 100, 33))))
                write(31, *foods[-1])
                fullness, mood = min(100, fullness + foods[-1][1]), min(10, mood + foods[-1][2])
        end = max(end, day * DAY) + rng.choice((DAY, DAY - HOUR, 36 * HOUR))
        before = health
        if health != "dead" and day > born:
            fed.append(sum(food[0] for food in foods) >= fed_energy)
            unfed = len(fed) if True not in fed else fed[::-1].index(True)
            cap = {"sick": 100, "healthy": 150 if end < fragile else 250}[health]
            if fed[-1]:
                growth += half_up(100 * (1 + Fraction(min(cap, sum(food[3] for food in foods)), 1_000)))
            if unfed >= dead_after:
                health, died = "dead", (day, end)
            elif unfed >= sick_after:
                health = "sick"
            elif health == "sick" and sum(fed[-3:]) >= 2:
                health = "healthy"
            fullness, mood = max(0, fullness - 30), max(0, mood - 1)
        if before != "dead":
            foods = []
        states = ["healthy", "sick", "dead"]
        write(32, day, end, 0 if health == before else states.index(health) + 1)
    unfed = len(fed) if True not in fed else fed[::-1].index(True)
    stage = sum(growth >= least for least in (700, 2_100, 6_300))
    write(35, ["healthy", "sick", "dead"].index(health), unfed, growth, fullness, mood, fragile, *died, stage)


def questions(rng, write):
    """40 a recovery: pause, count, window, now, retry, the earlier ones; 41 a refund: credited, balance, balance afterwards, number
    taken back, the prices. A list comes with its length before it."""
    pause, window = rng.choice(((24, 30), (168, 90), (0, 1), (720, 1)))
    count = rng.choice((-1, 1, 2, 5))
    now = 1_800_000_000
    spans = (0, 1, DAY - 1, DAY, 7 * DAY, 29 * DAY, 30 * DAY - 1, 30 * DAY, 90 * DAY, rng.randrange(100 * DAY))
    earlier = [now - rng.choice(spans) for _ in range(rng.randrange(8))]

    def allowed(instant):
        paused = any(instant - other < pause * HOUR for other in earlier)
        return not paused and (count == -1 or sum(instant - other < window * DAY for other in earlier) < count)

    instants = sorted({now, *(other + span for other in earlier for span in (pause * HOUR, window * DAY))})
    retry = next(instant for instant in instants if instant >= now and allowed(instant))
    write(40, pause, count, window, now, -1 if retry == now else retry, len(earlier), *earlier)

    prices = [rng.randrange(1, 200) for _ in range(rng.randrange(5))]
    credited, balance = rng.choice((100, 500)), rng.randrange(-50, 300)
    taken = next(
        (n for n in range(len(prices)) if balance - credited + sum(prices[len(prices) - n:]) >= 0), len(prices))
    write(41, credited, balance, balance - credited + sum(prices[len(prices) - taken:]), taken, len(prices), *prices)


def main():
    count = int(sys.argv[1])
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    lines = []

    def write(*numbers):
        lines.append(" ".join(map(str, numbers)))

    for number in range(first, first + count):
        rng = random.Random(number)
        write(1, number)
        Account(rng, write, f"user-{number}")
        live(rng, write)
        questions(rng, write)
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
