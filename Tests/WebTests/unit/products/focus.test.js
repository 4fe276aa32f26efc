import assert from "node:assert/strict";
import { createFocusCalls, questions } from "../../../../Sources/Web/focus/api/calls.js";
import { createClient } from "../../../../Sources/Web/api/client.js";
import { Offline } from "../../../../Sources/Web/api/problems.js";
import { createAnswers } from "../../../../Sources/Web/products/store/answers.js";
import { createList } from "../../../../Sources/Web/products/store/list.js";
import { createReplacing } from "../../../../Sources/Web/products/store/replacing.js";
import {
  addDays,
  concerns,
  dayAt,
  heightsOf,
  hoursOf,
  isOpenForRating,
  mondayOf,
  partOf,
  partOfDay,
  pointsOf,
} from "../../../../Sources/Web/focus/store/figures.js";
import { fakeFetch, fakeKept, json, problem, settled } from "../fakes.js";

// The examples P1 of the points of one streak.
for (
  const [seconds, points] of [
    [59, 0],
    [60, 0],
    [61, 0.17],
    [180, 10.99],
    [300, 16.09],
    [1_200, 29.96],
    [1_800, 34.01],
    [3_600, 40.94],
    [7_200, 47.87],
    [28_800, 61.74],
    [86_400, 72.72],
    [604_800, 92.18],
    [700_000, 92.18],
  ]
) {
  Deno.test(`a streak of ${seconds} s is worth ${points}`, () => {
    assert.equal(pointsOf(seconds), points);
  });
}

Deno.test("equal angles of the dial are equal points, and a day fills it", () => {
  assert.deepEqual([partOf(0), partOf(60), partOf(86_400), partOf(200_000)], [0, 0, 1, 1]);
  const hour = partOf(3_600);
  assert.ok(Math.abs(hour / partOf(28_800) - pointsOf(3_600) / pointsOf(28_800)) < 0.001);
});

Deno.test("a duration has whole hours and minutes", () => {
  assert.deepEqual(hoursOf(2_700), { hours: 0, minutes: 45 });
  assert.deepEqual(hoursOf(3_600), { hours: 1, minutes: 0 });
  assert.deepEqual(hoursOf(7_500), { hours: 2, minutes: 5 });
  assert.deepEqual(hoursOf(-5), { hours: 0, minutes: 0 });
});

// The examples W1 of the day and the week of an instant.
for (
  const [time, zone, day, week] of [
    ["2026-03-01T22:59:59Z", "Europe/Berlin", "2026-03-01", "2026-02-23"],
    ["2026-03-01T23:00:00Z", "Europe/Berlin", "2026-03-02", "2026-03-02"],
    ["2026-03-29T21:59:59Z", "Europe/Berlin", "2026-03-29", "2026-03-23"],
    ["2026-03-29T22:00:00Z", "Europe/Berlin", "2026-03-30", "2026-03-30"],
    ["2026-03-02T11:59:59Z", "Etc/GMT+12", "2026-03-01", "2026-02-23"],
    ["2026-03-01T10:00:00Z", "Pacific/Kiritimati", "2026-03-02", "2026-03-02"],
  ]
) {
  Deno.test(`${time} in ${zone} lies on ${day}`, () => {
    assert.equal(dayAt(Date.parse(time), zone), day);
    assert.equal(mondayOf(day), week);
  });
}

Deno.test("days are counted over the ends of months and years", () => {
  assert.equal(addDays("2026-12-31", 1), "2027-01-01");
  assert.equal(addDays("2028-03-01", -1), "2028-02-29");
  assert.equal(mondayOf("2027-01-03"), "2026-12-28");
});

Deno.test("an instant has its place in a day, and its edge outside of it", () => {
  const zone = "Europe/Berlin";
  assert.equal(partOfDay("2026-03-02T11:00:00Z", "2026-03-02", zone), 0.5);
  assert.equal(partOfDay("2026-03-01T20:00:00Z", "2026-03-02", zone), 0);
  assert.equal(partOfDay("2026-03-03T20:00:00Z", "2026-03-02", zone), 1);
});

Deno.test("bars fill their place with the greatest, and none without a value", () => {
  assert.deepEqual(heightsOf([0, 5, 10]), [0, 0.5, 1]);
  assert.deepEqual(heightsOf([0, 0]), [0, 0]);
});

Deno.test("a day is rated until seven days after it, and not before it", () => {
  assert.equal(isOpenForRating("2026-03-02", "2026-03-09"), true);
  assert.equal(isOpenForRating("2026-03-02", "2026-03-10"), false);
  assert.equal(isOpenForRating("2026-03-03", "2026-03-02"), false);
});

