import assert from "node:assert/strict";
import { createPreferences } from "../../../Sources/Web/store/preferences.js";
import { createPush } from "../../../Sources/Web/store/push.js";

const ENDPOINT = "https://push.example/1";

function open({ permission = "default", answer = "granted", first = null, key = "key" } = {}) {
  const calls = [];
  let current = first;
  const subscription = (key) => ({
    key,
    toJSON: () => ({ endpoint: ENDPOINT, keys: { p256dh: "p", auth: "a" } }),
    endpoint: ENDPOINT,
    unsubscribe: async () => await (current = null, calls.push("unsubscribe")),
  });
  const pushManager = {
    getSubscription: async () => await current,
    subscribe: async ({ applicationServerKey: key }) => {
      if (current && current.key !== key) throw await new DOMException("another key", "InvalidStateError");
      return current = subscription(key);
    },
  };
  if (first) current = subscription(first);
  const notifications = {
    permission,
    requestPermission: async () => notifications.permission = await answer,
  };
  const preferences = createPreferences(null);
  const client = {
    registerDevice: async (body) => void await calls.push(body),
    unregisterDevice: async (device) => void await calls.push(device),
  };
  const registration = async () => await ({ pushManager });
  const outside = {
    client,
    key,
    preferences,
    registration,
    notifications,
    needsInstall: () => true,
    language: () => "de",
  };
  return {
    push: createPush(outside),
    calls,
    preferences,
    without: createPush({ ...outside, notifications: null }),
  };
}

const registered = {
  platform: "web",
  subscription: { endpoint: ENDPOINT, keys: { p256dh: "p", auth: "a" } },
  language: "de",
};

Deno.test("notifications are switched on by a permission and a registration", async () => {
  const { push, calls } = open();
  assert.equal(push.state, "off");
  assert.equal(await push.enable(), true);
  assert.equal(push.state, "on");
  assert.deepEqual(calls, [registered]);
});

Deno.test("a refused permission registers nothing", async () => {
  const { push, calls } = open({ answer: "denied" });
  assert.equal(await push.enable(), false);
  assert.equal(push.state, "denied");
  assert.deepEqual(calls, []);
});

Deno.test("a wanted subscription is registered again at each start, and no other one", async () => {
  const { push, calls } = open();
  await push.renew();
  assert.deepEqual(calls, []);
  await push.enable();
  await push.renew();
  assert.deepEqual(calls, [registered, registered]);
});

Deno.test("a subscription that was made with another key is made anew", async () => {
  const { push, calls } = open({ first: "old key" });
  await push.enable();
  assert.deepEqual(calls, ["unsubscribe", registered]);
});

Deno.test("switching off ends the subscription here and at the service", async () => {
  const { push, calls } = open();
  await push.enable();
  await push.disable();
  assert.equal(push.state, "off");
  assert.deepEqual(calls.slice(1), [ENDPOINT, "unsubscribe"]);
});

Deno.test("a service without a key for browsers offers nothing and asks for nothing", async () => {
  const { push, without, calls, preferences } = open({ key: null, permission: "granted" });
  preferences.set("pushWanted", true);
  assert.deepEqual([push.state, without.state], ["none", "none"]);
  await push.renew();
  assert.deepEqual(calls, []);
});

Deno.test("an iPhone's browser says that the app has to be installed first", () => {
  assert.equal(open().without.state, "install-first");
});
