import assert from "node:assert/strict";
import { createEventParser } from "../../../Sources/Web/api/event-parser.js";
import { createEvents, waitBefore } from "../../../Sources/Web/api/events.js";
import { fakeChannel, fakeFetch, fakeLocks, fakeTime, problem, settled } from "./fakes.js";

const parsed = (...pieces) => {
  const parser = createEventParser();
  return { events: pieces.flatMap((piece) => parser.push(piece)), parser };
};

Deno.test("an id counts when its event is complete, so that a cut connection loses no event", () => {
  const { parser } = parsed("id: c1\ndata: 1\n\nid: c2\ndata: 2\n");
  assert.equal(parser.id, "c1");
  parser.push("\n");
  assert.equal(parser.id, "c2");
});

Deno.test("an event has its type, data and id", () => {
  const { events } = parsed('event: photo.deleted\ndata: {"a":1}\nid: c1\n\n');
  assert.deepEqual(events, [{
    type: "photo.deleted",
    data: '{"a":1}',
    id: "c1",
  }]);
});

Deno.test("pieces of any length give the same events", () => {
  const text = "retry: 3000\n\n: comment\r\nevent: a\r\ndata: x\r\ndata: y\r\nid: 1\r\n\r\ndata:z\n\n";
  const whole = parsed(text).events;
  assert.deepEqual(whole, [{ type: "a", data: "x\ny", id: "1" }, {
    type: "message",
    data: "z",
    id: "1",
  }]);
  assert.deepEqual(parsed(...text).events, whole);
  for (let cut = 1; cut < text.length; cut++) {
    assert.deepEqual(
      parsed(text.slice(0, cut), text.slice(cut)).events,
      whole,
      `cut at ${cut}`,
    );
  }
});

Deno.test("a block without data is not an event, but its id counts", () => {
  const { events, parser } = parsed("id: c2\n\n");
  assert.deepEqual(events, []);
  assert.equal(parser.id, "c2");
});

Deno.test("an event that the stream does not complete is not given", () => {
  assert.deepEqual(parsed("data: half\n").events, []);
});

Deno.test("the wait doubles from the server's time, is spread and has an end", () => {
  assert.equal(waitBefore(0, 3000, 1), 3000);
  assert.equal(waitBefore(0, 3000, 0), 1500);
  assert.equal(waitBefore(2, 3000, 1), 12_000);
  assert.equal(waitBefore(9, 3000, 1), 60_000);
});

const stream = (text) => new Response(text, { headers: { "Content-Type": "text/event-stream" } });
const DELETED = 'event: photo.deleted\ndata: {"group_id":"g","photo_id":"p"}\nid: c1\n\n';

function open(...answers) {
  const { fetch, requests } = fakeFetch(...answers);
  const time = fakeTime();
  const channel = fakeChannel();
  const refused = [];
  const waits = [];
  let wake = () => {};
  const events = createEvents({
    products: ["focus"],
    fetch,
    channel,
    locks: fakeLocks(),
    session: { token: async (token) => (await refused.push(token), "t") },
    sleep: (
      delay,
    ) => (waits.push(delay), new Promise((resolve) => wake = resolve)),
    random: () => 1,
    now: time.now,
  });
  const changes = [];
  events.subscribe((change) => changes.push(change));
  return {
    events,
    changes,
    requests,
    channel,
    refused,
    waits,
    time,
    next: async () => (wake(), await settled()),
  };
}

Deno.test("a first connection asks for everything, then passes changes on to the other tabs", async () => {
  const { events, changes, channel } = open(stream(DELETED));
  events.start();
  await settled();
  assert.deepEqual(changes, [
    { type: "resync", data: null },
    { type: "photo.deleted", data: { group_id: "g", photo_id: "p" } },
  ]);
  assert.deepEqual(channel.posted.map(({ id }) => id), [null, "c1"]);
});

