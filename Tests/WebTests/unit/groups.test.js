import assert from "node:assert/strict";
import { addressOf } from "../../../Sources/Web/api/calling.js";
import { createClient } from "../../../Sources/Web/api/client.js";
import { Foreign, kindOf, Offline, Problem } from "../../../Sources/Web/api/problems.js";
import { createGroups } from "../../../Sources/Web/store/group-list.js";
import { createClock } from "../../../Sources/Web/store/service-clock.js";
import { createSeen } from "../../../Sources/Web/store/seen.js";
import { fakeFetch, fakeKept, fakeTime, json, photo, problem, settled } from "./fakes.js";

const group = (id, members = {}) => ({ id, name: id, members: [], ...members });

function open(...answers) {
  const { fetch, requests } = fakeFetch(...answers);
  const client = createClient({
    fetch,
    session: { authorized: (send) => send("token") },
  });
  const kept = fakeKept();
  const time = fakeTime();
  const clock = createClock(time);
  return { groups: createGroups({ client, kept, clock }), client, requests, kept, time, clock };
}

const listed = (...all) => json({ groups: all }, { headers: { ETag: '"1"' } });

Deno.test("an address has its parts escaped", () => {
  assert.equal(
    addressOf("/v1/groups/{id}/photos", { id: "a/b?c" }, { since: "x&y" }),
    "/v1/groups/a%2Fb%3Fc/photos?since=x%26y",
  );
});

Deno.test("a refusal is a Problem with the service's words", async () => {
  const errors = [{ pointer: "/name", detail: "is too long" }];
  const { client } = open(
    problem(429, "rate_limited", { errors }, { "Retry-After": "30" }),
  );
  const error = await client.getUser().catch((reason) => reason);
  assert.ok(error instanceof Problem);
  assert.deepEqual(
    [error.status, error.code, error.retryAfter, error.pointer],
    [429, "rate_limited", 30, "/name"],
  );
});

Deno.test("a proxy's page is not an answer of the service", async () => {
  const { client } = open(
    new Response("<html>", {
      status: 502,
      headers: { "Content-Type": "text/html" },
    }),
  );
  const error = await client.getUser().catch((reason) => reason);
  assert.deepEqual([error instanceof Foreign, kindOf(error)], [true, "offline"]);
});

for (
  const [error, kind] of [
    [new Offline(), "offline"],
    [new Problem(401, { code: "unauthorized" }), "signed-out"],
    [new Problem(401, { code: "invalid_refresh_token" }), "signed-out"],
    [new Problem(401, { code: "verification_failed" }), "refused"],
    [new Problem(409, { code: "group_full" }), "refused"],
    [new Problem(429, { code: "rate_limited" }), "rate-limited"],
    [new Problem(404, { code: "not_found" }), "gone"],
    [new Problem(410, { code: "photo_gone" }), "gone"],
    [new Problem(408, { code: "invalid_request" }), "unavailable"],
    [new Problem(503, { code: "overloaded" }), "unavailable"],
    [new RangeError("a defect"), "unavailable"],
  ]
) {
  Deno.test(`${error.status ?? ""} ${error.code ?? error.name} is of the kind ${kind}`, () => {
    assert.equal(kindOf(error), kind);
  });
}

Deno.test("a list is asked for with its ETag, and 304 changes nothing", async () => {
  const { groups, requests } = open(
    listed(group("a")),
    new Response(null, { status: 304 }),
  );
  await groups.load();
  await groups.refresh();
  assert.equal(requests[1].headers.get("If-None-Match"), '"1"');
  assert.deepEqual(groups.all.map(({ id }) => id), ["a"]);
  assert.equal(groups.status, "ready");
});

Deno.test("without a network the kept groups are shown", async () => {
  const { groups, kept } = open(new TypeError("Failed to fetch"));
  kept.all.set("groups", [group("a")]);
  await groups.load();
  assert.deepEqual([groups.all.length, groups.status], [1, "offline"]);
  assert.ok(groups.error instanceof Offline);
});

