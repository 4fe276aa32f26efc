/** The service's time, by which photos expire, and the person's day. A phone's clock may be wrong by hours. */

/**
 * @import { Kept } from "./kept.js"
 * @typedef {object} Outside
 * @property {() => number} now the device's clock, in milliseconds since 1970
 * @property {(run: () => void, delay: number) => number} setTimer
 * @property {(timer: number) => void} clearTimer
 * @typedef {ReturnType<typeof createClock>} Clock
 */

/** `Date` has whole seconds and the answer takes time, so a smaller difference says nothing. */
const TOLERANCE = 2_000;
/** Browsers hold a timer's delay in 32 bits. */
const LONGEST_DELAY = 2 ** 31 - 1;
/** No calendar day is longer, also where clocks are set back. */
const LONGEST_DAY = 27 * 3_600_000;
const KEPT_OFFSET = "clock";

/** Making a format takes a millisecond. @type {Map<string | undefined, Intl.DateTimeFormat>} */
const calendars = new Map();

/**
 * The calendar of a time zone, or of the device's where the browser does not know the zone.
 * @param {string | undefined} zone
 * @returns {Intl.DateTimeFormat}
 */
function calendarOf(zone) {
  let calendar = calendars.get(zone);
  try {
    calendar ??= new Intl.DateTimeFormat("en", { timeZone: zone });
  } catch {
    calendar = calendarOf(undefined);
  }
  calendars.set(zone, calendar);
  return calendar;
}

/** The days that were asked for last. @type {{ start: number, end: number, zone: string | undefined }[]} */
const days = [];

/**
 * The first millisecond of the calendar day around a time, and that of the next day. The calendar alone says where a day ends: it
 * may last 23 or 25 hours, begin at one o'clock, or be left out.
 * @param {number} time
 * @param {string | undefined} zone
 */
export function dayAt(time, zone) {
  const known = days.find((one) => one.zone === zone && one.start <= time && time < one.end);
  if (known) return known;
  const calendar = calendarOf(zone);
  const date = calendar.format(time);
  /** The two times beside an end of the day. @param {number} reach */
  const edge = (reach) => {
    let inside = time, outside = time + reach;
    while (Math.abs(outside - inside) > 1) {
      const middle = Math.round((inside + outside) / 2);
      if (calendar.format(middle) === date) inside = middle;
      else outside = middle;
    }
    return { inside, outside };
  };
  const day = { start: edge(-LONGEST_DAY).inside, end: edge(LONGEST_DAY).outside, zone };
  days.splice(3);
  days.unshift(day);
  return day;
}

/**
 * Milliseconds since 1970.
 * @param {string | number} time an RFC 3339 time, or milliseconds
 */
export function millisecondsOf(time) {
  return typeof time === "number" ? time : Date.parse(time);
}

/** @param {Outside} outside */
export function createClock({ now, setTimer, clearTimer }) {
  let offset = 0;
  let isLearned = false;
  /** @type {string | undefined} the person's */
  let zone;
  /** What waits for a time. @type {Set<() => void>} */
  const waiting = new Set();

  const serverNow = () => now() + offset;

  /**
   * Runs something at a time of the service; at once when it has passed.
   * @param {string | number} time
   * @param {() => void} run
   * @returns {() => void} cancels
   */
  function at(time, run) {
    const due = millisecondsOf(time);
    let timer = 0;
    const arm = () => {
      clearTimer(timer);
      const left = due - serverNow();
      if (left > 0) return void (timer = setTimer(arm, Math.min(left, LONGEST_DELAY)));
      waiting.delete(arm);
      run();
    };
    waiting.add(arm);
    timer = setTimer(arm, 0);
    return () => (waiting.delete(arm), clearTimer(timer));
  }

  /** Runs at once what is due: timers sleep with the device. */
  const look = () => waiting.forEach((arm) => arm());

  /** @param {number} period */
  const every = (period) => {
    /** @param {() => void} run */
    return (run) => {
      let timer = 0;
      const arm = () => {
        // Each beat falls on the whole second or minute, so that all countdowns change together.
        timer = setTimer(() => (arm(), run()), period - serverNow() % period);
      };
      arm();
      return () => clearTimer(timer);
    };
  };

  return {
    now: serverNow,
    /**
     * Learns the service's time from an answer.
     * @param {Response} response
     * @returns {boolean} whether the device's clock is wrong in another way than was known
     */
    observe(response) {
      const date = Date.parse(response.headers.get("Date") ?? "");
      if (Number.isNaN(date)) return false;
      const difference = date + 500 - now(), before = offset;
      isLearned = true;
      offset = Math.abs(difference) <= TOLERANCE ? 0 : difference;
      const isOther = Math.abs(offset - before) > TOLERANCE;
      if (isOther) look();
      return isOther;
    },
    /** Keeps how wrong the device's clock is, for a start without a network and for the worker. @param {Kept} kept */
    keep: (kept) => offset ? kept.write(KEPT_OFFSET, offset) : kept.delete(KEPT_OFFSET),
    /** @param {Kept} kept */
    async recall(kept) {
      const before = Number(await kept.read(KEPT_OFFSET));
      // An answer that came meanwhile knows better.
      if (isLearned) return before ? await this.keep(kept) : undefined;
      offset = before;
      look();
    },
    at,
    look,
    /** The time zone of the person's day; undefined, which is the device's, where the browser does not know it. */
    get zone() {
      return zone;
    },
    set zone(name) {
      zone = calendarOf(name) === calendarOf(undefined) ? undefined : name;
    },
    /** The person's day: its first millisecond, and that of the next one. */
    get today() {
      return dayAt(serverNow(), zone);
    },
    everySecond: every(1_000),
    everyMinute: every(60_000),
    /** @param {string | number} time */
    hasPassed: (time) => millisecondsOf(time) <= serverNow(),
  };
}
