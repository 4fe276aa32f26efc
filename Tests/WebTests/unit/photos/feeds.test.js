import assert from "node:assert/strict";
import { Offline, Problem } from "../../../../Sources/Web/api/problems.js";
import { createClock } from "../../../../Sources/Web/store/service-clock.js";
import { createFeeds } from "../../../../Sources/Web/store/feed.js";
import { mergeFeed } from "../../../../Sources/Web/store/feed-merge.js";
import { fakeKept, fakeTime, photo, settled } from "../fakes.js";

const NOW = Date.parse("2026-11-22T12:00:00Z");
const ids = (photos) => photos.map(({ id }) => id);

Deno.test("a merged feed has the new photos, not the removed ones, oldest first", () => {
  const before = [
    photo("a"),
    photo("b", { created_at: "2026-11-22T11:00:00Z" }),
  ];
  const answer = {
    photos: [photo("c", { created_at: "2026-11-22T09:00:00Z" })],
    removed: ["a", "unknown"],
    cursor: "2",
  };
  assert.deepEqual(ids(mergeFeed(before, answer, NOW)), ["c", "b"]);
});

Deno.test("a photo that comes again replaces the earlier one", () => {
  const answer = {
    photos: [photo("a", { sender_name: "Ada L." })],
    removed: [],
    cursor: "2",
  };
  const merged = mergeFeed([photo("a")], answer, NOW);
  assert.deepEqual(merged.map(({ sender_name }) => sender_name), ["Ada L."]);
});

Deno.test("an expired photo is never merged in", () => {
  const answer = {
    photos: [photo("a", { expires_at: "2026-11-22T12:00:00Z" })],
    removed: [],
    cursor: "2",
  };
  assert.deepEqual(mergeFeed([], answer, NOW), []);
});

