// Photos that wait while their person is not signed in.

import assert from "node:assert/strict";
import { Offline, Problem } from "../../../Sources/Web/api/problems.js";
import { forgetEverything, forgetWaiting } from "../../../Sources/Web/store/forgetting.js";
import * as driver from "../../../Sources/Web/store/uploads/upload-driver.js";
import { createUploads } from "../../../Sources/Web/store/uploads/upload-queue.js";
import { fakeCaches, fakeChannel, fakeDatabase, fakeLocks, fakeTime, photo, settled } from "./fakes.js";

const HOUR = 3_600_000;
const picture = new Blob(["bytes"], { type: "image/jpeg" });

function open() {
  const time = fakeTime(), database = fakeDatabase(), caches = fakeCaches(), sent = [], destroyed = [];
  const { destroy } = database;
  database.destroy = () => (destroyed.push(true), destroy());
  let person = "ada", isThere = false, ids = 0, refusal = null;
  const uploads = createUploads({
    database,
    locks: fakeLocks(),
    channel: fakeChannel(),
    now: time.now,
    newId: () => `id-${++ids}`,
    random: () => 1,
    me: () => person,
    driver: async () => await driver,
    prepare: async (source) => await source,
    client: {
      createUploadTicket: async () => await ({ ticket: "ticket", expires_at: "2026-11-23T12:00:00Z" }),
    },
    session: { token: async () => await (tokens.shift() ?? (() => "token"))() },
    send: async (sending) => {
      if (!isThere) throw await (refusal ?? new Offline());
      sent.push(sending.groupId);
      return photo("p");
    },
  });
  const tokens = [];
  return {
    uploads,
    database,
    time,
    sent,
    tokens,
    destroyed,
    online: () => isThere = true,
    refuse: (problem) => refusal = problem,
    signIn: (id) => person = id,
    async take(...groups) {
      await uploads.enqueue(picture, groups);
      await settled();
    },
    /** The end of a session: of its own accord, or by a person who leaves. */
    async end(leaver) {
      person = undefined;
      await forgetEverything({ caches, database, now: time.now() }, leaver);
      await uploads.reload();
    },
  };
}

// Guard: a photo that waits outlives the end of a session by the service (`forgetting.js`)
Deno.test("a photo that waits outlives the end of a session, and goes out when the same person signs in", async () => {
  const { uploads, sent, end, signIn, take, time, online } = open();
  await take("g1", "g2");
  await end();
  assert.deepEqual([uploads.all, uploads.waiting, uploads.nextAt], [[], 1, null]);
  time.advance(23 * HOUR);
  online();
  await uploads.run({ isBack: true });
  assert.deepEqual(sent, []);
  signIn("ada");
  await uploads.resume();
  assert.deepEqual(sent, ["g1", "g2"]);
});

// Guard: only the person who took a photo sees it in the queue (`upload-queue.js`)
// Guard: only the person who took a photo sends it (`upload-driver.js`)
Deno.test("another person neither sees nor sends a photo that waits", async () => {
  const { uploads, database, sent, end, signIn, take, time, online, tokens } = open();
  await take("g1");
  await end();
  const before = structuredClone(database.stores.uploads);
  tokens.push(() => {
    throw new Offline();
  });
  signIn("bob");
  online();
  time.advance(HOUR);
  await uploads.resume();
  await uploads.run({ isBack: true });
  assert.deepEqual([uploads.all, uploads.waiting, uploads.nextAt, uploads.inMemory, sent], [
    [],
    0,
    null,
    false,
    [],
  ]);
  assert.equal(database.stores.captures.size, 1);
  assert.deepEqual(database.stores.uploads, before);
});

Deno.test("a photo with a ticket does not go out while another person is signed in", async () => {
  const { uploads, sent, end, signIn, take, time, online } = open();
  await take("g1");
  await uploads.fetchTickets();
  await end();
  signIn("bob");
  online();
  time.advance(HOUR);
  await uploads.run();
  assert.deepEqual(sent, []);
  signIn("ada");
  await uploads.run();
  assert.deepEqual(sent, ["g1"]);
});

// Guard: only the person who took a photo sends it (`upload-driver.js`)
Deno.test("a token of somebody else, who signs in at that moment, sends no photo", async () => {
  const { uploads, sent, end, signIn, take, time, online, tokens } = open();
  await take("g1");
  await end();
  signIn("ada");
  online();
  time.advance(HOUR);
  tokens.push(() => (signIn("bob"), "of bob"));
  await uploads.run();
  assert.deepEqual(sent, []);
});

// Guard: a photo that waits for somebody is deleted after 24 hours (`upload-records.js`, `forgetting.js`,
// `background.js`)
Deno.test("a photo that waits is deleted when its 24 hours are over, whoever is signed in", async () => {
  for (const me of [undefined, "bob"]) {
    const { uploads, database, end, take, time } = open();
    await take("g1");
    await end();
    time.advance(24 * HOUR - 1);
    assert.equal(await forgetWaiting(database, time.now(), me), true);
    assert.equal(database.stores.captures.size, 1);
    time.advance(2);
    assert.equal(uploads.waiting, 0);
    assert.equal(await forgetWaiting(database, time.now(), me), false);
    assert.deepEqual([database.stores.uploads.size, database.stores.captures.size], [0, 0]);
  }
});

Deno.test("a photo of the person who is signed in stays until they decide", async () => {
  const { database, take, time } = open();
  await take("g1");
  time.advance(48 * HOUR);
  assert.equal(await forgetWaiting(database, time.now(), "ada"), true);
  assert.equal(database.stores.captures.size, 1);
});

Deno.test("what could not be sent anyway does not outlive a session", async () => {
  const { database, take, time, end, uploads, destroyed } = open();
  await take("g1");
  time.advance(25 * HOUR);
  await uploads.run();
  assert.equal(uploads.all[0].problem, "too_old");
  await end();
  assert.deepEqual([uploads.waiting, database.stores.captures.size, destroyed.length], [0, 0, 1]);
});

Deno.test("a photo that was refused for good does not outlive a session, one that waits for another day does", async () => {
  for (const [code, status, kept] of [["unreadable_image", 422, 0], ["already_sent_today", 409, 1]]) {
    const { take, end, uploads, refuse } = open();
    refuse(new Problem(status, { code, next_send_at: status === 409 ? "2026-11-23T00:00:00Z" : undefined }));
    await take("g1");
    assert.equal(uploads.all[0].problem, code);
    await end();
    assert.equal(uploads.waiting, kept);
  }
});

// Guard: an own sign-out takes the person's photos along (`session.js`, `forgetting.js`)
Deno.test("a person who signs out takes their photos along, and no other person's", async () => {
  const { database, take, end, signIn, uploads } = open();
  await take("g1");
  await end();
  signIn("bob");
  await take("g2");
  await end("bob");
  assert.deepEqual([...database.stores.uploads.values()].map(({ owner }) => owner), ["ada"]);
  assert.equal(uploads.waiting, 1);
  signIn("ada");
  await end("ada");
  assert.deepEqual([database.stores.uploads.size, database.stores.captures.size], [0, 0]);
});
