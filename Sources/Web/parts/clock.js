/**
 * <day-clock .text=${() => …}> shows a text that depends on the time, such as "2 hours ago", and keeps it true.
 * Only the element's own text changes; the screen around it is not drawn again.
 */

const clocks = new Set();
/** @type {number | undefined} */
let timer;

function tick() {
  for (const clock of clocks) clock.draw();
}

class DayClock extends HTMLElement {
  #text = () => "";

  get text() {
    return this.#text;
  }

  set text(text) {
    this.#text = text;
    this.draw();
  }

  draw() {
    const text = this.#text();
    if (this.textContent !== text) this.textContent = text;
  }

  connectedCallback() {
    clocks.add(this);
    timer ??= setInterval(tick, 1000);
  }

  disconnectedCallback() {
    clocks.delete(this);
    if (clocks.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  }
}

customElements.define("day-clock", DayClock);
