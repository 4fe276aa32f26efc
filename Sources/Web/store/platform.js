/**
 * What a browser has for keeping things, each with a stand-in for this visit. Over plain http, with cookies blocked or in a
 * private window the names are missing, throw when they are read, refuse each call, or never answer.
 */

/** Milliseconds after which a store that does not answer counts as broken. */
const PATIENCE = 3_000;

/**
 * The value of a name that may throw; undefined then.
 * @template T
 * @param {() => T} read
 * @returns {T | undefined}
 */
export function attempt(read) {
  try {
    return read() ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * Rejects where a promise takes too long: iOS sometimes never answers.
 * @template T
 * @param {Promise<T>} promise
 * @returns {Promise<T>}
 */
export async function answered(promise) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const late = new Promise((_, reject) =>
    timer = setTimeout(() => reject(new Error("No answer.")), PATIENCE)
  );
  try {
    return await /** @type {Promise<T>} */ (Promise.race([promise, late]));
  } finally {
    clearTimeout(timer);
  }
}

/** A cache in memory. @returns {Pick<Cache, "match" | "put" | "delete" | "keys">} */
function memoryCache() {
  /** @type {Map<string, Response>} */
  const entries = new Map();
  /** @param {RequestInfo | URL} request */
  const address = (request) =>
    new URL(request instanceof Request ? request.url : request, "https://memory.invalid").href;
  return {
    match: async (request) => await entries.get(address(request))?.clone(),
    put: async (request, response) => void await entries.set(address(request), response),
    delete: async (request) => await entries.delete(address(request)),
    keys: async () => await [...entries.keys()].map((url) => new Request(url)),
  };
}

/**
 * Cache Storage, or memory once it is missing or broken.
 * @param {CacheStorage | undefined} real
 * @param {() => void} lost is told when nothing is kept
 * @returns {Pick<CacheStorage, "open" | "delete">}
 */
export function cachesOrMemory(real, lost) {
  /** @type {Map<string, ReturnType<typeof memoryCache>>} */
  const held = new Map();
  let isBroken = !real;
  return {
    async open(name) {
      const cache = isBroken
        ? null
        : await answered(/** @type {CacheStorage} */ (real).open(name)).catch(() => null);
      if (cache) return cache;
      if (!held.has(name)) held.set(name, memoryCache());
      if (!isBroken) lost();
      isBroken = true;
      return /** @type {Cache} */ (held.get(name));
    },
    async delete(name) {
      held.delete(name);
      return await real?.delete(name).catch(() => false) ?? false;
    },
  };
}

/**
 * Locks between tabs, or between the calls of this page where there are none.
 * @param {LockManager | undefined} real
 * @returns {Pick<LockManager, "request">}
 */
export function locksOrMemory(real) {
  /** @type {Map<string, Promise<unknown>>} */
  const held = new Map();
  /** @param {string} name @param {LockOptions} options @param {(lock: any) => any} run */
  async function inPage(name, { ifAvailable }, run) {
    const before = held.get(name);
    if (ifAvailable && before) return await run(null);
    const result = Promise.resolve(before).then(() => run({ name }));
    const ended = result.catch(() => {});
    held.set(name, ended);
    void ended.then(() => held.get(name) === ended && held.delete(name));
    return await result;
  }
  /** @param {string} name @param {any[]} rest */
  async function request(name, ...rest) {
    const run = rest.pop();
    const options = rest[0] ?? {};
    let begun = false;
    if (!real) return await inPage(name, options, run);
    try {
      return await real.request(name, options, (lock) => (begun = true, run(lock)));
    } catch (error) {
      if (begun || options.signal?.aborted) throw error;
      return await inPage(name, options, run);
    }
  }
  return { request: /** @type {any} */ (request) };
}

/**
 * A channel to the other tabs; without one nobody is told.
 * @param {string} name
 * @returns {Pick<BroadcastChannel, "postMessage" | "addEventListener">}
 */
export const channelOrNone = (name) =>
  attempt(() => new BroadcastChannel(name)) ?? { postMessage() {}, addEventListener() {} };

/** An id that nobody guesses: `randomUUID` is missing over plain http. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = 0x40 | (bytes[6] ?? 0) & 0x0f;
  bytes[8] = 0x80 | (bytes[8] ?? 0) & 0x3f;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Gives `crypto` what it lacks over plain http, for everything that makes ids. */
export const completeCrypto = () => void (crypto.randomUUID ??= /** @type {Crypto["randomUUID"]} */ (newId));
