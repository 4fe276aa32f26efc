/** IndexedDB with promises. It holds the queue of uploads: one record per upload, one Blob per capture. */

/**
 * @typedef {"uploads" | "captures"} StoreName
 * @typedef {object} Database
 * @property {(store: StoreName, key: string) => Promise<unknown>} get undefined where there is none
 * @property {(store: StoreName) => Promise<unknown[]>} all
 * @property {(changes: Change[]) => Promise<void>} write all of the changes or none
 * @property {<T extends { id: string }>(store: StoreName, key: string, change: (value: T) => T) => Promise<void>} update
 *     changes a value, unless another tab or the worker has deleted it
 * @property {() => Promise<void>} destroy
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

/** @param {IDBFactory} factory */
async function open(factory) {
  const request = factory.open(NAME, 1);
  request.onupgradeneeded = () => {
    for (const store of STORES) request.result.createObjectStore(store, { keyPath: "id" });
  };
  return await result(request);
}

/**
 * Opens the database at the first use, and again after a browser has closed it.
 * @param {IDBFactory} factory
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
    }, (error) => {
      opening = null;
      throw error;
    });
    return opening;
  }

  /** @param {StoreName} store */
  const reading = async (store) => (await connection()).transaction(store).objectStore(store);

  return {
    get: async (store, key) => await result((await reading(store)).get(key)),
    all: async (store) => await result((await reading(store)).getAll()),
    async write(changes) {
      const transaction = (await connection()).transaction(STORES, "readwrite");
      for (const change of changes) {
        const store = transaction.objectStore(change.store);
        if ("put" in change) store.put(change.put);
        else store.delete(change.delete);
      }
      await ending(transaction);
    },
    async update(store, key, change) {
      const transaction = (await connection()).transaction(store, "readwrite");
      const values = transaction.objectStore(store);
      const request = values.get(key);
      request.onsuccess = () => request.result && values.put(change(request.result));
      await ending(transaction);
    },
    async destroy() {
      const database = await connection().catch(() => null);
      database?.close();
      opening = null;
      await result(factory.deleteDatabase(NAME));
    },
  };
}

/**
 * A private window of WebKit takes no Blob. What it refuses waits in memory, for as long as the page is open. A full disk
 * stays an error, because a person can make room.
 * @param {Database} database
 * @returns {Database}
 */
export function withMemory(database) {
  /** @type {Record<StoreName, Map<string, { id: string }>>} */
  const held = { uploads: new Map(), captures: new Map() };
  return {
    get: async (store, key) => held[store].get(key) ?? await database.get(store, key),
    all: async (store) => [...await database.all(store), ...held[store].values()],
    async write(changes) {
      for (const change of changes) if ("delete" in change) held[change.store].delete(change.delete);
      await database.write(changes).catch((error) => {
        const kept = changes.filter((change) => "put" in change);
        if (error?.name === "QuotaExceededError" || kept.length === 0) throw error;
        for (const { store, put } of kept) held[store].set(put.id, put);
      });
    },
    async update(store, key, change) {
      const value = /** @type {any} */ (held[store].get(key));
      if (value) held[store].set(key, change(value));
      else await database.update(store, key, change);
    },
    async destroy() {
      for (const values of Object.values(held)) values.clear();
      await database.destroy();
    },
  };
}
