/**
 * The renderer builds the elements of a call site once and afterwards touches only what changed. It makes elements and
 * texts one by one, so no text of a person can become markup, and the browser is never given markup to parse.
 *
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
function parse(strings) {
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

/** @typedef {{like: unknown, roots: (ChildNode | Slot)[], update: (value: any) => void}} Item */

/** @type {WeakMap<object, Slot>} */
const slots = new WeakMap();

/** Shows anything that can be a child as the only content of `container`. @param {unknown} value @param {ParentNode & Node} container */
export function render(value, container) {
  let slot = slots.get(container);
  if (!slot) container.replaceChildren(), slots.set(container, slot = new Slot());
  // Somebody else may have emptied the place.
  if (slot.end.parentNode !== container) container.append(slot.end);
  slot.set(value);
}

/** @param {Child[]} children @param {Element | null} parent @param {((values: any[]) => void)[]} updates
 * @returns {(ChildNode | Slot)[]} */
function build(children, parent, updates) {
  return children.map((child) => {
    if (typeof child === "string") return document.createTextNode(child);
    if (typeof child === "number") {
      const slot = new Slot();
      updates.push((values) => slot.set(values[child]));
      return slot;
    }
    const space = child.tag === "svg" ? "http://www.w3.org/2000/svg" : parent?.namespaceURI;
    const element = space ? document.createElementNS(space, child.tag) : document.createElement(child.tag);
    for (const part of build(child.children, element, updates)) {
      element.append(part instanceof Slot ? part.end : part);
    }
    for (const [name, pieces, first] of child.attributes) {
      if (pieces.length === 1) element.setAttribute(name, pieces[0] ?? "");
      else updates.push(attribute(element, name, pieces, first));
    }
    return element;
  });
}

/** @param {any} element @param {string} name @param {string[]} pieces @param {number} first */
function attribute(element, name, pieces, first) {
  /** @type {any} */
  let last;
  if (name[0] === "@") element.addEventListener(name.slice(1), (/** @type {Event} */ event) => last?.(event));
  return (/** @type {any[]} */ values) => {
    const before = last;
    const alone = pieces.join("") === "";
    last = alone
      ? values[first]
      : pieces.reduce((text, piece, at) => text + (values[first + at - 1] ?? "") + piece);
    // A person flips a checkbox by themselves; what was not done must not look done.
    if ((last === before && name !== ".checked") || name[0] === "@") return;
    if (name === "ref") { if (!before) last(element); }
    else if (name[0] === ".") element[name.slice(1)] = last;
    else if (name[0] === "?") element.toggleAttribute(name.slice(1), !!last);
    else if (name.startsWith("--")) element.style.setProperty(name, last);
    else if (last === undefined || last === null || last === false) element.removeAttribute(name);
    else element.setAttribute(name, last === true ? "" : last);
  };
}

/** The place of one child: its items stand before its `end`, a comment, since others take empty texts away. */
class Slot {
  end = document.createComment("");
  /** @type {Map<unknown, Item>} */
  items = new Map();

  /** @returns {ChildNode[]} */
  nodes() {
    return [...this.items.values()].flatMap((item) => nodes(item)).concat(this.end);
  }

  /**
   * A translator puts a <font> into the place of a text. It stands for the text until that changes.
   * @returns {ChildNode} the first node
   */
  adopt() {
    /** @type {ChildNode} */
    let next = this.end;
    for (const { roots } of [...this.items.values()].reverse()) {
      for (let at = roots.length - 1; at >= 0; at--) {
        const root = /** @type {ChildNode | Slot} */ (roots[at]);
        const other = next.previousSibling;
        if (root instanceof Slot) next = root.adopt();
        else if (root.parentNode || other?.nodeName !== "FONT") next = root;
        else roots[at] = next = /** @type {ChildNode} */ (other);
      }
    }
    return next;
  }

  /** @param {any} value */
  set(value) {
    this.adopt();
    const old = this.items;
    this.items = new Map();
    for (const [at, child] of (Array.isArray(value) ? value : [value]).entries()) {
      if (child === null || child === undefined || child === false) continue;
      const id = child.key ?? at;
      const like = child.strings ?? (child instanceof Node ? child : "text");
      const known = old.get(id);
      const item = known && known.like === like ? known : make(like);
      item.update(child);
      this.items.set(id, item);
    }
    for (const [id, item] of old) {
      if (this.items.get(id) !== item) { for (const node of nodes(item)) node.remove(); }
    }
    /** @type {ChildNode} */
    let next = this.end;
    for (const node of this.nodes().reverse()) {
      if (node !== next && node.nextSibling !== next) next.before(node);
      next = node;
    }
  }
}

/** @param {Item} item @returns {ChildNode[]} */
const nodes = (item) => item.roots.flatMap((root) => root instanceof Slot ? root.nodes() : [root]);

/** @param {any} like @returns {Item} */
function make(like) {
  if (like instanceof Node) return { like, roots: [/** @type {any} */ (like)], update: () => {} };
  if (like === "text") {
    const text = document.createTextNode("");
    /** @type {ChildNode[]} */
    const place = [text];
    let shown = "";
    // What is compared is what was set here: a translator may have changed what is shown.
    const update = (/** @type {unknown} */ value) => {
      if (shown === `${value}`) return;
      text.data = shown = `${value}`;
      if (place[0] !== text) place[0]?.replaceWith(text);
      place[0] = text;
    };
    return { like, roots: place, update };
  }
  /** @type {((values: any[]) => void)[]} */
  const updates = [];
  const roots = build(parse(like), null, updates);
  return { like, roots, update: ({ values }) => updates.forEach((update) => update(values)) };
}
