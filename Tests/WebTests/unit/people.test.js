import assert from "node:assert/strict";
import { hold } from "../../../Sources/Web/parts/hold.js";
import { createBlocks } from "../../../Sources/Web/store/blocks.js";
import { createFeeds } from "../../../Sources/Web/store/feed.js";
import { createInvitations } from "../../../Sources/Web/store/invitations.js";
import { isOver } from "../../../Sources/Web/store/notices.js";
import { createClock } from "../../../Sources/Web/store/service-clock.js";
import { fakeChannel, fakeKept, fakeTime, photo, settled } from "./fakes.js";

const clock = createClock(fakeTime());
const bob = { id: "bob", first_name: "Bob" };
const refusal = new Error("removal_limit_reached");

/** A promise that the test itself fulfils. */
function answer() {
  const { promise, resolve, reject } = Promise.withResolvers();
  return { promise, give: resolve, refuse: reject };
}

function open({ kept = fakeKept(), client = {} } = {}) {
  const channel = fakeChannel();
  const calls = {
    listBlocks: async () => await ({ blocks: [] }),
    blockUser: async () => await null,
    unblockUser: async () => await null,
    ...client,
  };
  const blocks = createBlocks({ client: calls, kept, clock, channel });
  const feed = { photos: [photo("a"), photo("b", { sender_id: "bob" })], removed: [], cursor: "1" };
  const feeds = createFeeds({
    client: { listPhotos: async () => await ({ value: feed, etag: null }) },
    kept: fakeKept(),
    clock,
    blocks,
    forget: async () => await null,
  });
  const shown = () => feeds.of("g1").photos.map(({ id }) => id);
  return { blocks, channel, feeds, kept, shown };
}

// Guard: a blocked person's photos go before the service answers, and come back where it refuses
// (`blocks.js`, `feed.js`)
Deno.test("a blocked person's photos go from the feeds before the service has answered, and come back with the end of the block", async () => {
  const call = answer();
  const { blocks, feeds, shown } = open({ client: { blockUser: () => call.promise } });
  await feeds.refresh("g1");
  let told = 0;
  feeds.subscribe(() => told += 1);
  const done = blocks.block(bob);
  assert.deepEqual([shown(), told > 0], [["a"], true]);
  call.give(null);
  await done;
  assert.deepEqual(shown(), ["a"]);
  await blocks.unblock("bob");
  assert.deepEqual(shown(), ["a", "b"]);
});

// Guard: a blocked person's photos go before the service answers, and come back where it refuses
// (`blocks.js`, `feed.js`)
Deno.test("a block that the service refuses shows the photos again, and the block before it stays", async () => {
  const { blocks, feeds, shown } = open({
    client: {
      blockUser: async (id) => {
        await Promise.resolve();
        if (id === "bob") throw refusal;
      },
    },
  });
  await feeds.refresh("g1");
  await blocks.block({ id: "eve", first_name: "Eve" });
  await assert.rejects(blocks.block(bob), refusal);
  assert.deepEqual(shown(), ["a", "b"]);
  assert.deepEqual(blocks.all.map(({ id }) => id), ["eve"]);
});

// Guard: other tabs and the next start know of a block (`blocks.js`)
Deno.test("the other tabs and the next start hide a blocked person's photos without asking the service", async () => {
  const { blocks, channel, kept } = open();
  await blocks.block(bob);
  const other = open();
  await other.feeds.refresh("g1");
  other.channel.receive(channel.posted.at(-1));
  assert.deepEqual(other.shown(), ["a"]);
  const next = open({ kept });
  await next.blocks.load();
  await next.feeds.refresh("g1");
  assert.deepEqual(next.shown(), ["a"]);
  next.blocks.reset();
  assert.deepEqual([next.shown(), next.blocks.all], [["a", "b"], null]);
});

// Guard: a list of blocks or invitations that is older than a change does not count (`blocks.js`,
// `invitations.js`)
Deno.test("a list of blocks that was asked for before a block does not end it", async () => {
  const list = answer();
  const { blocks } = open({ client: { listBlocks: () => list.promise } });
  const asked = blocks.refresh();
  await blocks.block(bob);
  list.give({ blocks: [] });
  await asked;
  assert.equal(blocks.has("bob"), true);
});