function open({ answers, kept = fakeKept(), blocks = undefined }) {
  const time = fakeTime(NOW);
  const asked = [];
  const forgotten = [];
  const client = {
    listPhotos: async (groupId, since, etag) => {
      asked.push([groupId, since, etag]);
      const answer = await (answers.length > 1 ? answers.shift() : answers[0]);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    deletePhoto: async () => await null,
  };
  const clock = createClock(time);
  const feeds = createFeeds({
    client,
    kept,
    clock,
    blocks,
    forget: async (id) => void await forgotten.push(id),
  });
  const ended = [];
  feeds.onEnded(({ photo: { id }, reason }) => ended.push([id, reason]));
  return { feeds, time, asked, forgotten, ended, kept };
}

const full = (cursor, ...photos) => ({
  value: { photos, removed: [], cursor },
  etag: `"${cursor}"`,
});

Deno.test("an answer that comes after that of a later question is dropped", async () => {
  const { now } = Date, older = Promise.withResolvers();
  let slept = 0;
  Date.now = () => now() + slept;
  const { feeds } = open({ answers: [older.promise, full("2", photo("b"))] });
  const first = feeds.refresh("g1");
  await settled();
  try {
    slept = 16_000;
    await feeds.refresh("g1");
  } finally {
    Date.now = now;
  }
  older.resolve(full("1", photo("a")));
  await first;
  assert.deepEqual(ids(feeds.of("g1").photos), ["b"]);
});

Deno.test("a feed is fetched whole, then by its cursor, then with its ETag", async () => {
  const { feeds, asked } = open({
    answers: [full("1", photo("a")), full("1"), null],
  });
  for (let turn = 0; turn < 3; turn++) await feeds.refresh("g1");
  assert.deepEqual(asked, [["g1", null, null], ["g1", "1", null], [
    "g1",
    "1",
    '"1"',
  ]]);
  assert.deepEqual(ids(feeds.of("g1").photos), ["a"]);
  assert.equal(feeds.of("g1").status, "ready");
});

// Guard: an expired cursor fetches everything again (`events.js`, `feed.js`)
Deno.test("an expired cursor fetches the whole feed and drops what is no longer in it", async () => {
  const gone = new Problem(410, { code: "cursor_expired" });
  const { feeds, asked, ended } = open({
    answers: [full("1", photo("a")), gone, full("2", photo("b"))],
  });
  await feeds.refresh("g1");
  await feeds.refresh("g1");
  assert.deepEqual(asked.map(([, since]) => since), [null, "1", null]);
  assert.deepEqual(ids(feeds.of("g1").photos), ["b"]);
  assert.deepEqual(ended, [["a", "deleted"]]);
});

Deno.test("without a network the kept photos are shown, but not the expired ones", async () => {
  const kept = fakeKept({
    "feed g1": [
      photo("old", { expires_at: "2026-11-22T11:00:00Z" }),
      photo("a"),
    ],
  });
  const { feeds } = open({ answers: [new Offline()], kept });
  feeds.of("g1");
  await feeds.refresh("g1");
  assert.deepEqual(ids(feeds.of("g1").photos), ["a"]);
  assert.equal(feeds.of("g1").status, "offline");
});

// Guard: a photo is not shown past its end, and its pictures are deleted (`feed.js`, `photos.js`)
Deno.test("a photo ends at its time: it is not shown, not kept, and its pictures are forgotten", async () => {
  const short = photo("a", { expires_at: "2026-11-22T12:00:10Z" });
  const { feeds, time, forgotten, ended, kept } = open({
    answers: [full("1", short, photo("b"))],
  });
  await feeds.refresh("g1");
  time.advance(9_000);
  assert.deepEqual(ids(feeds.of("g1").photos), ["a", "b"]);
  time.advance(1_000);
  assert.deepEqual(ids(feeds.of("g1").photos), ["b"]);
  await settled();
  assert.deepEqual(forgotten, ["a"]);
  assert.deepEqual(ended, [["a", "expired"]]);
  assert.deepEqual(ids(kept.all.get("feed g1")), ["b"]);
});

Deno.test("photos of the stream come and go", async () => {
  const { feeds, forgotten } = open({ answers: [full("1")] });
  await feeds.refresh("g1");
  await feeds.apply({
    type: "photo.created",
    data: { group_id: "g1", photo: photo("a") },
  });
  assert.deepEqual(ids(feeds.of("g1").photos), ["a"]);
  await feeds.apply({
    type: "photo.deleted",
    data: { group_id: "g1", photo_id: "a" },
  });
  assert.deepEqual(feeds.of("g1").photos, []);
  assert.ok(forgotten.includes("a"));
});

Deno.test("a group that is gone takes its photos with it", async () => {
  const gone = new Problem(404, { code: "not_found" });
  const { feeds, forgotten, kept } = open({
    answers: [full("1", photo("a")), gone],
  });
  await feeds.refresh("g1");
  await feeds.refresh("g1");
  assert.deepEqual(feeds.of("g1").photos, []);
  assert.deepEqual(forgotten, ["a"]);
  assert.equal(kept.all.has("feed g1"), false);
});

// Guard: an answer after a sign-out is dropped (`session.js`, `group-list.js`, `feed.js`)
Deno.test("an answer that comes after a sign-out is dropped", async () => {
  let answer;
  const { feeds, kept } = open({
    answers: [new Promise((resolve) => answer = resolve)],
  });
  const refreshing = feeds.refresh("g1");
  await settled();
  feeds.reset();
  answer(full("1", photo("a")));
  await refreshing;
  assert.deepEqual(feeds.of("g1").photos, []);
  assert.equal(kept.all.size, 0);
});

// Guard: a photo that ended while the device slept is not shown (`feed.js`)
Deno.test("a photo that ended while the device slept is not shown, though no timer has run yet", async () => {
  const { feeds, time } = open({ answers: [full("1", photo("a"))] });
  await feeds.refresh("g1");
  assert.deepEqual(ids(feeds.of("g1").photos), ["a"]);
  time.sleep(48 * 3_600_000);
  assert.deepEqual(feeds.of("g1").photos, []);
});

// Guard: a start without a network keeps no photo that has ended (`feed.js`)
Deno.test("a start without a network keeps only photos that have not ended", async () => {
  const over = photo("over", { expires_at: "2026-11-22T11:59:59Z" });
  const kept = fakeKept({ "feed g1": [over, photo("a")] });
  const { feeds } = open({ answers: [new Offline()], kept });
  await feeds.refresh("g1");
  assert.deepEqual(ids(feeds.of("g1").photos), ["a"]);
  assert.deepEqual(ids(kept.all.get("feed g1")), ["a"]);
});
