import assert from "node:assert/strict";
import { Offline, Problem } from "../../../Sources/Web/api/problems.js";
import { sendWithProof } from "../../../Sources/Web/api/proof.js";
import { createSession } from "../../../Sources/Web/api/session.js";
import {
  fakeChannel,
  fakeFetch,
  fakeKept,
  fakeLocks,
  fakeTime,
  json,
  problem,
  settled,
  user,
} from "./fakes.js";

const tokens = (access_token, expires_in = 900) =>
  json({ access_token, token_type: "Bearer", expires_in, user });
const offline = () => new TypeError("Failed to fetch");

function open({ answers, kept = {}, locks = fakeLocks() }) {
  const { fetch, requests } = fakeFetch(...answers);
  const time = fakeTime();
  const channel = fakeChannel();
  const store = fakeKept(kept);
  const forgotten = [];
  const forget = async () => void await forgotten.push(store.all.clear());
  const session = createSession({
    fetch,
    locks,
    kept: store,
    channel,
    uptime: time.now,
    forget,
  });
  return { session, requests, time, channel, kept: store, forgotten };
}

Deno.test("a start with a cookie signs in, and keeps the profile for a start without a network", async () => {
  const { session, requests, kept } = open({ answers: [tokens("a")] });
  await session.start();
  assert.equal(session.state, "signed-in");
  assert.equal(requests[0].headers.get("Dayly-Session"), "cookie");
  assert.equal(requests[0].body, undefined);
  assert.deepEqual(kept.all.get("user"), user);
});

// Guard: a network error or a 5xx signs nobody out (`session.js`)
Deno.test("without a network a known person stays signed in", async () => {
  const { session, forgotten } = open({ answers: [offline()], kept: { user } });
  await session.start();
  assert.equal(session.state, "signed-in");
  assert.deepEqual(session.user, user);
  assert.equal(forgotten.length, 0);
});

for (const status of [500, 503, 429, 408]) {
  // Guard: a network error or a 5xx signs nobody out (`session.js`)
  Deno.test(`an answer ${status} to a refresh signs nobody out`, async () => {
    const { session, channel } = open({
      answers: [problem(status, "unavailable")],
      kept: { user },
    });
    await session.start();
    assert.equal(session.state, "signed-in");
    assert.deepEqual(channel.posted, []);
  });
}

Deno.test("invalid_refresh_token ends the session, forgets everything and tells the other tabs", async () => {
  const { session, channel, forgotten } = open({
    answers: [problem(401, "invalid_refresh_token")],
    kept: { user },
  });
  await session.start();
  assert.equal(session.state, "signed-out");
  assert.equal(session.ended, true);
  assert.equal(forgotten.length, 1);
  assert.deepEqual(channel.posted, ["signed-out"]);
});

Deno.test("a newcomer without a cookie is signed out, which is not an ended session", async () => {
  const { session, channel } = open({
    answers: [problem(401, "invalid_refresh_token")],
  });
  await session.start();
  assert.equal(session.state, "signed-out");
  assert.equal(session.ended, false);
  assert.deepEqual(channel.posted, []);
});

// Guard: one refresh at a time, over calls and tabs (`session.js`)
Deno.test("callers at the same time share one refresh", async () => {
  const { session, requests } = open({
    answers: [tokens("a")],
    kept: { user },
  });
  await Promise.all([
    session.start(),
    session.token(),
    session.token(),
    session.token(),
  ]);
  assert.equal(requests.length, 1);
});

// Guard: one refresh at a time, over calls and tabs (`session.js`)
Deno.test("two tabs do not refresh at the same time", async () => {
  const locks = fakeLocks();
  let running = 0;
  let most = 0;
  const slow = async () => {
    most = Math.max(most, ++running);
    await settled();
    running -= 1;
    return tokens("a");
  };
  const tabs = [
    open({ answers: [slow], locks }),
    open({ answers: [slow], locks }),
  ];
  await Promise.all(tabs.map(({ session }) => session.start()));
  assert.equal(most, 1);
});

Deno.test("a token is used until shortly before its end and then renewed", async () => {
  const { session, requests, time } = open({
    answers: [tokens("a"), tokens("b")],
  });
  await session.start();
  time.advance(800_000);
  assert.equal(await session.token(), "a");
  time.advance(80_000);
  assert.equal(await session.token(), "b");
  assert.equal(requests.length, 2);
});

Deno.test("a call that is refused with 401 is sent once more with a new token", async () => {
  const { session } = open({ answers: [tokens("a"), tokens("b")] });
  await session.start();
  const sent = [];
  const response = await session.authorized(async (token) => {
    sent.push(token);
    if (token === "a") throw await new Problem(401, { code: "unauthorized" });
    return "answer";
  });
  assert.deepEqual(sent, ["a", "b"]);
  assert.equal(response, "answer");
});

// Guard: an answer after a sign-out is dropped (`session.js`, `group-list.js`, `feed.js`)
Deno.test("an answer that comes after a sign-out is dropped", async () => {
  let answer;
  const late = () => new Promise((resolve) => answer = () => resolve(tokens("late")));
  const { session, channel, kept } = open({ answers: [late], kept: { user } });
  const starting = session.start();
  await settled();
  channel.receive("signed-out");
  answer();
  await starting;
  assert.equal(session.state, "signed-out");
  assert.equal(session.user, null);
  await assert.rejects(
    session.token(),
    (error) => error instanceof Problem && error.code === "unauthorized",
  );
  assert.equal(kept.all.has("late"), false);
});

