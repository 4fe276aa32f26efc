/** IndexedDB with promises. It holds the queue of uploads: one record per upload, one Blob per capture. */

import { answered } from "./platform.js";

/**
 * @typedef {"uploads" | "captures"} StoreName
 * @typedef {object} Database
 * @property {(store: StoreName, key: string) => Promise<unknown>} get undefined where there is none
 * @property {(store: StoreName) => Promise<unknown[]>} all
 * @property {(changes: Change[]) => Promise<void>} write all of the changes or none
 * @property {<T extends { id: string }>(store: StoreName, key: string, change: (value: T) => T) => Promise<void>} update
 *     changes a value, unless another tab or the worker has deleted it
 * @property {() => Promise<void>} destroy
 * @property {() => Promise<boolean>} isThere whether there is one already, as far as the browser tells
 * @property {boolean} [inMemory] whether something is held that ends with the page
 * @typedef {{ store: StoreName, put: { id: string } } | { store: StoreName, delete: string }} Change
 */

const NAME = "dayly";
/** @type {StoreName[]} */
const STORES = ["uploads", "captures"];

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function result(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** @param {IDBTransaction} transaction */
function ending(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  });
}

/** @param {IDBFactory | undefined} factory */
async function open(factory) {
  if (!factory) throw new Error("This browser has no database.");
  const request = factory.open(NAME, 1);
  request.onupgradeneeded = () => {
    for (const store of STORES) request.result.createObjectStore(store, { keyPath: "id" });
  };
  return await answered(result(request));
}

/**
 * Opens the database at the first use, and again after a browser has closed it.
 * @param {IDBFactory | undefined} factory
 * @returns {Database}
 */
export function createDatabase(factory) {
  /** @type {Promise<IDBDatabase> | null} */
  let opening = null;

  function connection() {
    opening ??= open(factory).then((database) => {
      const closed = () => opening = null;
      database.onclose = closed;
      // Another tab deletes the database: a connection that stays would make it wait.
      database.onversionchange = () => (database.close(), closed());
      return database;
    });
    return opening;
  }

  /**
   * Does something with the database, and once more with a new connection: an iPhone that wakes up has lost the old one.
   * @template T
   * @param {(database: IDBDatabase) => Promise<T>} act
   */
  async function withConnection(act) {
    for (let attempts = 1;; attempts++) {
      try {
        return await act(await connection());
      } catch (error) {
        const isFull = /** @type {any} */ (error)?.name === "QuotaExceededError";
        const database = await opening?.catch(() => null);
        opening = null;
        if (!database || isFull || attempts === 2) throw error;
        database.close();
      }
    }
  }

  return {
    get: (store, key) =>
      withConnection((database) => result(database.transaction(store).objectStore(store).get(key))),
    all: (store) =>
      withConnection((database) => result(database.transaction(store).objectStore(store).getAll())),
    write: (changes) =>
      withConnection(async (database) => {
        const transaction = database.transaction(STORES, "readwrite");
        for (const change of changes) {
          const store = transaction.objectStore(change.store);
          if ("put" in change) store.put(change.put);
          else store.delete(change.delete);
        }
        await ending(transaction);
      }),
    update: (store, key, change) =>
      withConnection(async (database) => {
        const transaction = database.transaction(store, "readwrite");
        const values = transaction.objectStore(store);
        const request = values.get(key);
        request.onsuccess = () => request.result && values.put(change(request.result));
        await ending(transaction);
      }),
    isThere: async () =>
      (await factory?.databases?.().catch(() => null))?.some(({ name }) => name === NAME) ?? true,
    async destroy() {
      const database = await connection().catch(() => null);
      database?.close();
      opening = null;
      // A tab that sleeps keeps its connection.
      if (factory) await answered(result(factory.deleteDatabase(NAME)));
    },
  };
}

/**
 * The database, and memory for what it refuses: a private window takes no Blob, a disk is full, or nothing opens at all. What
 * is held waits for as long as the page is open.
 * @param {Database} database
 * @returns {Database}
 */
export function withMemory(database) {
  /** @type {Record<StoreName, Map<string, { id: string }>>} */
  const held = { uploads: new Map(), captures: new Map() };
  /** What the database could not delete. @type {Set<string>} */
  const gone = new Set();
  /** @param {StoreName} store @param {any} value */
  const isThere = (store, value) => value && !gone.has(value.id) && !held[store].has(value.id);
  return {
    get inMemory() {
      return held.captures.size > 0;
    },
    async get(store, key) {
      const value = held[store].get(key) ?? await database.get(store, key).catch(() => undefined);
      return gone.has(key) ? undefined : value;
    },
    async all(store) {
      const kept = await database.all(store).catch(() => []);
      return [...kept.filter((value) => isThere(store, value)), ...held[store].values()];
    },
    async write(changes) {
      for (const change of changes) if ("delete" in change) held[change.store].delete(change.delete);
      await database.write(changes).catch(() => {
        for (const change of changes) {
          if ("put" in change) held[change.store].set(change.put.id, change.put);
          else gone.add(change.delete);
        }
      });
    },
    async update(store, key, change) {
      const value = /** @type {any} */ (held[store].get(key));
      if (value) return void held[store].set(key, change(value));
      // A photo must not be sent without end because its record does not change.
      const known = /** @type {any} */ (await database.get(store, key).catch(() => undefined));
      await database.update(store, key, change).catch(() => {
        if (known) held[store].set(key, change(known));
      });
    },
    isThere: async () => held.uploads.size > 0 || await database.isThere(),
    async destroy() {
      for (const values of Object.values(held)) values.clear();
      await database.destroy();
    },
  };
}