// Guard: a list of blocks or invitations that is older than a change does not count (`blocks.js`,
// `invitations.js`)
Deno.test("only the answer to the newest question for invitations counts, and none that comes after a sign-out", async () => {
  const answers = [answer(), answer(), answer()];
  let turn = 0;
  const invitations = createInvitations({ client: { listReceivedInvites: () => answers[turn++].promise } });
  const asked = [invitations.refresh(), invitations.refresh()];
  answers[1].give({ invites: [{ id: "new" }] });
  answers[0].give({ invites: [{ id: "old" }] });
  await Promise.all(asked);
  assert.deepEqual(invitations.open, [{ id: "new" }]);
  const late = invitations.refresh();
  invitations.reset();
  answers[2].give({ invites: [{ id: "late" }] });
  await late;
  assert.equal(invitations.open, null);
});

// Guard: a question for invitations that fails forgets none (`invitations.js`)
Deno.test("a question for invitations that fails keeps those that are known", async () => {
  const answers = [{ invites: [{ id: "1" }] }, refusal];
  const listReceivedInvites = async () => {
    await settled();
    const next = answers.shift();
    if (next instanceof Error) throw next;
    return next;
  };
  const invitations = createInvitations({ client: { listReceivedInvites } });
  await invitations.refresh();
  await invitations.refresh();
  assert.deepEqual([invitations.open, invitations.error], [[{ id: "1" }], refusal]);
});

const known = { open: "g1", isSeen: (id) => id === "g2", invitations: ["i1"] };

for (
  const [what, data, over] of [
    ["of the group on the screen", { kind: "photo", group_id: "g1" }, true],
    ["of a group whose photos were all looked at", { kind: "photo", group_id: "g2" }, true],
    ["of a group with a photo that was not looked at", { kind: "photo", group_id: "g3" }, false],
    ["of an open invitation", { kind: "invitation", invite_id: "i1" }, false],
    ["of an invitation that is not open any more", { kind: "invitation", invite_id: "i2" }, true],
    ["of a product", { kind: "morning" }, false],
    ["of another page", null, false],
  ]
) {
  // Guard: a notification is over only where that is known (`notices.js`)
  Deno.test(`a notification ${what} is ${over ? "over" : "not over"}`, () => {
    assert.equal(isOver(data, known), over);
    if (data?.kind === "invitation") assert.equal(isOver(data, { ...known, invitations: null }), false);
  });
}

// Guard: a long press is one finger that may tremble; lifting it taps nothing (`hold.js`)
Deno.test("a finger that trembles holds, one that moves on does not, and the one that is lifted opens nothing", () => {
  const element = new EventTarget();
  let held = 0;
  hold(element, () => held += 1);
  const touch = (type, ...points) =>
    element.dispatchEvent(Object.assign(new Event(type), {
      touches: points.map(([clientX, clientY]) => ({ clientX, clientY })),
    }));
  // Whatever lies under the finger when it is lifted: the photo, or the sheet that has come up.
  const opens = () => globalThis.dispatchEvent(new Event("click", { cancelable: true }));
  const { setTimeout, clearTimeout } = globalThis;
  let due = null;
  globalThis.setTimeout = (run) => (due = run);
  globalThis.clearTimeout = () => (due = null);
  try {
    for (const [points, count] of [[[[5, 5]], 1], [[[12, 0]], 0]]) {
      held = 0;
      touch("touchstart", [0, 0]);
      touch("touchmove", ...points);
      due?.();
      touch("touchend");
      assert.equal(held, count, String(points));
      assert.equal(opens(), count === 0);
      assert.ok(opens());
    }
    // The next key or touch counts, where the lifted finger made no click.
    for (const kind of ["keydown", "pointerdown"]) {
      touch("touchstart", [0, 0]);
      due();
      globalThis.dispatchEvent(new Event(kind));
      assert.ok(opens());
    }
    // Two fingers are a zoom.
    touch("touchstart", [0, 0], [80, 80]);
    assert.equal(due, null);
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout });
  }
});
