/** As much of a document as the renderer touches. */

class Node {
  /** @type {Node[]} */
  childNodes = [];
  /** @type {Node | null} */
  parentNode = null;

  get nextSibling() {
    const siblings = this.parentNode?.childNodes ?? [];
    return siblings[siblings.indexOf(this) + 1] ?? null;
  }

  get previousSibling() {
    const siblings = this.parentNode?.childNodes ?? [];
    return siblings[siblings.indexOf(this) - 1] ?? null;
  }

  replaceWith(node) {
    this.before(node);
    this.remove();
  }

  remove() {
    const siblings = this.parentNode?.childNodes ?? [];
    if (siblings.includes(this)) siblings.splice(siblings.indexOf(this), 1);
    this.parentNode = null;
  }

  append(...nodes) {
    for (const node of nodes) {
      node.remove();
      node.parentNode = this;
      this.childNodes.push(node);
    }
  }

  /** As in a browser, nothing happens to a node that stands nowhere. */
  before(node) {
    if (!this.parentNode) return;
    node.remove();
    Node.moved.push(node);
    node.parentNode = this.parentNode;
    this.parentNode.childNodes.splice(this.parentNode.childNodes.indexOf(this), 0, node);
  }

  replaceChildren() {
    for (const node of [...this.childNodes]) node.remove();
  }

  /** @type {Node[]} */
  static moved = [];
}

class Text extends Node {
  constructor(data) {
    super();
    this.data = data;
  }

  toString() {
    return String(this.data).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  }
}

class Comment extends Node {
  toString() {
    return "";
  }
}

class Element extends Node {
  attributes = new Map();
  listeners = new Map();
  style = { setProperty: (name, value) => this.attributes.set(`style ${name}`, value) };

  constructor(namespaceURI, tag) {
    super();
    this.namespaceURI = namespaceURI;
    this.tag = tag;
    this.nodeName = tag.toUpperCase();
  }

  setAttribute(name, value) {
    this.attributes.set(name, String(value));
  }

  removeAttribute(name) {
    this.attributes.delete(name);
  }

  toggleAttribute(name, on) {
    if (on) this.attributes.set(name, "");
    else this.attributes.delete(name);
  }

  addEventListener(name, listener) {
    this.listeners.set(name, listener);
  }

  toString() {
    const attributes = [...this.attributes].map(([name, value]) => ` ${name}="${value}"`).join("");
    return `<${this.tag}${attributes}>${this.childNodes.join("")}</${this.tag}>`;
  }
}

const XHTML = "http://www.w3.org/1999/xhtml";

export const document = {
  createElement: (tag) => new Element(XHTML, tag),
  createElementNS: (space, tag) => new Element(space, tag),
  createTextNode: (data) => new Text(data),
  createComment: () => new Comment(),
};

export { Node };
