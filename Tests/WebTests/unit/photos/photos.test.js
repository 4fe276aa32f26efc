import assert from "node:assert/strict";
import { Offline, Problem } from "../../../../Sources/Web/api/problems.js";
import { forgetEverything, forgetExpired } from "../../../../Sources/Web/store/forgetting.js";
import { createKept, KEPT_CACHE } from "../../../../Sources/Web/store/kept.js";
import { createAhead } from "../../../../Sources/Web/store/pictures/ahead.js";
import { createPhotos, keptAddress, PHOTO_CACHE } from "../../../../Sources/Web/store/pictures/photos.js";
import {
  fakeCaches,
  fakeDatabase,
  fakeFetch,
  fakeLocks,
  fakeTime,
  photo,
  problem,
  settled,
} from "../fakes.js";

const END = Date.parse(photo("a").expires_at);
const JPEG = new Uint8Array([0xff, 0xd8, 1, 2, 0xff, 0xd9]);
const bytes = () => new Response(JPEG, { headers: { "Content-Type": "image/jpeg" } });

function open(
  answers,
  { getPhoto = async (id) => await photo(id), start, caches = fakeCaches(), locks = fakeLocks() } = {},
) {
  const { fetch, requests } = fakeFetch(...answers);
  const time = fakeTime(start);
  return {
    photos: createPhotos({ fetch, caches, locks, now: time.now, getPhoto }),
    requests,
    caches,
    locks,
    time,
  };
}

