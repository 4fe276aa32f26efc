/** Changes parts of an answer with a call that replaces all of it. */

/**
 * @import { Answer, Answers } from "./answers.js"
 */

/**
 * Each call begins when the one before has ended: it would undo a change that it does not know.
 * @template T
 * @param {Pick<Answers, "after">} answers
 * @param {Answer<T>} answer
 * @param {(value: T) => Promise<T>} put
 */
export function createReplacing(answers, answer, put) {
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  /** What is under way. @type {Partial<T>[]} */
  let parts = [];

  /** @param {Partial<T>} part @returns {Promise<unknown>} */
  const change = (part) => {
    parts.push(part);
    const begin = () => {
      const value = /** @type {T} */ ({ ...answer.value, ...part });
      // The next call needs what this one has stored, also when asking again fails.
      return answers.after(put(value).then((stored) => answer.value = stored))
        .finally(() => parts = parts.filter((one) => one !== part));
    };
    return last = last.then(begin, begin);
  };
  /** A value with what is under way: no switch falls back meanwhile. @param {T} value @returns {T} */
  const ahead = (value) => Object.assign({}, value, ...parts);
  return Object.assign(change, { ahead });
}
