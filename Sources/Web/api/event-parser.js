/** Server-Sent Events (HTML Living Standard, 9.2.6) from pieces of text of any length. */

/**
 * @typedef {object} ServerEvent
 * @property {string} type the `event` field, or `message`
 * @property {string} data
 * @property {string | null} id the id that holds after this event
 */

/**
 * Makes a parser. It takes pieces of the stream and gives the events that they complete.
 * `retry` is the server's wait before a new connection, in milliseconds.
 */
export function createEventParser() {
  let rest = "";
  let type = "";
  /** @type {string[]} */
  let data = [];
  /** @type {string | null} */
  let id = null;
  // The id counts from the blank line on: a connection that is cut before it has not brought the event.
  /** @type {string | null} */
  let held = null;
  /** @type {number | null} */
  let retry = null;

  /** @param {string} line one that begins with a colon is a comment: its field has no name */
  function take(line) {
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") type = value;
    else if (field === "data") data.push(value);
    else if (field === "id" && !value.includes("\0")) id = value;
    else if (field === "retry" && /^\d+$/.test(value)) retry = Number(value);
  }

  /** @returns {ServerEvent | null} */
  function dispatch() {
    held = id;
    const event = data.length > 0 ? { type: type || "message", data: data.join("\n"), id } : null;
    type = "";
    data = [];
    return event;
  }

  return {
    get retry() {
      return retry;
    },
    get id() {
      return held;
    },
    /**
     * @param {string} piece
     * @returns {ServerEvent[]}
     */
    push(piece) {
      rest += piece;
      const events = [];
      // A CR at the end may be the first half of a CR LF, so it waits for the next piece.
      for (let match; (match = /\r\n|\n|\r(?!$)/.exec(rest));) {
        const line = rest.slice(0, match.index);
        rest = rest.slice(match.index + match[0].length);
        const event = line === "" ? dispatch() : take(line);
        if (event) events.push(event);
      }
      return events;
    },
  };
}