/** An answer that comes when the test says so, and never after its request was ended. */
function held() {
  let give;
  const signals = [];
  const answer = (_, { signal }) =>
    new Promise((resolve, reject) => {
      signals.push(signal);
      give = () => resolve(bytes());
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  return { answer, signals, give: () => give() };
}

// Guard: pictures never enter the HTTP cache (`photos.js`)
Deno.test("a picture is fetched once, past the HTTP cache and without credentials", async () => {
  const { photos, requests, caches } = open([bytes()]);
  assert.equal(
    (await photos.picture(photo("a"), "full")).size,
    JPEG.length,
  );
  assert.equal(
    (await photos.picture(photo("a"), "full")).size,
    JPEG.length,
  );
  assert.equal(requests.length, 1);
  const { url, cache, credentials } = requests[0];
  assert.deepEqual([url, cache, credentials], [
    "https://bucket.example/a/full",
    "no-store",
    "omit",
  ]);
  assert.deepEqual(caches.addresses(PHOTO_CACHE), [
    `https://dayly.example/photos/a/full?expires=${END}`,
  ]);
});

Deno.test("an expired picture is not given out, even if it is still kept", async () => {
  const { photos, caches, time } = open([bytes()]);
  await photos.picture(photo("a"), "full");
  time.advance(END - time.now());
  assert.equal(await photos.picture(photo("a"), "full"), null);
  assert.equal(caches.addresses(PHOTO_CACHE).length, 1);
});

Deno.test("a picture that expires while it is fetched is neither kept nor given out", async () => {
  const slow = () => (time.advance(END), bytes());
  const { photos, caches, time } = open([slow]);
  assert.equal(await photos.picture(photo("a"), "full"), null);
  assert.deepEqual(caches.addresses(PHOTO_CACHE), []);
});

for (const status of [403, 404]) {
  Deno.test(`a URL that answers ${status} is asked for again`, async () => {
    const getPhoto = async (id) => await photo(id, { url: "https://bucket.example/fresh" });
    const { photos, requests } = open([problem(status, "not_found"), bytes()], {
      getPhoto,
    });
    assert.ok(await photos.picture(photo("a"), "full"));
    assert.equal(requests[1].url, "https://bucket.example/fresh");
  });
}

Deno.test("a URL past its end is not tried", async () => {
  const { photos, requests } = open([bytes()], {
    start: Date.parse("2026-11-22T13:00:00Z"),
    getPhoto: async (id) => await photo(id, { url: "https://bucket.example/fresh" }),
  });
  await photos.picture(photo("a"), "full");
  assert.deepEqual(requests.map(({ url }) => url), [
    "https://bucket.example/fresh",
  ]);
});

Deno.test("a photo that is gone at the service is forgotten here", async () => {
  const { photos, caches } = open([bytes(), problem(404, "not_found")], {
    getPhoto: async () => await Promise.reject(new Problem(404, { code: "not_found" })),
  });
  await photos.picture(photo("a"), "thumbnail");
  assert.equal(await photos.picture(photo("a"), "full"), null);
  assert.deepEqual(caches.addresses(PHOTO_CACHE), []);
});

Deno.test("without a network a kept picture is shown, and any other one is an Offline error", async () => {
  const { photos } = open([bytes(), new TypeError("Failed to fetch")]);
  await photos.picture(photo("a"), "full");
  assert.ok(await photos.picture(photo("a"), "full"));
  await assert.rejects(photos.picture(photo("b"), "full"), Offline);
});

Deno.test("forgetting one photo deletes its picture and its thumbnail only", async () => {
  const { photos, caches } = open([bytes()]);
  for (const id of ["a", "ab"]) {
    for (const size of ["full", "thumbnail"]) {
      await photos.picture(photo(id), size);
    }
  }
  await photos.forget("a");
  assert.deepEqual(
    caches.addresses(PHOTO_CACHE).map((url) => new URL(url).pathname),
    [
      "/photos/ab/full",
      "/photos/ab/thumbnail",
    ],
  );
});

Deno.test("two places that show one picture share its download", async () => {
  const { photos, requests } = open([bytes()]);
  await Promise.all([photos.picture(photo("a"), "full"), photos.picture(photo("a"), "full")]);
  assert.equal(requests.length, 1);
});

// Guard: a download ends with its last place, and keeps nothing then (`downloads.js`)
Deno.test("a download ends when the last place that waits for it has gone, and keeps nothing", async () => {
  const slow = held();
  const { photos, caches } = open([slow.answer]);
  const [first, second] = [new AbortController(), new AbortController()];
  const waits = [first, second].map(({ signal }) => photos.picture(photo("a"), "full", signal));
  const both = Promise.allSettled(waits);
  await settled();
  first.abort();
  await assert.rejects(waits[0], { name: "AbortError" });
  await settled();
  assert.equal(slow.signals[0].aborted, false);
  second.abort();
  await both;
  await settled();
  assert.equal(slow.signals[0].aborted, true);
  assert.deepEqual(caches.addresses(PHOTO_CACHE), []);
});

// Guard: a download ends with its last place, and keeps nothing then (`downloads.js`)
Deno.test("a picture that comes after its last place has gone is not kept", async () => {
  let give;
  const { photos, caches } = open([() => new Promise((resolve) => give = () => resolve(bytes()))]);
  const leaving = new AbortController();
  const left = photos.picture(photo("a"), "full", leaving.signal);
  await settled();
  leaving.abort();
  await assert.rejects(left, { name: "AbortError" });
  give();
  await settled();
  assert.deepEqual(caches.addresses(PHOTO_CACHE), []);
});

// Guard: one place does not cancel the download of another (`downloads.js`)
Deno.test("a place that has gone leaves the download to the other one", async () => {
  const slow = held();
  const { photos } = open([slow.answer]);
  const leaving = new AbortController();
  const left = photos.picture(photo("a"), "full", leaving.signal);
  const other = photos.picture(photo("a"), "full");
  await settled();
  leaving.abort();
  await assert.rejects(left, { name: "AbortError" });
  slow.give();
  assert.equal((await other).size, JPEG.length);
});

Deno.test("a picture that is asked for again while its download ends is fetched anew", async () => {
  const slow = held();
  const { photos, requests } = open([slow.answer, bytes()]);
  const leaving = new AbortController();
  const left = photos.picture(photo("a"), "full", leaving.signal);
  await settled();
  leaving.abort();
  const again = photos.picture(photo("a"), "full");
  await assert.rejects(left, { name: "AbortError" });
  assert.equal((await again).size, JPEG.length);
  assert.equal(requests.length, 2);
});

// Guard: two tabs fetch a picture once (`downloads.js`)
Deno.test("two tabs fetch a picture once", async () => {
  const slow = held();
  const one = open([slow.answer]);
  const other = open([bytes()], one);
  const pictures = [one, other].map(({ photos }) => photos.picture(photo("a"), "full"));
  await settled();
  slow.give();
  const sizes = (await Promise.all(pictures)).map(({ size }) => size);
  assert.deepEqual(sizes, [JPEG.length, JPEG.length]);
  assert.equal(one.requests.length + other.requests.length, 1);
});

// Guard: a tab that sleeps stops no picture of another one (`downloads.js`)
Deno.test("a tab that the phone has put to sleep stops no picture of another one", async () => {
  // Its turn does not come, and the wait ends by the signal.
  const locks = { request: async () => await Promise.reject(new DOMException("Late.", "TimeoutError")) };
  const { photos } = open([bytes()], { locks });
  assert.equal((await photos.picture(photo("a"), "full")).size, JPEG.length);
});

Deno.test("what is not kept is not fetched for a place that only asks what is kept", async () => {
  const { photos, requests, time } = open([bytes()]);
  assert.equal(await photos.kept(photo("a"), "thumbnail"), null);
  assert.equal(requests.length, 0);
  await photos.picture(photo("a"), "thumbnail");
  assert.equal((await photos.kept(photo("a"), "thumbnail")).size, JPEG.length);
  time.advance(END - time.now());
  assert.equal(await photos.kept(photo("a"), "thumbnail"), null);
});

/** Two groups of three photos, of which the first one was seen. `pace`: milliseconds of each download. */
function openAhead(answers, { connection, pace = 0, ...shared } = {}) {
  const world = open(
    answers.map((answer) => async (...request) => {
      const response = await answer(...request);
      const { blob } = response;
      response.blob = () => (world.time.advance(pace), blob.call(response));
      return response;
    }),
    shared,
  );
  world.passes = 0;
  const groups = ["a", "b"].map((name) => [1, 2, 3].map((at) => photo(`${name}${at}`)));
  world.ahead = createAhead({
    photos: world.photos,
    locks: world.locks,
    connection,
    pictures: () => (world.passes += 1, groups).map((all) => ({ photos: all, unseen: all.slice(1) })),
  });
  world.fetched = () => world.requests.map(({ url }) => url.split("/").slice(-2).join(" "));
  world.full = () => world.fetched().filter((one) => one.endsWith("full")).map((one) => one.split(" ")[0]);
  return world;
}

const running = () => new AbortController().signal;
const FIRST = ["a2", "b2"], ALL = [...FIRST, "a3", "b3"];

for (
  const [words, connection, pace, expected] of [
    ["a fast network", { type: "wifi", effectiveType: "4g" }, 0, ALL],
    ["a fast network of which the browser tells nothing", undefined, 0, ALL],
    ["a slow network", { effectiveType: "3g" }, 0, FIRST],
    ["a phone's network", { type: "cellular", effectiveType: "4g" }, 0, FIRST],
    ["somebody who saves data", { saveData: true, effectiveType: "4g" }, 0, FIRST],
    ["a network that is slower than it says", { effectiveType: "4g" }, 1_000, FIRST],
    ["a slow network of which the browser tells nothing", undefined, 1_000, FIRST],
  ]
) {
  // Guard: pictures are fetched ahead as the network allows (`ahead.js`)
  Deno.test(`for ${words} come all thumbnails, then unseen photos: ${expected.join(" ")}`, async () => {
    const world = openAhead([bytes], { connection, pace });
    await world.ahead.run(running());
    assert.deepEqual(
      world.fetched().slice(0, 6),
      ["a1", "a2", "a3", "b1", "b2", "b3"].map((id) => `${id} thumbnail`),
    );
    assert.deepEqual(world.full(), expected);
  });
}

// Guard: what is fetched ahead gives way to a screen (`ahead.js`)
Deno.test("a picture that is fetched ahead gives way to a screen, and comes after it", async () => {
  const [slow, looked] = [held(), held()];
  const world = openAhead([...Array(6).fill(bytes), slow.answer, looked.answer, bytes]);
  const ending = world.ahead.run(running());
  await settled();
  const picture = world.photos.picture(photo("other"), "full");
  await settled();
  assert.equal(slow.signals[0].aborted, true);
  assert.deepEqual(world.full(), ["a2", "other"]);
  looked.give();
  await picture;
  await ending;
  assert.deepEqual(world.full(), ["a2", "other", ...ALL]);
});

Deno.test("what is fetched ahead ends where the network ends, and goes on at the next call", async () => {
  const world = openAhead([bytes, () => Promise.reject(new TypeError("Failed to fetch")), bytes]);
  await world.ahead.run(running());
  assert.equal(world.requests.length, 2);
  await world.ahead.run(running());
  assert.equal(new Set(world.fetched()).size, 10);
  assert.equal(world.requests.length, 11);
});

for (
  const [words, connection, expected] of [
    ["the browser's word counts", { effectiveType: "4g" }, ["a3", "b3"]],
    ["a browser that tells nothing fetches little", undefined, []],
  ]
) {
  // Guard: pictures are fetched ahead as the network allows (`ahead.js`)
  Deno.test(`before anything was measured ${words}`, async () => {
    const before = openAhead([bytes], { connection: { saveData: true } });
    await before.ahead.run(running());
    const world = openAhead([bytes], { connection, caches: before.caches });
    await world.ahead.run(running());
    assert.deepEqual(world.full(), expected);
  });
}

// Guard: one tab fetches ahead (`ahead.js`)
Deno.test("one tab fetches ahead; the others, and calls that come meanwhile, wait for one turn", async () => {
  const slow = held();
  const world = openAhead([slow.answer, bytes]);
  const other = openAhead([bytes], world);
  const first = world.ahead.run(running());
  await settled();
  const runs = [first, ...[world, world, other].map(({ ahead }) => ahead.run(running()))];
  await settled();
  assert.deepEqual([world.passes, other.passes], [1, 0]);
  slow.give();
  await Promise.all(runs);
  assert.deepEqual([world.passes, other.passes], [2, 1]);
  assert.deepEqual([world.requests.length, other.requests.length], [10, 0]);
});

Deno.test("a sign-out ends what is fetched ahead", async () => {
  const slow = held();
  const world = openAhead([slow.answer, bytes]);
  const leaving = new AbortController();
  const ending = world.ahead.run(leaving.signal);
  await settled();
  leaving.abort();
  await ending;
  await settled();
  assert.equal(slow.signals[0].aborted, true);
  assert.deepEqual([world.requests.length, world.caches.addresses(PHOTO_CACHE)], [1, []]);
});

// Guard: a waking deletes what has ended (`forgetting.js`)
Deno.test("a waking deletes expired pictures and the expired photos of kept feeds, and nothing else", async () => {
  const caches = fakeCaches();
  const pictures = await caches.open(PHOTO_CACHE);
  const later = photo("later", { expires_at: "2026-11-24T11:00:00Z" });
  for (const one of [photo("a"), later]) {
    await pictures.put(keptAddress(one, "full"), bytes());
  }
  const kept = createKept(caches);
  await kept.write("feed g1", [photo("a"), later]);
  await kept.write("groups", [{ id: "g1" }]);
  await forgetExpired(caches, END - 1);
  assert.equal(caches.addresses(PHOTO_CACHE).length, 2);
  await forgetExpired(caches, END);
  assert.deepEqual(caches.addresses(PHOTO_CACHE), [
    "https://dayly.example" + keptAddress(later, "full"),
  ]);
  assert.deepEqual(await kept.read("feed g1"), [later]);
  assert.deepEqual(await kept.read("groups"), [{ id: "g1" }]);
});

Deno.test("a picture whose address names no end is expired", async () => {
  const caches = fakeCaches();
  await (await caches.open(PHOTO_CACHE)).put("/photos/a/full", bytes());
  await forgetExpired(caches, 0);
  assert.deepEqual(caches.addresses(PHOTO_CACHE), []);
});

// Guard: a sign-out deletes caches and database (`forgetting.js`)
Deno.test("a sign-out leaves no picture, no kept answer and no capture", async () => {
  const caches = fakeCaches();
  const database = fakeDatabase();
  await (await caches.open(PHOTO_CACHE)).put(
    keptAddress(photo("a"), "full"),
    bytes(),
  );
  await createKept(caches).write("user", { id: "me" });
  await database.write([{ store: "captures", put: { id: "c" } }]);
  await forgetEverything({ caches, database });
  assert.deepEqual([
    caches.addresses(PHOTO_CACHE),
    caches.addresses(KEPT_CACHE),
  ], [[], []]);
  assert.deepEqual(await database.all("captures"), []);
});

// Guard: a kept answer can be deleted (`kept.js`)
Deno.test("a kept answer that is deleted is read as nothing", async () => {
  const caches = fakeCaches();
  const kept = createKept(caches);
  await kept.write("user", { id: "me" });
  assert.deepEqual(await kept.read("user"), { id: "me" });
  await kept.delete("user");
  assert.equal(await kept.read("user"), null);
  assert.deepEqual(caches.addresses(KEPT_CACHE), []);
});