const tagged = (value, tag) => json(value, { headers: { ETag: `"${tag}"` } });
const unchanged = () => new Response(null, { status: 304 });

function open(...answers) {
  const { fetch, requests } = fakeFetch(...answers);
  const client = createClient({ fetch, session: { authorized: (send) => send("token") } });
  const kept = fakeKept();
  const focus = createAnswers({ client, kept, product: "focus", concerns });
  return { focus, client, calls: createFocusCalls(client), kept, requests };
}

/** A screen that shows the answer to a question. */
function shownBy(focus, question) {
  const screen = new AbortController();
  return { answer: focus.watch(question, screen.signal), leave: () => screen.abort() };
}

Deno.test("what a hint names is asked again by its ETag, as long as it is shown", async () => {
  const { focus, requests } = open(tagged({ xp: 1 }, "1"), tagged({ xp: 2 }, "2"), unchanged());
  const { answer, leave } = shownBy(focus, questions.now());
  await settled();
  assert.deepEqual([answer.value, answer.status], [{ xp: 1 }, "ready"]);
  await focus.apply({ type: "focus.now", data: {} });
  assert.equal(requests[1].headers.get("If-None-Match"), '"1"');
  assert.deepEqual(answer.value, { xp: 2 });
  await focus.apply({ type: "reconnected", data: null });
  assert.deepEqual([answer.value, requests.length], [{ xp: 2 }, 3]);
  leave();
  await focus.apply({ type: "focus.now", data: {} });
  assert.equal(requests.length, 3);
});

Deno.test("a hint of a board asks again for that group alone, and one of the person for no board", async () => {
  const { focus, requests } = open(() => tagged({ entries: [] }, "1"));
  shownBy(focus, questions.board("g1"));
  shownBy(focus, questions.board("g2", "2026-03-02"));
  await settled();
  await focus.apply({ type: "focus.board", data: { group_id: "g2", week: "2026-03-02" } });
  await focus.apply({ type: "focus.now", data: {} });
  assert.deepEqual(requests.slice(2).map(({ url }) => url), [
    "/v1/focus/groups/g2/board?week=2026-03-02",
  ]);
});

// Guard: an answer that is older than a change is asked for again (`answers.js`)
Deno.test("an answer that was under way when a change was made is asked for again", async () => {
  let first;
  const { focus, requests } = open(
    () => new Promise((resolve) => first = () => resolve(tagged({ xp: 1 }, "1"))),
    json({}, { status: 200 }),
    tagged({ xp: 2 }, "2"),
  );
  const { answer } = shownBy(focus, questions.now());
  await settled();
  const changing = focus.after(Promise.resolve());
  first();
  await changing;
  assert.equal(requests.length, 2);
  await answer.again();
  assert.deepEqual(answer.value, { xp: 2 });
});

/** A service that stores a profile, and gives it out once. */
function openProfile() {
  const stored = { consent: "1", boards: true, leagues: true, feed: true };
  let asked = 0;
  const opened = open((_, { method, body }) => {
    if (method !== "PUT") return asked++ ? Promise.reject(new TypeError("Failed to fetch")) : json(stored);
    const wanted = JSON.parse(body);
    return wanted.leagues ? json(Object.assign(stored, wanted)) : problem(409, "conflict");
  });
  return { ...opened, stored };
}

// Guard: a call that replaces all of a thing begins when the one before has ended (`replacing.js`)
Deno.test("two changes at once are both stored, and a later one keeps them also when asking again fails", async () => {
  const { focus, calls, stored } = openProfile();
  const { answer } = shownBy(focus, questions.profile());
  await settled();
  const change = createReplacing(focus, answer, calls.putProfile);
  await Promise.all([change({ boards: false }), change({ feed: false })]);
  assert.deepEqual(stored, { consent: "1", boards: false, leagues: true, feed: false });
  await change({ morning: true });
  assert.deepEqual([stored.boards, stored.feed, stored.morning], [false, false, true]);
});

// Guard: a call that replaces all of a thing begins when the one before has ended (`replacing.js`)
Deno.test("a change that is refused ends neither the next one nor what was stored", async () => {
  const { focus, calls, stored } = openProfile();
  const { answer } = shownBy(focus, questions.profile());
  await settled();
  const change = createReplacing(focus, answer, calls.putProfile);
  const refused = assert.rejects(change({ leagues: false }));
  const taken = change({ boards: false });
  // Meanwhile the screen shows what the person chose, and after a refusal what is stored.
  assert.deepEqual([change.ahead(stored).leagues, change.ahead(stored).boards], [false, false]);
  await refused;
  assert.equal(change.ahead(answer.value).leagues, true);
  await taken;
  assert.deepEqual([stored.boards, stored.leagues, answer.value.boards], [false, true, false]);
});

