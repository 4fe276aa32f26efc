/** The subscribers of a store. */

/**
 * @template [T=void]
 * @returns {{ subscribe: (listener: (value: T) => void) => () => void, tell: (value: T) => void }}
 */
export function createListeners() {
  /** @type {Set<(value: T) => void>} */
  const listeners = new Set();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell(value) {
      for (const listener of [...listeners]) listener(value);
    },
  };
}