Deno.test("a sign-in sends the code and tells the other tabs", async () => {
  const signedIn = json({
    access_token: "a",
    token_type: "Bearer",
    expires_in: 900,
    user,
    is_new_user: true,
  });
  const { session, channel, requests } = open({
    answers: [problem(401, "invalid_refresh_token"), signedIn],
  });
  await session.start();
  const { isNew } = await session.signIn({
    verification_id: "v",
    code: "123456",
  });
  assert.equal(isNew, true);
  assert.equal(session.state, "signed-in");
  assert.equal(requests[1].url, "/v1/auth/verify");
  assert.deepEqual(channel.posted, ["signed-in"]);
});

Deno.test("a sign-out ends the cookie, forgets everything and tells the other tabs", async () => {
  const { session, channel, requests, forgotten } = open({
    answers: [tokens("a"), new Response(null, { status: 204 })],
  });
  await session.start();
  await session.signOut();
  assert.equal(requests[1].url, "/v1/auth/logout");
  assert.equal(session.state, "signed-out");
  assert.equal(session.ended, false);
  assert.equal(forgotten.length, 1);
  assert.deepEqual(channel.posted, ["signed-out"]);
});

// Guard: the other tabs are told before a sign-out deletes (`session.js`)
Deno.test("the end of a session is told to the other tabs before anything is deleted", async () => {
  const answers = () => [tokens("a"), problem(401, "invalid_refresh_token")];
  for (const end of [(session) => session.drop(), (session) => session.token("a").catch(() => {})]) {
    const { session, channel, kept } = open({ answers: answers() });
    await session.start();
    const known = [];
    channel.postMessage = (message) => known.push([message, kept.all.has("user")]);
    await end(session);
    assert.deepEqual([known, kept.all.has("user")], [[["signed-out", true]], false]);
  }
});

Deno.test("a sign-out without a network fails, because the cookie would stay", async () => {
  const { session } = open({ answers: [tokens("a"), offline()] });
  await session.start();
  await assert.rejects(session.signOut(), Offline);
  assert.equal(session.state, "signed-in");
});

Deno.test("a tab follows a sign-out of another tab", async () => {
  const { session, channel } = open({ answers: [tokens("a")] });
  await session.start();
  channel.receive("signed-out");
  assert.equal(session.state, "signed-out");
  assert.equal(session.ended, true);
});

async function isProof({ token, bytes, bits, count }, proof) {
  assert.equal(proof.token, token);
  assert.equal(new Set(proof.nonces).size, count);
  assert.deepEqual(proof.nonces, proof.nonces.toSorted((a, b) => a - b));
  for (const nonce of proof.nonces) {
    const message = new Uint8Array(bytes);
    new DataView(message.buffer).setBigUint64(0, BigInt(nonce));
    message.set(new TextEncoder().encode(token), 8);
    const head = new DataView(await crypto.subtle.digest("SHA-256", message)).getUint32(0);
    assert.ok(head < 2 ** (32 - bits));
  }
}

/** As `parts/asking.js` does it. */
async function askForCode(session) {
  const send = (proof) => session.requestCode("+14155550101", proof);
  const digest = (message) => crypto.subtle.digest("SHA-256", message);
  return await send().catch((error) => sendWithProof(error, send, digest));
}

const started = json({ verification_id: "v", expires_in: 300, resend_after: 30 }, { status: 202 });

// Guard: the work that a refusal asks for is done, up to a bound, three times at most (`proof.js`)
Deno.test("a code that costs work is asked for again with the work", async () => {
  const challenge = { token: "a-token", bytes: 128, bits: 5, count: 3 };
  const refused = problem(429, "rate_limited", { challenge }, { "Retry-After": "30" });
  const { session, requests } = open({ answers: [refused, started] });
  assert.equal((await askForCode(session)).verification_id, "v");
  assert.deepEqual(requests.map(({ body }) => Object.keys(JSON.parse(body))), [
    ["phone_number"],
    ["phone_number", "proof"],
  ]);
  await isProof(challenge, JSON.parse(requests[1].body).proof);
});

for (
  const [what, challenge, calls] of [
    ["without a challenge", undefined, 1],
    ["that asks for too much", { token: "t", bytes: 2 ** 20, bits: 20, count: 4 }, 1],
    ["that comes again and again", { token: "t", bytes: 64, bits: 1, count: 1 }, 3],
  ]
) {
  // Guard: the work that a refusal asks for is done, up to a bound, three times at most (`proof.js`)
  Deno.test(`a refusal ${what} is a refusal, with its wait`, async () => {
    const refused = problem(429, "rate_limited", { challenge }, { "Retry-After": "30" });
    const { session, requests } = open({ answers: [refused] });
    await assert.rejects(askForCode(session), { code: "rate_limited", retryAfter: 30 });
    assert.equal(requests.length, calls);
  });
}