Deno.test("somebody without a profile has not joined, and a joined person has", async () => {
  const { focus } = open(problem(409, "focus_not_joined"), tagged({ xp: 0 }, "1"));
  const { answer } = shownBy(focus, questions.now());
  assert.equal(focus.joined, null);
  await settled();
  assert.deepEqual([focus.joined, answer.status], [false, "failed"]);
  await answer.again();
  assert.equal(focus.joined, true);
});

Deno.test("somebody who has left elsewhere keeps nothing here", async () => {
  const { focus, kept } = open(tagged({ xp: 1 }, "1"), problem(409, "focus_not_joined"));
  const { answer } = shownBy(focus, questions.now());
  await settled();
  assert.equal(kept.all.has("focus"), true);
  await answer.again();
  assert.deepEqual([answer.value, kept.all.has("focus"), focus.joined], [null, false, false]);
});

Deno.test("without a network the kept answer is shown", async () => {
  const { focus, kept } = open(new TypeError("Failed to fetch"));
  kept.all.set("focus", { "GET /v1/focus/now": { xp: 7 } });
  const { answer } = shownBy(focus, questions.now());
  await settled();
  assert.deepEqual([answer.value, answer.status], [{ xp: 7 }, "offline"]);
  assert.ok(answer.error instanceof Offline);
});

Deno.test("the newest answers are kept, and none after leaving", async () => {
  const { focus, kept } = open(() => tagged({ points: 1 }, "1"));
  const days = [];
  for (let day = 1; day <= 25; day++) {
    days.push(shownBy(focus, questions.day(`2026-03-${String(day).padStart(2, "0")}`)));
    await settled();
  }
  await days[0].answer.again();
  const addresses = Object.keys(kept.all.get("focus"));
  assert.deepEqual([addresses.length, addresses.at(-1)], [20, "GET /v1/focus/days/2026-03-01"]);
  await focus.reset();
  assert.deepEqual([kept.all.has("focus"), focus.joined], [false, null]);
});

// Guard: an answer that comes after leaving Focus is dropped (`answers.js`)
Deno.test("an answer that comes after leaving is dropped", async () => {
  let answer;
  const { focus, kept } = open(() =>
    new Promise((resolve) => answer = () => resolve(tagged({ xp: 1 }, "1")))
  );
  const shown = shownBy(focus, questions.now());
  await settled();
  await focus.reset();
  answer();
  await settled();
  assert.deepEqual([shown.answer.value, kept.all.size, focus.joined], [null, 0, null]);
});

// Guard: a board that is gone is not shown from memory (`answers.js`)
Deno.test("what is gone is not shown from memory", async () => {
  const { focus } = open(tagged({ entries: [] }, "1"), problem(404, "not_found"));
  const { answer } = shownBy(focus, questions.board("g1"));
  await settled();
  await answer.again();
  assert.deepEqual([answer.value, answer.status], [null, "failed"]);
});

Deno.test("a session that is started again after a lost answer has the same key", async () => {
  const { calls, requests } = open(new TypeError("x"), json({ id: "s" }, { status: 201 }));
  const body = { goal_minutes: 25, mode: "allow_list" };
  await calls.startSession(body, "k-1").catch(() => {});
  await calls.startSession(body, "k-1");
  assert.deepEqual(requests.map(({ headers }) => headers.get("Idempotency-Key")), ["k-1", "k-1"]);
});

// Guard: a page of a list that is too old begins it anew (`list.js`)
Deno.test("a list adds its pages, and begins anew when a page is too old", async () => {
  const page = (id, cursor) => json({ items: [{ id }], cursor });
  const { client, requests } = open(
    page("a", "1"),
    page("b", "2"),
    problem(410, "cursor_expired"),
    page("c", null),
  );
  const list = createList(client, questions.feed(), ({ items }) => items, () => {});
  await settled();
  await list.more();
  assert.deepEqual(list.items.map(({ id }) => id), ["a", "b"]);
  await list.more();
  assert.deepEqual([list.items.map(({ id }) => id), list.hasMore], [["c"], false]);
  await list.more();
  assert.deepEqual(requests.map(({ url }) => url.split("?")[1]), [
    undefined,
    "cursor=1",
    "cursor=2",
    undefined,
  ]);
});

Deno.test("a page that does not come leaves the list as it was", async () => {
  const { client } = open(json({ items: [{ id: "a" }], cursor: "1" }), new TypeError("x"));
  const list = createList(client, questions.feed(), ({ items }) => items, () => {});
  await settled();
  await list.more();
  assert.deepEqual([list.items.length, list.error instanceof Offline, list.busy], [1, true, false]);
});
