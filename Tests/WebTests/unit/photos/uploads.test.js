// Guard: each refusal of an upload has its own consequence (`upload-machine.js`)

import assert from "node:assert/strict";
import { Offline, Problem } from "../../../../Sources/Web/api/problems.js";
import { aged, isDue, lackedNetwork, next } from "../../../../Sources/Web/store/uploads/upload-machine.js";
import { newUpload, OLDEST, revived } from "../../../../Sources/Web/store/uploads/upload-records.js";
import { createDatabase, withMemory } from "../../../../Sources/Web/store/database.js";
import * as driver from "../../../../Sources/Web/store/uploads/upload-driver.js";
import { createUploads } from "../../../../Sources/Web/store/uploads/upload-queue.js";
import { fakeChannel, fakeDatabase, fakeLocks, fakeTime, heldTimeouts, photo, settled } from "../fakes.js";

const NOW = 1_000_000;
const record = newUpload({ id: "u", owner: "ada", captureId: "c", groupId: "g", now: NOW });
const refused = (
  status,
  code,
  { retryAfter = null, renewed = false, ...members } = {},
) => ({
  kind: "refused",
  renewed,
  problem: new Problem(status, { code, ...members }, retryAfter),
});

Deno.test("without an answer the wait doubles up to five minutes, with full jitter", () => {
  const after = (attempts, random) =>
    next({ ...record, attempts }, { kind: "failed" }, NOW, random).record
      .not_before - NOW;
  assert.equal(after(0, 1), 2_000);
  assert.equal(after(3, 1), 16_000);
  assert.equal(after(20, 1), 300_000);
  assert.equal(after(3, 0), 0);
  assert.equal(after(3, 0.5), 8_000);
});

for (
  const [status, code] of [[500, "internal_error"], [503, "overloaded"], [
    408,
    "invalid_request",
  ], [429, "rate_limited"]]
) {
  Deno.test(`${status} ${code} waits, for as long as the service says`, () => {
    const step = next(record, refused(status, code, { retryAfter: 7 }), NOW, 1);
    assert.equal(step.record.state, "waiting");
    assert.equal(step.record.not_before, NOW + 7_000);
    assert.equal(step.record.attempts, 1);
    assert.equal(step.dropsCapture, false);
  });
}

Deno.test("another upload in progress waits for as long as the service says", () => {
  const step = next(
    record,
    refused(409, "upload_in_progress", { retryAfter: 3 }),
    NOW,
    1,
  );
  assert.deepEqual([step.record.state, step.record.not_before], [
    "waiting",
    NOW + 3_000,
  ]);
});

Deno.test("a used day stops the upload, keeps the picture and says when the next day begins", () => {
  const step = next(
    record,
    refused(409, "already_sent_today", {
      next_send_at: "2026-11-23T00:00:00Z",
    }),
    NOW,
    1,
  );
  assert.equal(step.record.state, "stopped");
  assert.equal(step.record.next_send_at, "2026-11-23T00:00:00Z");
  assert.equal(step.dropsCapture, false);
});

Deno.test("a refused token is tried once more; a refused fresh one waits for a sign-in", () => {
  const first = next(
    { ...record, ticket: "t" },
    refused(401, "unauthorized"),
    NOW,
    1,
  );
  assert.deepEqual([first.again, first.record.ticket, first.record.state], [
    true,
    null,
    "waiting",
  ]);
  const second = next(
    record,
    refused(401, "unauthorized", { renewed: true }),
    NOW,
    1,
  );
  assert.deepEqual([second.again, second.record.state, second.dropsCapture], [
    false,
    "signed-out",
    false,
  ]);
});

for (
  const [status, code] of [
    [400, "invalid_request"],
    [404, "not_found"],
    [410, "photo_gone"],
    [413, "upload_too_large"],
    [
      415,
      "unsupported_media_type",
    ],
    [422, "unreadable_image"],
    [422, "idempotency_key_reused"],
  ]
) {
  Deno.test(`${status} ${code} stops the upload and drops the picture`, () => {
    const step = next(record, refused(status, code), NOW, 1);
    assert.deepEqual([
      step.record.state,
      step.record.problem,
      step.dropsCapture,
    ], ["stopped", code, true]);
  });
}