// Guard: kept groups do not replace newer ones (`group-list.js`)
Deno.test("an answer that comes before the kept groups are read stays", async () => {
  const { groups, kept } = open(listed(group("a")), new Response(null, { status: 304 }));
  let read;
  kept.read = () => new Promise((resolve) => read = () => resolve(null));
  const loading = groups.load();
  await groups.refresh();
  read();
  await loading;
  assert.deepEqual(groups.all.map(({ id }) => id), ["a"]);
});

Deno.test("a failure of the service keeps what was shown", async () => {
  const { groups } = open(listed(group("a")), problem(500, "internal_error"));
  await groups.load();
  await groups.refresh();
  assert.deepEqual([groups.all.length, groups.status], [1, "failed"]);
});

Deno.test("a changed group is fetched again, and its list without the old ETag", async () => {
  const { groups, requests } = open(
    listed(group("a")),
    json(group("a", { name: "New" })),
    listed(group("a")),
  );
  await groups.load();
  await groups.apply({
    type: "group.updated",
    data: { group_id: "a", name: "New" },
  }, "me");
  assert.equal(groups.byId("a").name, "New");
  await groups.refresh();
  assert.equal(requests[2].headers.get("If-None-Match"), null);
});

Deno.test("the caller's own departure drops the group without asking", async () => {
  const { groups, requests } = open(listed(group("a"), group("b")));
  await groups.load();
  await groups.apply({
    type: "member.left",
    data: { group_id: "a", user_id: "me", first_name: null },
  }, "me");
  assert.deepEqual(groups.all.map(({ id }) => id), ["b"]);
  assert.equal(requests.length, 1);
});

Deno.test("a group that is gone is dropped", async () => {
  const { groups } = open(listed(group("a")), problem(404, "not_found"));
  await groups.load();
  await groups.apply({
    type: "member.left",
    data: { group_id: "a", user_id: null, first_name: null },
  }, "me");
  assert.deepEqual(groups.all, []);
});

// Guard: an answer after a sign-out is dropped (`session.js`, `group-list.js`, `feed.js`)
Deno.test("an answer that comes after a sign-out is dropped", async () => {
  let answer;
  const { groups, kept } = open(() => new Promise((resolve) => answer = () => resolve(listed(group("a")))));
  const loading = groups.load();
  await settled();
  groups.reset();
  answer();
  await loading;
  assert.equal(groups.all, null);
  assert.equal(kept.all.has("groups"), false);
});

const ids = (photos) => photos.map(({ id }) => id);

Deno.test("photos of others are unseen until they were looked at, and one's own never", async () => {
  const kept = fakeKept();
  const photos = [photo("a"), photo("b"), photo("mine", { sender_id: "me" })];
  const seen = createSeen({ kept, photosOf: () => photos, me: () => "me" });
  assert.deepEqual(ids(seen.unseen("g1")), ["a", "b"]);
  await seen.mark(["a", "gone"]);
  assert.deepEqual(ids(seen.unseen("g1")), ["b"]);
  await seen.retain([{ status: "ready", photos }]);
  assert.deepEqual(kept.all.get("seen"), ["a"]);
});

for (
  const [words, feeds] of [
    ["no group is known", []],
    ["the photos of one group are not known", [
      { status: "ready", photos: [] },
      { status: "offline", photos: [] },
    ]],
  ]
) {
  // Guard: what was looked at stays known while groups or photos are not (`seen.js`)
  Deno.test(`what was looked at stays known while ${words}`, async () => {
    const seen = createSeen({ kept: fakeKept(), photosOf: () => [photo("a")], me: () => "me" });
    await seen.mark(["a"]);
    await seen.retain(feeds);
    assert.deepEqual(seen.unseen("g1"), []);
  });
}
