/**
 * Templates: `html` only remembers its strings and values, and `parse` reads the strings of a call site once.
 *
 *   html`<p class=${name} ?hidden=${flag} .value=${property} --part=${css} @click=${listener} ref=${callback}>${child}</p>`
 *
 * A child is a text, a template, a node, nothing (null, undefined, false), or an array of these; `key` gives an item of an
 * array its identity. Templates are written strictly: quoted attributes, closed elements, no entities.
 */

/** @typedef {{strings: TemplateStringsArray, values: unknown[], key?: unknown}} Template */
/** @typedef {{tag: string, attributes: [string, string[], number][], children: Child[]}} Tag */
/** @typedef {string | number | Tag} Child a text, the number of a hole, or an element */

const HOLE = "\0";
const TOKEN = /<(\/?)([\w-]+)((?:\s+[^\s=>/]+(?:=(?:"[^"]*"|\0))?)*)\s*(\/?)>|\0|[^<\0]+/g;
const ATTRIBUTE = /([^\s=]+)(?:=(?:"([^"]*)"|(\0)))?/g;
const VOID = /^(input|img|br|hr)$/;

/** @param {TemplateStringsArray} strings @param {unknown[]} values @returns {Template} */
export const html = (strings, ...values) => ({ strings, values });

/** @param {unknown} id @param {Template} template @returns {Template} */
export const key = (id, template) => ({ ...template, key: id });

/** @type {WeakMap<TemplateStringsArray, Child[]>} */
const parsed = new WeakMap();

/** @param {TemplateStringsArray} strings */
export function parse(strings) {
  const known = parsed.get(strings);
  if (known) return known;
  let hole = 0;
  /** @type {Tag[]} */
  const open = [{ tag: "", attributes: [], children: [] }];
  for (const [token, close, tag, attributes, empty] of strings.join(HOLE).matchAll(TOKEN)) {
    const parent = /** @type {Tag} */ (open.at(-1));
    if (close) open.pop();
    else if (tag) {
      /** @type {Tag} */
      const element = { tag, attributes: [], children: [] };
      for (const [, name = "", quoted, bare = ""] of attributes?.matchAll(ATTRIBUTE) ?? []) {
        const pieces = (quoted ?? bare).split(HOLE);
        element.attributes.push([name, pieces, hole]);
        hole += pieces.length - 1;
      }
      parent.children.push(element);
      if (!empty && !VOID.test(tag)) open.push(element);
    } else if (token === HOLE) parent.children.push(hole++);
    else if (token.trim() || !token.includes("\n")) parent.children.push(token.replace(/\s+/g, " "));
  }
  const children = /** @type {Tag} */ (open[0]).children;
  parsed.set(strings, children);
  return children;
}
