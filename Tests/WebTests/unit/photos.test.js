import assert from "node:assert/strict";
import { Offline, Problem } from "../../../Sources/Web/api/problems.js";
import { forgetEverything, forgetExpired } from "../../../Sources/Web/store/forgetting.js";
import { createKept, KEPT_CACHE } from "../../../Sources/Web/store/kept.js";
import { createPhotos, keptAddress, PHOTO_CACHE } from "../../../Sources/Web/store/photos.js";
import { fakeCaches, fakeDatabase, fakeFetch, fakeTime, photo, problem } from "./fakes.js";

const END = Date.parse(photo("a").expires_at);
const JPEG = new Uint8Array([0xff, 0xd8, 1, 2, 0xff, 0xd9]);
const bytes = () => new Response(JPEG, { headers: { "Content-Type": "image/jpeg" } });

function open(
  answers,
  { getPhoto = async (id) => await photo(id), start } = {},
) {
  const { fetch, requests } = fakeFetch(...answers);
  const caches = fakeCaches();
  const time = fakeTime(start);
  return {
    photos: createPhotos({ fetch, caches, now: time.now, getPhoto }),
    requests,
    caches,
    time,
  };
}

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

Deno.test("a place that has gone is given nothing, but the picture is kept", async () => {
  const { photos, caches } = open([bytes()]);
  await assert.rejects(photos.picture(photo("a"), "full", AbortSignal.abort()), { name: "AbortError" });
  assert.equal(caches.addresses(PHOTO_CACHE).length, 1);
});

Deno.test("a prefetch ends where the network ends", async () => {
  const { photos, requests } = open([
    bytes(),
    new TypeError("Failed to fetch"),
    bytes(),
  ]);
  await photos.prefetch([photo("a"), photo("b"), photo("c")], "thumbnail");
  assert.equal(requests.length, 2);
});

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

Deno.test("a kept answer that is deleted is read as nothing", async () => {
  const caches = fakeCaches();
  const kept = createKept(caches);
  await kept.write("user", { id: "me" });
  assert.deepEqual(await kept.read("user"), { id: "me" });
  await kept.delete("user");
  assert.equal(await kept.read("user"), null);
  assert.deepEqual(caches.addresses(KEPT_CACHE), []);
});
