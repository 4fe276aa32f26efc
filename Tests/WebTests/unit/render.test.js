/** The renderer: what it builds, what it keeps, and that a text never becomes markup. */

import { document, Node } from "./tiny-dom.js";
import assert from "node:assert/strict";

Object.assign(globalThis, { document, Node });
const { html, key, render } = await import("../../../Sources/Web/app/render.js");

function place() {
  const container = document.createElement("main");
  return {
    container,
    show: (value) => (render(value, container), container.childNodes.join("")),
  };
}

Deno.test("a text of a person stays a text, in content and in attributes", () => {
  const { show, container } = place();
  const view = (name) => html`<p title=${name}>${name}</p>`;
  assert.equal(
    show(view("<img src=x onerror=alert(1)>")),
    '<p title="<img src=x onerror=alert(1)>">&lt;img src=x onerror=alert(1)></p>',
  );
  const [paragraph] = container.childNodes;
  assert.equal(paragraph.childNodes.filter((node) => node.tag).length, 0);
});

Deno.test("a second rendering changes values and keeps elements", () => {
  const { show, container } = place();
  const view = (count, kind) => html`<p class="a ${kind} z">${count} photos</p>`;
  assert.equal(show(view(1, "b")), '<p class="a b z">1 photos</p>');
  const [first] = container.childNodes;
  assert.equal(show(view(2, "c")), '<p class="a c z">2 photos</p>');
  assert.equal(container.childNodes[0], first);
});

Deno.test("attributes: absent for null and false, boolean, property, style, reference", () => {
  const { show, container } = place();
  const references = [];
  const view = (label, hidden, value) => html`
    <input
      aria-label=${label}
      ?hidden=${hidden}
      .value=${value}
      --part=${0.5}
      ref=${(element) => references.push(element)}
    />
  `;
  assert.equal(show(view(null, true, "x")), '<input hidden="" style --part="0.5"></input>');
  assert.equal(container.childNodes[0].value, "x");
  assert.equal(show(view("Name", false, "y")), '<input style --part="0.5" aria-label="Name"></input>');
  assert.equal(container.childNodes[0].value, "y");
  assert.equal(references.length, 1);
});

Deno.test("what somebody typed stays while the bound value is the same", () => {
  const { show, container } = place();
  const view = (value) => html`<input .value=${value} />`;
  show(view("a"));
  container.childNodes[0].value = "typed";
  show(view("a"));
  assert.equal(container.childNodes[0].value, "typed");
});

Deno.test("a checkbox shows its value again after a person flipped it in vain", () => {
  const { show, container } = place();
  const view = (on) => html`<input type="checkbox" .checked=${on} />`;
  show(view(false));
  container.childNodes[0].checked = true;
  show(view(false));
  assert.equal(container.childNodes[0].checked, false);
});

Deno.test("the newest listener is called, and no other", () => {
  const { show, container } = place();
  const calls = [];
  const view = (name) => html`<button @click=${() => calls.push(name)}>x</button>`;
  show(view("first"));
  show(view("second"));
  container.childNodes[0].listeners.get("click")({});
  assert.deepEqual(calls, ["second"]);
});

Deno.test("an array keeps an item's elements by its key and moves as few as it can", () => {
  const { show, container } = place();
  const view = (ids) => html`<ul>${ids.map((id) => key(id, html`<li>${id}</li>`))}</ul>`;
  show(view(["a", "b", "c"]));
  const [list] = container.childNodes;
  const before = new Map(list.childNodes.map((node) => [String(node), node]));
  Node.moved = [];
  assert.equal(show(view(["b", "c", "d"])), "<ul><li>b</li><li>c</li><li>d</li></ul>");
  assert.equal(list.childNodes[0], before.get("<li>b</li>"));
  assert.deepEqual(Node.moved.filter((node) => node.tag).map(String), ["<li>d</li>"]);
  assert.equal(show(view(["d", "b"])), "<ul><li>d</li><li>b</li></ul>");
});

Deno.test("an item of several nodes, one of them dynamic, moves as a whole", () => {
  const { show } = place();
  const view = (ids) =>
    html`<dl>${ids.map((id) => key(id, html`<dt>${id}</dt>${html`<dd>${id}</dd>`}`))}</dl>`;
  show(view([1, 2]));
  assert.equal(show(view([2, 1])), "<dl><dt>2</dt><dd>2</dd><dt>1</dt><dd>1</dd></dl>");
});

Deno.test("a child changes between nothing, a text, another template and back", () => {
  const { show } = place();
  const view = (child) => html`<p>${child}</p>`;
  assert.equal(show(view(null)), "<p></p>");
  assert.equal(show(view(0)), "<p>0</p>");
  assert.equal(show(view(html`<b>x</b>`)), "<p><b>x</b></p>");
  assert.equal(show(view([false, "a", html`<i>y</i>`])), "<p>a<i>y</i></p>");
  assert.equal(show(view(undefined)), "<p></p>");
});

Deno.test("drawings stand in the namespace of SVG, and what follows them does not", () => {
  const { show, container } = place();
  show(html`
    <div>
      <svg viewBox="0 0 1 1">
        <path d=${"M0 0"} />
      </svg>
      <p>x</p>
    </div>
  `);
  const [svg, paragraph] = container.childNodes[0].childNodes;
  assert.equal(svg.childNodes[0].namespaceURI, "http://www.w3.org/2000/svg");
  assert.equal(paragraph.namespaceURI, "http://www.w3.org/1999/xhtml");
});

/** Puts <font> into the place of each text, as Chrome's translator does. */
function translate(node) {
  for (const child of [...node.childNodes]) {
    if (child.tag) translate(child);
    else if (child.data?.trim()) {
      const outer = document.createElement("font");
      const inner = document.createElement("font");
      inner.append(document.createTextNode(child.data.toUpperCase()));
      outer.append(inner);
      child.before(outer);
      child.remove();
    }
  }
}

// Guard: a translated text is shown once (`render.js`)
Deno.test("a translated text stays while its value is the same, and is replaced by another value", () => {
  const { show, container } = place();
  const view = (name, count) => html`<p>${name} has ${count} photos</p>${name}`;
  show(view("Ada", 1));
  translate(container);
  const font = (text) => `<font><font>${text}</font></font>`;
  assert.equal(
    show(view("Ada", 1)),
    `<p>${font("ADA")}${font(" HAS ")}${font("1")}${font(" PHOTOS")}</p>${font("ADA")}`,
  );
  assert.equal(
    show(view("Grace", 1)),
    `<p>Grace${font(" HAS ")}${font("1")}${font(" PHOTOS")}</p>Grace`,
  );
  assert.equal(show(html`<i>x</i>`), "<i>x</i>");
});

Deno.test("an item whose text was translated goes as a whole", () => {
  const { show, container } = place();
  const view = (ids) => html`<ul>${ids.map((id) => key(id, html` ${id}, `))}</ul>`;
  show(view(["a", "b"]));
  translate(container);
  assert.equal(show(view([])), "<ul></ul>");
});

Deno.test("a place that somebody else emptied is filled again", () => {
  const { show, container } = place();
  show(html`<p>x</p>`);
  container.replaceChildren();
  assert.equal(show(html`<p>x</p>`), "<p>x</p>");
});
