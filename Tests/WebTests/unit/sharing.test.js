// Calls that are shared, and what a dead one may hold up.

import assert from "node:assert/strict";
import { createSharing, createTurns } from "../../../Sources/Web/api/sharing.js";
import { fakeLocks, fakeTime, heldTimeouts, settled } from "./fakes.js";

Deno.test("what is under way is shared, by its key", async () => {
  const { share } = createSharing(fakeTime().now);
  const begun = [];
  const begin = (key) => share(key, async () => await begun.push(key));
  await Promise.all([begin("a"), begin("a"), begin("b")]);
  assert.deepEqual(begun, ["a", "b"]);
  await begin("a");
  assert.deepEqual(begun, ["a", "b", "a"]);
});

// Guard: a call that is too old is not shared, and its answer is not taken (`sharing.js`, `group-list.js`,
// `feed.js`)
Deno.test("a call that is older than an answer may be is not waited for, and its answer is not the last", async () => {
  const time = fakeTime();
  const { share } = createSharing(time.now);
  const calls = [];
  const begin = () => share("", (isLast) => new Promise((resolve) => calls.push({ resolve, isLast })));
  const dead = begin();
  time.sleep(14_999);
  assert.equal(begin(), dead);
  time.sleep(1);
  const next = begin();
  assert.notEqual(next, dead);
  assert.deepEqual(calls.map(({ isLast }) => isLast()), [false, true]);
  calls[0].resolve();
  await dead;
  // The end of the dead one is not the end of the other.
  assert.equal(begin(), next);
  calls[1].resolve();
  await next;
});

Deno.test("after a sign-out no call that is under way is the last", async () => {
  const { share, clear } = createSharing(fakeTime().now);
  let last;
  const running = share("", async (isLast) => (await settled(), last = isLast()));
  clear();
  await running;
  assert.equal(last, false);
});

// Guard: a tab that sleeps with a lock is not waited for (`sharing.js`, `upload-driver.js`)
Deno.test("a tab that sleeps with the lock is not waited for longer than a moment", async () => {
  const locks = fakeLocks(), timeouts = heldTimeouts();
  try {
    void locks.request("l", () => new Promise(() => {}));
    let runs = 0;
    const turn = createTurns(locks, "l")(async () => await ++runs);
    await settled();
    assert.equal(runs, 0);
    timeouts.pass();
    assert.equal(await turn, 1);
    // A failure of the call itself is not tried again.
    const failing = createTurns(fakeLocks(), "l")(() => (runs++, Promise.reject(new Error("refused"))));
    await assert.rejects(failing, /refused/);
    assert.equal(runs, 2);
  } finally {
    timeouts.restore();
  }
});