Deno.test("a later connection resumes after the last event, without asking for everything", async () => {
  const { events, changes, requests, next } = open(stream(DELETED), stream(""));
  events.start();
  await settled();
  await next();
  assert.equal(requests[1].headers.get("Last-Event-ID"), "c1");
  assert.equal(changes.filter(({ type }) => type === "resync").length, 1);
});

// Guard: a stream resumes by its last event, also in another tab (`events.js`)
Deno.test("a tab that takes over resumes after the event that another tab received", async () => {
  const { events, requests, channel } = open(stream(""));
  channel.receive({ change: { type: "resync", data: null }, id: "c7" });
  events.start();
  await settled();
  assert.equal(requests[0].headers.get("Last-Event-ID"), "c7");
});

// Guard: an expired cursor fetches everything again (`events.js`, `feed.js`)
Deno.test("an expired cursor asks for everything again", async () => {
  const { events, changes, requests, next } = open(
    stream(DELETED),
    problem(410, "cursor_expired"),
    stream(""),
  );
  events.start();
  await settled();
  await next();
  await next();
  assert.equal(requests[2].headers.get("Last-Event-ID"), null);
  assert.equal(changes.filter(({ type }) => type === "resync").length, 2);
});

Deno.test("a refused token is renewed before the next connection", async () => {
  const { events, refused } = open(problem(401, "unauthorized"), stream(""));
  events.start();
  await settled();
  assert.deepEqual(refused, [undefined, "t"]);
});

Deno.test("failures lengthen the wait, and a connection that worked shortens it", async () => {
  const { events, waits, next } = open(
    new TypeError("x"),
    new TypeError("x"),
    stream("retry: 3000\n\n"),
    stream(""),
  );
  events.start();
  await settled();
  await next();
  await next();
  assert.deepEqual(waits, [2000, 4000, 3000]);
});

Deno.test("an unknown event is ignored", async () => {
  const { events, changes } = open(
    stream("event: group.painted\ndata: {}\n\n"),
  );
  events.start();
  await settled();
  assert.deepEqual(changes.map(({ type }) => type), ["resync"]);
});

// Guard: a hint without an id keeps the cursor, and each new connection asks Focus again (`events.js`)
Deno.test("a hint without an id leaves the cursor where it is", async () => {
  const hint = "event: focus.now\ndata: {}\n\n";
  const { events, changes, requests, channel, next } = open(stream(DELETED), stream(hint), stream(""));
  events.start();
  await settled();
  await next();
  await next();
  assert.deepEqual(changes.slice(2), [
    { type: "reconnected", data: null },
    { type: "focus.now", data: {} },
    { type: "reconnected", data: null },
  ]);
  assert.equal(requests[2].headers.get("Last-Event-ID"), "c1");
  assert.equal(channel.posted.at(-1).id, "c1");
});

/** A stream that stays open and says nothing after its first words. */
const silent = () =>
  new Response(new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode(DELETED)) }), {
    headers: { "Content-Type": "text/event-stream" },
  });

// Guard: a silent stream is replaced at once when somebody looks again (`connection.js`, `events.js`)
Deno.test("a stream that was silent while the device slept is opened anew at once, when somebody looks again", async () => {
  const { events, requests, waits, time } = open(silent, silent);
  events.start();
  await settled();
  time.sleep(40_000);
  events.start();
  await settled();
  assert.equal(requests.length, 1);
  time.sleep(1);
  events.start();
  await settled();
  assert.deepEqual([requests.length, waits], [2, []]);
  assert.equal(requests[1].headers.get("Last-Event-ID"), "c1");
  events.stop();
});

// Guard: somebody who looks again does not wait for the stream's next attempt (`events.js`)
Deno.test("somebody who looks again does not wait for the next attempt", async () => {
  const { events, requests, waits } = open(new TypeError("x"), new TypeError("x"), silent);
  events.start();
  await settled();
  events.start();
  await settled();
  assert.deepEqual([requests.length, waits], [2, [2000, 4000]]);
  events.start();
  await settled();
  assert.equal(requests.length, 3);
  events.stop();
});
