/** Answers that are not Dayly's: nothing follows from them. The cases stand in Tests/FromOutside/answers.json. */

import assert from "node:assert/strict";
import { createClient } from "../../../../Sources/Web/api/client.js";
import { ask, Foreign, Offline, Problem, secondsOf } from "../../../../Sources/Web/api/problems.js";
import { sendByFetch } from "../../../../Sources/Web/api/sending.js";
import { createSession } from "../../../../Sources/Web/api/session.js";
import { createNetwork } from "../../../../Sources/Web/store/network.js";
import { createPhotos, PHOTO_CACHE } from "../../../../Sources/Web/store/pictures/photos.js";
import { isFile } from "../../../../Sources/Web/worker/start.js";
import { fakeCaches, fakeChannel, fakeFetch, fakeKept, fakeLocks, fakeTime, photo, user } from "../fakes.js";

const cases = JSON.parse(
  await Deno.readTextFile(
    new URL("../../../FromOutside/answers.json", import.meta.url),
  ),
);

const responseOf = ({ status, content_type, body }) =>
  new Response([204, 304].includes(status) ? null : body, {
    status,
    headers: content_type ? { "Content-Type": content_type } : {},
  });

const session = { authorized: (send) => send("token") };

const calls = {
  upload: (fetch) =>
    sendByFetch(fetch)({
      groupId: "g1",
      key: "k",
      token: "t",
      picture: new Blob(["x"], { type: "image/jpeg" }),
    }),
  groups: (fetch) => createClient({ fetch, session }).listGroups(),
  picture: async (fetch) => {
    const caches = fakeCaches();
    const pictures = createPhotos({
      fetch,
      caches,
      now: fakeTime().now,
      getPhoto: async (id) => await photo(id),
    });
    try {
      return await pictures.picture(photo("a"), "full");
    } finally {
      assert.deepEqual(caches.addresses(PHOTO_CACHE), []);
    }
  },
  refresh: async (fetch) => {
    const kept = fakeKept({ user });
    const person = createSession({
      fetch,
      kept,
      locks: fakeLocks(),
      channel: fakeChannel(),
      uptime: () => 0,
    });
    await person.start();
    if (person.state === "signed-out") {
      throw new Problem(401, { code: "invalid_refresh_token" });
    }
    assert.deepEqual([person.state, kept.all.get("user")], ["signed-in", user]);
    return await person.token();
  },
};

const outcomeOf = (work) =>
  work.then(
    () => "accepted",
    (error) =>
      error instanceof Foreign ? "network" : error instanceof Problem ? `refused:${error.code}` : `${error}`,
  );

for (const one of cases) {
  // Guard: an answer that is not the service's accepts, refuses and signs out nothing (`problems.js`,
  // `sending.js`)
  Deno.test(`${one.call} ${one.status}: ${one.from}: ${one.body.slice(0, 40)}`, async () => {
    const { fetch } = fakeFetch(responseOf(one));
    assert.equal(await outcomeOf(calls[one.call](fetch)), one.want);
  });
}

Deno.test("the clock learns from the service's answers, and nothing from somebody else's", async () => {
  const ours = { type: "/problems/not_found", code: "not_found", status: 404 };
  const answers = [
    [new Response("<html>"), Foreign, false],
    [new Response("<html>", { status: 403 }), Foreign, false],
    [
      Response.json(ours, {
        status: 404,
        headers: { "Content-Type": "application/problem+json" },
      }),
      Problem,
      true,
    ],
  ];
  for (const [answer, error, isOurs] of answers) {
    const seen = [];
    const outside = {
      ...fakeFetch(answer),
      observe: (response) => seen.push(response),
    };
    await assert.rejects(
      createClient({ ...outside, session }).getUser(),
      error,
    );
    assert.equal(seen.length, isOurs ? 1 : 0);
  }
});

// Guard: no call follows a redirect (`problems.js`)
Deno.test("no call follows a redirect, which leads to a network's own page; a store of pictures may redirect", async () => {
  for (const call of [calls.upload, calls.groups, calls.refresh]) {
    const { fetch, requests } = fakeFetch(new Response("<html>"));
    await outcomeOf(call(fetch));
    assert.deepEqual([...new Set(requests.map(({ redirect }) => redirect))], [
      "manual",
    ]);
  }
});

// Guard: a call ends after 15 s (`problems.js`)
Deno.test("a call without an answer ends, and a later one is not held up by it", async () => {
  const silent = () => new Promise(() => {});
  await assert.rejects(
    ask({ fetch: silent }, "/v1/groups", {}, () => {}, 5),
    Offline,
  );
  const halting = () => Promise.resolve(new Response(new ReadableStream({})));
  await assert.rejects(
    ask({ fetch: halting }, "/v1/groups", {}, (response) => response.text(), 5),
    Offline,
  );
});

Deno.test("a wait that a proxy names is a number or a date, and at most a day", () => {
  assert.equal(secondsOf("7"), 7);
  assert.equal(secondsOf("99999999"), 86_400);
  assert.equal(
    secondsOf(new Date(Date.now() + 10 * 86_400_000).toUTCString()),
    86_400,
  );
  assert.equal(secondsOf("soon"), null);
});

// Guard: a network that answers in the service's place is told at once (`network.js`)
Deno.test("a foreign answer tells of the network at once, silence after the second call", () => {
  const network = createNetwork();
  const states = [];
  network.subscribe(() => states.push(network.state));
  network.missed(new Offline());
  network.reached();
  network.missed(new Offline());
  network.missed(new Offline());
  network.missed(new Foreign(200));
  network.reached();
  assert.deepEqual(states, ["away", "foreign", "there"]);
});

// Guard: the worker keeps only files of its version (`worker/start.js`)
Deno.test("the worker keeps only files of its version", async () => {
  const file = (type, text = "", status = 200) =>
    new Response(text, { status, headers: { "Content-Type": type } });
  assert.equal(
    await isFile("/app/1/a.js", file("text/javascript; charset=utf-8"), "1"),
    true,
  );
  assert.equal(await isFile("/app/1/a.js", file("text/html"), "1"), false);
  assert.equal(
    await isFile("/app/1/index.html", file("text/html", "<title>Hotel"), "1"),
    false,
  );
  assert.equal(
    await isFile(
      "/app/1/index.html",
      file("text/html", '<script src="/app/1/first.js">'),
      "1",
    ),
    true,
  );
  assert.equal(
    await isFile("/app/1/a.css", file("text/css", "", 203), "1"),
    false,
  );
  assert.equal(
    await isFile("/icons/icon-192.png", file("text/html"), "1"),
    false,
  );
  assert.equal(
    await isFile("/icons/icon-192.png", file("image/png"), "1"),
    true,
  );
});
