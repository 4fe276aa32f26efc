// What the clock alone changes: days, and what ends.

import assert from "node:assert/strict";
import { createTranslator } from "../../../../Sources/Web/app/translate.js";
import { createGroups } from "../../../../Sources/Web/store/group-list.js";
import { createClock, dayAt } from "../../../../Sources/Web/store/service-clock.js";
import { fakeKept, fakeTime, settled } from "../fakes.js";

const HOUR = 3_600_000;
const at = (text) => Date.parse(text);
const iso = (time) => new Date(time).toISOString().replace(".000", "");

// Each line: a zone, a time, the begin of its day, and that of the next day.
const DAYS = [
  ["Europe/Berlin", "2026-11-22T12:00:00Z", "2026-11-21T23:00:00Z", "2026-11-22T23:00:00Z"],
  // 23 hours, and 25.
  ["Europe/Berlin", "2026-03-29T12:00:00Z", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"],
  ["Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"],
  ["America/New_York", "2026-03-08T05:00:00Z", "2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z"],
  ["America/New_York", "2026-11-02T04:59:59.999Z", "2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z"],
  // A leap day, and the days around the date line.
  ["America/Los_Angeles", "2028-02-29T20:00:00Z", "2028-02-29T08:00:00Z", "2028-03-01T08:00:00Z"],
  ["Pacific/Noumea", "2026-11-27T13:00:00Z", "2026-11-27T13:00:00Z", "2026-11-28T13:00:00Z"],
  ["Pacific/Noumea", "2026-11-27T12:59:59.999Z", "2026-11-26T13:00:00Z", "2026-11-27T13:00:00Z"],
  ["Pacific/Kiritimati", "2026-12-31T10:00:00Z", "2026-12-31T10:00:00Z", "2027-01-01T10:00:00Z"],
  ["Pacific/Pago_Pago", "2027-01-01T10:59:00Z", "2026-12-31T11:00:00Z", "2027-01-01T11:00:00Z"],
  // Clocks change by half an hour, and by two hours.
  ["Australia/Lord_Howe", "2026-10-03T14:00:00Z", "2026-10-03T13:30:00Z", "2026-10-04T13:00:00Z"],
  ["Antarctica/Troll", "2026-10-25T12:00:00Z", "2026-10-24T22:00:00Z", "2026-10-26T00:00:00Z"],
  // There is no midnight: the day begins at one o'clock.
  ["America/Santiago", "2026-09-06T12:00:00Z", "2026-09-06T04:00:00Z", "2026-09-07T03:00:00Z"],
  // December 30 was left out.
  ["Pacific/Apia", "2011-12-30T09:00:00Z", "2011-12-29T10:00:00Z", "2011-12-30T10:00:00Z"],
];

for (const [zone, time, start, end] of DAYS) {
  // Guard: a day ends where the calendar of its zone says so (`service-clock.js`)
  Deno.test(`the day of ${zone} at ${time} is found by the calendar`, () => {
    const day = dayAt(at(time), zone);
    assert.deepEqual([iso(day.start), iso(day.end)], [start, end]);
    // The same from each end of it.
    for (const other of [day.start, day.end - 1]) {
      assert.deepEqual(dayAt(other, zone), day);
    }
    assert.equal(dayAt(day.end, zone).start, day.end);
  });
}

// Guard: an unknown zone is the device's (`service-clock.js`)
Deno.test("a zone that the browser does not know is the device's", () => {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const time = fakeTime(at("2026-11-22T12:00:00Z"));
  const clock = createClock(time);
  for (const unknown of [undefined, "America/Nowhere"]) {
    clock.zone = unknown;
    assert.equal(clock.zone, undefined);
    assert.equal(clock.today.end, dayAt(time.now(), own).end);
  }
});

Deno.test("a person who travels keeps the day of their profile", () => {
  const clock = createClock(fakeTime(at("2026-11-22T12:00:00Z")));
  clock.zone = "Pacific/Kiritimati";
  assert.deepEqual([clock.zone, iso(clock.today.end)], ["Pacific/Kiritimati", "2026-11-23T10:00:00Z"]);
  clock.zone = "America/New_York";
  assert.equal(iso(clock.today.end), "2026-11-23T05:00:00Z");
});

// Guard: yesterday is a calendar day, and no time lies ahead (`translate.js`)
Deno.test("yesterday is a calendar day, older times have their weekday, and nothing lies ahead", () => {
  const en = createTranslator({ "time.now": "just now" }, "en"), de = createTranslator({}, "de");
  const plain = (text) => text.replaceAll(/\s/g, " ");
  // Friday in Berlin, half past noon.
  const now = at("2026-11-27T11:30:00Z");
  const said = (translator, time) => plain(translator.relativeTime(time, now, "Europe/Berlin"));
  assert.equal(said(en, now + 3 * HOUR), "just now");
  assert.equal(said(en, now - 59_000), "just now");
  assert.equal(said(en, now - 59 * 60_000), "59 minutes ago");
  assert.equal(said(en, "2026-11-26T23:00:00Z"), "12 hours ago");
  // An hour before midnight, and an hour after the midnight before.
  for (const time of ["2026-11-26T22:59:59Z", "2026-11-26T00:00:00Z"]) {
    assert.deepEqual([said(en, time), said(de, time)], ["yesterday", "gestern"]);
  }
  assert.deepEqual([said(en, "2026-11-25T18:05:00Z"), said(de, "2026-11-25T18:05:00Z")], [
    "Wed 7:05 PM",
    "Mi., 19:05",
  ]);
  assert.match(said(en, "2026-11-25T22:59:00Z"), /^Wed/);
  assert.equal(said(en, "2026-11-20T11:00:00Z"), "Nov 20, 2026");
  // The reader's zone decides.
  assert.equal(plain(en.relativeTime("2026-11-26T09:00:00Z", now, "Pacific/Kiritimati")), "Thu 11:00 PM");
});

// Guard: what is due runs when the device wakes up (`service-clock.js`, `background.js`)
Deno.test("what is due runs at once when the device wakes up, and what was cancelled does not", () => {
  const time = fakeTime(), clock = createClock(time), runs = [];
  clock.at(time.now() + HOUR, () => (runs.push("first"), cancel()));
  const cancel = clock.at(time.now() + HOUR, () => runs.push("cancelled"));
  clock.at(time.now() + 3 * HOUR, () => runs.push("later"));
  time.advance(1);
  time.sleep(2 * HOUR);
  assert.deepEqual(runs, []);
  clock.look();
  assert.deepEqual(runs, ["first"]);
  time.advance(HOUR);
  assert.deepEqual(runs, ["first", "later"]);
});

const dated = (time) => new Response(null, { headers: { Date: new Date(time).toUTCString() } });

for (const wrong of [25 * HOUR, -25 * HOUR]) {
  // Guard: page and worker share the service's clock (`service-clock.js`, `queue.js`)
  Deno.test(`a start without a network knows that the device is ${wrong / HOUR} hours ahead, and so does the worker`, async () => {
    const kept = fakeKept(), truth = at("2026-11-22T12:00:00Z");
    const before = createClock(fakeTime(truth + wrong));
    if (before.observe(dated(truth))) await before.keep(kept);
    const after = createClock(fakeTime(truth + wrong));
    await after.recall(kept);
    assert.ok(Math.abs(after.now() - truth) <= 1_000);
    // An answer knows better than what was kept, also when it comes first.
    const mended = createClock(fakeTime(truth));
    mended.observe(dated(truth));
    await mended.recall(kept);
    assert.equal(mended.now(), truth);
    const later = createClock(fakeTime(truth));
    await later.recall(kept);
    assert.equal(later.now(), truth);
  });
}

const NOON = at("2026-11-22T12:00:00Z");

function open(...listed) {
  const time = fakeTime(NOON), clock = createClock(time), kept = fakeKept(), asked = [];
  const client = {
    listGroups: async () => (asked.push("list"), await { value: { groups: listed }, etag: null }),
    muteGroup: async () => await null,
    getGroup: async (id) => (asked.push(id), await { value: { ...listed[0], muted: false } }),
  };
  const groups = createGroups({ client, kept, clock }), shown = [];
  groups.subscribe(() => shown.push((groups.all ?? []).map((group) => group.has_sent_today)));
  return { groups, time, clock, kept, asked, shown };
}

const used = (next_send_at) => ({ id: "g", members: [], has_sent_today: true, next_send_at });

// Guard: a day that was used ends by the clock alone, and midnight is told (`group-list.js`)
Deno.test("at the end of a day that was used the group is free, without the service", async () => {
  const { groups, time, asked } = open(used("2026-11-22T23:00:00Z"));
  await groups.load();
  let told = 0;
  groups.subscribe(() => told++);
  time.advance(11 * HOUR - 1);
  assert.deepEqual([groups.byId("g").has_sent_today, told], [true, 0]);
  time.advance(1);
  assert.deepEqual([groups.byId("g").has_sent_today, groups.byId("g").next_send_at, told], [false, null, 1]);
  assert.deepEqual(asked, ["list"]);
});

Deno.test("a day that ended while the page was closed or asleep is over at once", async () => {
  const { groups, kept, shown } = open();
  kept.all.set("groups", [used("2026-11-22T11:59:59Z")]);
  await groups.load();
  assert.deepEqual(shown[0], [false]);
  const other = open(used("2026-11-22T23:00:00Z"));
  await other.groups.load();
  other.time.sleep(12 * HOUR);
  other.clock.look();
  assert.equal(other.groups.byId("g").has_sent_today, false);
});

Deno.test("screens are told of the person's midnight, each day, also without a group", async () => {
  const { groups, time, clock } = open();
  clock.zone = "Pacific/Noumea";
  await groups.load();
  const told = [];
  groups.subscribe(() => told.push(iso(time.now())));
  time.advance(48 * HOUR);
  assert.deepEqual(told, ["2026-11-22T13:00:00Z", "2026-11-23T13:00:00Z"]);
});

Deno.test("another zone in the profile moves the midnight", async () => {
  const { groups, time, clock } = open();
  clock.zone = "Pacific/Noumea";
  await groups.load();
  clock.zone = "America/New_York";
  groups.turn();
  const told = [];
  groups.subscribe(() => told.push(iso(time.now())));
  time.advance(24 * HOUR);
  assert.deepEqual(told, ["2026-11-23T05:00:00Z"]);
});

Deno.test("after a sign-out no midnight comes", async () => {
  const { groups, time } = open(used("2026-11-22T23:00:00Z"));
  await groups.load();
  groups.reset();
  let told = 0;
  groups.subscribe(() => told++);
  time.advance(48 * HOUR);
  assert.equal(told, 0);
});

Deno.test("an accepted photo uses the day until the person's midnight, at once", async () => {
  const { groups, clock } = open({ ...used(null), has_sent_today: false });
  clock.zone = "Europe/Berlin";
  await groups.load();
  void groups.sent("g");
  assert.deepEqual([groups.byId("g").has_sent_today, groups.byId("g").next_send_at], [
    true,
    "2026-11-22T23:00:00.000Z",
  ]);
  void groups.sent("unknown");
  await settled();
});

Deno.test("a group is asked for again when its mute ends", async () => {
  const { groups, time, asked } = open({ ...used(null), muted: true });
  await groups.load();
  await groups.mute("g", true, iso(NOON + HOUR));
  assert.deepEqual(asked, ["list", "g"]);
  time.advance(HOUR);
  await settled();
  assert.deepEqual(asked, ["list", "g", "g"]);
  assert.equal(groups.byId("g").muted, false);
});