Deno.test("an upload that waited for more than a day stops and asks", () => {
  assert.equal(aged(record, NOW + OLDEST), record);
  const old = aged(record, NOW + OLDEST + 1);
  assert.deepEqual([old.state, old.problem], ["stopped", "too_old"]);
  assert.equal(
    aged(revived(old, NOW + OLDEST + 1), NOW + OLDEST + 2).state,
    "waiting",
  );
});

// Guard: another attempt does not change when a photo was taken (`upload-machine.js`)
Deno.test("another attempt does not change when a photo was taken", () => {
  const later = revived(record, NOW + OLDEST);
  assert.deepEqual([later.created_at, later.taken_at], [NOW + OLDEST, NOW]);
});

Deno.test("an upload is due from its time on, and only while it waits", () => {
  assert.equal(isDue(record, NOW - 1), false);
  assert.equal(isDue(record, NOW), true);
  assert.equal(isDue({ ...record, state: "stopped" }, NOW), false);
});

function open(
  {
    answers,
    database = fakeDatabase(),
    locks = fakeLocks(),
    tokens = ["token"],
    me = () => "ada",
  },
) {
  const time = fakeTime();
  const sent = [];
  let ids = 0;
  const given = [];
  const uploads = createUploads({
    database,
    locks,
    channel: fakeChannel(),
    now: time.now,
    newId: () => `id-${++ids}`,
    random: () => 1,
    me,
    driver: async () => await driver,
    prepare: async (source) => await source,
    client: {
      createUploadTicket: async () => await ({ ticket: "ticket", expires_at: "2026-11-23T12:00:00Z" }),
    },
    session: {
      token: async (old) => {
        given.push(await old);
        const token = tokens.length > 1 ? tokens.shift() : tokens[0];
        if (token instanceof Error) throw token;
        return token;
      },
    },
    send: async (sending) => {
      sent.push(sending);
      await settled();
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  return { uploads, time, sent, database, given };
}

const picture = new Blob(["bytes"], { type: "image/jpeg" });

async function idle() {
  for (let turn = 0; turn < 5; turn++) await settled();
}

Deno.test("one capture goes to two groups under two keys, and then nothing is left", async () => {
  const { uploads, sent, database } = open({ answers: [photo("p")] });
  const accepted = [];
  uploads.onSent(({ item }) => accepted.push(item.group_id));
  await uploads.enqueue(picture, ["g1", "g2"]);
  await idle();
  assert.deepEqual(sent.map(({ groupId, key }) => [groupId, key]), [[
    "g1",
    "id-2",
  ], ["g2", "id-3"]]);
  assert.deepEqual(accepted, ["g1", "g2"]);
  assert.deepEqual([
    database.stores.uploads.size,
    database.stores.captures.size,
  ], [0, 0]);
});

// Guard: a picture stays until the last group has it (`upload-records.js`)
Deno.test("the picture stays until the last group has it", async () => {
  const { uploads, time, database } = open({
    answers: [photo("p"), new Offline(), photo("q")],
  });
  await uploads.enqueue(picture, ["g1", "g2"]);
  await idle();
  assert.deepEqual([
    database.stores.uploads.size,
    database.stores.captures.size,
  ], [1, 1]);
  time.advance(2_000);
  await uploads.run();
  assert.deepEqual([
    database.stores.uploads.size,
    database.stores.captures.size,
  ], [0, 0]);
});

Deno.test("an upload that waits keeps its key for the next attempt", async () => {
  const { uploads, time, sent } = open({
    answers: [new Offline(), photo("p")],
  });
  await uploads.enqueue(picture, ["g1"]);
  await idle();
  await uploads.run();
  assert.equal(sent.length, 1, "not before its time");
  time.advance(2_000);
  await uploads.run();
  assert.deepEqual(sent.map(({ key }) => key), ["id-2", "id-2"]);
});

// Guard: an upload that lacked a network goes out at once when there is one (`upload-driver.js`)
Deno.test("when the network is back, only uploads that lacked one go out before their time", async () => {
  const busy = new Problem(503, { code: "overloaded" }, 60);
  const { uploads, sent } = open({ answers: [new Offline(), busy, photo("p")] });
  await uploads.enqueue(picture, ["g1", "g2"]);
  await idle();
  await uploads.run({ isBack: true });
  assert.deepEqual(sent.map(({ groupId }) => groupId), ["g1", "g2", "g1"]);
  assert.deepEqual(uploads.all.map(({ group_id }) => group_id), ["g2"]);
});

// Guard: a queued upload is sent once, by one driver (`upload-queue.js`)
Deno.test("two drivers of one queue send an upload once", async () => {
  const database = fakeDatabase();
  const locks = fakeLocks();
  const page = open({ answers: [photo("p")], database, locks });
  const worker = open({ answers: [photo("p")], database, locks });
  await page.uploads.enqueue(picture, ["g1"]);
  await Promise.all([worker.uploads.run(), page.uploads.run()]);
  await idle();
  assert.equal(page.sent.length + worker.sent.length, 1);
});

Deno.test("a page does not wait for the worker that is sending", async () => {
  const locks = fakeLocks();
  const { uploads } = open({ answers: [photo("p")], locks });
  void locks.request("dayly-uploads", () => new Promise(() => {}));
  await uploads.run();
});

Deno.test("when the network is back, the queue runs after a run that began without one", async () => {
  const locks = fakeLocks();
  const { uploads, sent } = open({ answers: [new Offline(), photo("p")], locks });
  await uploads.enqueue(picture, ["g1"]);
  await idle();
  const before = Promise.withResolvers();
  void locks.request("dayly-uploads", () => before.promise);
  const after = uploads.run({ isBack: true });
  before.resolve();
  await after;
  assert.equal(sent.length, 2);
});

// Guard: a tab that sleeps with a lock is not waited for (`sharing.js`, `upload-driver.js`)
Deno.test("a tab that sleeps with the lock does not keep a photo for ever", async () => {
  const locks = fakeLocks(), timeouts = heldTimeouts();
  try {
    const { uploads, sent } = open({ answers: [photo("p")], locks });
    void locks.request("dayly-uploads", () => new Promise(() => {}));
    await uploads.enqueue(picture, ["g1"]);
    const running = uploads.run({ isBack: true });
    await idle();
    assert.equal(sent.length, 0);
    timeouts.pass();
    await running;
    assert.equal(sent.length, 1);
  } finally {
    timeouts.restore();
  }
});

Deno.test("a photo that was accepted is not in the queue any more when that is told", async () => {
  const { uploads } = open({ answers: [photo("p")] });
  const left = [];
  uploads.onSent(() => left.push(uploads.all.length));
  await uploads.enqueue(picture, ["g1", "g2"]);
  await idle();
  assert.deepEqual(left, [1, 0]);
});

Deno.test("a ticket is used instead of the session, and after its refusal the session", async () => {
  const unauthorized = () => new Problem(401, { code: "unauthorized" });
  const { uploads, time, sent, given } = open({
    answers: [new Offline(), unauthorized(), unauthorized(), photo("p")],
  });
  await uploads.enqueue(picture, ["g1"]);
  await idle();
  await uploads.fetchTickets();
  time.advance(2_000);
  await uploads.run();
  assert.deepEqual(sent.map(({ token }) => token), [
    "token",
    "ticket",
    "token",
    "token",
  ]);
  assert.deepEqual(given, [undefined, undefined, "token"]);
});

Deno.test("an ended session stops the upload until the next sign-in", async () => {
  const tokens = [new Problem(401, { code: "invalid_refresh_token" }), "new"];
  const { uploads, sent } = open({ answers: [photo("p")], tokens });
  await uploads.enqueue(picture, ["g1"]);
  await idle();
  assert.equal(uploads.all[0].state, "signed-out");
  await uploads.resume();
  assert.deepEqual(sent.map(({ token }) => token), ["new"]);
  assert.equal(uploads.all.length, 0);
});

Deno.test("an unreadable picture is deleted, and the record tells why", async () => {
  const { uploads, database } = open({
    answers: [new Problem(422, { code: "unreadable_image" })],
  });
  const [id] = await uploads.enqueue(picture, ["g1"]);
  await idle();
  assert.equal(database.stores.captures.size, 0);
  assert.equal(uploads.all[0].problem, "unreadable_image");
  assert.equal(await uploads.preview(id), null);
});

Deno.test("a discarded upload leaves nothing behind, also while it is being sent", async () => {
  const { uploads, database } = open({ answers: [new Offline()] });
  const [id] = await uploads.enqueue(picture, ["g1"]);
  await uploads.discard(id);
  await idle();
  assert.deepEqual([
    database.stores.uploads.size,
    database.stores.captures.size,
  ], [0, 0]);
});

Deno.test("an upload can be kept until the next day", async () => {
  const problem = new Problem(409, {
    code: "already_sent_today",
    next_send_at: "2026-11-23T00:00:00Z",
  });
  const { uploads, time, sent } = open({ answers: [problem, photo("p")] });
  const [id] = await uploads.enqueue(picture, ["g1"]);
  await idle();
  await uploads.keepUntil(id, "2026-11-23T00:00:00Z");
  assert.equal(uploads.nextAt, Date.parse("2026-11-23T00:00:00Z"));
  await uploads.run();
  assert.equal(sent.length, 1);
  time.advance(12 * 3_600_000);
  await uploads.run();
  assert.equal(sent.length, 2);
});

/** A database that takes no pictures. */
function refusing(name) {
  const database = fakeDatabase();
  const { write } = database;
  database.write = async (changes) => {
    if (changes.some(({ put }) => put?.picture)) throw new DOMException("no Blobs", name);
    await write(changes);
  };
  return database;
}

// Guard: a private window that keeps no picture sends it (`database.js`)
Deno.test("a private window that keeps no picture sends it all the same, also at a second attempt", async () => {
  const database = refusing("UnknownError");
  const kept = withMemory(database);
  const { uploads, sent, time } = open({ answers: [new Offline(), photo("p")], database: kept });
  const [id] = await uploads.enqueue(picture, ["g"]);
  await idle();
  assert.equal(uploads.all[0].state, "waiting");
  assert.equal(await uploads.preview(id), picture);
  time.advance(10_000);
  await uploads.run();
  await idle();
  assert.deepEqual(sent.map(({ key }) => key), [id, id]);
  assert.equal(uploads.all.length, 0);
  assert.equal(await kept.get("captures", "id-1"), undefined);
});

Deno.test("a sign-out forgets what a private window holds in memory", async () => {
  const database = withMemory(refusing("UnknownError"));
  await database.write([{ store: "captures", put: { id: "c", picture } }]);
  assert.equal((await database.all("captures")).length, 1);
  await database.destroy();
  assert.deepEqual(await database.all("captures"), []);
});

Deno.test("what a full disk refuses goes out from memory, and the page says that it must stay", async () => {
  const { uploads, sent, time } = open({
    answers: [new Offline(), photo("p")],
    database: withMemory(refusing("QuotaExceededError")),
  });
  await uploads.enqueue(picture, ["g"]);
  await idle();
  assert.equal(uploads.inMemory, true);
  time.advance(10_000);
  await uploads.run();
  await idle();
  assert.deepEqual([sent.length, uploads.all.length, uploads.inMemory], [2, 0, false]);
});

// Guard: without storage a photo is sent from memory, once (`database.js`)
Deno.test("without any database a photo waits in memory, is sent once and is then gone", async () => {
  const { uploads, sent, time } = open({
    answers: [new Offline(), photo("p")],
    database: withMemory(createDatabase(undefined)),
  });
  const [id] = await uploads.enqueue(picture, ["g1", "g2"]);
  await idle();
  assert.deepEqual([uploads.all.length, uploads.inMemory], [1, true]);
  assert.equal(await uploads.preview(id), picture);
  time.advance(10_000);
  await uploads.run();
  await uploads.run();
  await idle();
  assert.equal(sent.length, 3);
  assert.deepEqual([uploads.all.length, uploads.inMemory], [0, false]);
});

for (const reason of ["foreign_network", "too_large_for_network"]) {
  Deno.test(`${reason}: the picture waits, and goes out when the network is back`, () => {
    const step = next(record, { kind: "failed", reason }, NOW, 1);
    assert.deepEqual([step.record.state, step.record.problem, step.dropsCapture], ["waiting", reason, false]);
    assert.equal(lackedNetwork(step.record), true);
  });
}
