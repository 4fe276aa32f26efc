/** Sends the calls of openapi.yaml with a token, and reads their answers. */

import { ask, Foreign, valueOf } from "./problems.js";

/**
 * @import { Calls } from "./api.d.ts"
 * @import { Session } from "./session.js"
 * @import { Outside as Wire, Shape } from "./problems.js"
 * @typedef {Wire & { session: Pick<Session, "authorized"> }} Outside
 * @typedef {{ path?: Record<string, string>, query?: Record<string, string>, body?: unknown, headers?: Record<string, string> }} Parts
 */

/**
 * The answer to a call with an ETag; null when the caller's copy is current.
 * @template T
 * @typedef {{ value: T, etag: string | null } | null} Conditional
 */

/**
 * The address of a call.
 * @param {string} template such as `/v1/groups/{id}`
 * @param {Record<string, string>} path
 * @param {Record<string, string>} query
 */
export function addressOf(template, path = {}, query = {}) {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name] ?? ""));
  const search = new URLSearchParams(query).toString();
  return search ? `${filled}?${search}` : filled;
}

/** @param {Outside} outside */
export function createCalling({ session, ...wire }) {
  /**
   * @template T
   * @param {keyof Calls} call
   * @param {Parts} parts
   * @param {(response: Response) => Promise<T>} read
   */
  async function respond(call, { path, query, body, headers = {} }, read) {
    const [method, template] = /** @type {[string, string]} */ (call.split(" "));
    const isBlob = body instanceof Blob;
    const type = body === undefined
      ? {}
      : { "Content-Type": isBlob ? body.type || "image/jpeg" : "application/json" };
    const payload = body === undefined ? {} : { body: isBlob ? body : JSON.stringify(body) };
    return await session.authorized((token) =>
      ask(wire, addressOf(template, path, query), {
        method,
        headers: { ...type, ...headers, Authorization: `Bearer ${token}` },
        ...payload,
      }, read)
    );
  }

  /** @param {Response} response @param {Shape} shape */
  const json = async (response, shape) =>
    valueOf({
      status: response.status,
      type: response.headers.get("Content-Type"),
      text: await response.text(),
    }, shape);

  /**
   * @template {keyof Calls} K
   * @param {K} call
   * @param {Parts} [parts]
   * @param {Shape | null} [shape] of the answer; null where the call has none
   * @returns {Promise<Calls[K]["answer"]>}
   */
  async function send(call, parts, shape) {
    return await respond(call, parts ?? {}, async (response) => {
      if (response.status !== 204 && shape !== null) return await json(response, shape ?? {});
      // What is read always has an answer, and only a call without one is answered 204.
      if (response.status !== 204 || shape || call.startsWith("GET")) throw new Foreign(response.status);
      return null;
    });
  }

  /**
   * @template {keyof Calls} K
   * @param {K} call
   * @param {string | null} etag
   * @param {Parts} [parts]
   * @param {Shape} [shape]
   * @returns {Promise<Conditional<Calls[K]["answer"]>>}
   */
  async function conditional(call, etag, parts = {}, shape = {}) {
    const headers = etag ? { "If-None-Match": etag } : {};
    return await respond(
      call,
      { ...parts, headers },
      async (response) =>
        etag && response.status === 304
          ? null
          : { value: await json(response, shape), etag: response.headers.get("ETag") },
    );
  }

  return { send, conditional };
}
