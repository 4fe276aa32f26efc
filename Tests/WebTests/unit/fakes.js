/** The outside of the stores, in memory. */

/** Answers with the given responses in turn, and remembers the requests. */
export function fakeFetch(...answers) {
  const requests = [];
  const fetch = async (url, init = {}) => {
    requests.push({
      url: String(url),
      ...init,
      headers: new Headers(init.headers),
    });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    await Promise.resolve();
    if (answer instanceof Error) throw answer;
    if (typeof answer === "function") return answer(String(url), init);
    // Deno's clone lacks the headers that nobody has read.
    return answer.headers && answer.clone();
  };
  return { fetch, requests };
}

export const json = (value, { headers = {}, ...init } = {}) =>
  new Response(JSON.stringify(value), {
    ...init,
    headers: { "Content-Type": "application/json", ...headers },
  });

export function problem(status, code, members = {}, headers = {}) {
  const document = {
    type: `/problems/${code}`,
    title: code,
    status,
    detail: code,
    code,
    request_id: "r",
    ...members,
  };
  return new Response(JSON.stringify(document), {
    status,
    headers: { "Content-Type": "application/problem+json", ...headers },
  });
}

/** Cache Storage: addresses are absolute, as in a browser. */
export function fakeCaches() {
  const all = new Map();
  const absolute = (request) => new URL(request.url ?? request, "https://dayly.example").href;
  const cacheOf = (entries) => ({
    match: async (request) => await entries.get(absolute(request))?.clone(),
    put: async (request, response) => void await entries.set(absolute(request), response),
    delete: async (request) => await entries.delete(absolute(request)),
    keys: async () => await [...entries.keys()].map((url) => ({ url })),
  });
  return {
    open: async (name) => {
      if (!all.has(name)) all.set(name, new Map());
      return await cacheOf(all.get(name));
    },
    delete: async (name) => await all.delete(name),
    /** The addresses of a cache. */
    addresses: (name) => [...all.get(name)?.keys() ?? []],
  };
}

/** Locks that are granted in turn; with `ifAvailable` a held lock is not waited for, with a signal not after its end. */
export function fakeLocks() {
  const held = new Map();
  return {
    request: async (name, ...rest) => {
      const run = rest.pop();
      const { ifAvailable = false, signal } = rest[0] ?? {};
      if (ifAvailable && held.has(name)) return await run(null);
      const before = held.get(name) ?? Promise.resolve();
      const late = new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
      late.catch(() => {});
      const turn = held.has(name) ? Promise.race([before, late]) : before;
      const result = turn.then(() => run({ name }));
      const ended = result.catch(() => {});
      held.set(name, ended);
      ended.then(() => held.get(name) === ended && held.delete(name));
      return await result;
    },
  };
}

/** A channel whose other end the test holds. */
export function fakeChannel() {
  const listeners = [];
  const posted = [];
  return {
    posted,
    postMessage: (message) => posted.push(message),
    addEventListener: (_, listener) => listeners.push(listener),
    receive: (data) => listeners.forEach((listener) => listener({ data })),
  };
}

export function fakeDatabase() {
  const stores = { uploads: new Map(), captures: new Map() };
  return {
    stores,
    get: async (store, key) => await structuredClone(stores[store].get(key)),
    all: async (store) => await structuredClone([...stores[store].values()]),
    write: async (changes) => {
      await Promise.resolve();
      for (const change of changes) {
        if (change.put) stores[change.store].set(change.put.id, change.put);
        else stores[change.store].delete(change.delete);
      }
    },
    update: async (store, key, change) => {
      await Promise.resolve();
      const value = structuredClone(stores[store].get(key));
      if (value) stores[store].set(key, change(value));
    },
    isThere: async () => await true,
    destroy: async () => await Object.values(stores).forEach((store) => store.clear()),
  };
}

export function fakeKept(values = {}) {
  const all = new Map(Object.entries(values));
  return {
    all,
    read: async (key) => await all.get(key) ?? null,
    write: async (key, value) => void await all.set(key, value),
    delete: async (key) => void await all.delete(key),
  };
}

/** A device's clock and timers that move by hand. */
export function fakeTime(start = Date.parse("2026-11-22T12:00:00Z")) {
  let now = start;
  let timers = [];
  return {
    now: () => now,
    setTimer: (run, delay) => {
      const timer = { run, at: now + delay };
      timers.push(timer);
      return timer;
    },
    clearTimer: (timer) => void (timers = timers.filter((one) => one !== timer)),
    /** Time passes while the device sleeps, and its timers with it. */
    sleep: (milliseconds) => void (now += milliseconds),
    advance(milliseconds) {
      const end = now + milliseconds;
      for (;;) {
        const due = timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
        if (!due) {
          break;
        }
        timers = timers.filter((timer) => timer !== due);
        now = Math.max(now, due.at);
        due.run();
      }
      now = end;
    },
  };
}

/** Replaces `AbortSignal.timeout` by signals that a test ends; gives the way back, too. */
export function heldTimeouts() {
  const { timeout } = AbortSignal;
  const controllers = [];
  AbortSignal.timeout = () => {
    controllers.push(new AbortController());
    return controllers.at(-1).signal;
  };
  return {
    pass: () => controllers.splice(0).forEach((one) => one.abort(new DOMException("late", "TimeoutError"))),
    restore: () => AbortSignal.timeout = timeout,
  };
}

/** Lets everything run that waits for nothing but promises. */
export async function settled() {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  await new Promise((resolve) => setTimeout(resolve, 0));
}

export function photo(id, members = {}) {
  return {
    id,
    group_id: "g1",
    sender_id: "ada",
    sender_name: "Ada",
    created_at: "2026-11-22T10:00:00Z",
    expires_at: "2026-11-24T10:00:00Z",
    width: 4,
    height: 3,
    thumbhash: "",
    url: `https://bucket.example/${id}/full`,
    thumbnail_url: `https://bucket.example/${id}/thumbnail`,
    url_expires_at: "2026-11-22T13:00:00Z",
    ...members,
  };
}

export const user = {
  id: "me",
  phone_number: "+14155550123",
  first_name: "Grace",
  time_zone: "UTC",
};
