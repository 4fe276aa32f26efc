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
 * @returns {(part: Partial<T>) => Promise<unknown>}
 */
export function createReplacing(answers, answer, put) {
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  return (part) => {
    const begin = () => {
      const value = /** @type {T} */ ({ ...answer.value, ...part });
      // The next call needs what this one has stored, also when asking again fails.
      return answers.after(put(value).then((stored) => answer.value = stored));
    };
    return last = last.then(begin, begin);
  };
}
