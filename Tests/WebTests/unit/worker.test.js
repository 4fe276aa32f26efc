import assert from "node:assert/strict";

// The module is written for a worker's global scope.
Object.assign(globalThis, { registration: {}, clients: {} });
const { pathOf, payloadOf } = await import(
  "../../../Sources/Web/worker/notifications.js"
);

const ORIGIN = "https://dayly.example";

Deno.test("a notification opens a path of this site and nothing else", () => {
  assert.equal(pathOf("/g/1", ORIGIN), "/g/1");
  assert.equal(pathOf("https://dayly.example/g/1?x=2", ORIGIN), "/g/1?x=2");
  for (
    const address of [
      "https://evil.example/g/1",
      "//evil.example",
      "javascript:alert(1)",
      "http://[",
      undefined,
    ]
  ) {
    assert.equal(pathOf(address, ORIGIN), "/");
  }
});

Deno.test("a message that cannot be read is an empty one, so that a notification is still shown", () => {
  assert.deepEqual(payloadOf(null), {});
  assert.deepEqual(payloadOf({ json: () => JSON.parse("{") }), {});
  const message = { notification: { title: "Family" } };
  assert.deepEqual(payloadOf({ json: () => message }), message);
});
